// Random valid models: trees of a few bodies each, whose numbers span what a careless user would write.
#include "lab/scenes/wild.h"

#include "lab/scenes/parts.h"
#include "math/elementary.h"

namespace rattleback::lab
{

namespace
{

class WildMaker
{
public:
    WildMaker(std::uint64_t seed, const WildOptions& options)
        : random_(seed), extra_(seed ^ 0x71e5u), options_(options), builder_("wild " + std::to_string(seed))
    {
    }

    Result<Model> build()
    {
        constexpr Integrator kIntegrators[] = {Integrator::midpoint, Integrator::euler, Integrator::implicitfast};
        Settings& settings = builder_.settings();
        settings.dt = spread(0.001, 0.016);
        settings.integrator = kIntegrators[random_.integer(0, 2)];
        soft_ = random_.chance(0.5);
        const MaterialId ground = add_material();
        if (options_.adrift)
            settings.gravity = {};
        else
            builder_.add_ground({.name = "floor", .material = ground, .colour = kFloor});
        const int roots = random_.integer(1, 8);
        for (int i = 0; i < roots; ++i) add_root();
        if (options_.ties) add_ties();
        return builder_.build();
    }

private:
    /// Between two positive numbers, evenly in the logarithm.
    double spread(double low, double high) { return low * power(high / low, random_.uniform(0, 1)); }
    double size() { return random_.uniform(0.02, 0.2); }

    MaterialId add_material()
    {
        // MuJoCo's default, or a contact as hard as the step allows.
        return builder_.add_material({.friction = spread(0.01, 2),
                                      .dimension = random_.chance(0.2) ? 1 : 3,
                                      .softness = soft_ ? Softness(Impedance{}) : Softness(Rigid{})});
    }

    Shape draw_shape()
    {
        switch (random_.integer(0, 4))
        {
            case 0:
                return Sphere{.radius = size()};
            case 1:
            {
                const double radius = size();
                return Capsule{.radius = radius, .half_length = size()};
            }
            case 2:
            {
                const double radius = size();
                return Cylinder{.radius = radius, .half_length = size()};
            }
            default:
            {
                const double x = size(), y = size();
                return Box{.half_extents = {x, y, size()}};
            }
        }
    }

    void add_shape(BodyId body, const Vec3& position)
    {
        const Shape shape = draw_shape();
        const Quat rotation = random_.rotation();
        const MaterialId material = add_material();
        const double density = spread(1, 1e5);
        builder_.add_shape(body, shape,
                           {.position = position,
                            .rotation = rotation,
                            .material = material,
                            .density = density,
                            .colour = colour_of(shapes_++)});
    }

    void add_root()
    {
        Vec3 place = random_.in_box(1);
        place.z = random_.uniform(0, 1.5);
        BodyOptions options{.position = place, .rotation = random_.rotation()};
        const bool drawn = random_.chance(0.6), floats = drawn || options_.adrift;
        if (options_.adrift && !drawn)
        {
            options.linear_velocity = extra_.in_box(2);
            options.angular_velocity = extra_.in_box(5);
        }
        if (drawn && random_.chance(0.5))
        {
            options.linear_velocity = random_.in_box(2);
            options.angular_velocity = random_.in_box(5);
        }
        const BodyId body = builder_.add_body(options);
        bodies_.push_back(body);
        if (!floats) add_joint(body);
        add_shape(body, {});
        add_children(body, 1);
    }

    void add_children(BodyId parent, int depth)
    {
        constexpr int kDeepest = 4;
        if (depth >= kDeepest) return;
        for (int count = random_.integer(0, 2); count > 0; --count)
        {
            const Vec3 place = random_.in_box(0.3);
            const BodyId body =
                builder_.add_body({.parent = parent, .position = place, .rotation = random_.rotation()});
            bodies_.push_back(body);
            add_joint(body);
            add_shape(body, random_.in_box(0.1));
            add_children(body, depth + 1);
        }
    }

    void add_joint(BodyId body)
    {
        constexpr JointType kTypes[] = {JointType::hinge, JointType::hinge, JointType::slide, JointType::ball};
        JointOptions options{
            .type = kTypes[random_.integer(0, 3)], .axis = random_.direction(), .position = random_.in_box(0.1)};
        const bool scalar = options.type != JointType::ball;
        if (random_.chance(0.4)) options.stiffness = spread(0.1, 1000);
        if (random_.chance(0.4)) options.damping = spread(0.001, 1);
        options.limit_softness = soft_ ? Softness(Impedance{}) : Softness(Rigid{});
        if (scalar && random_.chance(0.4))
        {
            const double upper = random_.uniform(0, 1);
            options.range = limits(-random_.uniform(0, 1), upper);
        }
        if (scalar && random_.chance(0.3)) options.initial_velocity = random_.uniform(-3, 3);
        if (scalar && random_.chance(0.3)) options.spring_reference = random_.uniform(-0.5, 0.5);
        // A gear box of a real robot carries its rotor's inertia.
        const bool driven = options_.servos && scalar && random_.chance(0.7);
        if (driven) options.armature = spread(1e-3, 0.05);
        const JointId joint = builder_.add_joint(body, options);
        if (scalar) scalars_.push_back(joint);
        if (!driven) return;
        const double stiffness = spread(1, 200), ratio = random_.uniform(0.3, 1.5);
        builder_.add_position_actuator(
            joint, {.stiffness = stiffness, .damping_ratio = ratio, .force_range = limits(spread(5, 200))});
    }

    EqualityOptions draw_tie()
    {
        return {.softness = soft_ ? Softness(Impedance{}) : Softness(Rigid{}), .active = extra_.chance(0.85)};
    }
    BodyId draw_body()
    {
        return bodies_[static_cast<std::size_t>(extra_.integer(0, static_cast<int>(bodies_.size()) - 1))];
    }

    void add_ties()
    {
        if (extra_.chance(0.5)) add_loop();
        for (int count = extra_.integer(0, 2); count > 0; --count)
        {
            const BodyId first = draw_body(), second = draw_body();
            if (first == second) continue;
            const Vec3 anchor = extra_.in_box(0.2);
            if (extra_.chance(0.6))
                builder_.add_connect(first, second, anchor, draw_tie());
            else
                builder_.add_weld(first, second, draw_tie());
        }
        if (scalars_.size() > 1 && extra_.chance(0.4))
            builder_.add_joint_coupling(scalars_.front(), scalars_.back(), {0, extra_.uniform(-2, 2), 0, 0, 0},
                                        draw_tie());
        for (int count = extra_.integer(0, 2); count > 0; --count) add_tendon();
        if (options_.adrift || !extra_.chance(0.5)) return;
        // From air to oil.
        Medium& medium = builder_.settings().medium;
        medium.density = extra_.uniform(0, 1) < 0.5 ? 1.2 : 1.2 * power(1000 / 1.2, extra_.uniform(0, 1));
        medium.viscosity = 1e-5 * power(1e5, extra_.uniform(0, 1));
        if (options_.servos && extra_.chance(0.5)) medium.wind = extra_.in_box(10);
    }

    void add_tendon()
    {
        const BodyId first = draw_body(), second = draw_body();
        const SiteId a = builder_.add_site(first, {.position = extra_.in_box(0.1)});
        const SiteId b = builder_.add_site(second, {.position = extra_.in_box(0.1)});
        TendonOptions options;
        if (extra_.chance(0.7)) options.stiffness = 0.1 * power(1e4, extra_.uniform(0, 1));
        if (extra_.chance(0.4)) options.damping = 1e-3 * power(1e3, extra_.uniform(0, 1));
        if (extra_.chance(0.3)) options.range = limits(0, extra_.uniform(0.5, 2));
        options.limit_softness = soft_ ? Softness(Impedance{}) : Softness(Rigid{});
        if (first != second) builder_.add_spatial_tendon({{.site = a}, {.site = b}}, options);
    }

    /// A regular polygon of links, the last of which meets the first again: at the world, or where all floats at the
    /// first link.
    void add_loop()
    {
        const int links = extra_.integer(3, 8);
        const double length = extra_.uniform(0.2, 0.5), turn = 2 * kPi / links;
        const Quat bend{cos(0.5 * turn), 0, -sin(0.5 * turn), 0};
        const Vec3 along{length, 0, 0};
        BodyId first, last;
        for (int i = 0; i < links; ++i)
        {
            const BodyId body = i == 0 ? builder_.add_body({.position = {2, 2, 1}})
                                       : builder_.add_body({.parent = last, .position = along, .rotation = bend});
            if (i == 0) first = body;
            if (i > 0 || !options_.adrift)
            {
                const JointType type = extra_.chance(0.3) ? JointType::ball : JointType::hinge;
                const double damping = extra_.chance(0.5) ? 0.01 : 0;
                builder_.add_joint(body, {.type = type, .axis = {0, 1, 0}, .damping = damping});
            }
            const double density = 15 * power(5000, extra_.uniform(0, 1));
            add_limb(builder_, body, {0.05 * length, 0, 0}, {0.95 * length, 0, 0}, 0.02,
                     {.density = density, .mask = 0});
            last = body;
            bodies_.push_back(body);
        }
        if (options_.adrift)
            builder_.add_connect_points(last, along, first, {}, draw_tie());
        else
            builder_.add_connect(last, kWorld, along, draw_tie());
    }

    Random random_, extra_;  ///< extra_: of what options add
    std::vector<BodyId> bodies_;
    std::vector<JointId> scalars_;
    WildOptions options_;
    ModelBuilder builder_;
    bool soft_ = false;
    int shapes_ = 0;
};

}  // namespace

Result<Model> build_wild(std::uint64_t seed, const WildOptions& options) { return WildMaker(seed, options).build(); }

void drive_wild(const Model& model, std::uint64_t seed, double time, Control& control)
{
    constexpr double kPeriod = 1.5;  // [s] of a triangle wave
    Random random(seed ^ 0x5e7u);
    for (int a = 0; a < model.actuator_count(); ++a)
    {
        const double phase = random.uniform(0, 1), reach = random.uniform(0, 0.8);
        const double turn = time / kPeriod + phase, part = turn - std::floor(turn);
        control.input[static_cast<std::size_t>(a)] = reach * (part < 0.5 ? 4 * part - 1 : 3 - 4 * part);
    }
}

}  // namespace rattleback::lab
