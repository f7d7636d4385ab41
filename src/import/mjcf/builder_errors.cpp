// What the builder says about a model, told as of the file: at the attribute that holds the number, by the names used
// there.
#include <algorithm>
#include <set>

#include "import/mjcf/assembly.h"
#include "model/fields/tables.h"

namespace rattleback::mjcf
{

namespace
{

/// A field as the builder calls it, at the front of its message, and the attribute behind it.
struct FieldWords
{
    std::string words, attribute;
};

/// Those that have no row of their own in model/fields; an attribute counts only where it is written.
constexpr std::pair<const char*, const char*> kOthers[] = {
    {"spinning friction", "friction"},
    {"rolling friction", "friction"},
    {"second friction", "friction"},
    {"friction", "friction"},
    {"radius", "size"},
    {"half extent", "size"},
    {"half length", "size"},
    {"half_x", "size"},
    {"half_y", "size"},
    {"base", "size"},
    {"density of the medium", "density"},
    {"viscosity of the medium", "viscosity"},
    {"wind", "wind"},
    {"dt", "timestep"},
    {"gravity", "gravity"},
    {"inertia", "diaginertia"},
    {"inertia", "fullinertia"},
    {"no solid has the principal moments", "diaginertia"},
    {"no solid has the principal moments", "fullinertia"},
    {"fluid", "fluidcoef"},
    {"surface_velocity", "surfacevel"},
    {"surface_spin", "surfacevel"},
    {"position", "pos"},
    {"damping ratio", "dampratio"},
    {"time constant", "timeconst"},
    {"time constant", "dynprm"},
    {"polynomial", "polycoef"},
    {"coefficient", "coef"},
    {"pulley divisor", "divisor"},
    {"time", "time"},
    {"q has", "qpos"},
    {"a quaternion in q", "qpos"},
    {"v has", "qvel"},
    {"act has", "act"},
    {"ctrl has", "ctrl"},
};

template <class Rows>
void append_fields_of(std::vector<FieldWords>& fields)
{
    visit_options<Rows>(
        [&](const auto& row)
        {
            const AttributeNames names(row.mjcf);
            const std::string words = label_of(row), first(names.first), second(names.second);
            if (first.empty()) return;
            const bool soft = second.starts_with("solimp");
            if (soft) fields.push_back({words + " solref", first});
            if (soft) fields.push_back({words + " solimp", second});
            if (!soft) fields.push_back({words, second.empty() ? first : second});  // of a range the bounds
        });
}

/// Of phrases that begin alike the longer comes first.
const std::vector<FieldWords>& list_fields()
{
    static const std::vector<FieldWords> kFields = []
    {
        std::vector<FieldWords> fields;
        append_fields_of<BodyRows>(fields);
        append_fields_of<JointRows>(fields);
        append_fields_of<ShapeRows>(fields);
        append_fields_of<MaterialRows>(fields);
        append_fields_of<PairRows>(fields);
        append_fields_of<EqualityRows>(fields);
        append_fields_of<TendonRows>(fields);
        append_fields_of<ActuatorRows>(fields);
        for (const auto& [words, attribute] : kOthers) fields.push_back({words, attribute});
        std::stable_sort(fields.begin(), fields.end(),
                         [](const FieldWords& a, const FieldWords& b) { return a.words.size() > b.words.size(); });
        return fields;
    }();
    return kFields;
}

/// The written attribute of an element, or of its parts that are no bodies, that a message speaks of; null: none.
const Attribute* find_attribute(const Element& element, std::string_view message)
{
    for (const FieldWords& field : list_fields())
    {
        if (!message.starts_with(field.words)) continue;
        if (const Attribute* attribute = element.find(field.attribute)) return attribute;
        for (const Element& child : element.children)
        {
            if (!child.is("inertial") && !child.is("pulley")) continue;
            if (const Attribute* attribute = child.find(field.attribute)) return attribute;
        }
    }
    return nullptr;
}

/// Was something said already about this element or what stands in it?
bool is_known_bad(const Element& element, const std::set<std::string>& places)
{
    if (element.broken || places.contains(element.location.text())) return true;
    for (const Attribute& attribute : element.attributes)
    {
        if (places.contains(attribute.location.text())) return true;
    }
    for (const Element& child : element.children)
    {
        if (is_known_bad(child, places)) return true;
    }
    return false;
}

}  // namespace

const Element* Assembly::find_blamed(const Error& error) const
{
    if (error.where == "settings")
    {
        for (auto option = spec_.options.rbegin(); option != spec_.options.rend(); ++option)
        {
            if (find_attribute(*option, error.message)) return &*option;
        }
    }
    const auto found = blamed_.find(error.where);
    return found != blamed_.end() ? found->second : nullptr;
}

void Assembly::add_builder_errors(const std::vector<Error>& errors)
{
    const std::set<std::string> places = log_.places();  // of what the file itself got wrong
    std::set<std::string> said;                          // replicas share a place
    for (const Error& error : errors)
    {
        const Element* element = find_blamed(error);
        if (!element)
        {
            if (places.empty()) log_.append(spec_.world.location, {error});
            continue;
        }
        const Attribute* attribute = find_attribute(*element, error.message);
        // Lists of keyframes cannot fit when a joint is missing; a name that is used twice was found before.
        const bool follows =
            (element->rule->kind == "key" || error.code == ErrorCode::duplicate_name) && !places.empty();
        const bool known = attribute ? places.contains(attribute->location.text()) : is_known_bad(*element, places);
        const SourceLocation& location = attribute ? attribute->location : element->location;
        if (follows || known || !said.insert(location.text() + error.message).second) continue;
        std::string subject = element->rule->name;
        if (const std::string name = element->name(); !name.empty()) subject += " '" + name + "'";
        if (attribute && !error.message.starts_with(attribute->rule->name)) subject += ": " + attribute->rule->name;
        log_.fail(location, subject + ": " + error.message, error.hint, error.code);
    }
}

}  // namespace rattleback::mjcf
