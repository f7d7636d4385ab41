// Random models against the identities of mechanics: the reference dynamics must satisfy them for every forest.
#include "support/random_model.h"
#include "base/index.h"

#include "support/reference_dynamics.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <set>

namespace rattleback
{
namespace
{

constexpr std::uint64_t kSeeds = 24;

double largest(const std::vector<double>& a)
{
    double size = 1;
    for (const double x : a) size = std::max(size, std::abs(x));
    return size;
}

// Derivative at 0 of a function of time with many values: central differences of sixth order.
std::vector<double> differentiate(const std::function<std::vector<double>(double)>& f)
{
    const double h = 1e-3;
    const std::array weights{45.0, -9.0, 1.0};
    std::vector<double> sum;
    for (int k = 1; k <= 3; ++k)
    {
        const std::vector<double> forth = f(k * h), back = f(-k * h);
        sum.resize(forth.size(), 0);
        for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += weights[at(k - 1)] * (forth[i] - back[i]) / (60 * h);
    }
    return sum;
}

void expect_near(const std::vector<double>& a, const std::vector<double>& b, double tolerance, const char* what)
{
    ASSERT_EQ(a.size(), b.size()) << what;
    const double scale = largest(a);
    for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], tolerance * scale) << what << ' ' << i;
}

std::vector<double> multiply(const std::vector<double>& matrix, const std::vector<double>& x)
{
    std::vector<double> y(x.empty() ? 0 : matrix.size() / x.size(), 0);
    for (std::size_t i = 0; i < y.size(); ++i)
    {
        for (std::size_t j = 0; j < x.size(); ++j) y[i] += matrix[i * x.size() + j] * x[j];
    }
    return y;
}

double inner(const std::vector<double>& a, const std::vector<double>& b)
{
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
    return sum;
}

std::vector<double> unit(int size, int i)
{
    std::vector<double> e(at(size), 0);
    e[at(i)] = 1;
    return e;
}

// A random model with a random state, and the reference after a while of motion with constant velocities.
struct Case
{
    Model model;
    RandomState state;

    explicit Case(std::uint64_t seed, const RandomModelOptions& options = {})
        : model(make_random_model(seed, options)), state(make_random_state(model, seed))
    {
    }

    ReferenceResult reference() const { return after(0, state.v); }

    // Kinematic bodies stand still.
    ReferenceResult after(double time, const std::vector<double>& direction) const
    {
        const std::vector<double> q = move_along(model, state.q, direction, time);
        return compute_reference(model, q, state.v, state.act, {}, {.body_pose = state.body_pose});
    }

    // Kinematic bodies move too: their centres straight, their axes evenly.
    ReferenceResult after_with_kinematic(double time) const
    {
        const std::vector<double> q = move_along(model, state.q, state.v, time);
        std::vector<Pose> poses = state.body_pose;
        for (int b = 0; b < model.body_count(); ++b)
        {
            if (model.bodies.kind[at(b)] != BodyKind::kinematic) continue;
            Pose& pose = poses[at(b)];
            const Velocity& velocity = state.body_velocity[at(b)];
            const Vec3 local = model.bodies.inertial_pose[at(b)].position;
            const Vec3 centre = pose.position + rotate(pose.rotation, local) + time * velocity.linear;
            const double half = norm(velocity.angular) * time / 2;
            const Vec3 axis = (std::sin(half) / norm(velocity.angular)) * velocity.angular;
            pose.rotation = Quat{std::cos(half), axis.x, axis.y, axis.z} * pose.rotation;
            pose.position = centre - rotate(pose.rotation, local);
        }
        return compute_reference(model, q, state.v, state.act, {},
                                 {.body_pose = poses, .body_velocity = state.body_velocity});
    }
};

std::vector<double> flatten(const std::vector<Velocity>& a)
{
    std::vector<double> flat;
    for (const Velocity& x : a)
    {
        flat.insert(flat.end(), {x.linear.x, x.linear.y, x.linear.z, x.angular.x, x.angular.y, x.angular.z});
    }
    return flat;
}

TEST(RandomModel, is_the_same_for_the_same_seed_and_another_for_another)
{
    const auto mark = [](std::uint64_t seed) { return fingerprint(make_random_model(seed)); };
    EXPECT_EQ(mark(7), mark(7));
    EXPECT_NE(mark(7), mark(8));
    Random random(1234567);
    EXPECT_EQ(random.bits(), 6457827717110365317ULL);  // splitmix64's published first output for this seed
}

TEST(RandomModel, contains_every_kind_of_part_over_a_hundred_seeds)
{
    std::set<JointType> joints;
    std::set<TransmissionType> transmissions;
    std::set<ActuatorDynamics> dynamics;
    std::set<TendonType> tendons;
    std::set<BodyKind> kinds;
    int welded = 0, pulleys = 0, several_joints = 0, moved_by_kinematic = 0;
    for (std::uint64_t seed = 0; seed < 100; ++seed)
    {
        const Model model = make_random_model(seed);
        joints.insert(model.joints.type.begin(), model.joints.type.end());
        transmissions.insert(model.actuators.transmission.begin(), model.actuators.transmission.end());
        dynamics.insert(model.actuators.dynamics.begin(), model.actuators.dynamics.end());
        tendons.insert(model.tendons.type.begin(), model.tendons.type.end());
        kinds.insert(model.bodies.kind.begin() + 1, model.bodies.kind.end());
        for (const TendonItem& item : model.tendons.items) pulleys += item.joint < 0 && item.site < 0 ? 1 : 0;
        for (int b = 1; b < model.body_count(); ++b)
        {
            const int count = model.bodies.joint_begin[at(b) + 1] - model.bodies.joint_begin[at(b)];
            const int parent = model.bodies.parent[at(b)];
            welded += count == 0 && parent > 0 ? 1 : 0;
            several_joints += count > 2 ? 1 : 0;
            moved_by_kinematic += model.bodies.kind[at(parent)] == BodyKind::kinematic && count > 0 ? 1 : 0;
        }
    }
    EXPECT_EQ(joints.size(), 4U);
    EXPECT_EQ(transmissions.size(), 4U);
    EXPECT_EQ(dynamics.size(), 4U);
    EXPECT_EQ(tendons.size(), 2U);
    EXPECT_EQ(kinds.size(), 3U);
    for (const int count : {welded, pulleys, several_joints, moved_by_kinematic}) EXPECT_GT(count, 10);
}

TEST(RandomModel, bodies_move_as_their_jacobians_say)
{
    for (std::uint64_t seed = 0; seed < kSeeds; ++seed)
    {
        const Case test(seed);
        const ReferenceResult result = test.reference();
        expect_near(multiply(result.jacobian, test.state.v), flatten(result.velocity), 1e-13, "J v");
        expect_near(multiply(result.tendon_jacobian, test.state.v), result.tendon_velocity, 1e-13, "J v of tendons");
        const auto poses = [&](double time)
        {
            const ReferenceResult moved = test.after(time, test.state.v);
            std::vector<double> numbers = moved.tendon_length;
            for (const Vec3& c : moved.centre_of_mass) numbers.insert(numbers.end(), {c.x, c.y, c.z});
            return numbers;
        };
        std::vector<double> expected = result.tendon_velocity;
        for (const Velocity& u : result.velocity) expected.insert(expected.end(), {u.linear.x, u.linear.y, u.linear.z});
        expect_near(expected, differentiate(poses), 1e-10, "velocities by differences");
    }
}

TEST(RandomModel, moving_kinematic_bodies_carry_along_what_hangs_on_them)
{
    int kinematic = 0;
    for (std::uint64_t seed = 0; seed < kSeeds; ++seed)
    {
        const Case test(seed);
        const ReferenceResult result = test.after_with_kinematic(0);
        for (int b = 0; b < test.model.body_count(); ++b)
        {
            if (test.model.bodies.kind[at(b)] != BodyKind::kinematic) continue;
            ++kinematic;
            EXPECT_LT(norm(result.velocity[at(b)].linear - test.state.body_velocity[at(b)].linear), 1e-14);
            EXPECT_LT(norm(result.velocity[at(b)].angular - test.state.body_velocity[at(b)].angular), 1e-14);
        }
        std::vector<double> velocities;
        for (const Velocity& u : result.velocity)
        {
            velocities.insert(velocities.end(), {u.linear.x, u.linear.y, u.linear.z});
        }
        const auto centres = [&](double time)
        {
            std::vector<double> numbers;
            for (const Vec3& c : test.after_with_kinematic(time).centre_of_mass)
            {
                numbers.insert(numbers.end(), {c.x, c.y, c.z});
            }
            return numbers;
        };
        expect_near(velocities, differentiate(centres), 1e-10, "velocities by differences");
    }
    EXPECT_GT(kinematic, 3);
}

TEST(RandomModel, accelerations_at_constant_joint_velocity_are_the_rates_of_the_body_velocities)
{
    for (std::uint64_t seed = 0; seed < kSeeds; ++seed)
    {
        const Case test(seed);
        const ReferenceResult result = test.after_with_kinematic(0);
        const auto velocities = [&](double time) { return flatten(test.after_with_kinematic(time).velocity); };
        expect_near(flatten(result.acceleration_0), differentiate(velocities), 1e-10, "rates of body velocities");
        const auto tendons = [&](double time) { return test.after_with_kinematic(time).tendon_velocity; };
        expect_near(result.tendon_acceleration_0, differentiate(tendons), 1e-9, "rates of tendon velocities");
    }
}

TEST(RandomModel, the_mass_matrix_gives_the_kinetic_energy_and_is_positive)
{
    for (std::uint64_t seed = 0; seed < kSeeds; ++seed)
    {
        const Case test(seed);
        const ReferenceResult result = test.reference();
        const double energy = 0.5 * inner(test.state.v, multiply(result.mass_matrix, test.state.v));
        EXPECT_NEAR(energy, result.kinetic_energy + result.armature_energy, 1e-13 * std::max(1.0, energy)) << seed;
        EXPECT_EQ(result.acceleration.size(), test.state.v.size()) << seed;
        std::vector<double> residual = multiply(result.mass_matrix, result.acceleration);
        for (std::size_t i = 0; i < residual.size(); ++i)
        {
            residual[i] += result.bias[i] - result.passive[i] - result.actuator[i] - result.applied[i];
        }
        expect_near(std::vector<double>(residual.size(), 0), residual, 1e-9, "M a + bias - f");
    }
}

TEST(RandomModel, the_bias_follows_from_the_mass_matrix_by_the_equations_of_lagrange_and_hamel)
{
    // c = M' v - (d/dq) (v^T M v / 2), and + w x p where the coordinates are the axes of a turning body.
    for (std::uint64_t seed = 0; seed < kSeeds; ++seed)
    {
        const Case test(seed, {.max_trees = 2, .max_bodies_per_tree = 5});
        const Model& model = test.model;
        const std::vector<double>& v = test.state.v;
        const ReferenceResult result = test.reference();
        const auto momentum_at = [&](double time, const std::vector<double>& direction)
        { return multiply(test.after(time, direction).mass_matrix, v); };
        std::vector<double> c = differentiate([&](double time) { return momentum_at(time, v); });
        for (int d = 0; d < model.v_count(); ++d)
        {
            const std::vector<double> e = unit(model.v_count(), d);
            const auto energy = [&](double time) { return std::vector<double>{0.5 * inner(v, momentum_at(time, e))}; };
            c[at(d)] -= differentiate(energy)[0];
        }
        const std::vector<double> p = momentum_at(0, v);
        for (int j = 0; j < model.joint_count(); ++j)
        {
            const JointType type = model.joints.type[at(j)];
            if (type != JointType::ball && type != JointType::free) continue;
            const std::size_t k = at(model.joints.v_begin[at(j)]) + (type == JointType::free ? 3 : 0);
            const Vec3 gyroscopic = cross(Vec3{v[k], v[k + 1], v[k + 2]}, Vec3{p[k], p[k + 1], p[k + 2]});
            for (int i = 0; i < 3; ++i) c[k + at(i)] += gyroscopic[i];
        }
        expect_near(result.bias_without_gravity, c, 1e-9, "bias");
    }
}

TEST(RandomModel, springs_and_gravity_are_the_slopes_of_their_energies)
{
    for (std::uint64_t seed = 0; seed < kSeeds; ++seed)
    {
        const Case test(seed, {.max_trees = 2, .max_bodies_per_tree = 5});
        const ReferenceResult result = test.reference();
        for (int d = 0; d < test.model.v_count(); ++d)
        {
            const std::vector<double> slope = differentiate(
                [&](double time)
                {
                    const ReferenceResult moved = test.after(time, unit(test.model.v_count(), d));
                    return std::vector<double>{moved.spring_energy, moved.gravity_energy};
                });
            EXPECT_NEAR(result.spring[at(d)], -slope[0], 1e-9 * largest(result.spring)) << seed << ' ' << d;
            const double weight = result.bias[at(d)] - result.bias_without_gravity[at(d)];
            EXPECT_NEAR(weight, slope[1], 1e-9 * largest(result.bias)) << seed << ' ' << d;
        }
    }
}

TEST(RandomModel, a_tree_that_floats_freely_is_accelerated_by_gravity_alone)
{
    int floating = 0;
    for (std::uint64_t seed = 0; seed < kSeeds; ++seed)
    {
        const Case test(seed, {.armature = false,
                               .springs = false,
                               .damping = false,
                               .tendons = false,
                               .actuators = false,
                               .gravity_compensation = false});
        const Model& model = test.model;
        const ReferenceResult result = test.reference();
        const std::vector<double> body = multiply(result.jacobian, result.acceleration);
        for (int j = 0; j < model.joint_count(); ++j)
        {
            if (model.joints.type[at(j)] != JointType::free) continue;
            ++floating;
            double mass = 0;
            Vec3 force;
            for (int b = 1; b < model.body_count(); ++b)
            {
                int top = b;
                while (model.bodies.parent[at(top)] > 0) top = model.bodies.parent[at(top)];
                if (top != model.joints.body[at(j)]) continue;
                const double* a = &body[6 * at(b)];
                mass += model.bodies.mass[at(b)];
                force += model.bodies.mass[at(b)] * (Vec3{a[0], a[1], a[2]} + result.acceleration_0[at(b)].linear);
            }
            const Vec3 error = (1 / mass) * force - model.settings.gravity;
            EXPECT_LT(norm(error), 1e-10) << seed;
        }
    }
    EXPECT_GT(floating, 10);
}

}  // namespace
}  // namespace rattleback
