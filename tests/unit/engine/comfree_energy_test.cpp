// Energy with the law stable of solver comfree: it never grows, whatever touches, however heavy, however long the step.
#include <rattleback/rattleback.h>

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace rattleback
{
namespace
{

/// Free bodies above the ground, apart from each other: densities over four decades, all dimensions of contact.
Model make_random_heap(std::mt19937_64& random)
{
    std::uniform_real_distribution<double> unit(0, 1);
    const auto pick = [&](double low, double high) { return low * std::pow(high / low, unit(random)); };
    const auto vector = [&](double size) -> Vec3
    { return {size * (2 * unit(random) - 1), size * (2 * unit(random) - 1), size * (2 * unit(random) - 1)}; };
    constexpr int kDimensions[] = {1, 3, 4, 6};
    ModelBuilder builder("random heap");
    builder.add_ground();
    const int count = 1 + static_cast<int>(8 * unit(random));
    for (int i = 0; i < count; ++i)
    {
        const MaterialId material = builder.add_material({.friction = pick(0.05, 2),
                                                          .spinning_friction = pick(1e-4, 0.05),
                                                          .rolling_friction = pick(1e-5, 0.02),
                                                          .dimension = kDimensions[random() % 4]});
        // A column of cells a quarter of a metre high, in which each body has room to turn.
        const BodyId body =
            builder.add_body({.position = {0.03 * unit(random), 0.03 * unit(random), 0.15 + 0.25 * i},
                              .rotation = normalized(Quat{unit(random), unit(random), unit(random), 0.1}),
                              .linear_velocity = vector(1),
                              .angular_velocity = vector(5)});
        const double size = pick(0.02, 0.06);
        Shape shape = Sphere{.radius = size};
        if (i % 4 == 1) shape = Box{.half_extents = {size, 0.7 * size, pick(0.2, 1) * size}};
        if (i % 4 == 2) shape = Capsule{.radius = 0.5 * size, .half_length = size};
        if (i % 4 == 3) shape = Cylinder{.radius = size, .half_length = 0.5 * size};
        builder.add_shape(body, shape, {.material = material, .density = pick(10, 1e5)});
        // Some bodies are bristly: up to a thousand contacts more.
        const int studs = random() % 8 == 0 ? static_cast<int>(pick(1, 1000)) : 0;
        for (int s = 0; s < studs; ++s)
            builder.add_shape(body, Sphere{.radius = 0.2 * size},
                              {.position = vector(0.8 * size), .material = material, .mass = 0});
    }
    return builder.build().value();
}

struct Growth
{
    double above_start = 0;  ///< largest energy over that at the start, relative
    /// Largest rise over the least so far, as part of what it costs to lift all bodies by the deepest overlap so far.
    double lift = 0;
    double rise = 0;   ///< the same, relative to the start
    int contacts = 0;  ///< the most of one step
};

/// Of the sums that are energies, over thousands of steps, relative to the start.
constexpr double kRounding = 1e-11;

/// Gyroscopic forces are implicit: explicit ones (euler) drive light bodies that spin fast without any contact.
Growth measure_growth(const Model& model, double dt, double seconds, Parameters parameters = {})
{
    parameters["integrator"] = std::string("implicitfast");
    Simulation simulation(model, {.solver = "comfree", .dt = dt, .parameters = parameters});
    const double start = simulation.energy().total();
    double least = start, deepest = 0, mass = 0;
    for (const double m : model.bodies.mass) mass += m;
    Growth growth;
    for (int i = 0; i < static_cast<int>(seconds / dt); ++i)
    {
        const StepReport report = simulation.step();
        if (report.status == StepStatus::diverged) return {1, 1e9};
        deepest = std::max(deepest, report.deepest_penetration);
        const double energy = simulation.energy().total();
        growth.above_start = std::max(growth.above_start, energy / start - 1);
        // Where nothing overlaps there is nothing to rise but rounding.
        const double rise = std::max(0.0, energy - least - 1e-12 * start);
        if (rise > 0) growth.lift = std::max(growth.lift, rise / (9.81 * mass * deepest));
        growth.rise = std::max(growth.rise, (energy - least) / start);
        growth.contacts = std::max(growth.contacts, report.contact_count);
        least = std::min(least, energy);
    }
    return growth;
}

void expect_no_growth(std::uint64_t seed, int scenes)
{
    constexpr double kSteps[] = {0.0005, 0.001, 0.002, 0.005, 0.01, 0.02};
    std::mt19937_64 random(seed);
    Growth worst;
    int rising = 0;
    for (int i = 0; i < scenes; ++i)
    {
        const double dt = kSteps[i % 6];
        const Growth growth = measure_growth(make_random_heap(random), dt, std::min(0.8, 200 * dt));
        EXPECT_LE(growth.above_start, 1e-12) << "scene " << i << ", dt " << dt;
        EXPECT_LE(growth.lift, 1) << "scene " << i << ", dt " << dt;
        worst.above_start = std::max(worst.above_start, growth.above_start);
        worst.lift = std::max(worst.lift, growth.lift);
        worst.rise = std::max(worst.rise, growth.rise);
        worst.contacts = std::max(worst.contacts, growth.contacts);
        rising += growth.rise > kRounding;
    }
    std::printf(
        "%d scenes of up to %d contacts: energy at most %.2g above the start; in %d it rises above its least, "
        "by up to %.2g of the start, %.2f of a lift by the deepest overlap\n",
        scenes, worst.contacts, worst.above_start, rising, worst.rise, worst.lift);
}

TEST(ComfreeEnergy, never_grows_in_random_heaps) { expect_no_growth(1, 200); }

TEST(ComfreeEnergy, long_never_grows_in_ten_thousand_random_heaps) { expect_no_growth(2, 10000); }

TEST(ComfreeEnergy, never_grows_where_friction_loads_its_own_normal)
{
    // Scene 3387 of the ten thousand: a gram under 14 kg, one of whose discs slides with no radius that fits its
    // normal. Corrections that do not settle there let the load sink, and poses lift it out again.
    std::mt19937_64 random(2);
    for (int i = 0; i < 3387; ++i) make_random_heap(random);
    const Growth growth = measure_growth(make_random_heap(random), 0.005, 0.8);
    EXPECT_LE(growth.above_start, 1e-12);
    // Measured: 0.08; 1.3 while the radius was put to zero, which raised step after step. The bar is the worst of the
    // ten thousand without this scene.
    EXPECT_LE(growth.lift, 0.45);
}

/// A brick in free flight that turns by several radians in a step: implicit gyroscopic forces alone make energy of it.
double measure_flight(const char* solver, const std::string& integrator, const Vec3& spin, int steps)
{
    ModelBuilder builder("brick");
    builder.settings().gravity = {};
    const BodyId brick = builder.add_body({.angular_velocity = spin});
    builder.add_shape(brick, Box{.half_extents = {0.05, 0.03, 0.01}}, {.position = {0.02, 0.01, 0}});
    Simulation simulation(builder.build().value(),
                          {.solver = solver, .dt = 0.02, .parameters = {{"integrator", integrator}}});
    const double start = simulation.energy().total();
    double most = 0;
    for (int i = 0; i < steps; ++i)
    {
        simulation.step();
        most = std::max(most, simulation.energy().total() / start - 1);
    }
    return most;
}

TEST(ComfreeEnergy, never_grows_in_free_flight_that_no_step_resolves)
{
    for (const std::string integrator : {"implicitfast", "discrete"})
    {
        double without = 0;
        for (const Vec3& spin : {Vec3{150, 100, 50}, Vec3{20, 184, 30}, Vec3{300, 10, 200}, Vec3{40, 60, 250}})
        {
            // A hundred roundings of a bound on squares (1e-12 each, lone_spin.h).
            EXPECT_LE(measure_flight("comfree", integrator, spin, 100), 1e-10) << integrator;
            without = std::max(without, measure_flight("smooth", integrator, spin, 100));
        }
        EXPECT_GT(without, 1e-3) << integrator << ": the spins do not probe what they should";
    }
}

/// The paper's cube: edge 0.1 m, 50 mm above the ground, thrown and turning.
Model make_cube(double friction, double density = 1000, int spheres = 0)
{
    ModelBuilder builder("cube");
    const MaterialId material = builder.add_material({.friction = friction});
    builder.add_ground({.material = material});
    const BodyId cube =
        builder.add_body({.position = {0, 0, 0.1}, .linear_velocity = {2, 0, 0}, .angular_velocity = {0.1, 0.1, 0.1}});
    builder.add_shape(cube, Box{.half_extents = {0.05, 0.05, 0.05}}, {.material = material, .density = density});
    // Studs under it, each a contact more.
    for (int i = 0; i < spheres; ++i)
    {
        builder.add_shape(
            cube, Sphere{.radius = 0.01},
            {.position = {0.003 * (i % 32) - 0.047, 0.003 * (i / 32) - 0.047, -0.04}, .material = material, .mass = 0});
    }
    return builder.build().value();
}

TEST(ComfreeEnergy, never_grows_in_the_papers_cube_over_gains_and_steps)
{
    for (const double friction : {0.5, 1.0})
    {
        for (const double dt : {0.001, 0.002, 0.005, 0.01, 0.02})
        {
            for (const double stiffness : {0.1, 0.3, 0.5})
            {
                for (const double damping : {0.001, 0.005})
                {
                    const Growth growth =
                        measure_growth(make_cube(friction), dt, 1.5, {{"stiffness", stiffness}, {"damping", damping}});
                    EXPECT_LE(growth.above_start, 1e-12) << friction << " " << dt << " " << stiffness << " " << damping;
                    EXPECT_LE(growth.rise, kRounding) << friction << " " << dt << " " << stiffness << " " << damping;
                }
            }
        }
    }
}

TEST(ComfreeEnergy, never_grows_with_a_thousand_contacts_of_one_body)
{
    for (const double dt : {0.0005, 0.002, 0.02})
    {
        const Growth growth = measure_growth(make_cube(0.5, 1000, 1000), dt, 100 * dt);
        EXPECT_LE(growth.above_start, 1e-12) << dt;
        EXPECT_LE(growth.lift, 1) << dt;
    }
}

TEST(ComfreeEnergy, the_law_as_coded_gains_energy_outside_of_its_limit)
{
    // The strongest gains of the paper at 5 ms: N R (2 d + 3 k dt) is 2.5 for the four shallow corners, 5 deep.
    Simulation simulation(make_cube(0.5), {.solver = "comfree",
                                           .dt = 0.02,
                                           .parameters = {{"integrator", std::string("euler")},
                                                          {"law", std::string("as_coded")},
                                                          {"stiffness", 0.5},
                                                          {"damping", 0.005}}});
    const double start = simulation.energy().total();
    double most = 0;
    for (int i = 0; i < 100; ++i)
    {
        if (simulation.step().status == StepStatus::diverged) break;
        most = std::max(most, simulation.energy().total());
    }
    EXPECT_GT(most, 2 * start);
}

}  // namespace
}  // namespace rattleback
