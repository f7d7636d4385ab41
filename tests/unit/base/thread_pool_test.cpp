// The thread pool: every task once, on the worker its number says.
#include "base/thread_pool.h"

#include <gtest/gtest.h>

#include <atomic>

namespace rattleback
{

TEST(ThreadPool, runs_each_task_once_on_its_fixed_worker_in_order)
{
    for (const int workers : {1, 2, 3, 5, 8})
    {
        ThreadPool pool(workers);
        ASSERT_EQ(pool.worker_count(), workers);
        for (const int tasks : {0, 1, 2, 3, 4, 7, 8, 9, 64, 1000})
        {
            std::vector<int> calls(static_cast<std::size_t>(tasks), 0), worker_of(calls.size(), -1);
            std::vector<int> last(static_cast<std::size_t>(workers), -1);
            std::atomic<bool> ordered = true;
            pool.run(tasks,
                     [&](int task, int worker)
                     {
                         ++calls[static_cast<std::size_t>(task)];
                         worker_of[static_cast<std::size_t>(task)] = worker;
                         int& previous = last[static_cast<std::size_t>(worker)];
                         if (previous >= task) ordered = false;
                         previous = task;
                     });
            EXPECT_TRUE(ordered);
            for (int task = 0; task < tasks; ++task)
            {
                EXPECT_EQ(calls[static_cast<std::size_t>(task)], 1) << task << " of " << tasks;
                EXPECT_EQ(worker_of[static_cast<std::size_t>(task)], task * workers / tasks) << workers << " workers";
            }
        }
    }
}

TEST(ThreadPool, worker_zero_is_the_calling_thread_and_the_others_are_not)
{
    ThreadPool pool(3);
    std::vector<std::thread::id> ids(3);
    pool.run(3, [&](int, int worker) { ids[static_cast<std::size_t>(worker)] = std::this_thread::get_id(); });
    EXPECT_EQ(ids[0], std::this_thread::get_id());
    EXPECT_NE(ids[1], ids[0]);
    EXPECT_NE(ids[2], ids[0]);
    EXPECT_NE(ids[1], ids[2]);
}

TEST(ThreadPool, sees_the_writes_of_all_workers_over_many_short_jobs)
{
    ThreadPool pool(4);
    std::vector<std::int64_t> sums(16, 0);
    constexpr int kJobs = 3000;
    for (int job = 1; job <= kJobs; ++job)
    {
        pool.run(16, [&](int task, int) { sums[static_cast<std::size_t>(task)] += job; });
        if (job % 500 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(2));  // let workers fall asleep
    }
    for (const std::int64_t sum : sums) EXPECT_EQ(sum, std::int64_t{kJobs} * (kJobs + 1) / 2);
}

TEST(ThreadPool, stops_at_once_when_it_was_never_used)
{
    for (int i = 0; i < 50; ++i)
    {
        const ThreadPool pool(4);
        EXPECT_EQ(pool.worker_count(), 4);
    }
}

}  // namespace rattleback
