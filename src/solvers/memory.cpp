// What every solver's Memory keeps, as bytes, and the plain way to step several worlds.
#include "base/bytes.h"

#include <rattleback/solver.h>

#include <algorithm>

namespace rattleback
{

namespace
{

void append_softness(std::vector<std::byte>& bytes, const Softness& softness)
{
    append(bytes, static_cast<std::uint8_t>(softness.index()));
    if (const Spring* spring = std::get_if<Spring>(&softness)) append(bytes, *spring);
    if (const Impedance* impedance = std::get_if<Impedance>(&softness)) append(bytes, *impedance);
}

bool read_softness(std::span<const std::byte>& bytes, Softness& softness)
{
    std::uint8_t index = 0;
    if (!read(bytes, index)) return false;
    if (index == 0)
    {
        softness = Rigid{};
        return true;
    }
    if (index == 1) return read(bytes, softness.emplace<Spring>());
    if (index == 2) return read(bytes, softness.emplace<Impedance>());
    return false;
}

/// Calls `function` with each plain field of a contact: the one list for saving and loading.
template <class C, class Function>
bool for_each_field(C& contact, Function function)
{
    return function(contact.first_body) && function(contact.second_body) && function(contact.first_shape) &&
           function(contact.second_shape) && function(contact.point) && function(contact.frame) &&
           function(contact.distance) && function(contact.margin) && function(contact.dimension) &&
           function(contact.friction) && function(contact.restitution) && function(contact.feature);
}
constexpr std::size_t kMinContactBytes = 5 * sizeof(int) + 18 * sizeof(double) + sizeof(std::uint64_t) + 1;

void append_contact(std::vector<std::byte>& bytes, const Contact& contact)
{
    for_each_field(contact,
                   [&](const auto& field)
                   {
                       append(bytes, field);
                       return true;
                   });
    append_softness(bytes, contact.softness);
}

bool read_contact(std::span<const std::byte>& bytes, Contact& contact)
{
    return for_each_field(contact, [&](auto& field) { return read(bytes, field); }) &&
           read_softness(bytes, contact.softness);
}

bool is_sound(const Contact& contact)
{
    const int dimension = contact.dimension;
    return dimension == 1 || dimension == 3 || dimension == 4 || dimension == 6;
}

bool read_contacts(std::span<const std::byte>& bytes, std::vector<Contact>& contacts)
{
    std::size_t count = 0;
    if (!read_count(bytes, kMinContactBytes, count)) return false;
    contacts.resize(count);
    for (Contact& contact : contacts)
    {
        if (!read_contact(bytes, contact)) return false;
    }
    return true;
}

}  // namespace

void Memory::reset()
{
    collider.reset();
    contacts.clear();
    contact_forces.items.clear();
    constraint_forces.clear();
    energy = {};
}

// The collider's memory is left out: it changes no answer.
void Memory::save(std::vector<std::byte>& bytes) const
{
    append(bytes, static_cast<std::uint64_t>(contacts.items.size()));
    for (const Contact& contact : contacts.items) append_contact(bytes, contact);
    append(bytes, contact_forces.items);
}

bool Memory::load(std::span<const std::byte>& bytes)
{
    // Bytes come from a file: a force for each contact, and contacts of which rows may be built.
    const bool complete = read_contacts(bytes, contacts.items) && read(bytes, contact_forces.items) &&
                          contact_forces.items.size() == contacts.items.size() &&
                          std::all_of(contacts.items.begin(), contacts.items.end(), is_sound);
    if (!complete) Memory::reset();
    return complete;
}

bool asks_constraint_forces(const Model& model)
{
    const auto asks = [](SensorType type)
    {
        return type == SensorType::joint_limit_force || type == SensorType::tendon_limit_force ||
               type == SensorType::force || type == SensorType::torque;
    };
    return std::any_of(model.sensors.type.begin(), model.sensors.type.end(), asks);
}

bool Memory::is_broken(JointId /*joint*/) const { return false; }
bool Memory::is_broken(EqualityId /*equality*/) const { return false; }

void Solver::step_worlds(std::span<const StepInput> inputs, std::span<const WorldView> worlds,
                         std::span<Memory* const> memories, std::span<StepReport> reports)
{
    RB_ASSERT(worlds.size() == inputs.size() && memories.size() == inputs.size() && reports.size() == inputs.size());
    for (std::size_t i = 0; i < inputs.size(); ++i) reports[i] = step(inputs[i], worlds[i], *memories[i]);
}

StepReport Solver::forward(const StepInput& /*input*/, const ConstWorldView& /*world*/, Memory& /*memory*/,
                           const ForwardOutput& /*output*/)
{
    return {.mean_acceleration = true};
}

bool Solver::find_derivatives(const StepInput& /*input*/, const ConstWorldView& /*world*/, Memory& /*memory*/,
                              const DerivativeOptions& /*options*/, StepDerivatives& /*derivatives*/)
{
    return false;
}

}  // namespace rattleback
