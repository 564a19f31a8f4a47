/* SPDX-License-Identifier: MIT */
/*
 * A server of C++20 coroutines: two threads take those that are ready from one queue, a third waits
 * by epoll for the descriptors that the others wait for.  Two clients are coroutines as well; each
 * sends a number and gets the next one.
 */
#include <cassert>
#include <condition_variable>
#include <coroutine>
#include <deque>
#include <mutex>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>

namespace
{

class Loop
{
  public:
    Loop() : set_(epoll_create1(0)), stop_(eventfd(0, 0))
    {
        epoll_event event{EPOLLIN, {nullptr}};
        epoll_ctl(set_, EPOLL_CTL_ADD, stop_, &event);
    }

    void ready(std::coroutine_handle<> coroutine)
    {
        std::lock_guard<std::mutex> lock(m_);
        queue_.push_back(coroutine);
        more_.notify_one();
    }

    void wait_for(int fd, std::coroutine_handle<> coroutine)
    {
        epoll_event event{EPOLLIN | EPOLLONESHOT, {coroutine.address()}};
        if (epoll_ctl(set_, EPOLL_CTL_ADD, fd, &event) != 0)
            epoll_ctl(set_, EPOLL_CTL_MOD, fd, &event);
    }

    void poll()
    {
        for (epoll_event event; epoll_wait(set_, &event, 1, -1) == 1 && event.data.ptr != nullptr;)
            ready(std::coroutine_handle<>::from_address(event.data.ptr));
    }

    void work()
    {
        for (;;) {
            std::unique_lock<std::mutex> lock(m_);
            more_.wait(lock, [this] { return !queue_.empty() || over_; });
            if (queue_.empty())
                return;
            auto coroutine = queue_.front();
            queue_.pop_front();
            lock.unlock();
            coroutine.resume();
        }
    }

    void begun()
    {
        open_++;
    }

    void ended()
    {
        std::lock_guard<std::mutex> lock(m_);
        if (--open_ > 0)
            return;
        over_ = true;
        more_.notify_all();
        eventfd_write(stop_, 1);
    }

  private:
    int set_, stop_, open_ = 0;
    bool over_ = false;
    std::mutex m_;
    std::condition_variable more_;
    std::deque<std::coroutine_handle<>> queue_;
};

Loop loop;

struct Task {
    struct promise_type {
        Task get_return_object()
        {
            return {std::coroutine_handle<promise_type>::from_promise(*this)};
        }
        std::suspend_always initial_suspend() noexcept
        {
            return {};
        }
        std::suspend_never final_suspend() noexcept
        {
            return {};
        }
        void return_void()
        {
            loop.ended();
        }
        void unhandled_exception()
        {
            std::terminate();
        }
    };
    std::coroutine_handle<> handle;
};

struct Readable {
    int fd;
    bool await_ready() const
    {
        return false;
    }
    void await_suspend(std::coroutine_handle<> self) const
    {
        loop.wait_for(fd, self);
    }
    void await_resume() const
    {
    }
};

Task serve(int fd)
{
    for (char number;;) {
        co_await Readable{fd};
        if (read(fd, &number, 1) != 1)
            break;
        number++;
        assert(write(fd, &number, 1) == 1);
    }
    close(fd);
}

Task ask(int fd, char number, char *got)
{
    assert(write(fd, &number, 1) == 1);
    co_await Readable{fd};
    assert(read(fd, got, 1) == 1);
    close(fd);
}

} // namespace

int main()
{
    char got[2] = {0, 0};

    for (int i = 0; i < 2; i++) {
        int pair[2];
        assert(socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0);
        loop.begun();
        loop.begun();
        loop.ready(serve(pair[0]).handle);
        loop.ready(ask(pair[1], static_cast<char>('a' + i), &got[i]).handle);
    }
    std::thread poller(&Loop::poll, &loop), worker(&Loop::work, &loop);
    loop.work();
    worker.join();
    poller.join();
    assert(got[0] == 'b' && got[1] == 'c');
    return 0;
}
