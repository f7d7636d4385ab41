// What all parts of the assembly share: names, places, ranges; and the second pass.
#include "import/mjcf/assembly.h"

#include <algorithm>

#include "base/nearest_match.h"

namespace rattleback::mjcf
{

Impedance read_impedance(const Element& element, const char* solref, const char* solimp)
{
    Impedance impedance;
    const std::vector<double> reference = element.numbers(solref), curve = element.numbers(solimp);
    std::copy_n(reference.begin(), std::min<std::size_t>(reference.size(), 2), impedance.solref.begin());
    std::copy_n(curve.begin(), std::min<std::size_t>(curve.size(), 5), impedance.solimp.begin());
    return impedance;
}

Assembly::Assembly(const Spec& spec, Source& source, Log& log, const Refinement& refinement)
    : spec_(spec), source_(source), log_(log), refinement_(refinement), builder_(spec.name)
{
    names_["body"]["world"] = 0;
    bodies_.push_back({kWorld, {}});
    body_elements_.push_back(&spec.world);
    // The inertia and damping of drives belong to what they drive, reflected by the gear.
    for (const Element& actuator : spec.actuators)
    {
        const double gear = actuator.number("gear");
        const auto damping = actuator.numbers("damping");
        const std::pair<double, double> extra{gear * gear * actuator.number("armature"), gear * gear * damping[0]};
        if (damping[1] != 0 || damping[2] != 0)
            log.fail(actuator.place, "polynomial damping is not supported", "", ErrorCode::unsupported);
        if (extra.first == 0 && extra.second == 0) continue;
        const bool joint = actuator.has("joint") || actuator.has("jointinparent");
        const std::string target = actuator.text(actuator.has("joint") ? "joint" : joint ? "jointinparent" : "tendon");
        auto& sum = joint ? joint_extra_[target] : tendon_extra_[target];
        sum.first += extra.first;
        sum.second += extra.second;
    }
}

void Assembly::note(const Element& element, const char* word, int index)
{
    const std::string name = element.name();
    blamed_.emplace(std::string(word) + " '" + (name.empty() ? word + (" " + std::to_string(index)) : name) + "'",
                    &element);
    if (name.empty()) return;
    if (!names_[element.rule->kind].emplace(name, index).second)
        log_.fail(element.place, "the name '" + name + "' is used twice",
                  "every " + element.rule->kind + " needs a name of its own, or none", ErrorCode::duplicate_name);
}

std::optional<int> Assembly::find(const Attribute& attribute, const std::string& name, const std::string& kind) const
{
    const auto names = names_.find(kind);
    if (names != names_.end())
    {
        const auto found = names->second.find(name);
        if (found != names->second.end()) return found->second;
    }
    if (log_.excuse(name, attribute.place)) return std::nullopt;
    std::vector<std::string_view> candidates;
    if (names != names_.end())
    {
        for (const auto& [known, index] : names->second) candidates.push_back(known);
    }
    log_.fail(attribute.place, "there is no " + kind + " '" + name + "'", make_name_hint(name, candidates),
              ErrorCode::unknown_name);
    return std::nullopt;
}

std::optional<int> Assembly::find(const Element& element, const char* attribute, const std::string& kind) const
{
    const Attribute* written = element.find(attribute);
    if (!written) return std::nullopt;
    return find(*written, written->text, kind);
}

Range Assembly::read_range(const Element& element, const char* limited, const char* range, double unit) const
{
    const std::vector<double> bounds = element.numbers(range);
    const std::string word = element.text(limited);
    Range result{.lower = unit * bounds[0], .upper = unit * bounds[1]};
    const bool automatic = word == "auto" || word.empty();
    if (automatic && !element.context->autolimits && element.has(range))
        log_.fail(element.find(range)->place, std::string("'") + range + "' is given without '" + limited + "'",
                  "say so, or set autolimits in 'compiler'");
    result.limited = word == "true" || (automatic && bounds[0] < bounds[1]);
    if (result.limited && !(bounds[0] < bounds[1]))
    {
        log_.fail(element.has(range) ? element.find(range)->place : element.place,
                  std::string("'") + range + "' is empty, yet '" + limited + "' is true",
                  "the first number must be smaller", ErrorCode::invalid_value);
        result.limited = false;
    }
    return result;
}

std::array<double, 3> Assembly::read_spring(const Element& element, const char* name) const
{
    const std::vector<double> numbers = element.numbers(name);
    if (numbers[1] != 0 || numbers[2] != 0)
        log_.fail(element.find(name)->place, std::string("polynomial ") + name + " is not supported",
                  "give the first number alone", ErrorCode::unsupported);
    return {numbers[0], numbers[1], numbers[2]};
}

std::optional<Model> Assembly::build()
{
    if (log_.is_cut_off()) return std::nullopt;
    Result<Model> model = builder_.build();
    if (model && log_.good()) return std::move(model).value();
    add_builder_errors(model.errors());
    return std::nullopt;
}

Refinement Assembly::refine(const Model& model) const
{
    Refinement result;
    result.q0 = model.q0;
    const Context& context = *spec_.world.context;
    double total = 0;
    for (int i = 1; i < model.body_count(); ++i)
    {
        const auto body = static_cast<std::size_t>(i);
        Inertia inertia{.mass = model.bodies.mass[body],
                        .position = model.bodies.inertial_pose[body].position,
                        .rotation = model.bodies.inertial_pose[body].rotation,
                        .diagonal = model.bodies.inertia[body]};
        const std::optional<Inertia> own = find_mesh_inertia(i);
        if (own) inertia = *own;
        inertia.mass = std::max(inertia.mass, context.bound_mass);
        for (int k = 0; k < 3; ++k) inertia.diagonal[k] = std::max(inertia.diagonal[k], context.bound_inertia);
        const Vec3& d = inertia.diagonal;
        const bool impossible = d.x + d.y < d.z || d.x + d.z < d.y || d.y + d.z < d.x;
        const double mean = (d.x + d.y + d.z) / 3;
        if (context.balance_inertia && impossible) inertia.diagonal = {mean, mean, mean};
        total += inertia.mass;
        const bool aligned =
            body_elements_[body] && refinement_.shift.empty() && wants_alignment(*body_elements_[body]);
        if (aligned) result.shift[i] = model.bodies.inertial_pose[body];
        const bool changed =
            context.bound_mass > 0 || context.bound_inertia > 0 || context.balance_inertia || context.total_mass > 0;
        if ((changed || own) && inertia.mass > 0) result.inertia[i] = inertia;
    }
    for (auto& [body, inertia] : result.inertia)
    {
        if (!(context.total_mass > 0) || !(total > 0)) break;
        inertia.mass *= context.total_mass / total;
        inertia.diagonal = (context.total_mass / total) * inertia.diagonal;
    }
    for (std::size_t i = 0; i < joint_elements_.size(); ++i)
    {
        if (!joint_elements_[i]->is("joint")) continue;
        const std::vector<double> wanted = joint_elements_[i]->numbers("springdamper");
        if (!(wanted[0] > 0 && wanted[1] > 0)) continue;
        const int begin = model.joints.v_begin[i], count = v_count(model.joints.type[i]);
        double weight = 0;
        for (int k = 0; k < count; ++k) weight += model.dofs.inverse_weight[static_cast<std::size_t>(begin + k)];
        const double inertia = weight > 0 ? count / weight : 0;
        result.spring[static_cast<int>(i)] = {inertia / (wanted[0] * wanted[0] * wanted[1] * wanted[1]),
                                              2 * inertia / wanted[0]};
    }
    return result;
}

}  // namespace rattleback::mjcf
