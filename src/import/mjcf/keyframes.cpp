// Adds keyframes: of the model itself, and of models that it attaches.
#include <algorithm>

#include "build/build.h"
#include "import/mjcf/assembly.h"

namespace rattleback::mjcf
{

void Assembly::add_keys()
{
    for (const Key& key : spec_.keys)
    {
        if (key.attached)
            add_attached_key(key);
        else
            add_own_key(key);
    }
}

void Assembly::add_own_key(const Key& key)
{
    const Element& e = key.element;
    Keyframe frame{.name = key.name, .time = e.number("time")};
    frame.q = e.numbers("qpos");
    frame.v = e.numbers("qvel");
    frame.act = e.numbers("act");
    frame.ctrl = e.numbers("ctrl");
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
            frame.targets.push_back(pose);
            ++row;
        }
        if ((!positions.empty() && positions.size() != 3 * row) || (!turns.empty() && turns.size() != 4 * row))
            log_.fail(e.location, "'mpos' or 'mquat' does not fit the " + std::to_string(row) + " mocap bodies", "",
                      ErrorCode::invalid_value);
    }
    const KeyframeId id = builder_.add_keyframe(std::move(frame));
    note(e, "keyframe", id.index);
}

void Assembly::add_attached_key(const Key& key)
{
    // What the attached model does not say is at its reference.
    Keyframe frame{.name = key.name, .time = key.element.number("time"), .q = find_q0(authored_)};
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
    for (const Element& actuator : spec_.actuators)
    {
        put(values(actuator).ctrl, frame.ctrl, ctrl, count_ctrl(actuator));
        put(values(actuator).act, frame.act, act, count_act(actuator));
    }
    const KeyframeId id = builder_.add_keyframe(std::move(frame));
    blamed_.emplace("keyframe '" + (key.name.empty() ? "keyframe " + std::to_string(id.index) : key.name) + "'",
                    &key.element);
}

}  // namespace rattleback::mjcf
