// Laws of surfaces that run while their bodies stay: conveyor belts and turntables, for all solvers with contact.
#include "physics/contact_laws.h"

namespace rattleback
{
namespace
{

class Belts : public ContactLaw
{
};

/// A flat box on a shape whose surface runs. The shape comes first, or behind the box.
struct BeltOptions
{
    double friction = 0.3;
    Vec3 velocity, spin;
    Vec3 start;            ///< of the box, in the plane [m]
    Vec3 linear_velocity;  ///< of the box
    Vec3 angular_velocity;
    bool box_first = false;
    double turned = 0;  ///< of the belt about the vertical [rad]
};
constexpr BodyId kBox{1};

Model make_belt(const BeltOptions& options)
{
    ModelBuilder builder("belt");
    const MaterialId material = builder.add_material({.friction = options.friction});
    const Quat turn{std::cos(0.5 * options.turned), 0, 0, std::sin(0.5 * options.turned)};
    const auto add_belt = [&]
    {
        builder.add_shape(kWorld, Box{.half_extents = {20, 20, 0.5}},
                          {.name = "belt",
                           .position = {0, 0, -0.5},
                           .rotation = turn,
                           .material = material,
                           .surface_velocity = options.velocity,
                           .surface_spin = options.spin});
    };
    if (!options.box_first) add_belt();
    const BodyId box = builder.add_body({.position = options.start + Vec3{0, 0, 0.05},
                                         .linear_velocity = options.linear_velocity,
                                         .angular_velocity = options.angular_velocity});
    builder.add_shape(box, Box{.half_extents = {0.2, 0.2, 0.05}}, {.material = material});
    if (options.box_first) add_belt();
    return builder.build().value();
}

TEST_P(Belts, take_a_box_along_after_v_over_mu_g_and_v_squared_over_two_mu_g)
{
    // Until then friction is mu g and the box slips back by v^2 / (2 mu g) against the belt.
    constexpr double kSpeed = 1, kFriction = 0.3, kTime = kSpeed / (kFriction * kGravity);
    for (const bool box_first : {false, true})
    {
        auto simulation = make(make_belt({.friction = kFriction, .velocity = {kSpeed, 0, 0}, .box_first = box_first}));
        if (!simulation) return;
        simulation->run_for(0.5 * kTime);
        EXPECT_NEAR(simulation->state().velocity(kBox).linear.x, 0.5 * kSpeed, bar("belt_speed")) << "half way";
        simulation->run_for(1 - 0.5 * kTime);
        const double slipped = kSpeed * simulation->time() - simulation->state().position(kBox).x;
        EXPECT_NEAR(slipped / (kSpeed * kTime / 2), 1, bar("belt_slip"));
        EXPECT_NEAR(simulation->state().velocity(kBox).linear.x, kSpeed, bar("belt_creep"));
        // It rides without slip.
        const double before = simulation->state().position(kBox).x - kSpeed * simulation->time();
        simulation->run_for(1);
        EXPECT_NEAR(simulation->state().position(kBox).x - kSpeed * simulation->time(), before, bar("belt_creep"));
        EXPECT_NEAR(simulation->state().position(kBox).y, 0, bar("belt_creep"));
    }
}

TEST_P(Belts, run_along_the_axes_of_their_shape)
{
    auto simulation = make(make_belt({.velocity = {1, 0, 0}, .linear_velocity = {0, 1, 0}, .turned = 0.5 * kPi}));
    if (!simulation) return;
    simulation->run_for(0.5);
    EXPECT_NEAR(simulation->state().position(kBox).y, 0.5, bar("belt_creep"));
    EXPECT_NEAR(simulation->state().position(kBox).x, 0, bar("belt_creep"));
}

TEST_P(Belts, turntables_carry_a_box_in_a_circle_where_friction_suffices)
{
    // mu g = 4.9 m/s^2 holds w^2 r = 2 m/s^2.
    constexpr double kSpin = 2, kRadius = 0.5, kTime = 1;
    auto simulation = make(make_belt({.friction = 0.5,
                                      .spin = {0, 0, kSpin},
                                      .start = {kRadius, 0, 0},
                                      .linear_velocity = {0, kSpin * kRadius, 0},
                                      .angular_velocity = {0, 0, kSpin}}));
    if (!simulation) return;
    simulation->run_for(kTime);
    const Vec3 place = simulation->state().position(kBox);
    EXPECT_NEAR(std::hypot(place.x, place.y), kRadius, bar("turntable_drift"));
    const Vec3 expected = kRadius * Vec3{std::cos(kSpin * kTime), std::sin(kSpin * kTime), 0};
    EXPECT_NEAR(place.x, expected.x, bar("turntable_drift"));
    EXPECT_NEAR(place.y, expected.y, bar("turntable_drift"));
}

TEST_P(Belts, turntables_lose_a_box_where_friction_does_not_suffice)
{
    // mu g = 0.98 m/s^2 does not hold w^2 r = 2 m/s^2.
    auto simulation = make(make_belt({.friction = 0.1,
                                      .spin = {0, 0, 2},
                                      .start = {0.5, 0, 0},
                                      .linear_velocity = {0, 1, 0},
                                      .angular_velocity = {0, 0, 2}}));
    if (!simulation) return;
    simulation->run_for(1);
    const Vec3 place = simulation->state().position(kBox);
    EXPECT_GT(std::hypot(place.x, place.y), 0.6);
}

TEST_P(Belts, that_run_along_the_normal_push_nothing)
{
    auto still = make(make_belt({})), pumping = make(make_belt({.velocity = {0, 0, 5}}));
    if (!still || !pumping) return;
    still->run_for(0.2);
    pumping->run_for(0.2);
    // Turned contact normals are exact here: only the order of the work differs.
    EXPECT_NEAR(pumping->state().position(kBox).z, still->state().position(kBox).z, 1e-6);
    EXPECT_NEAR(pumping->state().velocity(kBox).linear.z, still->state().velocity(kBox).linear.z, 1e-6);
}

TEST_P(Belts, that_stand_give_the_bits_of_a_floor_and_start_when_the_control_says_so)
{
    auto floor = make(make_belt({.linear_velocity = {1, 0, 0}}));
    auto belt = make(make_belt({.velocity = {1, 2, 0}, .spin = {0, 0, 3}, .linear_velocity = {1, 0, 0}}));
    if (!floor || !belt) return;
    const auto shape = static_cast<std::size_t>(belt->model().find_shape("belt")->index);
    belt->control().surface_velocity[shape] = {};
    floor->run_for(0.5);
    belt->run_for(0.5);
    EXPECT_EQ(hash(belt->state()), hash(floor->state()));
    belt->control().surface_velocity[shape].linear = {0, 1, 0};
    belt->run_for(1);
    EXPECT_NEAR(belt->state().velocity(kBox).linear.y, 1, bar("belt_creep"));
    belt->reset();
    EXPECT_EQ(belt->control().surface_velocity[shape].linear.y, 2) << "as the model has it";
}

INSTANTIATE_TEST_SUITE_P(AllSolvers, Belts, testing::ValuesIn(contact_solvers()),
                         [](const auto& made) { return std::string(made.param->name); });

TEST(BeltModes, of_avbd_penalty_and_float_take_a_box_along_too)
{
    constexpr double kSpeed = 1, kFriction = 0.3, kTime = kSpeed / (kFriction * kGravity);
    const std::pair<std::string, ParameterValue> choices[] = {
        {"mode", std::string("penalty")}, {"precision", std::string("single")}, {"substeps", 2}};
    for (const auto& choice : choices)
    {
        Simulation simulation(make_belt({.friction = kFriction, .velocity = {kSpeed, 0, 0}}),
                              {.solver = "avbd", .dt = 0.002, .parameters = {choice}});
        simulation.run_for(1);
        const double slipped = kSpeed * simulation.time() - simulation.state().position(kBox).x;
        // Penalties are smooth below a slip of 1 cm/s, and their normal force swings while it settles.
        EXPECT_NEAR(slipped / (kSpeed * kTime / 2), 1, 0.1) << choice.first;
        EXPECT_NEAR(simulation.state().velocity(kBox).linear.x, kSpeed, 0.01) << choice.first;
    }
}

TEST(BeltModes, of_convex_without_stick_and_with_either_cone_take_a_box_along_too)
{
    for (const std::string cone : {"pyramidal", "elliptic"})
    {
        for (const bool stick : {false, true})
        {
            Simulation simulation(make_belt({.velocity = {1, 0, 0}}),
                                  {.solver = "convex", .dt = 0.002, .parameters = {{"cone", cone}, {"stick", stick}}});
            simulation.run_for(1);
            EXPECT_NEAR(simulation.state().velocity(kBox).linear.x, 1, 1e-3) << cone << stick;
        }
    }
}

TEST(BeltModes, a_blocked_box_does_not_fall_asleep_and_follows_a_belt_that_turns)
{
    // A sleeper that is pressed against a wall would miss that the belt now runs the other way.
    for (const std::string solver : {"avbd", "convex"})
    {
        ModelBuilder builder("blocked");
        const ShapeId belt = builder.add_shape(kWorld, Box{.half_extents = {20, 20, 0.5}}, {.position = {0, 0, -0.5}});
        builder.add_shape(kWorld, Box{.half_extents = {0.1, 1, 1}}, {.position = {0.3, 0, 1}});
        const BodyId box = builder.add_body({.position = {0, 0, 0.05}});
        builder.add_shape(box, Box{.half_extents = {0.2, 0.2, 0.05}});
        Simulation simulation(builder.build().value(), {.solver = solver, .parameters = {{"sleep", true}}});
        simulation.run_for(0.2);
        simulation.control().surface_velocity[static_cast<std::size_t>(belt.index)].linear = {0.5, 0, 0};
        simulation.run_for(0.5);
        EXPECT_LT(simulation.state().position(box).x, 0.01) << solver << ": the wall holds it";
        simulation.control().surface_velocity[static_cast<std::size_t>(belt.index)].linear = {-0.5, 0, 0};
        simulation.run_for(1);
        EXPECT_LT(simulation.state().velocity(box).linear.x, -0.49) << solver;
    }
}

/// A box that rides into a wall at 1 m/s, on a belt or on a plate that moves.
struct RideIntoWall
{
    double friction = 0.5;
    bool on_plate = false;
    std::string cone = "pyramidal";
};
/// How far the box comes back from the wall, and how high it is thrown, within a second of the blow [m].
std::pair<double, double> ride_into_wall(const std::string& solver, const RideIntoWall& ride)
{
    constexpr double kSpeed = 1, kGap = 0.3;
    ModelBuilder builder("ride");
    builder.settings().dt = 0.002;
    const MaterialId material = builder.add_material({.friction = ride.friction});
    builder.add_shape(kWorld, Box{.half_extents = {0.1, 1, 1}}, {.position = {0.3 + kGap, 0, 1}, .material = material});
    const BodyId carrier = ride.on_plate ? builder.add_body({.kind = BodyKind::kinematic}) : kWorld;
    builder.add_shape(carrier, Box{.half_extents = {5, 0.5, 0.5}},
                      {.position = {0, 0, -0.5},
                       .material = material,
                       .surface_velocity = ride.on_plate ? Vec3{} : Vec3{kSpeed, 0, 0}});
    const BodyId box = builder.add_body({.position = {0, 0, 0.05}, .linear_velocity = {kSpeed, 0, 0}});
    builder.add_shape(box, Box{.half_extents = {0.2, 0.2, 0.05}}, {.material = material});
    SimulationOptions options{.solver = solver};
    if (solver == "convex") options.parameters["cone"] = ride.cone;
    Simulation simulation(builder.build().value(), options);
    double back = 0, high = 0, nearest = -1;
    for (int i = 0; i < 650; ++i)
    {
        if (ride.on_plate) simulation.control().target[0].position.x = kSpeed * (simulation.time() + simulation.dt());
        EXPECT_LT(simulation.step().status, StepStatus::diverged);
        const Vec3 place = simulation.state().position(box);
        nearest = std::max(nearest, place.x);
        back = std::max(back, nearest - place.x);
        high = std::max(high, place.z - 0.05);
    }
    EXPECT_NEAR(nearest, kGap, 2e-3) << solver << ": the wall holds it";
    return {back, high};
}

TEST(BeltModes, a_box_that_rides_into_a_wall_stays_there)
{
    // All its points held and must slide at once: a convex cone opens what slides with mu times the slip's speed, and
    // the wall's own cone what is so lifted. Nothing of it is in Coulomb's law: the wall is plastic, the belt below
    // pulls towards it.
    for (const std::string solver : {"avbd", "comfree", "convex"})
    {
        for (const double friction : {0.3, 0.5, 1.0})
        {
            for (const bool on_plate : {false, true})
            {
                for (const std::string cone : {"pyramidal", "elliptic"})
                {
                    if (solver != "convex" && cone == "elliptic") continue;
                    const auto [back, high] = ride_into_wall(solver, {friction, on_plate, cone});
                    EXPECT_LT(back, 2e-3) << solver << " " << friction << " " << on_plate << " " << cone;
                    EXPECT_LT(high, 2e-3) << solver << " " << friction << " " << on_plate << " " << cone;
                }
            }
        }
    }
}

TEST(BeltModes, a_box_on_a_plate_that_turns_on_its_hinge_stays_where_it_lies)
{
    // Within a step the plate moves on its arc and the free box along its tangent: 1/2 h^2 w^2 r further out, 1.2 mm
    // per second here, which no velocity shows. Friction (0.8 of gravity against w^2 r = 0.12) holds it all the same.
    constexpr double kSpin = 2, kRadius = 0.3;
    for (const std::string solver : {"avbd", "convex"})
    {
        for (const Integrator integrator : {Integrator::euler, Integrator::implicitfast, Integrator::midpoint})
        {
            ModelBuilder builder("plate");
            builder.settings().dt = 0.002;
            builder.settings().integrator = integrator;
            const MaterialId material = builder.add_material({.friction = 0.8});
            const BodyId plate = builder.add_body({.position = {0, 0, 1}});
            builder.add_joint(plate, {.axis = {0, 0, 1}, .initial_velocity = kSpin});
            builder.add_shape(plate, Box{.half_extents = {1, 1, 0.05}}, {.material = material});
            const BodyId box = builder.add_body({.position = {kRadius, 0, 1.1},
                                                 .linear_velocity = {0, kSpin * kRadius, 0},
                                                 .angular_velocity = {0, 0, kSpin}});
            builder.add_shape(box, Box{.half_extents = {0.05, 0.05, 0.05}}, {.material = material, .mass = 1});
            Simulation simulation(builder.build().value(), {.solver = solver});
            const auto find_place = [&]
            {
                const Pose& pose = simulation.state().world().body_pose[static_cast<std::size_t>(plate.index)];
                return rotate(conjugate(pose.rotation), simulation.state().position(box) - pose.position);
            };
            simulation.run_for(0.5);
            const Vec3 start = find_place();
            simulation.run_for(5);
            // Stick is a spring: w^2 r over its stiffness, some micrometres, and rounding.
            EXPECT_LT(norm(find_place() - start), 2e-5) << solver << static_cast<int>(integrator);
        }
    }
}

TEST(BeltModes, a_roller_on_a_moving_body_pulls_the_body_along)
{
    // A sledge whose runner runs backwards drives itself forwards, until the surface stands on the ground.
    for (const std::string solver : {"avbd", "convex", "refined"})
    {
        ModelBuilder builder("crawler");
        builder.add_ground();
        const BodyId crawler = builder.add_body({.position = {0, 0, 0.1}});
        builder.add_shape(crawler, Box{.half_extents = {0.3, 0.2, 0.1}}, {.surface_velocity = {-1, 0, 0}});
        Simulation simulation(builder.build().value(), {.solver = solver, .dt = 0.002});
        simulation.run_for(1);
        EXPECT_NEAR(simulation.state().velocity(crawler).linear.x, 1, 1e-2) << solver;
    }
}

}  // namespace
}  // namespace rattleback
