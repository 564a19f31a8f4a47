/* SPDX-License-Identifier: MIT */
/*
 * A pool of threads that call virtual functions of tasks with strings: each task has its own text, the log is
 * everybody's, and one of its readers has no lock.
 */
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

static std::mutex log_lock;
static std::string log_text;

struct Task {
    virtual ~Task() {}
    virtual void run() = 0;
};

struct Shout : Task {
    explicit Shout(const char *text) : text(text) {}
    void run() override
    {
        text += "!";
        std::lock_guard<std::mutex> held(log_lock);
        log_text.append(text);
    }
    std::string text;
};

struct Measure : Task {
    void run() override { seen = log_text.size(); }
    size_t seen = 0;
};

class Pool {
public:
    explicit Pool(int n)
    {
        for (int i = 0; i < n; i++)
            threads.emplace_back([this] { work(); });
    }
    void add(std::unique_ptr<Task> task)
    {
        std::lock_guard<std::mutex> held(lock);
        tasks.push_back(std::move(task));
        changed.notify_one();
    }
    void finish()
    {
        {
            std::lock_guard<std::mutex> held(lock);
            over = true;
            changed.notify_all();
        }
        for (std::thread &t : threads)
            t.join();
    }

private:
    void work()
    {
        for (;;) {
            std::unique_lock<std::mutex> held(lock);
            while (tasks.empty() && !over)
                changed.wait(held);
            if (tasks.empty())
                return;
            std::unique_ptr<Task> task = std::move(tasks.front());
            tasks.pop_front();
            held.unlock();
            task->run();
        }
    }

    std::mutex lock;
    std::condition_variable changed;
    std::deque<std::unique_ptr<Task>> tasks;
    std::vector<std::thread> threads;
    bool over = false;
};

int main()
{
    Pool pool(2);

    pool.add(std::unique_ptr<Task>(new Shout("a text that is longer than its own room")));
    pool.add(std::unique_ptr<Task>(new Measure));
    pool.finish();
    return log_text.empty();
}
