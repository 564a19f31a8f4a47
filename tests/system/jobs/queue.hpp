/* SPDX-License-Identifier: MIT */
/* A queue of bounded length with time-outs, for the suites beside it. */
#pragma once
#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>

template <typename T> class Queue
{
  public:
    explicit Queue(size_t most) : most_(most)
    {
    }

    bool push(T value, std::chrono::milliseconds patience)
    {
        std::unique_lock<std::mutex> lock(m_);

        if (!room_.wait_for(lock, patience, [this] { return items_.size() < most_; }))
            return false;
        items_.push_back(value);
        some_.notify_one();
        return true;
    }

    std::optional<T> pop(std::chrono::milliseconds patience)
    {
        std::unique_lock<std::mutex> lock(m_);

        if (!some_.wait_for(lock, patience, [this] { return !items_.empty(); }))
            return std::nullopt;
        T value = items_.front();
        items_.pop_front();
        room_.notify_one();
        return value;
    }

  private:
    std::mutex m_;
    std::condition_variable some_, room_;
    std::deque<T> items_;
    size_t most_;
};
