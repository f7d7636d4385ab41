// Adds actuators, sensors, keyframes and options.
#include <algorithm>
#include <cmath>
#include <utility>

#include "base/index.h"
#include "build/build.h"
#include "import/mjcf/assembly.h"
#include "model/fields/control_fields.h"

namespace rattleback::mjcf
{

namespace
{

/// The first numbers of a list, as many as there are.
std::array<double, 3> take_three(const std::vector<double>& numbers)
{
    std::array<double, 3> result{};
    std::copy_n(numbers.begin(), std::min<std::size_t>(numbers.size(), 3), result.begin());
    return result;
}

/// A list that replaces only the front of the inherited one.
void overlay(const Element& element, const char* name, std::array<double, 3>& values)
{
    const Attribute* own = element.find(name);
    if (own) std::copy_n(own->numbers.begin(), std::min<std::size_t>(own->numbers.size(), 3), values.begin());
}

Drive make_usual_drive(const std::string& tag)
{
    Drive drive;
    if (tag == "position" || tag == "intvelocity") drive.bias = {0, -1, 0};
    if (tag == "velocity") drive.bias = {0, 0, -1};
    if (tag == "damper") drive.gain = {0, 0, -1};
    return drive;
}

void apply_general(const Element& e, Drive& drive)
{
    if (e.has("dyntype")) drive.dyntype = e.text("dyntype");
    if (e.has("gaintype")) drive.gaintype = e.text("gaintype");
    if (e.has("biastype")) drive.biastype = e.text("biastype");
    if (e.has("dynprm") && !e.find("dynprm")->numbers.empty()) drive.time_constant = e.find("dynprm")->numbers[0];
    overlay(e, "gainprm", drive.gain);
    overlay(e, "biasprm", drive.bias);
    if (e.has("inheritrange")) drive.inherit_range = e.number("inheritrange");
    if (e.has("actearly")) drive.act_early = e.flag("actearly");
}

/// Servos: gain kp, bias (0, -kp, -kv). A positive last number is a damping ratio instead.
void apply_servo(const Element& e, Drive& drive)
{
    drive.biastype = "affine";
    drive.gaintype = "fixed";
    double kp = drive.gain[0];
    if (e.has("kp")) kp = e.number("kp");
    drive.gain = {kp, 0, 0};
    drive.bias = {0, -kp, drive.bias[2]};
    if (e.has("kv")) drive.bias[2] = -e.number("kv");
    if (e.has("dampratio")) drive.bias[2] = e.number("dampratio");
    if (e.has("inheritrange")) drive.inherit_range = e.number("inheritrange");
    if (e.is("intvelocity"))
    {
        drive.dyntype = "integrator";
        return;
    }
    if (e.has("timeconst")) drive.time_constant = e.number("timeconst");
    if (e.has("timeconst")) drive.dyntype = drive.time_constant > 0 ? "filterexact" : "none";
}

void apply(const Element& e, Drive& drive)
{
    const std::string& tag = e.rule->name;
    if (tag == "general") apply_general(e, drive);
    if (tag == "motor") drive = Drive{};
    if (tag == "position" || tag == "intvelocity") apply_servo(e, drive);
    if (tag == "velocity")
    {
        const double kv = e.has("kv") ? e.number("kv") : drive.gain[0];
        drive = {.biastype = "affine", .gain = {kv, 0, 0}, .bias = {0, 0, -kv}};
    }
    if (tag == "damper")
    {
        const double kv = e.has("kv") ? e.number("kv") : -drive.gain[2];
        drive = {.gaintype = "affine", .gain = {0, 0, -kv}, .always_limited = true};
    }
    if (tag == "cylinder")
    {
        drive.dyntype = "filter";
        drive.gaintype = "fixed";
        drive.biastype = "affine";
        if (e.has("timeconst")) drive.time_constant = e.number("timeconst");
        if (e.has("area")) drive.gain = {e.number("area"), 0, 0};
        if (e.has("diameter")) drive.gain = {kPi / 4 * e.number("diameter") * e.number("diameter"), 0, 0};
        if (e.has("bias")) drive.bias = take_three(e.numbers("bias"));
    }
}

/// Shortcuts inherit from the nearest default of their own tag or of `general`; `general` inherits from any.
Drive read_drive(const Element& e, const std::vector<std::shared_ptr<const Element>>& defaults, std::size_t begin)
{
    const std::string& tag = e.rule->name;
    Drive drive = make_usual_drive(tag);
    for (std::size_t i = begin; i < defaults.size(); ++i)
    {
        const Element& inherited = *defaults[i];
        if (tag != "general" && !inherited.is(tag) && !inherited.is("general")) continue;
        drive = read_drive(inherited, defaults, i + 1);
        // A shortcut has its own dynamics, whatever a `general` default says.
        if (tag != "general" && inherited.is("general"))
        {
            drive.dyntype = "none";
            drive.act_early = false;
        }
        break;
    }
    apply(e, drive);
    return drive;
}

/// What of a sensor is not supported; empty: nothing. `known`: its quantity is.
std::string find_lack(const Element& sensor, bool known)
{
    const std::string name = "'" + sensor.rule->name + "'";
    if (!known) return name + " is not supported";
    if (sensor.has("refname")) return name + " relative to another frame ('refname') is not supported";
    const std::string type = sensor.text("objtype");
    if (sensor.rule->find("objtype") && type != "site" && type != "xbody")
        return name + " with objtype '" + type + "' is not supported ('xbody' and 'site' are" +
               (type == "body" ? "; 'body' is the frame of the centre of mass)" : ")");
    return {};
}

std::optional<ActuatorDynamics> find_dynamics(const std::string& word)
{
    if (word == "none") return ActuatorDynamics::none;
    if (word == "integrator") return ActuatorDynamics::integrator;
    if (word == "filter") return ActuatorDynamics::filter;
    if (word == "filterexact") return ActuatorDynamics::filter_exact;
    return std::nullopt;
}

}  // namespace

Drive read_drive(const Element& actuator) { return read_drive(actuator, actuator.defaults, 0); }

bool has_activation(const Element& actuator) { return read_drive(actuator).dyntype != "none"; }

std::optional<ActuatorTarget> Assembly::find_target(const Element& element, Range& range) const
{
    constexpr std::array<const char*, 4> kTargets{"joint", "jointinparent", "tendon", "site"};
    const char* target = nullptr;
    for (const char* name : kTargets)
    {
        if (!element.has(name)) continue;
        if (target) log_.fail(element.location, std::string("two targets: '") + target + "' and '" + name + "'");
        target = name;
    }
    if (!target)
    {
        log_.fail(element.location, "'" + element.rule->name + "' has no target",
                  "joint, jointinparent, tendon or site");
        return std::nullopt;
    }
    const std::string kind = std::string_view(target) == "jointinparent" ? "joint" : target;
    const auto index = find(element, target, kind);
    if (!index) return std::nullopt;
    if (kind == "joint")
    {
        range = authored_.joints[at(*index)].options.range;
        return JointId{*index};
    }
    if (kind == "tendon")
    {
        range = authored_.tendons[at(*index)].options.range;
        return TendonId{*index};
    }
    return SiteId{*index};
}

void Assembly::add_actuators()
{
    for (const Element& element : spec_.actuators) add_actuator(element);
}

void Assembly::add_actuator(const Element& element)
{
    const auto refuse = [&](const std::string& what)
    { log_.fail(element.location, what + " is not supported", "", ErrorCode::unsupported); };
    const Drive drive = read_drive(element);
    ActuatorOptions options{.name = element.name()};
    AttributeReader(element, log_).read_all<ActuatorRows>(options);
    const auto dynamics = find_dynamics(drive.dyntype);
    if (!dynamics) refuse("dyntype '" + drive.dyntype + "'");
    if (drive.gaintype != "fixed" && drive.gaintype != "affine") refuse("gaintype '" + drive.gaintype + "'");
    if (drive.biastype != "none" && drive.biastype != "affine") refuse("biastype '" + drive.biastype + "'");
    options.dynamics = dynamics.value_or(ActuatorDynamics::none);
    options.gain = drive.gaintype == "fixed" ? std::array<double, 3>{drive.gain[0], 0, 0} : drive.gain;
    if (drive.biastype == "affine") options.bias = drive.bias;
    const bool servo = drive.gaintype == "fixed" && drive.biastype == "affine" && drive.gain[0] == -drive.bias[1];
    if (servo && drive.bias[2] > 0) options.damping_ratio = std::exchange(options.bias[2], 0);
    options.time_constant = std::max(1e-15, drive.time_constant);
    options.act_early = drive.act_early;
    options.in_parent = element.has("jointinparent");
    options.input_range.limited = options.input_range.limited || drive.always_limited;

    Range target_range;
    const auto target = find_target(element, target_range);
    const bool own_range = element.has("ctrlrange") && !element.find("ctrlrange")->inherited;
    if (drive.inherit_range > 0 && !own_range && target)
    {
        if (!target_range.limited)
            log_.fail(element.location, "'inheritrange' needs a joint or tendon with a range", "",
                      ErrorCode::invalid_value);
        const double middle = 0.5 * (target_range.lower + target_range.upper);
        const double half = 0.5 * drive.inherit_range * (target_range.upper - target_range.lower);
        Range& range = options.dynamics == ActuatorDynamics::integrator ? options.act_range : options.input_range;
        const char* word = options.dynamics == ActuatorDynamics::integrator ? "actlimited" : "ctrllimited";
        range = {element.text(word) != "false", middle - half, middle + half};
    }
    if (!target) return;
    const ActuatorId id = builder_.add_actuator(*target, options);
    note(element, "actuator", id.index);
}

std::optional<SensorTarget> Assembly::find_object(const Element& element) const
{
    const std::string type = element.text("objtype");
    const Attribute* name = element.find("objname");
    if (!name) return std::nullopt;
    if (type == "site")
    {
        if (const auto site = find(*name, name->text, "site")) return SensorTarget(SiteId{*site});
    }
    if (type == "xbody")
    {
        if (const auto body = find(*name, name->text, "body")) return SensorTarget(BodyId{*body});
    }
    return std::nullopt;
}

std::optional<SensorTarget> Assembly::find_watched(const Element& element) const
{
    if (element.has("joint"))
    {
        if (const auto joint = find(element, "joint", "joint")) return SensorTarget(JointId{*joint});
        return std::nullopt;
    }
    if (element.has("site"))
    {
        if (const auto site = find(element, "site", "site")) return SensorTarget(SiteId{*site});
        return std::nullopt;
    }
    return find_object(element);
}

void Assembly::add_sensors()
{
    struct Row
    {
        const char* name;
        SensorType type;
    };
    constexpr Row kRows[] = {{"jointpos", SensorType::joint_position},
                             {"jointvel", SensorType::joint_velocity},
                             {"gyro", SensorType::gyro},
                             {"accelerometer", SensorType::accelerometer},
                             {"framepos", SensorType::frame_position},
                             {"framequat", SensorType::frame_rotation},
                             {"framelinvel", SensorType::linear_velocity},
                             {"frameangvel", SensorType::angular_velocity}};
    std::map<std::string, std::pair<int, SourceLocation>> ignored;  // by what is not supported
    for (const Element& element : spec_.sensors)
    {
        const auto row =
            std::find_if(std::begin(kRows), std::end(kRows), [&](const Row& r) { return element.is(r.name); });
        const std::string lack = find_lack(element, row != std::end(kRows));
        if (!lack.empty())
        {
            ++ignored.try_emplace(lack, 0, element.location).first->second.first;
            continue;
        }
        const std::optional<SensorTarget> target = find_watched(element);
        if (!target) continue;  // an error that was said
        const SensorId id = builder_.add_sensor(row->type, *target, element.name());
        note(element, "sensor", id.index);
    }
    for (const auto& [lack, entry] : ignored)
    {
        const auto& [count, location] = entry;
        log_.warn(location, std::to_string(count) + " sensor" + (count > 1 ? "s" : "") + " left out: " + lack,
                  "sensors do not change the motion");
    }
}

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
        put(values(actuator).ctrl, frame.ctrl, ctrl, 1);
        if (has_activation(actuator)) put(values(actuator).act, frame.act, act, 1);
    }
    const KeyframeId id = builder_.add_keyframe(std::move(frame));
    blamed_.emplace("keyframe '" + (key.name.empty() ? "keyframe " + std::to_string(id.index) : key.name) + "'",
                    &key.element);
}

}  // namespace rattleback::mjcf
