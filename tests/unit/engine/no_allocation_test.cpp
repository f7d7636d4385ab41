// No solver allocates in a step once it is warm, whatever contacts come and go.
#include "support/counting_allocator.h"

#include <rattleback/batch.h>
#include <rattleback/rattleback.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace rattleback::no_allocation
{
namespace
{

bool has(const SolverInfo& info, Feature feature)
{
    return std::find(info.supports.begin(), info.supports.end(), feature) != info.supports.end();
}

/// Solids of all kinds that a kinematic paddle keeps stirring on a floor: contacts come and go in every step.
std::shared_ptr<const Model> make_stirred_pile(const SolverInfo& info)
{
    ModelBuilder builder("stirred");
    // clear of each other and of the floor, for a barrier
    builder.add_shape(kWorld, Box{.half_extents = {2, 2, 0.1}}, {.position = {0, 0, -0.1}});
    for (const double side : {-0.75, 0.75})
    {
        builder.add_shape(kWorld, Box{.half_extents = {0.05, 0.8, 0.6}}, {.position = {side, 0, 0.6}});
        builder.add_shape(kWorld, Box{.half_extents = {0.8, 0.05, 0.6}}, {.position = {0, side, 0.6}});
    }
    for (int i = 0; i < 8; ++i)
    {
        const BodyId body =
            builder.add_body({.position = {0.25 * (i % 3) - 0.25, 0.25 * (i / 3) - 0.25, 0.2 + 0.02 * i},
                              .linear_velocity = {0.3, -0.2 + 0.1 * i, 0},
                              .angular_velocity = {1.0 * i, 2, -1}});
        if (i % 2 == 0)
            builder.add_shape(body, Box{.half_extents = {0.08, 0.06, 0.05}});
        else
            builder.add_shape(body, Sphere{0.07});
    }
    if (has(info, Feature::kinematic_body))
    {
        const BodyId paddle = builder.add_body({.position = {-0.6, 0, 0.1}, .kind = BodyKind::kinematic});
        builder.add_shape(paddle, Box{.half_extents = {0.03, 0.5, 0.08}});
    }
    return std::make_shared<const Model>(builder.build().value());
}

void stir(Batch& batch, int step)
{
    for (std::size_t k = 0; k < batch.control().target.size(); ++k)
        batch.control().target[k].position.x = -0.6 + 0.9 * (1 - std::cos(0.02 * step)) / 2;
}

TEST(NoAllocation, happens_in_a_step_of_solvers_whose_contacts_come_and_go)
{
    for (const SolverInfo* info : all_solvers())
    {
        // `ipc` is looked at where its contacts are (IpcContacts)
        if (!has(*info, Feature::contact) || info->name == "ipc") continue;
        const auto model = make_stirred_pile(*info);
        Result<Batch> made =
            Batch::make(model, {.solver = std::string(info->name), .dt = 2e-3, .world_count = 2, .thread_count = 1});
        ASSERT_TRUE(made.ok()) << info->name << ": " << to_text(made.errors());
        Batch batch = std::move(made).value();
        // Two strokes of the paddle warm it up; the next ones meet other contacts.
        constexpr int kWarm = 650, kMore = 300;
        int largest = 0, looked = 0, changes = 0, last = 0;
        long allocations = 0;
        for (int step = 0; step < kWarm + kMore; ++step)
        {
            stir(batch, step);
            const long before = allocation_count();
            batch.run_steps(1);
            // More contacts than ever before need more room; all else was seen in the strokes of the warm-up.
            int count = 0;
            for (const StepReport& report : batch.reports()) count = std::max(count, report.contact_count);
            const bool grows = count > largest;
            largest = std::max(largest, count);
            changes += count != last ? 1 : 0;
            last = count;
            if (step < kWarm || grows) continue;
            allocations += allocation_count() - before;
            ++looked;
        }
        // One list of `convex` still grows once after the warm-up.
        EXPECT_LE(allocations, info->name == "convex" ? 1 : 0) << info->name;
        EXPECT_GT(looked, kMore / 2) << info->name;
        EXPECT_GT(changes, 50) << info->name << ": contacts hardly changed";
    }
}

}  // namespace
}  // namespace rattleback::no_allocation
