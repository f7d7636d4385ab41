// The thread pool: every task once, on the worker its number says.
#include "base/thread_pool.h"

#include "support/throwing_checks.h"

#include <gtest/gtest.h>

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>

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

TEST(ThreadPool, a_check_that_fails_in_a_task_reaches_the_caller_as_the_first_by_task_order)
{
    const ThrowingChecks checks;
    for (const int workers : {1, 2, 3, 8})
    {
        ThreadPool pool(workers);
        for (const int first_bad : {0, 1, 17, 63})
        {
            std::string thrown;
            try
            {
                pool.run(64,
                         [&](int task, int)
                         {
                             // the later the quicker, so that order of time is not the order of tasks
                             if (task <= 17) std::this_thread::sleep_for(std::chrono::microseconds(200));
                             RB_CHECK(task != first_bad && task < 60, "task " + std::to_string(task) + " failed");
                         });
            }
            catch (const std::runtime_error& error)
            {
                thrown = error.what();
            }
            const std::string wanted = "task " + std::to_string(std::min(first_bad, 60)) + " failed";
            EXPECT_EQ(thrown.substr(0, wanted.size()), wanted) << workers << " workers";

            std::atomic<int> calls = 0;
            pool.run(64, [&](int, int) { ++calls; });
            EXPECT_EQ(calls, 64) << "the pool can be used again";
        }
    }
}

TEST(ThreadPool, any_exception_comes_through_as_what_it_was)
{
    struct Odd
    {
        int number;
    };
    ThreadPool pool(4);
    std::atomic<int> calls = 0;
    try
    {
        pool.run(4,
                 [&](int task, int)
                 {
                     ++calls;
                     if (task >= 2) throw Odd{task};
                 });
        FAIL() << "nothing was thrown";
    }
    catch (const Odd& odd)
    {
        EXPECT_EQ(odd.number, 2);
    }
    EXPECT_EQ(calls, 4) << "the other workers finish";
    pool.run(4, [&](int, int) { ++calls; });
    EXPECT_EQ(calls, 8) << "and what was thrown is thrown once";
}

TEST(ThreadPool, a_forked_child_has_threads_of_its_own)
{
#if defined(__SANITIZE_THREAD__)
    GTEST_SKIP() << "the thread sanitizer ends a child that starts threads";
#endif
    ThreadPool pool(3);
    const auto count_calls = [&pool]
    {
        std::atomic<int> calls = 0;
        pool.run(30, [&](int, int) { ++calls; });
        return calls.load();
    };
    EXPECT_EQ(count_calls(), 30);  // the threads are there and wait
    const pid_t child = ::fork();
    if (child == 0)
    {
        ::alarm(30);  // a child that waits for threads of its parent would wait for ever
        bool right = count_calls() == 30 && count_calls() == 30;
        {
            ThreadPool second(2);
            std::atomic<int> calls = 0;
            second.run(4, [&](int, int) { ++calls; });
            right = right && calls == 4;
        }
        ::_exit(right ? 0 : 1);
    }
    ASSERT_GT(child, 0);
    EXPECT_EQ(count_calls(), 30);
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
}

}  // namespace rattleback
