// Reads documents. They come from files, so nothing about their types is taken for granted.
#include "import/document/document.h"

#include "base/text.h"
#include "import/document/fields.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <limits>
#include <set>

namespace rattleback
{

namespace
{

using nlohmann::json;

bool read_number(const json& value, double& x)
{
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    if (value == "inf" || value == "-inf" || value == "nan")
        x = value == "inf" ? kInfinity : value == "nan" ? std::numeric_limits<double>::quiet_NaN() : -kInfinity;
    else if (value.is_number())
        x = value.get<double>();
    else
        return false;
    return true;
}
template <class T>
bool read_whole(const json& value, T& x)
{
    if (!value.is_number_integer()) return false;
    const double wide = value.get<double>();
    if (wide < static_cast<double>(std::numeric_limits<T>::min()) ||
        wide > static_cast<double>(std::numeric_limits<T>::max()))
        return false;
    x = value.get<T>();
    return true;
}
bool read_number(const json& value, const Number& number)
{
    if (auto* const* real = std::get_if<double*>(&number)) return read_number(value, **real);
    if (auto* const* whole = std::get_if<int*>(&number)) return read_whole(value, **whole);
    if (auto* const* bits = std::get_if<std::uint32_t*>(&number)) return read_whole(value, **bits);
    if (auto* const* real = std::get_if<float*>(&number))
    {
        double wide = 0;
        const bool good = read_number(value, wide);
        **real = static_cast<float>(wide);
        return good;
    }
    if (value.is_boolean()) *std::get<bool*>(number) = value.get<bool>();
    return value.is_boolean();
}
/// From item `next` of a list on.
bool read_numbers(const json& list, const Numbers& numbers, std::size_t& next)
{
    for (const Number& number : numbers)
    {
        if (next >= list.size() || !read_number(list[next], number)) return false;
        ++next;
    }
    return true;
}

/// What all readers of one document share.
struct Sheet
{
    std::array<std::map<std::string, int, std::less<>>, kKinds.size()> index;  ///< of names, by kind
    std::vector<Error> errors;
};

/// Reads the fields of one object, and notices those that nobody asked for.
class FieldReader
{
public:
    FieldReader(const json& object, std::string where, Sheet& sheet)
        : object_(object), where_(std::move(where)), sheet_(sheet)
    {
        if (!object.is_object()) fail("is not an object");
    }

    template <class T>
    void operator()(const char* name, T& value)
    {
        const json* found = find(name);
        if (found && !read(*found, value)) fail(std::string("'") + name + "' cannot be read");
    }

    void refer(const char* name, Kind kind, int& index)
    {
        const json* found = find(name);
        if (!found) return;
        const auto& names = sheet_.index[static_cast<std::size_t>(kind)];
        const auto entry = found->is_string() ? names.find(found->get_ref<const std::string&>()) : names.end();
        if (entry == names.end())
            return fail(std::string("'") + name + "' names something that is not there", ErrorCode::unknown_name);
        index = entry->second;
    }

    void choose(ActuatorTarget& target)
    {
        pick<JointId>("joint", Kind::joints, target);
        pick<TendonId>("tendon", Kind::tendons, target);
        pick<SiteId>("site", Kind::sites, target);
        pick<BodyId>("body", Kind::bodies, target);
    }
    void choose(SensorTarget& target)
    {
        pick<JointId>("joint", Kind::joints, target);
        pick<BodyId>("body", Kind::bodies, target);
        pick<SiteId>("site", Kind::sites, target);
        pick<TendonId>("tendon", Kind::tendons, target);
        pick<ActuatorId>("actuator", Kind::actuators, target);
        pick<ShapeId>("shape", Kind::shapes, target);
        pick<CameraId>("view", Kind::cameras, target);
        BodyId inertial, subtree, camera;
        refer("inertial", Kind::bodies, inertial.index);
        if (inertial.valid()) target = InertialFrame{inertial};
        refer("subtree", Kind::bodies, subtree.index);
        if (subtree.valid()) target = Subtree{subtree};
        refer("camera", Kind::bodies, camera.index);
        Pose pose;
        (*this)("camera_pose", pose);
        if (camera.valid()) target = CameraFrame{camera, pose};
    }

    /// After all fields: names that are none of them.
    void finish()
    {
        if (!object_.is_object()) return;
        for (auto field = object_.begin(); field != object_.end(); ++field)
        {
            if (!known_.contains(field.key())) fail("has no field '" + field.key() + "'", ErrorCode::unknown_name);
        }
    }

private:
    const json* find(const char* name)
    {
        known_.insert(name);
        if (!object_.is_object()) return nullptr;
        const auto found = object_.find(name);
        return found == object_.end() ? nullptr : &*found;
    }
    void fail(std::string message, ErrorCode code = ErrorCode::invalid_value)
    {
        sheet_.errors.push_back({code, where_, std::move(message), ""});
    }

    template <class Id, class Target>
    void pick(const char* name, Kind kind, Target& target)
    {
        Id id;
        refer(name, kind, id.index);
        if (id.valid()) target = id;
    }

    template <class T>
    bool read(const json& value, T& x)
    {
        if constexpr (std::is_enum_v<T>)
        {
            for (const auto& [known, word] : words_of(x))
            {
                if (value != word) continue;
                x = known;
                return true;
            }
            return false;
        }
        else if constexpr (std::is_arithmetic_v<T>)
            return read_number(value, Number(&x));
        else if constexpr (Plain<T>)
        {
            std::size_t next = 0;
            return value.is_array() && read_plain(value, next, x) && next == value.size();
        }
        else
            return read_other(value, x);
    }

    template <class T>
    bool read_plain(const json& list, std::size_t& next, T& x)
    {
        Numbers numbers;
        collect(x, numbers);
        return read_numbers(list, numbers, next);
    }

    template <class T>
    bool read_other(const json& value, std::optional<T>& x)
    {
        return read(value, x.emplace());
    }
    template <class T>
    bool read_other(const json& value, std::vector<T>& x)
    {
        if (!value.is_array()) return false;
        x.clear();
        for (std::size_t next = 0; next < value.size();)
        {
            if constexpr (Plain<T>)
            {
                if (!read_plain(value, next, x.emplace_back())) return false;
            }
            else if (!read(value[next++], x.emplace_back()))
                return false;
        }
        return true;
    }
    bool read_other(const json& value, std::string& x)
    {
        if (!value.is_string()) return false;
        x = value.get<std::string>();
        return true;
    }
    bool read_other(const json& value, std::vector<std::byte>& x)
    {
        return value.is_string() && read_base64(value.get_ref<const std::string&>(), x);
    }
    bool read_other(const json& value, Softness& x)
    {
        if (value == "rigid")
        {
            x = Rigid{};
            return true;
        }
        if (!value.is_object() || value.size() != 1) return false;
        if (value.contains("spring")) return read(value["spring"], x.emplace<Spring>());
        return value.contains("impedance") && read(value["impedance"], x.emplace<Impedance>());
    }
    bool read_other(const json& value, std::map<std::string, Parameters, std::less<>>& x)
    {
        if (!value.is_object()) return false;
        x.clear();
        for (auto solver = value.begin(); solver != value.end(); ++solver)
        {
            Parameters& parameters = x[solver.key()];
            if (!solver->is_object()) return false;
            for (auto entry = solver->begin(); entry != solver->end(); ++entry)
            {
                if (!read_parameter(*entry, parameters[entry.key()])) return false;
            }
        }
        return true;
    }
    bool read_parameter(const json& value, ParameterValue& x)
    {
        if (value.is_boolean()) return read_number(value, Number(&x.emplace<bool>()));
        if (value.is_number_integer()) return read_number(value, Number(&x.emplace<int>()));
        if (value.is_string())
        {
            x = value.get<std::string>();
            return true;
        }
        if (value.is_object()) return value.contains("number") && read_number(value["number"], x.emplace<double>());
        return read_number(value, x.emplace<double>());
    }
    template <class T>
    bool read_other(const json& value, T& x)
    {
        FieldReader inner(value, where_, sheet_);
        describe(inner, x);
        inner.finish();
        return true;
    }

    const json& object_;
    std::string where_;
    Sheet& sheet_;
    std::set<std::string, std::less<>> known_;
};

const json& member(const json& object, const char* name)
{
    static const json kNothing = json::object();
    if (!object.is_object()) return kNothing;
    const auto found = object.find(name);
    return found == object.end() ? kNothing : *found;
}

/// Names of a kind by index: those that "order" lists, then the rest.
std::vector<std::string> list_names(const json& document, Kind kind, Sheet& sheet)
{
    const char* word = kKinds[static_cast<std::size_t>(kind)];
    const json& elements = member(document, word);
    std::vector<std::string> names;
    auto& index = sheet.index[static_cast<std::size_t>(kind)];
    if (kind == Kind::bodies) index["world"] = 0;
    const auto add = [&](const std::string& name)
    {
        const int next = static_cast<int>(names.size()) + (kind == Kind::bodies ? 1 : 0);
        if (index.emplace(name, next).second) names.push_back(name);
    };
    if (!elements.is_object())
    {
        sheet.errors.push_back({ErrorCode::syntax, word, "is not an object", ""});
        return names;
    }
    const json& order = member(member(document, "order"), word);
    for (const json& name : order)
    {
        if (name.is_string() && elements.contains(name.get_ref<const std::string&>())) add(name.get<std::string>());
    }
    for (auto element = elements.begin(); element != elements.end(); ++element) add(element.key());
    return names;
}

template <class T>
T read_fields(const json& object, const std::string& where, Sheet& sheet)
{
    T result{};
    FieldReader reader(object, where, sheet);
    describe(reader, result);
    reader.finish();
    return result;
}

template <class T>
std::vector<T> read_list(const json& document, const char* name, Sheet& sheet)
{
    std::vector<T> items;
    for (const json& item : member(document, name)) items.push_back(read_fields<T>(item, name, sheet));
    return items;
}

/// Reads the elements of one kind; store(name, element).
template <class T, class Store>
void read_kind(const json& document, Kind kind, const std::vector<std::string>& names, Sheet& sheet, const Store& store)
{
    const char* word = kKinds[static_cast<std::size_t>(kind)];
    const json& elements = member(document, word);
    for (const std::string& name : names)
        store(name, read_fields<T>(elements[name], std::string(word) + " '" + name + "'", sheet));
}

}  // namespace

Result<Authored> read_document(const json& document)
{
    Sheet sheet;
    Authored parts;
    std::array<std::vector<std::string>, kKinds.size()> names;
    for (std::size_t i = 0; i < kKinds.size(); ++i) names[i] = list_names(document, static_cast<Kind>(i), sheet);
    const auto read_all = [&]<class T>(Kind kind, const T&, const auto& store)
    { read_kind<T>(document, kind, names[static_cast<std::size_t>(kind)], sheet, store); };

    const json& title = member(document, "name");
    if (title.is_string()) parts.name = title.get<std::string>();
    parts.mujoco_weights = member(document, "mujoco_constants") != json(false);
    parts.accepts_negative = member(document, "accepts_negative") == json(true);
    parts.settings = read_fields<Settings>(member(document, "settings"), "settings", sheet);
    parts.bodies.push_back({.name = "world", .parent = BodyId{}, .kind = BodyKind::fixed});
    read_all(Kind::shapes, ShapeEntry{},
             [&](const std::string& name, ShapeEntry shape)
             {
                 shape.options.name = name;
                 parts.shapes.push_back({shape.body, from_row(shape.row), shape.options});
             });
    const auto with_options = [](auto& list)
    {
        return [&list](const std::string& name, auto element)
        {
            element.options.name = name;
            list.push_back(std::move(element));
        };
    };
    const auto with_name = [](auto& list)
    {
        return [&list](const std::string& name, auto element)
        {
            element.name = name;
            list.push_back(std::move(element));
        };
    };
    read_all(Kind::bodies, BodyOptions{}, with_name(parts.bodies));
    read_all(Kind::joints, AuthoredJoint{}, with_options(parts.joints));
    read_all(Kind::sites, AuthoredSite{}, with_options(parts.sites));
    read_all(Kind::equalities, AuthoredEquality{}, with_options(parts.equalities));
    read_all(Kind::tendons, AuthoredTendon{}, with_options(parts.tendons));
    read_all(Kind::actuators, AuthoredActuator{}, with_options(parts.actuators));
    read_all(Kind::materials, MaterialOptions{}, with_name(parts.materials));
    read_all(Kind::meshes, MeshOptions{}, with_name(parts.meshes));
    read_all(Kind::height_fields, HeightFieldOptions{}, with_name(parts.height_fields));
    read_all(Kind::sensors, AuthoredSensor{}, with_options(parts.sensors));
    read_all(Kind::keyframes, Keyframe{}, with_name(parts.keyframes));
    read_all(Kind::cameras, CameraOptions{}, with_name(parts.cameras));
    read_all(Kind::lights, LightOptions{}, with_name(parts.lights));
    read_all(Kind::textures, TextureOptions{}, with_name(parts.textures));
    read_all(Kind::visual_materials, VisualMaterialOptions{}, with_name(parts.visual_materials));
    if (document.contains("headlight"))
        parts.headlight = read_fields<HeadlightOptions>(document["headlight"], "headlight", sheet);
    parts.pairs = read_list<AuthoredPair>(document, "pairs", sheet);
    parts.excludes = read_list<std::pair<BodyId, BodyId>>(document, "excludes", sheet);
    parts.tracks = read_list<AuthoredTrack>(document, "tracks", sheet);
    if (parts.materials.empty()) parts.materials.emplace_back();
    if (!sheet.errors.empty()) return sheet.errors;
    return parts;
}

}  // namespace rattleback
