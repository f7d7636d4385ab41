// Workers of the thread pool: they wait for a job, run their share of it, and say so. What a task throws reaches the
// caller.
#include "base/thread_pool.h"

#include <rattleback/error.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include <unistd.h>

#include <algorithm>

namespace rattleback
{

namespace
{

// About ten microseconds: longer than the gap between two jobs of a busy caller, too short to burn a core.
constexpr int kSpins = 400;

#if defined(RATTLEBACK_NO_THREADS)
constexpr bool kHasThreads = false;
#else
constexpr bool kHasThreads = true;
#endif

int core_count() { return std::max(1, static_cast<int>(std::thread::hardware_concurrency())); }

void pause_briefly()
{
#if defined(__x86_64__)
    _mm_pause();
#endif
}

}  // namespace

ThreadPool::ThreadPool(int worker_count)
    : worker_count_(worker_count > 0 ? worker_count : core_count()),
      spins_(worker_count_ > core_count() ? 0 : kSpins)  // more workers than cores: spinning only takes their turns
{
    RB_CHECK(worker_count >= 0, "a thread pool needs at least one worker");
    failures_.resize(static_cast<std::size_t>(worker_count_));
    start_threads();
}

void ThreadPool::start_threads()
{
    crew_ = std::make_unique<Crew>();
    if (!kHasThreads) return;
    process_ = ::getpid();
    crew_->threads.reserve(static_cast<std::size_t>(worker_count_ - 1));
    const std::uint64_t seen = generation_.load();
    for (int worker = 1; worker < worker_count_; ++worker)
        crew_->threads.emplace_back([this, worker, seen] { work(worker, seen); });
}

ThreadPool::~ThreadPool()
{
    if (kHasThreads && process_ != ::getpid())
    {
        // NOLINTNEXTLINE(bugprone-unused-return-value): of a parent's threads nothing is left here to wait for
        static_cast<void>(crew_.release());
        return;
    }
    {
        const std::lock_guard lock(crew_->mutex);
        stopping_.store(true, std::memory_order_relaxed);
        generation_.fetch_add(1, std::memory_order_release);
    }
    crew_->job_given.notify_all();
    for (std::thread& thread : crew_->threads) thread.join();
}

void ThreadPool::run_job(const Job& job)
{
    RB_ASSERT(busy_.load() == 0);
    if (job.task_count <= 0) return;
    if (worker_count_ > 1 && kHasThreads && process_ != ::getpid())
    {
        // A forked child: handles of threads and locks are those of the parent, in whatever state; they are left alone.
        static_cast<void>(crew_.release());
        start_threads();
    }
    job_ = job;
    if (!crew_->threads.empty())
    {
        busy_.store(worker_count_ - 1, std::memory_order_relaxed);
        {
            const std::lock_guard lock(crew_->mutex);  // so that no worker falls asleep between its last look and this
            generation_.fetch_add(1, std::memory_order_release);
        }
        crew_->job_given.notify_all();
    }
    run_share(0);
    if (!kHasThreads)
    {
        for (int worker = 1; worker < worker_count_; ++worker) run_share(worker);
    }
    wait_for_workers();
    if (failed_.load(std::memory_order_relaxed)) rethrow_first();
}

/// Each worker stopped at the first of its tasks that threw, and tasks increase with the workers: the first failure in
/// their order is that of the lowest task, whoever was quicker.
void ThreadPool::rethrow_first()
{
    failed_.store(false, std::memory_order_relaxed);
    std::exception_ptr first;
    for (std::exception_ptr& failure : failures_)
    {
        if (!first) first = failure;
        failure = nullptr;
    }
    std::rethrow_exception(first);
}

void ThreadPool::run_share(int worker)
{
    // Task t belongs to worker floor(t * workers / tasks): the first t of worker w is ceil(w * tasks / workers).
    const std::int64_t tasks = job_.task_count, workers = worker_count_;
    const auto begin = static_cast<int>((worker * tasks + workers - 1) / workers);
    const auto end = static_cast<int>(((worker + 1) * tasks + workers - 1) / workers);
    try
    {
        for (int task = begin; task < end; ++task) job_.call(job_.context, task, worker);
    }
    catch (...)
    {
        failures_[static_cast<std::size_t>(worker)] = std::current_exception();
        failed_.store(true, std::memory_order_relaxed);  // ordered by busy_, as what the tasks wrote
    }
}

void ThreadPool::work(int worker, std::uint64_t seen)
{
    for (;; ++seen)
    {
        wait_for_job(seen);
        if (stopping_.load(std::memory_order_relaxed)) return;
        run_share(worker);
        if (busy_.fetch_sub(1, std::memory_order_acq_rel) == 1)
        {
            const std::lock_guard lock(crew_->mutex);
            crew_->job_done.notify_one();
        }
    }
}

void ThreadPool::wait_for_job(std::uint64_t seen)
{
    for (int i = 0; i < spins_; ++i)
    {
        if (generation_.load(std::memory_order_acquire) != seen) return;
        pause_briefly();
    }
    std::unique_lock lock(crew_->mutex);
    crew_->job_given.wait(lock, [&] { return generation_.load(std::memory_order_acquire) != seen; });
}

void ThreadPool::wait_for_workers()
{
    for (int i = 0; i < spins_; ++i)
    {
        if (busy_.load(std::memory_order_acquire) == 0) return;
        pause_briefly();
    }
    std::unique_lock lock(crew_->mutex);
    crew_->job_done.wait(lock, [&] { return busy_.load(std::memory_order_acquire) == 0; });
}

}  // namespace rattleback
