// Adds keyframes: of the model itself, and of models that it attaches.
#include <algorithm>

#include "build/build.h"
#include "import/mjcf/assembly.h"

namespace rattleback::mjcf
{

namespace
{

/// A list that is too short goes on as the reference does; what is too long is for the builder to refuse.
std::vector<double> complete(std::vector<double> written, std::span<const double> usual)
{
    if (written.empty()) return written;
    for (std::size_t i = written.size(); i < usual.size(); ++i) written.push_back(usual[i]);
    return written;
}

/// Quaternions of length zero become none at all, as MuJoCo reads them. `begins`: where they stand in q.
void mend_turns(const std::vector<std::size_t>& begins, std::vector<double>& q)
{
    for (const std::size_t begin : begins)
    {
        if (begin + 4 > q.size()) continue;
        const std::span<double> turn = std::span(q).subspan(begin, 4);
        if (std::all_of(turn.begin(), turn.end(), [](double x) { return x == 0; })) turn[0] = 1;
    }
}

}  // namespace

Assembly::UsualKey Assembly::find_usual_key() const
{
    UsualKey usual{.q = find_q0(authored_)};
    std::size_t q = 0, dofs = 0, activations = 0, inputs = 0;
    visit_tree(spec_.world,
               [&](const Element& element)
               {
                   if (element.rule->kind != "joint") return;
                   q += static_cast<std::size_t>(count_q(element));
                   dofs += static_cast<std::size_t>(count_v(element));
                   // The quaternion is the end of what a free or ball joint has.
                   if (count_q(element) >= 4) usual.turns.push_back(q - 4);
               });
    for (const Element& actuator : spec_.actuators)
    {
        activations += static_cast<std::size_t>(count_act(actuator));
        inputs += static_cast<std::size_t>(count_ctrl(actuator));
    }
    usual.v.resize(dofs);
    usual.act.resize(activations);
    usual.ctrl.resize(inputs);
    return usual;
}

void Assembly::add_keys()
{
    // Found once: the tree may be large and keys many.
    const UsualKey usual = spec_.keys.empty() ? UsualKey{} : find_usual_key();
    // A key with one number stands for all of them.
    const std::size_t bytes = sizeof(double) * (usual.q.size() + usual.v.size() + usual.act.size() + usual.ctrl.size());
    for (const Key& key : spec_.keys)
    {
        if (!take(bytes, source_.copy_bytes_left))
            return log_.fail(key.element.location, "the keyframes of the model take too much memory together",
                             "at most " + std::to_string(source_.options->limits.bytes) + " bytes", ErrorCode::limit);
        if (key.attached)
            add_attached_key(key, usual);
        else
            add_own_key(key, usual);
    }
    for (std::size_t i = spec_.keys.size(); i < static_cast<std::size_t>(std::max(0, spec_.least_keys)); ++i)
        builder_.add_keyframe({});
}

void Assembly::add_own_key(const Key& key, const UsualKey& usual)
{
    const Element& e = key.element;
    Keyframe frame{.name = key.name, .time = e.number("time")};
    frame.q = complete(e.numbers("qpos"), usual.q);
    frame.v = complete(e.numbers("qvel"), usual.v);
    frame.act = complete(e.numbers("act"), usual.act);
    frame.ctrl = complete(e.numbers("ctrl"), usual.ctrl);
    mend_turns(usual.turns, frame.q);
    const std::vector<double> positions = e.numbers("mpos"), turns = e.numbers("mquat");
    if (!positions.empty() || !turns.empty())
    {
        std::size_t row = 0;
        for (std::size_t body = 1; body < world_.size(); ++body)
        {
            if (!body_elements_[body]->flag("mocap")) continue;
            Pose pose = world_[body];
            if (positions.size() >= 3 * row + 3)
                pose.position = {positions[3 * row], positions[3 * row + 1], positions[3 * row + 2]};
            if (turns.size() >= 4 * row + 4)
                pose.rotation = {turns[4 * row], turns[4 * row + 1], turns[4 * row + 2], turns[4 * row + 3]};
            if (pose.rotation == Quat{0, 0, 0, 0}) pose.rotation = {};
            frame.targets.push_back(pose);
            ++row;
        }
        if (positions.size() > 3 * row || turns.size() > 4 * row)
            log_.fail(e.location, "'mpos' or 'mquat' is too long for the " + std::to_string(row) + " mocap bodies", "",
                      ErrorCode::invalid_value);
    }
    const KeyframeId id = builder_.add_keyframe(std::move(frame));
    note(e, "keyframe", id.index);
}

void Assembly::add_attached_key(const Key& key, const UsualKey& usual)
{
    // What the attached model does not say is at its reference.
    Keyframe frame{.name = key.name, .time = key.element.number("time"), .q = usual.q};
    const auto put = [](const std::vector<double>& from, std::vector<double>& to, std::size_t& at, int count)
    {
        const auto size = static_cast<std::size_t>(count);
        if (to.size() < at + size) to.resize(at + size, 0);
        if (from.size() == size) std::copy(from.begin(), from.end(), to.begin() + static_cast<std::ptrdiff_t>(at));
        at += size;
    };
    static const KeyValues kNone;
    const auto values = [&](const Element& element) -> const KeyValues&
    {
        const auto found = key.values.find(element.id);
        return found == key.values.end() ? kNone : found->second;
    };
    std::size_t q = 0, v = 0, ctrl = 0, act = 0;
    visit_tree(spec_.world,
               [&](const Element& element)
               {
                   if (element.rule->kind != "joint") return;
                   put(values(element).q, frame.q, q, count_q(element));
                   put(values(element).v, frame.v, v, count_v(element));
               });
    mend_turns(usual.turns, frame.q);
    for (const Element& actuator : spec_.actuators)
    {
        put(values(actuator).ctrl, frame.ctrl, ctrl, count_ctrl(actuator));
        put(values(actuator).act, frame.act, act, count_act(actuator));
    }
    bool targets = false;
    for (std::size_t body = 1; body < world_.size(); ++body)
    {
        if (!body_elements_[body]->flag("mocap")) continue;
        const auto& [position, turn] = std::tie(values(*body_elements_[body]).pos, values(*body_elements_[body]).quat);
        Pose pose = world_[body];
        if (position.size() == 3) pose.position = to_vector(position);
        if (turn.size() == 4) pose.rotation = {turn[0], turn[1], turn[2], turn[3]};
        if (pose.rotation == Quat{0, 0, 0, 0}) pose.rotation = {};
        targets = targets || position.size() == 3 || turn.size() == 4;
        frame.targets.push_back(pose);
    }
    if (!targets) frame.targets.clear();
    const KeyframeId id = builder_.add_keyframe(std::move(frame));
    blamed_.emplace("keyframe '" + (key.name.empty() ? "keyframe " + std::to_string(id.index) : key.name) + "'",
                    &key.element);
}

}  // namespace rattleback::mjcf
