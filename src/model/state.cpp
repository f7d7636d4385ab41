// State: views of one world, hash and validation.
#include <rattleback/state.h>

#include "base/hash.h"
#include "math/finite.h"

namespace rattleback
{

namespace
{

constexpr double kUnitTolerance = 1e-3;  // of a quaternion's length: far beyond what integration loses in a step

std::size_t row(int world, int count) { return static_cast<std::size_t>(world) * static_cast<std::size_t>(count); }

/// The part of `items` that belongs to `world`, `count` items each.
template <class T>
auto slice(T& items, int world, int count)
{
    // Arrays are public and may have been resized: looked at before a view is handed out.
    RB_CHECK(items.size() >= row(world, count) + static_cast<std::size_t>(count),
             "a state array is shorter than world_count times its row");
    return std::span(items).subspan(row(world, count), static_cast<std::size_t>(count));
}

void check_world(const State& state, int world)
{
    RB_CHECK(world >= 0 && world < state.world_count,
             "world " + std::to_string(world) + " of a state with " + std::to_string(state.world_count));
}

std::size_t body_row(const State& state, BodyId body, int world, std::size_t size)
{
    check_world(state, world);
    RB_CHECK(body.index >= 0 && body.index < state.body_count,
             "body " + std::to_string(body.index) + " of a state with " + std::to_string(state.body_count) + " bodies");
    const std::size_t index = row(world, state.body_count) + static_cast<std::size_t>(body.index);
    RB_CHECK(index < size, "a body array of the state is shorter than world_count times body_count");
    return index;
}

void add(Hasher& hasher, const Vec3& x)
{
    hasher.add(x.x);
    hasher.add(x.y);
    hasher.add(x.z);
}

bool is_unit(const Quat& x) { return std::abs(norm(x) - 1) <= kUnitTolerance; }  // false for NaN

/// Collects what is wrong with one world.
class WorldChecker
{
public:
    WorldChecker(const Model& model, const State& state, int world, std::vector<Error>& errors)
        : model_(model), state_(state), world_(world), errors_(errors)
    {
    }

    void check()
    {
        if (!std::isfinite(state_.time[static_cast<std::size_t>(world_)])) fail("", "the time is not finite");
        for (int joint = 0; joint < model_.joint_count(); ++joint) check_joint(static_cast<std::size_t>(joint));
        for (const double act : slice(state_.act, world_, state_.act_count))
        {
            if (!std::isfinite(act)) fail("", "an activation is not finite");
        }
        for (int body = 0; body < model_.body_count(); ++body) check_body(body);
    }

private:
    void fail(const std::string& element, const char* message)
    {
        std::string where = "world " + std::to_string(world_);
        if (!element.empty()) where += ", " + element;
        errors_.push_back({ErrorCode::invalid_value, std::move(where), message, ""});
    }

    void check_joint(std::size_t joint)
    {
        const JointType type = model_.joints.type[joint];
        const auto q = slice(state_.q, world_, state_.q_count)
                           .subspan(static_cast<std::size_t>(model_.joints.q_begin[joint]),
                                    static_cast<std::size_t>(q_count(type)));
        const auto v = slice(state_.v, world_, state_.v_count)
                           .subspan(static_cast<std::size_t>(model_.joints.v_begin[joint]),
                                    static_cast<std::size_t>(v_count(type)));
        bool finite = true;
        for (const double x : q) finite = finite && std::isfinite(x);
        if (!finite) fail("joint '" + model_.joints.name[joint] + "'", "q is not finite");
        if (finite && (type == JointType::free || type == JointType::ball))
        {
            // The quaternion stands at the end of a joint's coordinates.
            const auto r = q.last(4);
            if (!is_unit({r[0], r[1], r[2], r[3]}))
                fail("joint '" + model_.joints.name[joint] + "'", "the quaternion in q is far from unit length");
        }
        finite = true;
        for (const double x : v) finite = finite && std::isfinite(x);
        if (!finite) fail("joint '" + model_.joints.name[joint] + "'", "v is not finite");
    }

    void check_body(int body)
    {
        const Pose& pose = state_.pose(BodyId{body}, world_);
        const Velocity& velocity = state_.velocity(BodyId{body}, world_);
        const auto element = [&] { return "body '" + model_.bodies.name[static_cast<std::size_t>(body)] + "'"; };
        if (!is_finite(pose.position)) fail(element(), "the position is not finite");
        if (!is_unit(pose.rotation)) fail(element(), "the rotation is not a unit quaternion");
        if (!is_finite(velocity.linear) || !is_finite(velocity.angular)) fail(element(), "the velocity is not finite");
    }

    const Model& model_;
    const State& state_;
    int world_;
    std::vector<Error>& errors_;
};

/// Sizes that differ from the model's, each with an error.
std::vector<Error> check_sizes(const Model& model, const State& state)
{
    std::vector<Error> errors;
    const auto expect = [&](const char* what, std::size_t found, std::size_t wanted)
    {
        if (found == wanted) return;
        errors.push_back({ErrorCode::invalid_value, "state",
                          std::string(what) + " is " + std::to_string(found) + " instead of " + std::to_string(wanted),
                          "make the state with State(model, world_count)"});
    };
    const auto size = [](int count) { return static_cast<std::size_t>(count); };
    if (state.world_count < 0) return {{ErrorCode::invalid_value, "state", "world_count is negative", ""}};

    expect("q_count", size(state.q_count), size(model.q_count()));
    expect("v_count", size(state.v_count), size(model.v_count()));
    expect("act_count", size(state.act_count), size(model.act_count));
    expect("body_count", size(state.body_count), size(model.body_count()));
    const std::size_t worlds = size(state.world_count);
    expect("the size of time", state.time.size(), worlds);
    expect("the size of step", state.step.size(), worlds);
    expect("the size of q", state.q.size(), worlds * size(model.q_count()));
    expect("the size of v", state.v.size(), worlds * size(model.v_count()));
    expect("the size of act", state.act.size(), worlds * size(model.act_count));
    expect("the size of body_pose", state.body_pose.size(), worlds * size(model.body_count()));
    expect("the size of body_velocity", state.body_velocity.size(), worlds * size(model.body_count()));
    return errors;
}

}  // namespace

WorldView State::world(int index)
{
    check_world(*this, index);
    return {slice(q, index, q_count), slice(v, index, v_count), slice(act, index, act_count),
            slice(body_pose, index, body_count), slice(body_velocity, index, body_count)};
}

ConstWorldView State::world(int index) const
{
    check_world(*this, index);
    return {slice(q, index, q_count), slice(v, index, v_count), slice(act, index, act_count),
            slice(body_pose, index, body_count), slice(body_velocity, index, body_count)};
}

const Pose& State::pose(BodyId body, int world) const
{
    return body_pose[body_row(*this, body, world, body_pose.size())];
}

const Velocity& State::velocity(BodyId body, int world) const
{
    return body_velocity[body_row(*this, body, world, body_velocity.size())];
}

std::uint64_t hash(const State& state, int world)
{
    check_world(state, world);
    Hasher hasher;
    // Sizes first, then every number by its bits: a state that differs in one bit has another hash.
    for (const int count : {state.q_count, state.v_count, state.act_count, state.body_count}) hasher.add(count);
    hasher.add(state.time[static_cast<std::size_t>(world)]);
    hasher.add(state.step[static_cast<std::size_t>(world)]);
    hasher.add(slice(state.q, world, state.q_count));
    hasher.add(slice(state.v, world, state.v_count));
    hasher.add(slice(state.act, world, state.act_count));
    for (const Pose& pose : slice(state.body_pose, world, state.body_count))
    {
        add(hasher, pose.position);
        hasher.add(pose.rotation.w);
        add(hasher, {pose.rotation.x, pose.rotation.y, pose.rotation.z});
    }
    for (const Velocity& velocity : slice(state.body_velocity, world, state.body_count))
    {
        add(hasher, velocity.linear);
        add(hasher, velocity.angular);
    }
    return hasher.value();
}

std::uint64_t hash(const State& state)
{
    Hasher hasher;
    hasher.add(state.world_count);
    for (int world = 0; world < state.world_count; ++world) hasher.add(hash(state, world));
    return hasher.value();
}

std::vector<Error> validate(const Model& model, const State& state)
{
    std::vector<Error> errors = check_sizes(model, state);
    if (!errors.empty()) return errors;
    for (int world = 0; world < state.world_count; ++world) WorldChecker(model, state, world, errors).check();
    return errors;
}

}  // namespace rattleback
