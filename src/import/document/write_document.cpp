// Writes documents, and finds how two differ.
#include "import/document/document.h"

#include "base/bits.h"
#include "base/text.h"
#include "import/document/fields.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace rattleback
{

namespace
{

using nlohmann::json;

json make_number(double x)
{
    if (std::isfinite(x)) return x;
    return std::isnan(x) ? "nan" : x > 0 ? "inf" : "-inf";  // JSON has no word for them
}
json make_number(const Number& number)
{
    if (auto* const* real = std::get_if<double*>(&number)) return make_number(**real);
    if (auto* const* real = std::get_if<float*>(&number)) return make_number(static_cast<double>(**real));
    if (auto* const* whole = std::get_if<int*>(&number)) return **whole;
    if (auto* const* bits = std::get_if<std::uint32_t*>(&number)) return **bits;
    return *std::get<bool*>(number);
}
void append_numbers(const Numbers& numbers, json& list)
{
    for (const Number& number : numbers) list.push_back(make_number(number));
}

/// Fills one object with the fields of one element.
class FieldWriter
{
public:
    FieldWriter(const Names& names, json& object) : names_(names), object_(object) {}

    template <class T>
    void operator()(const char* name, T& value)
    {
        object_[name] = make(value);
    }

    void refer(const char* name, Kind kind, int index)
    {
        const std::vector<std::string>& names = list(kind);
        if (in_range(index, names)) object_[name] = names[at(index)];
    }

    void choose(const ActuatorTarget& target)
    {
        if (const auto* joint = std::get_if<JointId>(&target)) refer("joint", Kind::joints, joint->index);
        if (const auto* tendon = std::get_if<TendonId>(&target)) refer("tendon", Kind::tendons, tendon->index);
        if (const auto* site = std::get_if<SiteId>(&target)) refer("site", Kind::sites, site->index);
        if (const auto* body = std::get_if<BodyId>(&target)) refer("body", Kind::bodies, body->index);
    }
    void choose(const SensorTarget& target)
    {
        if (const auto* joint = std::get_if<JointId>(&target)) refer("joint", Kind::joints, joint->index);
        if (const auto* body = std::get_if<BodyId>(&target)) refer("body", Kind::bodies, body->index);
        if (const auto* site = std::get_if<SiteId>(&target)) refer("site", Kind::sites, site->index);
        if (const auto* tendon = std::get_if<TendonId>(&target)) refer("tendon", Kind::tendons, tendon->index);
        if (const auto* actuator = std::get_if<ActuatorId>(&target))
            refer("actuator", Kind::actuators, actuator->index);
        if (const auto* shape = std::get_if<ShapeId>(&target)) refer("shape", Kind::shapes, shape->index);
        if (const auto* view = std::get_if<CameraId>(&target)) refer("view", Kind::cameras, view->index);
        if (const auto* frame = std::get_if<InertialFrame>(&target)) refer("inertial", Kind::bodies, frame->body.index);
        if (const auto* tree = std::get_if<Subtree>(&target)) refer("subtree", Kind::bodies, tree->body.index);
        if (const auto* camera = std::get_if<CameraFrame>(&target))
        {
            refer("camera", Kind::bodies, camera->body.index);
            Pose pose = camera->pose;
            (*this)("camera_pose", pose);
        }
    }

    const std::vector<std::string>& list(Kind kind) const
    {
        const std::array<const std::vector<std::string>*, kKinds.size()> lists{
            &names_.bodies,    &names_.joints,    &names_.shapes,        &names_.sites,
            &names_.materials, &names_.meshes,    &names_.height_fields, &names_.equalities,
            &names_.tendons,   &names_.actuators, &names_.sensors,       &names_.keyframes,
            &names_.cameras,   &names_.lights,    &names_.textures,      &names_.visual_materials};
        return *lists[static_cast<std::size_t>(kind)];
    }

private:
    template <class T>
    json make(T& value)
    {
        if constexpr (std::is_enum_v<T>)
        {
            for (const auto& [known, word] : words_of(value))
            {
                if (known == value) return word;
            }
            return {};
        }
        else if constexpr (std::is_arithmetic_v<T>)
            return make_number(Number(&value));
        else if constexpr (Plain<T>)
        {
            Numbers numbers;
            collect(value, numbers);
            json list = json::array();
            append_numbers(numbers, list);
            return list;
        }
        else
            return make_other(value);
    }

    template <class T>
    json make_other(std::optional<T>& value)
    {
        return value ? make(*value) : json();
    }
    template <class T>
    json make_other(std::vector<T>& values)
    {
        json list = json::array();
        if constexpr (Plain<T>)
        {
            Numbers numbers;
            for (T& value : values) collect(value, numbers);
            append_numbers(numbers, list);
        }
        else
        {
            for (T& value : values) list.push_back(make(value));
        }
        return list;
    }
    json make_other(std::string& value) { return value; }
    json make_other(std::vector<std::byte>& value) { return to_base64(value); }
    json make_other(Softness& value)
    {
        if (auto* spring = std::get_if<Spring>(&value)) return {{"spring", make(*spring)}};
        if (auto* impedance = std::get_if<Impedance>(&value)) return {{"impedance", make(*impedance)}};
        return "rigid";
    }
    json make_other(std::map<std::string, Parameters, std::less<>>& solvers)
    {
        json object = json::object();
        for (auto& [solver, parameters] : solvers)
        {
            json& entry = object[solver] = json::object();
            for (auto& [name, value] : parameters)
            {
                const auto* real = std::get_if<double>(&value);
                if (real && !std::isfinite(*real))
                    entry[name] = json{{"number", make_number(*real)}};
                else
                    std::visit([&, &key = name](const auto& held) { entry[key] = held; }, value);
            }
        }
        return object;
    }
    template <class T>
    json make_other(T& value)
    {
        json object = json::object();
        FieldWriter inner(names_, object);
        describe(inner, value);
        return object;
    }

    const Names& names_;
    json& object_;
};

bool same(const json& a, const json& b)
{
    if (a.type() != b.type()) return false;
    if (a.is_number_float()) return same_bits(a.get<double>(), b.get<double>());
    if (a.is_array())
        return a.size() == b.size() &&
               std::equal(a.begin(), a.end(), b.begin(), [](const json& x, const json& y) { return same(x, y); });
    if (!a.is_object()) return a == b;
    if (a.size() != b.size()) return false;
    for (auto i = a.begin(), j = b.begin(); i != a.end(); ++i, ++j)
    {
        if (i.key() != j.key() || !same(i.value(), j.value())) return false;
    }
    return true;
}

/// Takes away what is as in `standard`, or nothing at all.
void drop_usual(const json& standard, json& object)
{
    for (auto field = object.begin(); field != object.end();)
    {
        const auto usual = standard.find(field.key());
        const bool plain = field->is_null() || (usual != standard.end() && same(*field, *usual));
        field = plain ? object.erase(field) : std::next(field);
    }
}

/// The fields that differ from those of a fresh T, and are there at all.
template <class T>
json write_fields(const Names& names, T value)
{
    json object = json::object(), standard = json::object();
    T fresh{};
    FieldWriter write(names, object), write_standard(names, standard);
    describe(write, value);
    describe(write_standard, fresh);
    drop_usual(standard, object);
    return object;
}

json find_difference(const json& from, const json& to)
{
    json patch = json::object();
    for (auto item = to.begin(); item != to.end(); ++item)
    {
        const auto old = from.find(item.key());
        if (old != from.end() && same(*old, *item)) continue;
        const bool nested = old != from.end() && old->is_object() && item->is_object();
        patch[item.key()] = nested ? find_difference(*old, *item) : *item;
    }
    for (auto item = from.begin(); item != from.end(); ++item)
    {
        if (!to.contains(item.key())) patch[item.key()] = nullptr;
    }
    return patch;
}

/// Changed fields that have one value (null: none) in all elements that stay.
json find_common(const json& patch, const json& from, const json& to)
{
    json common = json::object();
    if (from.size() < 2) return common;
    for (const json& changes : patch)
    {
        for (auto field = changes.begin(); changes.is_object() && field != changes.end(); ++field)
        {
            if (!field->is_object()) common.emplace(field.key(), *field);
        }
    }
    for (auto element = to.begin(); element != to.end(); ++element)
    {
        for (auto field = common.begin(); from.contains(element.key()) && field != common.end();)
        {
            const auto wanted = element->find(field.key());
            const bool fits = wanted == element->end() ? field->is_null() : same(*wanted, *field);
            field = fits ? std::next(field) : common.erase(field);
        }
    }
    return common;
}

/// Whether something resists by less than nothing, which a reader would take for a slip.
bool has_negative(const Authored& parts)
{
    const auto is_negative = [](const auto& item)
    {
        const auto& o = item.options;
        return o.stiffness < 0 || o.damping < 0 || o.armature < 0 || o.dry_friction < 0;
    };
    return std::any_of(parts.joints.begin(), parts.joints.end(), is_negative) ||
           std::any_of(parts.tendons.begin(), parts.tendons.end(), is_negative);
}

template <class T>
json write_list(const Names& names, const std::vector<T>& items)
{
    json list = json::array();
    for (const T& item : items) list.push_back(write_fields(names, item));
    return list;
}

}  // namespace

json write_document(const Authored& parts)
{
    const Names names = make_names(parts);
    json document{{"name", parts.name}, {"settings", write_fields(names, parts.settings)}};
    if (!parts.mujoco_weights) document["mujoco_constants"] = false;
    if (has_negative(parts)) document["accepts_negative"] = true;
    json nothing = json::object();
    const FieldWriter lookup(names, nothing);
    const auto add = [&](Kind kind, const auto& items, auto convert)
    {
        const std::vector<std::string>& list = lookup.list(kind);
        json& elements = document[kKinds[static_cast<std::size_t>(kind)]] = json::object();
        json& order = document["order"][kKinds[static_cast<std::size_t>(kind)]] = json::array();
        for (std::size_t i = kind == Kind::bodies ? 1 : 0; i < items.size(); ++i)
        {
            elements[list[i]] = write_fields(names, convert(items[i], static_cast<int>(i)));
            order.push_back(list[i]);
        }
    };
    const auto as_is = [](const auto& item, int) { return item; };
    add(Kind::bodies, parts.bodies, as_is);
    add(Kind::joints, parts.joints, as_is);
    add(Kind::shapes, parts.shapes,
        [](const AuthoredShape& shape, int) { return ShapeEntry{shape.body, to_row(shape.shape), shape.options}; });
    add(Kind::sites, parts.sites, as_is);
    add(Kind::materials, parts.materials, as_is);
    add(Kind::meshes, parts.meshes, as_is);
    add(Kind::height_fields, parts.height_fields, as_is);
    add(Kind::equalities, parts.equalities, as_is);
    add(Kind::tendons, parts.tendons, as_is);
    add(Kind::actuators, parts.actuators, as_is);
    add(Kind::sensors, parts.sensors, as_is);
    add(Kind::keyframes, parts.keyframes, as_is);
    add(Kind::cameras, parts.cameras, as_is);
    add(Kind::lights, parts.lights, as_is);
    add(Kind::textures, parts.textures, as_is);
    add(Kind::visual_materials, parts.visual_materials, as_is);
    if (parts.headlight) document["headlight"] = write_fields(names, *parts.headlight);
    document["pairs"] = write_list(names, parts.pairs);
    document["excludes"] = write_list(names, parts.excludes);
    document["tracks"] = write_list(names, parts.tracks);
    return document;
}

json make_patch(const json& from, const json& to)
{
    json patch = find_difference(from, to);
    json every = json::object();
    for (const char* kind : kKinds)
    {
        if (!patch.contains(kind)) continue;
        json common = find_common(patch[kind], from[kind], to[kind]);
        if (common.empty()) continue;
        json changed = from[kind];
        for (json& element : changed) element.merge_patch(common);
        patch[kind] = find_difference(changed, to[kind]);
        if (patch[kind].empty()) patch.erase(kind);
        every[kind] = std::move(common);
    }
    if (!every.empty()) patch["every"] = std::move(every);
    return patch;
}

void apply_patch(const json& patch, json& document)
{
    json rest = patch;
    if (const auto every = patch.find("every"); every != patch.end() && every->is_object())
    {
        rest.erase("every");
        for (auto kind = every->begin(); kind != every->end(); ++kind)
        {
            const auto elements = document.find(kind.key());
            if (elements == document.end() || !elements->is_object() || !kind->is_object()) continue;
            for (json& element : *elements) element.merge_patch(*kind);
        }
    }
    document.merge_patch(rest);
}

}  // namespace rattleback
