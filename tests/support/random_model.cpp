// Random but reproducible models through the public ModelBuilder, and states and controls for them.
#include "support/random_model.h"
#include "base/index.h"

#include <rattleback/builder.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace rattleback
{
namespace
{

// Ranges of summed actuator forces hold zero, as MuJoCo asks.
Range make_range_around_zero(Random& random, double size)
{
    const double low = random.uniform(-size, 0);
    return {true, low, random.uniform(0.01, size)};
}
Range make_range(Random& random, double low, double high)
{
    const double a = random.uniform(low, high), b = random.uniform(low, high);
    return {true, std::min(a, b), std::max(a, b) + 0.01};
}

// Six mass points in a box: every such inertia is one of a real body.
Inertia make_inertia(Random& random)
{
    std::array<double, 6> mass{};
    std::array<Vec3, 6> point{};
    Inertia inertia;
    const double size = random.uniform(0.05, 0.3);
    Vec3 moment;
    for (std::size_t i = 0; i < 6; ++i)
    {
        mass[i] = random.uniform(0.02, 0.5);
        point[i] = random.in_box(size);
        inertia.mass += mass[i];
        moment += mass[i] * point[i];
    }
    for (std::size_t i = 0; i < 6; ++i)
    {
        const Vec3 r = point[i] - (1 / inertia.mass) * moment;
        inertia.diagonal += mass[i] * Vec3{r.y * r.y + r.z * r.z, r.x * r.x + r.z * r.z, r.x * r.x + r.y * r.y};
        inertia.products -= mass[i] * Vec3{r.x * r.y, r.x * r.z, r.y * r.z};
    }
    inertia.position = random.in_box(0.2);
    inertia.rotation = random.rotation();
    return inertia;
}

// Makes one model; remembers what tendons and actuators may hold on to.
class Author
{
public:
    Author(std::uint64_t seed, const RandomModelOptions& options) : random_(seed), options_(options)
    {
        const double strength = random_.uniform(1, 12);
        builder_.settings().gravity = strength * random_.direction();
    }

    Model make()
    {
        add_site(kWorld);
        const int trees = random_.integer(1, options_.max_trees);
        for (int i = 0; i < trees; ++i) add_tree();
        if (options_.tendons) add_tendons();
        if (options_.actuators) add_actuators();
        return builder_.build().value();
    }

private:
    void add_tree()
    {
        std::vector<BodyId> bodies{add_root()};
        const int count = random_.integer(1, options_.max_bodies_per_tree);
        while (static_cast<int>(bodies.size()) < count)
        {
            const int last = static_cast<int>(bodies.size()) - 1;
            const int parent = random_.chance(0.5) ? last : random_.integer(0, last);  // chains and bushes
            bodies.push_back(add_child(bodies[at(parent)]));
        }
    }

    BodyOptions make_body(BodyId parent)
    {
        BodyOptions body;
        body.parent = parent;
        body.position = random_.in_box(0.6);
        body.rotation = random_.rotation();
        body.inertia = make_inertia(random_);
        if (options_.gravity_compensation && random_.chance(0.3)) body.gravity_compensation = random_.uniform(0.1, 1.5);
        return body;
    }

    BodyId finish_body(const BodyOptions& options)
    {
        const BodyId body = builder_.add_body(options);
        if (random_.chance(0.5)) add_site(body);
        if (options_.shapes) add_shape(body);
        return body;
    }

    BodyId add_root()
    {
        BodyOptions options = make_body(kWorld);
        const double choice = random_.uniform(0, 1);
        if (options_.kinematic_bodies && !has_kinematic_ && choice < 0.15)
        {
            options.kind = BodyKind::kinematic;
            options.gravity_compensation = 0;
            has_kinematic_ = true;
            return finish_body(options);
        }
        if (options_.welded_bodies && choice < 0.3)
        {
            options.kind = BodyKind::fixed;
            return finish_body(options);
        }
        const BodyId body = finish_body(options);
        if (choice < 0.45) return body;  // floats by itself
        if (choice < 0.65)
        {
            std::vector<Vec3> no_axes;
            add_joint(body, JointType::free, no_axes);
        }
        else
        {
            add_joints(body);
        }
        return body;
    }

    BodyId add_child(BodyId parent)
    {
        BodyOptions options = make_body(parent);
        const bool welded = options_.welded_bodies && random_.chance(0.15);
        if (welded && random_.chance(0.5)) options.kind = BodyKind::fixed;
        const BodyId body = finish_body(options);
        if (!welded) add_joints(body);
        return body;
    }

    // One to four joints; a ball comes last, so that its velocity is that of the body's own axes.
    void add_joints(BodyId body)
    {
        using enum JointType;
        static const std::vector<std::vector<JointType>> kSets = {{hinge},
                                                                  {hinge},
                                                                  {slide},
                                                                  {ball},
                                                                  {hinge, hinge},
                                                                  {hinge, hinge, hinge},
                                                                  {slide, hinge},
                                                                  {hinge, slide},
                                                                  {slide, slide},
                                                                  {slide, ball},
                                                                  {slide, hinge, ball},
                                                                  {slide, slide, slide, ball}};
        const std::vector<JointType>& set = kSets[at(random_.integer(0, static_cast<int>(kSets.size()) - 1))];
        std::vector<Vec3> axes;
        for (const JointType type : set) add_joint(body, type == ball && !options_.ball_joints ? hinge : type, axes);
    }

    // A direction well away from the plane or line of those before, so that M stays well-conditioned.
    Vec3 choose_axis(const std::vector<Vec3>& before)
    {
        for (;;)
        {
            const Vec3 axis = random_.direction();
            bool apart = true;
            for (const Vec3& other : before) apart = apart && norm(cross(axis, other)) > 0.6;
            if (before.size() == 2) apart = apart && std::abs(dot(axis, cross(before[0], before[1]))) > 0.3;
            if (apart) return axis;
        }
    }

    void add_joint(BodyId body, JointType type, std::vector<Vec3>& axes)
    {
        const bool scalar = type == JointType::hinge || type == JointType::slide;
        JointOptions joint;
        joint.type = type;
        const double axis_length = random_.uniform(0.5, 2);
        if (scalar)
        {
            const Vec3 axis = choose_axis(axes);
            axes.push_back(axis);
            joint.axis = axis_length * axis;
        }
        if (type != JointType::free) joint.position = random_.in_box(0.3);
        if (scalar && options_.references && random_.chance(0.4)) joint.reference = random_.uniform(-1, 1);
        if (options_.armature && random_.chance(0.4)) joint.armature = random_.uniform(0.001, 0.2);
        if (options_.damping && random_.chance(0.4)) joint.damping = random_.uniform(0.01, 2);
        if (options_.springs && random_.chance(0.4)) joint.stiffness = random_.uniform(0.1, 20);
        if (scalar && random_.chance(0.5)) joint.spring_reference = random_.uniform(-1, 1);
        if (scalar && options_.clamps && options_.actuators && random_.chance(0.3))
        {
            joint.actuator_force_range = make_range_around_zero(random_, 2);
        }
        joint.gravity_compensation_by_actuator = options_.gravity_compensation && random_.chance(0.2);
        const JointId id = builder_.add_joint(body, joint);
        joints_.push_back(id);
        if (scalar) scalar_joints_.push_back(id);
    }

    void add_site(BodyId body)
    {
        sites_.push_back(builder_.add_site(body, {.position = random_.in_box(0.4), .rotation = random_.rotation()}));
    }

    void add_shape(BodyId body)
    {
        const ShapeOptions where{
            .position = random_.in_box(0.2), .rotation = random_.rotation(), .category = 0, .mask = 0};
        if (random_.chance(0.5))
        {
            builder_.add_shape(body, Capsule{random_.uniform(0.01, 0.1), random_.uniform(0.05, 0.3)}, where);
        }
        else
        {
            builder_.add_shape(body, Box{Vec3{0.2, 0.2, 0.2} + random_.in_box(0.15)}, where);
        }
    }

    TendonOptions make_tendon(bool one_branch)
    {
        TendonOptions tendon;
        if (options_.springs && random_.chance(0.6)) tendon.stiffness = random_.uniform(0.1, 20);
        if (options_.damping && random_.chance(0.6)) tendon.damping = random_.uniform(0.01, 2);
        const bool heavy = one_branch ? options_.tendon_armature : options_.branching_tendon_armature;
        if (heavy && random_.chance(0.6)) tendon.armature = random_.uniform(0.001, 0.2);
        if (random_.chance(0.6))
        {
            const double low = random_.uniform(0, 1);
            tendon.spring_length = {low, low + (random_.chance(0.5) ? random_.uniform(0, 1) : 0)};
        }
        if (options_.clamps && options_.actuators && random_.chance(0.3))
        {
            tendon.actuator_force_range = make_range_around_zero(random_, 2);
        }
        return tendon;
    }

    void add_tendons()
    {
        const int count = random_.integer(0, 4);
        for (int i = 0; i < count; ++i)
        {
            if (random_.chance(0.5))
            {
                add_fixed_tendon();
            }
            else
            {
                add_spatial_tendon();
            }
        }
    }

    void add_fixed_tendon()
    {
        std::vector<std::pair<JointId, double>> parts;
        const std::vector<JointId> chosen = choose(scalar_joints_, random_.integer(1, 4));
        for (const JointId joint : chosen) parts.emplace_back(joint, random_.uniform(-2, 2));
        if (!parts.empty()) tendons_.push_back(builder_.add_fixed_tendon(parts, make_tendon(parts.size() == 1)));
    }

    // Stretches of two to four different sites, each after a pulley but for the first; some from the world to one body.
    void add_spatial_tendon()
    {
        if (sites_.size() < 2) return;
        std::vector<ModelBuilder::PathItem> path;
        const bool one_branch = random_.chance(0.4);
        if (one_branch)
            path = {{sites_[0], 1}, {sites_[at(random_.integer(1, static_cast<int>(sites_.size()) - 1))], 1}};
        const int stretches = one_branch ? 0 : random_.integer(1, 3);
        for (int i = 0; i < stretches; ++i)
        {
            if (i > 0) path.push_back({{}, random_.uniform(0.5, 3)});
            for (const SiteId site : choose(sites_, random_.integer(2, 4))) path.push_back({site, 1});
        }
        tendons_.push_back(builder_.add_spatial_tendon(path, make_tendon(one_branch)));
    }

    void add_actuators()
    {
        const int count = random_.integer(0, 8);
        for (int i = 0; i < count; ++i)
        {
            ActuatorOptions actuator = make_actuator();
            const int kind = random_.integer(0, 3);
            if (kind <= 1 && !joints_.empty())
            {
                actuator.in_parent = random_.chance(0.4);
                builder_.add_actuator(choose(joints_, 1)[0], actuator);
            }
            if (kind == 2 && !tendons_.empty()) builder_.add_actuator(choose(tendons_, 1)[0], actuator);
            if (kind == 3) builder_.add_actuator(choose(sites_, 1)[0], actuator);
        }
    }

    ActuatorOptions make_actuator()
    {
        ActuatorOptions actuator;
        for (double& x : actuator.gear) x = random_.uniform(-2, 2);
        for (double& x : actuator.gain) x = random_.chance(0.6) ? random_.uniform(-3, 3) : 0;
        for (double& x : actuator.bias) x = random_.chance(0.6) ? random_.uniform(-3, 3) : 0;
        actuator.dynamics = static_cast<ActuatorDynamics>(random_.integer(0, 3));
        actuator.time_constant = random_.uniform(0.01, 0.5);
        if (options_.clamps && random_.chance(0.4)) actuator.input_range = make_range(random_, -1, 1);
        if (options_.clamps && random_.chance(0.4)) actuator.force_range = make_range(random_, -3, 3);
        if (actuator.dynamics == ActuatorDynamics::none) return actuator;
        if (options_.clamps && random_.chance(0.4)) actuator.act_range = make_range(random_, -1, 1);
        actuator.act_early = random_.chance(0.3);
        return actuator;
    }

    // Up to `count` different elements in random order.
    template <class T>
    std::vector<T> choose(std::vector<T> from, int count)
    {
        std::vector<T> chosen;
        for (int i = 0; i < count && !from.empty(); ++i)
        {
            const int k = random_.integer(0, static_cast<int>(from.size()) - 1);
            chosen.push_back(from[at(k)]);
            from.erase(from.begin() + k);
        }
        return chosen;
    }

    Random random_;
    RandomModelOptions options_;
    ModelBuilder builder_{"random"};
    std::vector<JointId> joints_, scalar_joints_;
    std::vector<SiteId> sites_;
    std::vector<TendonId> tendons_;
    bool has_kinematic_ = false;
};

void put_quaternion(Random& random, std::span<double> q)
{
    const Quat r = random.rotation();
    q[0] = r.w;
    q[1] = r.x;
    q[2] = r.y;
    q[3] = r.z;
}

}  // namespace

Model make_random_model(std::uint64_t seed, const RandomModelOptions& options) { return Author(seed, options).make(); }

RandomState make_random_state(const Model& model, std::uint64_t seed)
{
    Random random(seed ^ 0x5741544553ULL);
    RandomState state;
    for (int i = 0; i < model.q_count(); ++i) state.q.push_back(random.uniform(-2, 2));
    for (int i = 0; i < model.v_count(); ++i) state.v.push_back(random.uniform(-3, 3));
    for (int i = 0; i < model.act_count; ++i) state.act.push_back(random.uniform(-1, 1));
    for (int j = 0; j < model.joint_count(); ++j)
    {
        const JointType type = model.joints.type[at(j)];
        const std::size_t begin = at(model.joints.q_begin[at(j)]) + (type == JointType::free ? 3 : 0);
        if (type == JointType::free || type == JointType::ball)
            put_quaternion(random, std::span(state.q).subspan(begin));
    }
    state.body_pose.resize(at(model.body_count()));
    state.body_velocity.resize(at(model.body_count()));
    for (int b = 0; b < model.body_count(); ++b)
    {
        if (model.bodies.kind[at(b)] != BodyKind::kinematic) continue;
        state.body_pose[at(b)] = {random.in_box(1), random.rotation()};
        state.body_velocity[at(b)] = {random.in_box(1), random.in_box(2)};
    }
    return state;
}

Control make_random_control(const Model& model, std::uint64_t seed)
{
    Random random(seed ^ 0x4c4f52544e4f43ULL);
    Control control(model);
    for (double& x : control.input) x = random.uniform(-2, 2);
    for (double& x : control.joint_force) x = random.uniform(-2, 2);
    for (Wrench& wrench : control.body_wrench)
    {
        wrench.force = random.in_box(3);
        wrench.torque = random.in_box(1);
    }
    return control;
}

}  // namespace rattleback
