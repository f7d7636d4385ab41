// Adds actuators: the many kinds of MJCF as one law of force.
#include <algorithm>
#include <cmath>
#include <utility>

#include "base/index.h"
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
    // What is written replaces what was inherited, number by number.
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
    // Joints and tendons lend their range to a servo that asks for it.
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
    // MuJoCo's convention: a servo with a positive last bias means a damping ratio.
    const bool servo = drive.gaintype == "fixed" && drive.biastype == "affine" && drive.gain[0] == -drive.bias[1];
    if (servo && drive.bias[2] > 0) options.damping_ratio = std::exchange(options.bias[2], 0);
    options.time_constant = std::max(1e-15, drive.time_constant);
    options.act_early = drive.act_early;
    options.in_parent = element.has("jointinparent");
    options.active =
        std::find(disabled_groups_.begin(), disabled_groups_.end(), element.number("group")) == disabled_groups_.end();
    options.input_range.limited = options.input_range.limited || drive.always_limited;

    Range target_range;
    const auto target = find_target(element, target_range);
    const bool own_range = element.has("ctrlrange") && !element.find("ctrlrange")->inherited;
    if (drive.inherit_range > 0 && !own_range && target)
    {
        if (!target_range.limited)
            log_.fail(element.location, "'inheritrange' needs a joint or tendon with a range", "",
                      ErrorCode::invalid_value);
        // The range of the target, widened or narrowed about its middle; of an integrator it bounds the activation.
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

}  // namespace rattleback::mjcf
