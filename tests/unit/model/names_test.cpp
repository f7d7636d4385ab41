// Names of enumerators, sizes of joints and sensors, and merged reports.
#include <gtest/gtest.h>
#include <rattleback/model.h>
#include <rattleback/report.h>

#include <set>

namespace rattleback
{
namespace
{

/// The names of enumerators 0..count-1; the one after the last must be "unknown".
template <class Enum>
std::set<std::string> all_names(int count)
{
    std::set<std::string> names;
    for (int i = 0; i < count; ++i) names.insert(to_string(static_cast<Enum>(i)));
    EXPECT_STREQ(to_string(static_cast<Enum>(count)), "unknown");
    EXPECT_FALSE(names.contains("unknown"));
    EXPECT_EQ(names.size(), static_cast<std::size_t>(count)) << "two enumerators share a name";
    return names;
}

TEST(EnumNames, every_enumerator_has_its_own_name)
{
    all_names<BodyKind>(3);
    all_names<JointType>(5);
    all_names<Integrator>(7);
    all_names<SleepPolicy>(4);
    all_names<EqualityType>(5);
    all_names<TendonType>(2);
    all_names<TransmissionType>(6);
    all_names<ActuatorDynamics>(7);
    all_names<ActuatorLaw>(6);
    all_names<SensorType>(kSensorTypeCount);
    all_names<SensorObject>(11);
    all_names<SensorReduce>(4);
    all_names<Interpolation>(3);
    all_names<StepStatus>(4);
    all_names<Stage>(kStageCount);
}

TEST(EnumNames, are_spelt_as_the_enumerators)
{
    EXPECT_STREQ(to_string(BodyKind::kinematic), "kinematic");
    EXPECT_STREQ(to_string(JointType::fixed), "fixed");
    EXPECT_STREQ(to_string(Integrator::lie_rk4), "lie_rk4");
    EXPECT_STREQ(to_string(EqualityType::tendon), "tendon");
    EXPECT_STREQ(to_string(TransmissionType::joint_in_parent), "joint_in_parent");
    EXPECT_STREQ(to_string(ActuatorDynamics::filter_exact), "filter_exact");
    EXPECT_STREQ(to_string(SensorType::contact_force), "contact_force");
    EXPECT_STREQ(to_string(StepStatus::capacity), "capacity");
    EXPECT_STREQ(to_string(Stage::refresh), "refresh");
}

TEST(EnumNames, an_integrator_is_found_by_its_name_and_by_no_other)
{
    for (const auto integrator : {Integrator::euler, Integrator::implicitfast, Integrator::rk4, Integrator::lie_rk4,
                                  Integrator::midpoint, Integrator::implicit, Integrator::discrete})
        EXPECT_EQ(parse_integrator(to_string(integrator)), integrator);
    EXPECT_FALSE(parse_integrator("Euler"));
    EXPECT_FALSE(parse_integrator(""));
}

TEST(Sizes, joints_take_as_many_numbers_as_documented)
{
    const std::vector<std::array<int, 2>> expected{{7, 6}, {4, 3}, {1, 1}, {1, 1}, {0, 0}};
    for (std::size_t i = 0; i < expected.size(); ++i)
    {
        EXPECT_EQ(q_count(static_cast<JointType>(i)), expected[i][0]);
        EXPECT_EQ(v_count(static_cast<JointType>(i)), expected[i][1]);
    }
}

TEST(Sizes, sensors_write_as_many_numbers_as_documented)
{
    const std::array<int, 10> expected{1, 1, 3, 4, 3, 3, 3, 3, 1, 3};
    for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_EQ(sensor_size(static_cast<SensorType>(i)), expected[i]);
    for (const SensorType type : {SensorType::rangefinder, SensorType::contact, SensorType::user})
        EXPECT_EQ(sensor_size(type), 0) << "their options say";
    EXPECT_EQ(sensor_size(SensorType::distance_segment), 6);
}

TEST(Report, merging_takes_the_worse_status_sums_counts_and_keeps_the_largest_errors)
{
    StepReport a{.status = StepStatus::not_converged, .iterations = 3, .residual = 0.1, .contact_count = 4};
    StepReport b{.status = StepStatus::ok, .iterations = 5, .residual = 0.02, .contact_count = 1};
    a.deepest_penetration = 1e-3;
    b.deepest_penetration = 2e-3;
    b.culprit_dof = 7;
    b.culprit_body = BodyId{3};
    a.culprit_shapes = {ShapeId{1}, ShapeId{2}};
    a.culprit_depth = 0.1;
    b.needed_capacity = 12;
    a.seconds[2] = 0.5;
    b.seconds[2] = 0.25;
    for (const StepReport& both : {merge(a, b), merge(b, a)})
    {
        EXPECT_EQ(both.status, StepStatus::not_converged);
        EXPECT_EQ(both.iterations, 8);
        EXPECT_EQ(both.residual, 0.1);
        EXPECT_EQ(both.contact_count, 5);
        EXPECT_EQ(both.deepest_penetration, 2e-3);
        EXPECT_EQ(both.culprit_dof, 7);
        EXPECT_EQ(both.culprit_body, BodyId{3});
        EXPECT_EQ(both.culprit_shapes, std::pair(ShapeId{1}, ShapeId{2}));
        EXPECT_EQ(both.needed_capacity, 12);
        EXPECT_EQ(both.seconds[2], 0.75);
        EXPECT_EQ(both.seconds[3], 0);
    }
}

}  // namespace
}  // namespace rattleback
