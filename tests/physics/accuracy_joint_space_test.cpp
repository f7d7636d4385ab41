// The seven tests of [PBD-R] Table I by the solvers in joint space: as near as a first-order step can come.
#include "lab/accuracy/run.h"

#include <gtest/gtest.h>

#include <cmath>

namespace rattleback
{
namespace
{

lab::AccuracySample find_end(const lab::AccuracyCase& test, const std::string& solver, const Parameters& parameters)
{
    const lab::AccuracyRun result = lab::run_case(test, {.name = solver, .solver = solver, .parameters = parameters});
    EXPECT_EQ(result.refused, "") << test.number;
    EXPECT_EQ(result.trouble, "") << test.number;
    return result.end();
}

lab::AccuracySample find_end(int number, const std::string& solver, const Parameters& parameters = {})
{
    return find_end(lab::make_case(number).value(), solver, parameters);
}

class AccuracyInJointSpace : public testing::TestWithParam<const char*>
{
};

TEST_P(AccuracyInJointSpace, bodies_that_slide_are_off_by_no_more_than_twice_the_error_of_the_step)
{
    for (const int number : {1, 3, 4, 6})
    {
        // Semi-implicit Euler is a h t / 2 ahead; a contact that gives way may add as much again.
        const lab::AccuracyCase test = lab::make_case(number).value();
        EXPECT_LT(find_end(test, GetParam(), {}).position, 2 * test.floor) << number;
    }
}

TEST_P(AccuracyInJointSpace, bodies_turned_in_place_are_right_to_a_hundredth_of_a_degree)
{
    // Their angular velocity rises evenly, which Euler integrates exactly; what is left is the creep of the contacts.
    EXPECT_LT(std::abs(find_end(2, GetParam()).yaw), 0.01);
    // The rabbit turns about no principal axis. The case's implicitfast has gyroscopic forces implicit, which comfree
    // splits from the contacts that balance them (README, "Integrators"): with them explicit it is right.
    const std::string solver = GetParam();
    const Parameters parameters = {{"integrator", std::string("euler")}};
    EXPECT_LT(std::abs(find_end(5, solver, solver == "comfree" ? parameters : Parameters{}).yaw), 0.01);
}

INSTANTIATE_TEST_SUITE_P(solvers, AccuracyInJointSpace, testing::Values("convex", "comfree"),
                         [](const auto& solver) { return std::string(solver.param); });

TEST(AccuracyOfComfree, a_rod_pushes_the_box_no_worse_than_with_convex)
{
    const double comfree = find_end(7, "comfree").position;
    EXPECT_LT(comfree, find_end(7, "convex").position);
    EXPECT_LT(comfree, 1e-4);  // what the rod's contact gives way: friction of 1e4 at its load
}

}  // namespace
}  // namespace rattleback
