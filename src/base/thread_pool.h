// ThreadPool: a fixed number of workers that share tasks by a fixed rule, so that nothing depends on timing.
#pragma once

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>
#include <type_traits>
#include <vector>

namespace rattleback
{

/// Workers 0 .. worker_count - 1; the calling thread is worker 0. No stealing: a task's worker follows from its number
/// alone; SharedTasks lets whoever is free take over. Not for use from two threads at once, nor from inside a task. In
/// a build without threads (RATTLEBACK_THREADS off) the caller does the work of all, one worker after the other. After
/// fork() the threads stay with the parent; the child's copy of a pool starts its own with its first job.
class ThreadPool
{
public:
    /// 0: one worker per core.
    explicit ThreadPool(int worker_count = 0);
    ~ThreadPool();
    ThreadPool(const ThreadPool&) = delete;
    ThreadPool& operator=(const ThreadPool&) = delete;

    int worker_count() const { return worker_count_; }

    /// Calls function(task, worker) once for each task in [0, task_count), task t on worker t * worker_count /
    /// task_count and each worker's tasks in increasing order; returns when all are done. Does not allocate.
    ///
    /// A task may throw, as a check handler does: its worker leaves out the rest of its own tasks, the other workers
    /// finish theirs, and then run() throws what the task with the lowest number threw. The pool can be used again.
    template <class Function>
    void run(int task_count, Function&& function)
    {
        using Plain = std::remove_reference_t<Function>;
        run_job({[](const void* context, int task, int worker)
                 { (*static_cast<Plain*>(const_cast<void*>(context)))(task, worker); }, std::addressof(function),
                 task_count});
    }

private:
    struct Job
    {
        void (*call)(const void* context, int task, int worker) = nullptr;
        const void* context = nullptr;
        int task_count = 0;
    };

    /// The threads and what they wait with.
    struct Crew
    {
        std::mutex mutex;
        std::condition_variable job_given, job_done;
        std::vector<std::thread> threads;
    };

    void start_threads();
    void run_job(const Job& job);
    void run_share(int worker);
    void rethrow_first();
    void work(int worker, std::uint64_t seen);
    void wait_for_job(std::uint64_t seen);
    void wait_for_workers();

    int worker_count_;
    int spins_;  ///< looks at the next job before a worker sleeps
    Job job_;
    std::atomic<std::uint64_t> generation_{0};  ///< number of jobs given out
    std::atomic<int> busy_{0};                  ///< workers other than 0 that are not done with the job
    std::atomic<bool> stopping_{false};
    std::atomic<bool> failed_{false};           ///< a task of this job threw
    std::vector<std::exception_ptr> failures_;  ///< [worker], of its first task that threw
    std::unique_ptr<Crew> crew_;                ///< without threads in a build without
    long process_ = 0;                          ///< that started them
};

inline std::size_t count_pieces(std::size_t count, std::size_t per_task) { return (count + per_task - 1) / per_task; }

/// Calls function(begin, end, task, worker) for pieces of [0, count) with `per_task` items each, the same for any
/// number of workers; without a pool, or for one piece, here.
template <class Function>
void run_pieces(ThreadPool* pool, std::size_t count, std::size_t per_task, Function&& function)
{
    const int tasks = static_cast<int>(count_pieces(count, per_task));
    const auto run_one = [&](int task, int worker)
    {
        const std::size_t begin = static_cast<std::size_t>(task) * per_task;
        function(begin, std::min(count, begin + per_task), task, worker);
    };
    if (pool != nullptr && tasks > 1)
    {
        pool->run(tasks, run_one);
        return;
    }
    for (int task = 0; task < tasks; ++task) run_one(task, 0);
}

}  // namespace rattleback
