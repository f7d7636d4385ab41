// SharedTasks: tasks whose results do not depend on who does them, by whichever worker of a pool is free.
#pragma once

#include "base/thread_pool.h"

#include <limits>

namespace rattleback
{

/// Each worker begins with a share of neighbours, the same in every run, so that what a task leaves in a core's cache
/// is found there again; whoever is done takes over what is left of the others' shares. Without that all wait for the
/// one whose core is shared with somebody else, or whose tasks are longer.
class SharedTasks
{
public:
    explicit SharedTasks(int worker_count) : shares_(new Share[static_cast<std::size_t>(worker_count)]) {}

    /// Calls function(task, worker) once for each task in [0, task_count); returns when all are done. Does not
    /// allocate. Where a task throws, what is not yet begun of its share is left out, which depends on timing, and then
    /// run() throws what the task with the lowest number of those that were begun threw.
    template <class Function>
    void run(ThreadPool& pool, int task_count, const Function& function)
    {
        const int workers = pool.worker_count();
        const auto first_of = [&](std::int64_t share)
        { return static_cast<int>((share * task_count + workers - 1) / workers); };
        for (int share = 0; share < workers; ++share)
            shares_[static_cast<std::size_t>(share)].next.store(first_of(share) + 1, std::memory_order_relaxed);
        failed_task_ = std::numeric_limits<int>::max();
        pool.run(workers,
                 [&](int, int worker)
                 {
                     const int first = first_of(worker);
                     if (first < first_of(worker + 1)) run_task(first, worker, first_of(worker + 1), worker, function);
                     for (int k = 0; k < workers; ++k)
                     {
                         const int share = (worker + k) % workers;
                         finish(share, first_of(share + 1), worker, function);
                     }
                 });
        if (failed_task_ != std::numeric_limits<int>::max()) std::rethrow_exception(std::move(failure_));
    }

private:
    /// On a cache line of its own: only who helps another looks at its number.
    struct alignas(64) Share
    {
        std::atomic<int> next{0};
    };

    /// What is left of a share.
    template <class Function>
    void finish(int share, int end, int worker, const Function& function)
    {
        std::atomic<int>& next = shares_[static_cast<std::size_t>(share)].next;
        for (int task; (task = next.fetch_add(1, std::memory_order_relaxed)) < end;)
            run_task(task, share, end, worker, function);
    }

    template <class Function>
    void run_task(int task, int share, int end, int worker, const Function& function)
    {
        try
        {
            function(task, worker);
        }
        catch (...)
        {
            shares_[static_cast<std::size_t>(share)].next.store(end, std::memory_order_relaxed);
            const std::lock_guard lock(failing_);
            if (task > failed_task_) return;
            failed_task_ = task;
            failure_ = std::current_exception();
        }
    }

    std::unique_ptr<Share[]> shares_;
    std::mutex failing_;
    int failed_task_ = 0;
    std::exception_ptr failure_;
};

}  // namespace rattleback
