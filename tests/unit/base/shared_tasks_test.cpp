// Shared tasks: every task once, by whoever is free.
#include "base/shared_tasks.h"

#include <gtest/gtest.h>

#include <chrono>
#include <stdexcept>

namespace rattleback
{

TEST(SharedTasks, run_each_task_once_on_any_number_of_threads)
{
    for (const int workers : {1, 2, 3, 8})
    {
        ThreadPool pool(workers);
        SharedTasks shared(workers);
        for (const int tasks : {0, 1, 2, 7, 8, 9, 1000})
        {
            std::vector<std::atomic<int>> calls(static_cast<std::size_t>(tasks));
            std::atomic<bool> known = true;
            shared.run(pool, tasks,
                       [&](int task, int worker)
                       {
                           ++calls[static_cast<std::size_t>(task)];
                           if (worker < 0 || worker >= workers) known = false;
                       });
            EXPECT_TRUE(known);
            for (const std::atomic<int>& count : calls) EXPECT_EQ(count, 1) << tasks << " tasks, " << workers;
        }
    }
}

TEST(SharedTasks, of_a_thread_that_is_held_up_are_done_by_the_other)
{
    ThreadPool pool(2);
    SharedTasks shared(2);
    std::vector<int> worker_of(100, -1);
    // The first task of the second worker waits until somebody has done the last task of its share.
    std::atomic<bool> done = false;
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    shared.run(pool, 100,
               [&](int task, int worker)
               {
                   worker_of[static_cast<std::size_t>(task)] = worker;
                   if (task == 99) done = true;
                   while (task == 50 && !done && std::chrono::steady_clock::now() < deadline) std::this_thread::yield();
               });
    EXPECT_TRUE(done);
    EXPECT_NE(worker_of[99], worker_of[50]);
}

TEST(SharedTasks, throw_what_the_first_task_threw_on_any_number_of_threads)
{
    for (const int workers : {1, 2, 5})
    {
        ThreadPool pool(workers);
        SharedTasks shared(workers);
        std::atomic<int> calls = 0;
        const auto run = [&](int task, int)
        {
            ++calls;
            if (task == 0 || task == 99) throw std::runtime_error(task == 0 ? "first" : "last");
        };
        try
        {
            shared.run(pool, 100, run);
            FAIL() << "nothing was thrown";
        }
        catch (const std::runtime_error& error)
        {
            EXPECT_STREQ(error.what(), "first") << workers;
        }
        // Of the first share nothing is left out but what was not yet begun; the pool can be used again.
        EXPECT_GE(calls, 1);
        calls = 0;
        shared.run(pool, 10, [&](int, int) { ++calls; });
        EXPECT_EQ(calls, 10);
    }
}

}  // namespace rattleback
