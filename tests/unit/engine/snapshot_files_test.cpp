// Snapshots as files from anybody: every solver refuses or goes on from any bytes under a right checksum.
#include <rattleback/import.h>
#include <rattleback/record.h>
#include <rattleback/simulation.h>
#include <rattleback/solver.h>

#include "base/checksum.h"
#include "support/throwing_checks.h"

#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <random>

namespace rattleback
{

namespace
{

/// A floor, a pile, a bouncing ball, and a body on a belt-like shape: what contact solvers remember.
constexpr const char* kPile = R"(
<mujoco><worldbody>
  <geom name="floor" type="plane" size="3 3 1"/>
  <body name="a" pos="0 0 0.099"><freejoint/><geom type="box" size=".1 .1 .1" density="500"/></body>
  <body name="b" pos="0 0 0.297"><freejoint/><geom type="box" size=".1 .1 .1" density="500"/></body>
  <body name="c" pos="0.5 0 0.099"><freejoint/><geom type="sphere" size=".1" density="500"/></body>
</worldbody></mujoco>)";

/// Joints, limits, a motor with a state, sensors that wait, and a weld that is off.
constexpr const char* kArm = R"(
<mujoco><worldbody>
  <body name="upper" pos="0 0 1"><joint name="shoulder" axis="0 1 0" limited="true" range="-90 90"/>
    <geom name="rod" type="capsule" size=".04" fromto="0 0 0 .4 0 0" density="500"/>
    <body name="lower" pos=".5 0 0"><joint name="elbow" axis="0 1 0" stiffness="3" damping=".1"/>
      <geom type="capsule" size=".04" fromto="0 0 0 .3 0 0" density="500"/></body></body>
  <body name="loose" pos="0 1 1"><freejoint/><geom type="sphere" size=".1" density="500"/></body>
</worldbody>
<equality><weld name="glue" body1="loose" active="false"/></equality>
<actuator><general name="motor" joint="elbow" dyntype="filter" dynprm=".1" gainprm="2"/></actuator>
<sensor><jointpos joint="elbow" delay=".01" nsample="5"/></sensor></mujoco>)";

/// Only free and hinged motion: what every solver takes.
constexpr const char* kPlain = R"(
<mujoco><worldbody>
  <body name="upper" pos="0 0 1"><joint name="shoulder" axis="0 1 0"/>
    <geom name="rod" type="capsule" size=".04" fromto="0 0 0 .4 0 0" density="500" contype="0" conaffinity="0"/></body>
  <body name="loose" pos="0 1 1"><freejoint/>
    <geom type="sphere" size=".1" density="500" contype="0" conaffinity="0"/></body>
</worldbody></mujoco>)";

/// Loose bodies alone: what solvers of particles take.
constexpr const char* kLoose = R"(
<mujoco><worldbody>
  <geom name="floor" type="plane" size="3 3 1"/>
  <body name="a" pos="0 0 0.1"><freejoint/><geom type="sphere" size=".1" density="500"/></body>
  <body name="b" pos="0 0 0.3"><freejoint/><geom type="sphere" size=".1" density="500"/></body>
</worldbody></mujoco>)";

std::vector<Simulation> make_runs(const SolverInfo& info)
{
    std::vector<Simulation> runs;
    for (const char* text : {kPile, kArm, kPlain, kLoose})
    {
        const std::shared_ptr<const Model> model =
            std::make_shared<const Model>(parse_mjcf(text, "test.xml", ".").value().model);
        // As it is, and with every switch that the solver has: sleep, anchors and the rest are remembered there.
        std::vector<Parameters> variants{{}};
        for (const ParameterInfo& parameter : info.parameters)
        {
            const bool* value = std::get_if<bool>(&parameter.default_value);
            if (value) variants.push_back({{std::string(parameter.name), !*value}});
            for (const std::string_view choice : parameter.choices)
                variants.push_back({{std::string(parameter.name), std::string(choice)}});
        }
        for (const Parameters& parameters : variants)
        {
            Result<Simulation> run =
                Simulation::make(model, {.solver = std::string(info.name), .dt = 0.005, .parameters = parameters});
            if (run.ok()) runs.push_back(std::move(run).value());
        }
    }
    return runs;
}

/// Puts the right checksum under bytes that were changed, as an attacker would.
void sign(std::vector<std::byte>& bytes)
{
    const std::uint32_t checksum = compute_crc32(std::span(bytes).first(bytes.size() - 4));
    std::memcpy(bytes.data() + bytes.size() - 4, &checksum, 4);
}

template <class T>
void write_at(std::vector<std::byte>& bytes, std::size_t place, T value)
{
    if (place + sizeof(T) < bytes.size()) std::memcpy(bytes.data() + place, &value, sizeof(T));
}

/// One change that parsers and steps do not expect.
void damage(std::vector<std::byte>& bytes, std::mt19937& random)
{
    constexpr std::size_t kHeader = 24;
    const std::size_t place = kHeader + random() % (bytes.size() - kHeader - 4);
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    constexpr double kNumbers[] = {
        std::numeric_limits<double>::quiet_NaN(), kInfinity, -kInfinity, 1e308, -1e308, 5e-324, -1, 0, 1, 1e9};
    constexpr std::int32_t kCounts[] = {
        -1, 1, 2, 7, 1000, std::numeric_limits<std::int32_t>::max(), std::numeric_limits<std::int32_t>::min()};
    switch (random() % 4)
    {
        case 0:
            bytes[place] ^= std::byte{1} << (random() % 8);
            break;
        case 1:
            bytes[place] = static_cast<std::byte>(random());
            break;
        case 2:
            write_at(bytes, place - place % 4, kNumbers[random() % std::size(kNumbers)]);
            break;
        default:
            write_at(bytes, place - place % 4, kCounts[random() % std::size(kCounts)]);
            break;
    }
    sign(bytes);
}

}  // namespace

class SnapshotFiles : public testing::TestWithParam<const SolverInfo*>
{
};

TEST_P(SnapshotFiles, of_any_content_are_refused_or_stepped_and_never_a_callers_mistake)
{
    const ThrowingChecks checks;
    std::mt19937 random(11);
    int refused = 0, stepped = 0;
    for (Simulation& run : make_runs(*GetParam()))
    {
        run.run_steps(30);
        const Snapshot good = run.snapshot();
        const std::vector<std::byte> original = to_bytes(good);
        for (int i = 0; i < 120; ++i)
        {
            std::vector<std::byte> bytes = original;
            damage(bytes, random);
            if (i % 3 == 0) damage(bytes, random);
            const Result<Snapshot> loaded = to_snapshot(bytes);
            const bool taken = loaded.ok() && run.restore(loaded.value()).ok();
            ++(taken ? stepped : refused);
            if (!taken) continue;
            const StepReport report = run.run_steps(2);
            const bool sound = validate(run.model(), run.state()).empty();
            EXPECT_TRUE(sound || report.status == StepStatus::diverged) << GetParam()->name;
        }
        // Whatever it was given: the good one still continues as if nothing had been.
        ASSERT_TRUE(run.restore(good).ok());
        EXPECT_EQ(to_bytes(run.snapshot()), original);
    }
    EXPECT_GT(refused, 0);
    EXPECT_GT(stepped, 0);
}

INSTANTIATE_TEST_SUITE_P(AllSolvers, SnapshotFiles, testing::ValuesIn(all_solvers().begin(), all_solvers().end()),
                         [](const auto& test) { return std::string(test.param->name); });

}  // namespace rattleback
