// Adds actuators: the many kinds of MJCF as one law of force.
#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "base/index.h"
#include "build/layout.h"
#include "import/mjcf/assembly.h"
#include "model/fields/control_fields.h"

namespace rattleback::mjcf
{

namespace
{

/// A list that replaces only the front of the inherited one.
void overlay(const Element& element, const char* name, std::array<double, 10>& values)
{
    const Attribute* own = element.find(name);
    if (own)
        std::copy_n(own->numbers.begin(), std::min<std::size_t>(own->numbers.size(), values.size()), values.begin());
}

Drive make_usual_drive(const std::string& tag)
{
    Drive drive;
    if (tag == "position" || tag == "intvelocity" || tag == "pid" || tag == "orientation") drive.bias = {0, -1, 0};
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
    overlay(e, "dynprm", drive.dynamics);
    overlay(e, "gainprm", drive.gain);
    overlay(e, "biasprm", drive.bias);
    if (e.has("inheritrange")) drive.inherit_range = e.number("inheritrange");
    if (e.has("actearly")) drive.act_early = e.flag("actearly");
    if (e.has("input")) drive.input = e.text("input");
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
    if (e.has("timeconst")) drive.dynamics[0] = e.number("timeconst");
    if (e.has("timeconst")) drive.dyntype = drive.dynamics[0] > 0 ? "filterexact" : "none";
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
        if (e.has("timeconst")) drive.dynamics[0] = e.number("timeconst");
        if (e.has("area")) drive.gain = {e.number("area"), 0, 0};
        if (e.has("diameter") && e.number("diameter") >= 0)
            drive.gain = {kPi / 4 * e.number("diameter") * e.number("diameter"), 0, 0};
        if (e.has("bias")) overlay(e, "bias", drive.bias = {});
    }
    apply_shortcut(e, drive);
}

using ActuatorDefaults = std::vector<std::shared_ptr<const Element>>;

/// The kind of gain that a shortcut has.
std::string find_gain_kind(const std::string& tag)
{
    if (tag == "damper") return "affine";
    if (tag == "orientation") return "so3";
    return tag == "muscle" || tag == "pid" || tag == "dcmotor" ? tag : "fixed";
}

/// The kind of gain after the defaults from the last up to `i`; `general` keeps what it does not say.
std::string find_gain_kind(const ActuatorDefaults& defaults, std::size_t i)
{
    for (; i < defaults.size(); ++i)
    {
        const Element& element = *defaults[i];
        if (!element.is("general")) return find_gain_kind(element.rule->name);
        if (element.has("gaintype")) return element.text("gaintype");
    }
    return Drive{}.gaintype;
}

/// All actuator defaults of a class write into one set of numbers. A shortcut takes it over if the last of them was
/// written with its own tag, or with `general` and the shortcut's kind of gain; else that of the class around it.
/// `general` takes whatever is there. The number of the default that counts, or the size of the list.
std::size_t find_heritage(const std::string& tag, const ActuatorDefaults& defaults, std::size_t i)
{
    while (i < defaults.size())
    {
        const Element& last = *defaults[i];
        if (tag == "general" || last.is(tag)) return i;
        if (last.is("general") && find_gain_kind(defaults, i) == find_gain_kind(tag)) return i;
        while (i < defaults.size() && defaults[i]->default_class == last.default_class) ++i;
    }
    return i;
}

Drive read_drive(const Element& e, const ActuatorDefaults& defaults, std::size_t begin)
{
    const std::string& tag = e.rule->name;
    const std::size_t from = find_heritage(tag, defaults, begin);
    Drive drive = from < defaults.size() ? read_drive(*defaults[from], defaults, from + 1) : make_usual_drive(tag);
    if (tag != "general" && from < defaults.size() && defaults[from]->is("general"))
    {
        // A shortcut has its own dynamics, whatever a `general` default says; only `position` may have a filter.
        const bool filtered = tag == "position" && drive.dyntype == "filterexact";
        if (tag == "position" && !filtered) drive.dynamics = Drive{}.dynamics;
        if (!filtered) drive.dyntype = "none";
        drive.act_early = false;
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
    if (word == "muscle") return ActuatorDynamics::muscle;
    if (word == "pid") return ActuatorDynamics::pid;
    if (word == "dcmotor") return ActuatorDynamics::dc_motor;
    return std::nullopt;
}

std::optional<ActuatorLaw> find_law(const std::string& word)
{
    if (word == "fixed" || word == "affine" || word == "none") return ActuatorLaw::affine;
    if (word == "muscle") return ActuatorLaw::muscle;
    if (word == "pid") return ActuatorLaw::pid;
    if (word == "dcmotor") return ActuatorLaw::dc_motor;
    if (word == "so3") return ActuatorLaw::orientation;
    return std::nullopt;
}

/// The first three of ten numbers, or one of them and zeros.
std::array<double, 3> take_affine(const std::array<double, 10>& numbers, bool fixed)
{
    return {numbers[0], fixed ? 0 : numbers[1], fixed ? 0 : numbers[2]};
}

Interpolation find_interpolation(const std::string& word)
{
    return word == "linear" ? Interpolation::linear : word == "cubic" ? Interpolation::cubic : Interpolation::hold;
}

}  // namespace

Drive read_drive(const Element& actuator)
{
    Drive drive = read_drive(actuator, actuator.defaults, 0);
    if (!drive.motor.empty()) settle_motor(actuator.number("damping"), drive);
    return drive;
}

int count_act(const Element& actuator)
{
    const Drive drive = read_drive(actuator);
    if (drive.dyntype == "none") return 0;
    const auto dynamics = find_dynamics(drive.dyntype);
    const int count =
        dynamics ? count_activations(
                       {.dynamics = *dynamics, .gain_parameters = drive.gain, .dynamics_parameters = drive.dynamics})
                 : 1;
    return drive.gaintype == "so3" ? 3 * count : count;
}

int count_ctrl(const Element& actuator)
{
    const Drive drive = read_drive(actuator);
    if (drive.gaintype == "so3") return drive.input == "quat" ? 4 : 3;
    if (drive.gaintype != "pid" && drive.gaintype != "dcmotor") return 1;
    return std::popcount(static_cast<unsigned>(find_inputs(drive).value_or(0)));
}

std::optional<ActuatorTarget> Assembly::find_target(const Element& element, Range& range) const
{
    constexpr std::array<const char*, 6> kTargets{"joint", "jointinparent", "tendon", "site", "cranksite", "body"};
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
                  element.is("adhesion") ? "body" : "joint, jointinparent, tendon, site, cranksite or body");
        return std::nullopt;
    }
    // Joints and tendons lend their range to a servo that asks for it.
    const std::string_view word = target;
    const std::string kind = word == "jointinparent" ? "joint" : word == "cranksite" ? "site" : target;
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
    if (kind == "body") return BodyId{*index};
    return SiteId{*index};
}

void Assembly::add_actuators()
{
    for (const Element& element : spec_.actuators) add_actuator(element);
}

void Assembly::read_law(const Element& element, const Drive& drive, ActuatorOptions& options) const
{
    const auto refuse = [&](const std::string& what)
    { log_.fail(element.location, what + " is not supported", "", ErrorCode::unsupported); };
    const auto dynamics = find_dynamics(drive.dyntype);
    const auto gain_law = find_law(drive.gaintype), bias_law = find_law(drive.biastype);
    if (!dynamics) refuse("dyntype '" + drive.dyntype + "'");
    if (!gain_law) refuse("gaintype '" + drive.gaintype + "'");
    if (!bias_law) refuse("biastype '" + drive.biastype + "'");
    options.dynamics = dynamics.value_or(ActuatorDynamics::none);
    options.gain_law = gain_law.value_or(ActuatorLaw::affine);
    options.bias_law = bias_law.value_or(ActuatorLaw::affine);
    // Affine laws, PID and orientation have the usual numbers; curves and motors have parameters of their own.
    const bool fixed = drive.gaintype != "affine";
    options.gain = take_affine(drive.gain, fixed);
    if (drive.biastype == "affine" || drive.biastype == "so3") options.bias = take_affine(drive.bias, false);
    if (options.gain_law != ActuatorLaw::affine) options.gain_parameters = drive.gain;
    if (options.bias_law != ActuatorLaw::affine) options.bias_parameters = drive.bias;
    if (options.gain_law == ActuatorLaw::muscle || options.gain_law == ActuatorLaw::dc_motor) options.gain = {};
    if (options.gain_law == ActuatorLaw::orientation) options.gain_parameters = options.bias_parameters = {};
    const bool own_dynamics = options.dynamics == ActuatorDynamics::muscle ||
                              options.dynamics == ActuatorDynamics::pid ||
                              options.dynamics == ActuatorDynamics::dc_motor;
    if (own_dynamics) options.dynamics_parameters = drive.dynamics;
    // MuJoCo's convention: a servo with a positive last bias means a damping ratio.
    const bool servo = drive.gaintype == "fixed" && drive.biastype == "affine" && drive.gain[0] == -drive.bias[1];
    const bool damped = servo || drive.gaintype == "pid" || drive.gaintype == "so3";
    if (damped && drive.bias[2] > 0) options.damping_ratio = std::exchange(options.bias[2], 0);
    options.time_constant = own_dynamics ? 1 : std::max(1e-15, drive.dynamics[0]);
    options.act_early = drive.act_early;
    if (drive.gaintype == "so3") options.inputs = drive.input == "quat" ? 4 : 3;
    if (drive.gaintype != "pid" && drive.gaintype != "dcmotor") return;
    const auto inputs = find_inputs(drive);
    if (!inputs)
        log_.fail(element.location, "'input' is none of those that it may be",
                  drive.gaintype == "pid" ? "of pos vel ff, in this order" : "none, or of pos vel ff voltage",
                  ErrorCode::invalid_value);
    options.inputs = inputs.value_or(0);
}

void Assembly::inherit_range(const Element& element, const Drive& drive, const Range& of_target,
                             ActuatorOptions& options) const
{
    if (!of_target.limited)
        log_.fail(element.location, "'inheritrange' needs a joint or tendon with a range", "",
                  ErrorCode::invalid_value);
    // The range of the target, widened or narrowed about its middle; of an integrator it bounds the activation.
    const double middle = 0.5 * (of_target.lower + of_target.upper);
    const double half = 0.5 * drive.inherit_range * (of_target.upper - of_target.lower);
    Range& range = options.dynamics == ActuatorDynamics::integrator ? options.act_range : options.input_range;
    const char* word = options.dynamics == ActuatorDynamics::integrator ? "actlimited" : "ctrllimited";
    range = {element.text(word) != "false", middle - half, middle + half};
}

void Assembly::add_with_inputs(const Element& element, const ActuatorTarget& target, const ActuatorOptions& options)
{
    const auto further = [&](const Range& range)
    {
        ActuatorOptions input{.input_range = range, .gain_law = ActuatorLaw::input};
        input.active = options.active;
        input.delay = options.delay;
        input.sample_count = options.sample_count;
        input.interpolation = options.interpolation;
        builder_.add_actuator(target, input);
    };
    const auto range_of = [&](const char* name)
    {
        const std::vector<double> bounds = element.rule->find(name) ? element.numbers(name) : std::vector{0.0, 0.0};
        return Range{bounds[0] < bounds[1], bounds[0], bounds[1]};
    };
    ActuatorOptions first = options;
    if (options.gain_law == ActuatorLaw::orientation)
    {
        // one actuator for each axis
        const std::size_t begin = std::holds_alternative<JointId>(target) ? 0 : 3;
        for (std::size_t k = 0; k < 3; ++k)
        {
            first.gear = {};
            first.gear[begin + k] = 1;
            const ActuatorId id = builder_.add_actuator(target, first);
            if (k == 0) note(element, "actuator", id.index);
            first.name.clear();
            first.inputs = 0;
        }
        if (options.inputs == 4) further(options.input_range);
        return;
    }
    const ActuatorId id = builder_.add_actuator(target, first);
    note(element, "actuator", id.index);
    bool leads = true;
    for (const auto& [bit, range] :
         {std::pair{kInputPosition, ""}, {kInputVelocity, "velrange"}, {kInputForce, "ffrange"}, {kInputVoltage, ""}})
    {
        if ((options.inputs & bit) == 0) continue;
        if (!std::exchange(leads, false)) further(clamps_off_ ? Range{} : range_of(range));
    }
}

void Assembly::add_actuator(const Element& element)
{
    const Drive drive = read_drive(element);
    ActuatorOptions options{.name = element.name()};
    AttributeReader(element, log_).read_all<ActuatorRows>(options);
    options.sample_count = std::max(0, options.sample_count);
    if (options.sample_count == 0) options.delay = std::max(0.0, options.delay);
    read_law(element, drive, options);
    options.in_parent = element.has("jointinparent");
    options.interpolation = find_interpolation(element.text("interp"));
    options.active = !actuation_off_ && std::find(disabled_groups_.begin(), disabled_groups_.end(),
                                                  element.number("group")) == disabled_groups_.end();
    options.input_range.limited = options.input_range.limited || drive.always_limited;
    if (element.is("dcmotor"))
    {
        Drive motor = read_drive(element, element.defaults, 0);
        if (const Range range = settle_motor(element.number("damping"), motor); range.limited)
            options.force_range = range;
    }
    // The position's range of a PID has two names.
    const std::vector<double> bounds = element.is("pid") ? element.numbers("posrange") : std::vector{0.0, 0.0};
    if (bounds[0] < bounds[1]) options.input_range = {true, bounds[0], bounds[1]};
    if (element.context->keep_length_ranges)
    {
        const std::vector<double> lengths = element.numbers("lengthrange");
        options.length_range = {lengths[0] < lengths[1], lengths[0], lengths[1]};
    }
    for (const char* name : {"refsite", "slidersite"})
    {
        if (const auto site = find(element, name, "site")) options.reference = SiteId{*site};
    }
    if (element.has("cranksite") && !(options.crank_length > 0))
        log_.fail(element.location, "a crank needs a rod: 'cranklength' must be positive", "",
                  ErrorCode::invalid_value);
    if (!element.has("cranksite")) options.crank_length = 0;

    Range target_range;
    const auto target = find_target(element, target_range);
    const bool own_range = element.has("ctrlrange") && !element.find("ctrlrange")->inherited;
    if (drive.inherit_range > 0 && !own_range && target) inherit_range(element, drive, target_range, options);
    if (clamps_off_) options.input_range.limited = false;
    if (target) add_with_inputs(element, *target, options);
}

}  // namespace rattleback::mjcf
