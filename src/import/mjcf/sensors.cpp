// Adds sensors: kind, object, frame of reference, and what the kind asks for beside.
#include <algorithm>
#include <array>
#include <cmath>
#include <sstream>

#include "base/index.h"
#include "import/mjcf/assembly.h"
#include "import/mjcf/sensor_words.h"
#include "model/fields/control_fields.h"

namespace rattleback::mjcf
{

namespace
{

/// The words of `data` as bits; they stand in the order of the list.
int read_fields(const Element& sensor, std::span<const char* const> words, Log& log)
{
    const auto fail = [&](const std::string& message)
    {
        const Attribute* written = sensor.find("data");
        std::string hint = "in this order:";
        for (const char* word : words) hint += std::string(" ") + word;
        log.fail(written ? written->location : sensor.location, message, hint, ErrorCode::invalid_value);
        return 1;
    };
    int fields = 0;
    std::istringstream text(sensor.text("data"));
    for (std::string word; text >> word;)
    {
        const auto found = std::find_if(words.begin(), words.end(), [&](const char* known) { return word == known; });
        if (found == words.end()) return fail("'data' has no '" + word + "'");
        const int bit = 1 << (found - words.begin());
        if (fields >= bit) return fail("'" + word + "' comes too late in 'data'");
        fields |= bit;
    }
    return fields > 0 ? fields : fail("'data' is empty");
}

/// Samples, cutoff and noise, which all kinds have.
void read_common(const Element& sensor, Log& log, SensorOptions& options)
{
    options.name = sensor.name();
    AttributeReader(sensor, log).read_all<SensorRows>(options);
    options.samples = std::max(0, sensor.integer("nsample"));
    // Without samples nothing is late.
    if (options.samples == 0) options.delay = std::max(0.0, options.delay);
    const std::string interp = sensor.text("interp");
    if (interp == "linear") options.interpolation = Interpolation::linear;
    if (interp == "cubic") options.interpolation = Interpolation::cubic;
    const std::vector<double> interval = sensor.numbers("interval");
    options.interval = {interval[0], interval.size() > 1 ? interval[1] : 0};
}

}  // namespace

/// A camera that goes along with its body is a frame there.
SensorTarget Assembly::find_camera_frame(int camera) const
{
    const CameraOptions& options = authored_.cameras[at(camera)];
    if (options.mode != FollowMode::fixed) return CameraId{camera};
    return CameraFrame{options.body, {options.position, options.rotation}};
}

/// What must lie in a site as a whole: the geoms of a body, or of all that it carries.
std::optional<SensorTarget> Assembly::find_enclosed(const Element& element) const
{
    const std::string kind = element.text("objtype");
    const Attribute* named = element.find("objname");
    if (!named || kind.empty()) return std::nullopt;  // what is missing was said
    if (kind == "camera")
    {
        log_.fail(named->location, "a camera has no volume to be 'enclosed'", "body, xbody, geom or site",
                  ErrorCode::invalid_value);
        return std::nullopt;
    }
    const std::optional<int> index = find(*named, named->text, kind == "xbody" ? "body" : kind);
    if (!index) return std::nullopt;
    if (kind == "geom") return ShapeId{*index};
    if (kind == "site") return SiteId{*index};
    if (kind == "body") return BodyId{*index};
    return Subtree{BodyId{*index}};
}

/// The frame of an objtype and objname, or of a reftype and refname.
std::optional<SensorTarget> Assembly::find_object(const Element& element, const char* type, const char* name) const
{
    const std::string kind = element.text(type);
    const Attribute* named = element.find(name);
    if (!named || kind.empty()) return std::nullopt;  // what is missing was said
    const std::optional<int> index = find(*named, named->text, kind == "xbody" ? "body" : kind);
    if (!index) return std::nullopt;
    if (kind == "site") return SiteId{*index};
    if (kind == "geom") return ShapeId{*index};
    if (kind == "xbody") return BodyId{*index};
    if (kind == "body") return InertialFrame{BodyId{*index}};
    return find_camera_frame(*index);
}

/// geom1, body1, subtree1 or site; geom2, body2, subtree2. Nothing where none is written.
std::optional<SensorTarget> Assembly::find_side(const Element& element, int side) const
{
    const std::string number = std::to_string(side);
    const std::array<std::string, 4> names{"geom" + number, "body" + number, "subtree" + number,
                                           side == 1 ? "site" : "-"};
    SensorTarget target;
    int written = 0;
    for (std::size_t i = 0; i < names.size(); ++i)
    {
        if (!element.rule->find(names[i]) || !element.has(names[i])) continue;
        ++written;
        const auto index = find(element, names[i].c_str(), i == 0 ? "geom" : i == 3 ? "site" : "body");
        if (!index) return std::nullopt;
        if (i == 0) target = ShapeId{*index};
        if (i == 1) target = BodyId{*index};
        if (i == 2) target = Subtree{BodyId{*index}};
        if (i == 3) target = SiteId{*index};
    }
    const bool optional = element.is("contact");
    if (written > 1 || (written == 0 && !optional))
    {
        log_.fail(element.location,
                  (written > 1 ? "only one of " : "one of ") + names[0] + ", " + names[1] +
                      (optional ? ", " + names[2] + (side == 1 ? ", site" : "") : "") + " must be given",
                  "", ErrorCode::invalid_value);
        return std::nullopt;
    }
    return target;
}

std::optional<SensorTarget> Assembly::find_watched(const Element& element) const
{
    const auto named = [&](const char* attribute, auto make) -> std::optional<SensorTarget>
    {
        const auto index = find(element, attribute, attribute);
        if (!index) return std::nullopt;
        return make(*index);
    };
    if (element.rule->find("geom1")) return find_side(element, 1);
    if (element.rule->find("objtype") && !element.is("user")) return find_object(element, "objtype", "objname");
    if (element.has("joint")) return named("joint", [](int i) { return JointId{i}; });
    if (element.has("tendon")) return named("tendon", [](int i) { return TendonId{i}; });
    if (element.has("actuator")) return named("actuator", [](int i) { return ActuatorId{i}; });
    if (element.has("body")) return named("body", [](int i) { return Subtree{BodyId{i}}; });
    if (element.has("site")) return named("site", [](int i) { return SiteId{i}; });
    if (!element.has("camera"))
    {
        if (!element.is("rangefinder")) return SensorTarget();
        log_.fail(element.location, "a rangefinder needs a site or a camera", "", ErrorCode::invalid_value);
        return std::nullopt;
    }
    return named("camera", [&](int i) { return find_camera_frame(i); });
}

/// Pixels, focal lengths and axis of the camera, as MuJoCo takes them: intrinsics in single precision.
void Assembly::read_camera(const Element& sensor, SensorType type, SensorOptions& options) const
{
    const auto cameras = names_.find("camera");
    if (cameras == names_.end()) return;
    const auto found = cameras->second.find(sensor.text("camera"));
    if (found == cameras->second.end()) return;  // said where the sensor's ends are found
    const Element& camera = *camera_elements_[at(found->second)];
    const std::vector<double> pixels = camera.numbers("resolution"), size = camera.numbers("sensorsize");
    const bool projects = type == SensorType::camera_projection;
    options.resolution = {static_cast<int>(pixels[0]), static_cast<int>(pixels[1])};
    options.principal = {pixels[0] / 2, pixels[1] / 2};
    const double fovy = camera.number("fovy");
    const bool orthographic = camera.text("projection") == "orthographic";
    if (orthographic && !projects)
    {
        // The field of view is a length, and the image as wide as it is high.
        options.orthographic = true;
        options.focal = {pixels[0] / fovy, pixels[1] / fovy};
    }
    else if (size[0] > 0 && size[1] > 0)
    {
        // Lengths on the sensor, or pixels.
        for (std::size_t k = 0; k < 2; ++k)
        {
            const auto side = static_cast<float>(size[k]), count = static_cast<float>(pixels[k]);
            const auto find_pixels = [&](const char* metres, const char* in_pixels)
            {
                const float length = camera.has(in_pixels)
                                         ? static_cast<float>(camera.numbers(in_pixels)[k]) / count * side
                                         : static_cast<float>(camera.numbers(metres)[k]);
                return static_cast<double>(length / side * count);
            };
            options.focal[k] = find_pixels("focal", "focalpixel");
            if (!projects) options.principal[k] = find_pixels("principal", "principalpixel");
        }
    }
    else
    {
        const double focal = 0.5 / std::tan(0.5 * kDegree * fovy) * pixels[1];
        options.focal = {focal, focal};
    }
}

void Assembly::add_sensor(const Element& element, SensorType type)
{
    SensorOptions options;
    read_common(element, log_, options);
    if (type == SensorType::rangefinder) options.fields = read_fields(element, kRayWords, log_);
    if (type == SensorType::contact) options.fields = read_fields(element, kContactWords, log_);
    if (type == SensorType::contact)
    {
        options.reduce = static_cast<SensorReduce>(
            std::find(kReduceWords.begin(), kReduceWords.end(), element.text("reduce")) - kReduceWords.begin());
        options.count = options.reduce == SensorReduce::net ? 1 : element.integer("num");
    }
    if (type == SensorType::user) options.count = element.integer("dim");
    if (element.rule->find("camera") && element.has("camera")) read_camera(element, type, options);
    const bool enclosure = type == SensorType::enclosure;
    std::optional<SensorTarget> target;
    if (type == SensorType::tactile)
    {
        const auto geom = find(element, "geom", "geom"), mesh = find(element, "mesh", "mesh");
        if (!geom || !mesh) return;  // said there, or with what is missing
        target = ShapeId{*geom};
        options.taxels = meshes_.at(element.text("mesh")).taxels;
    }
    else
        target = enclosure ? find_enclosed(element) : find_watched(element);
    // The other end: a frame of reference, the second side, a site or a camera.
    std::optional<SensorTarget> reference = SensorTarget();
    if (element.rule->find("geom2")) reference = find_side(element, 2);
    if (type == SensorType::inside_site || enclosure)
    {
        const auto site = find(element, "site", "site");
        reference.reset();
        if (site) reference = SiteId{*site};
    }
    if (type == SensorType::camera_projection)
    {
        const auto camera = find(element, "camera", "camera");
        reference.reset();
        if (camera) reference = find_camera_frame(*camera);
    }
    if (element.rule->find("refname") && (element.has("refname") || element.has("reftype")))
    {
        reference = find_object(element, "reftype", "refname");
        if (!element.has("refname") || !element.has("reftype"))
            log_.fail(element.location, "'reftype' and 'refname' belong together", "", ErrorCode::invalid_value);
    }
    if (!target || !reference) return;  // an error that was said
    options.reference = *reference;
    note(element, "sensor", builder_.add_sensor(type, *target, options).index);
}

void Assembly::add_sensors()
{
    int empty = 0;
    SourceLocation first_empty;
    std::map<std::string, std::pair<int, SourceLocation>> ignored;  // by kind
    for (const Element& element : spec_.sensors)
    {
        const auto row = std::find_if(kSensorWords.begin(), kSensorWords.end(),
                                      [&](const SensorWord& word) { return element.is(word.name); });
        if (row == kSensorWords.end())
        {
            ++ignored.try_emplace(element.rule->name, 0, element.location).first->second.first;
            continue;
        }
        const bool user = row->type == SensorType::user;
        if (user && empty++ == 0) first_empty = element.location;
        const bool enclosed = element.rule->find("enclosed") && element.flag("enclosed");
        add_sensor(element, enclosed ? SensorType::enclosure : row->type);
    }
    const auto count_sensors = [](int count) { return std::to_string(count) + " sensor" + (count > 1 ? "s" : ""); };
    for (const auto& [kind, entry] : ignored)
        log_.warn(entry.second, count_sensors(entry.first) + " left out: '" + kind + "' is not supported",
                  "sensors do not change the motion");
    if (empty > 0) log_.warn(first_empty, count_sensors(empty) + " of a program's own: zeros are read");
}

}  // namespace rattleback::mjcf
