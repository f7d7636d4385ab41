// Sensors, the sites that MuJoCo ties some of them to, and cameras that they look through.
#include "base/index.h"
#include "import/mjcf/sensor_words.h"
#include "import/mjcf_write/writer.h"
#include "model/sensor_rules.h"

#include <algorithm>
#include <cmath>

namespace rattleback
{

namespace
{

const char* sensor_word(SensorType type)
{
    for (const mjcf::SensorWord& word : mjcf::kSensorWords)
    {
        if (word.type == type) return word.name;
    }
    return "contact";  // our total force
}

/// MJCF ties taxels to a mesh that MuJoCo moves: to MuJoCo they are numbers of a program's own.
bool is_users(SensorType type) { return type == SensorType::user || type == SensorType::tactile; }

/// As many numbers as a sensor of a program's own has.
int count_numbers(const Sensors& sensors, std::size_t i)
{
    return sensors.type[i] == SensorType::user ? sensors.count[i] : sensors.size[i];
}

/// Sensors that MJCF puts on a site, and on nothing else.
bool needs_site(SensorType type)
{
    switch (type)
    {
        case SensorType::gyro:
        case SensorType::accelerometer:
        case SensorType::velocimeter:
        case SensorType::magnetometer:
        case SensorType::force:
        case SensorType::torque:
        case SensorType::touch:
        case SensorType::rangefinder:
            return true;
        default:
            return false;
    }
}

bool is_tree(SensorType type)
{
    return type == SensorType::subtree_center || type == SensorType::subtree_velocity ||
           type == SensorType::subtree_angular_momentum;
}

bool is_distance(SensorType type)
{
    return type == SensorType::distance || type == SensorType::distance_normal || type == SensorType::distance_segment;
}

/// "dist point normal".
template <std::size_t N>
std::string join_fields(const std::array<const char*, N>& words, int fields)
{
    std::string text;
    for (std::size_t i = 0; i < N; ++i)
    {
        if ((fields >> i & 1) != 0) text += (text.empty() ? "" : " ") + std::string(words[i]);
    }
    return text;
}

/// Looks through a camera with pixels of its own?
bool has_lens(const Sensors& sensors, std::size_t i)
{
    return sensors.type[i] == SensorType::camera_projection ||
           (sensors.type[i] == SensorType::rangefinder && is_camera(sensors.object[i]));
}

}  // namespace

/// A site of the model at that place, or a new one.
std::string MjcfWriter::find_sensor_site(int body, const Pose& pose)
{
    for (const int site : sites_[at(body)])
    {
        if (model_.sites.pose[at(site)] == pose) return model_.sites.name[at(site)];
    }
    return add_helper_site(body, pose);
}

void MjcfWriter::add_sensor_sites()
{
    const Sensors& sensors = model_.sensors;
    for (std::size_t i = 0; i < sensors.type.size(); ++i)
    {
        const SensorType type = sensors.type[i];
        if (!needs_site(type) || sensors.object[i] == SensorObject::site || has_lens(sensors, i)) continue;
        // Touch on a body has no zone: one that covers it.
        const bool touch = type == SensorType::touch;
        sensor_site_[i] = touch ? add_helper_site(sensors.body[i], sensors.pose[i])
                                : find_sensor_site(sensors.body[i], sensors.pose[i]);
        for (auto& [body, helper] : helpers_) helper.wide = helper.wide || (touch && helper.name == sensor_site_[i]);
    }
}

/// The Model's camera at the place that a sensor looks from; -1: none.
int MjcfWriter::find_own_camera(std::size_t i, bool reference) const
{
    const Sensors& s = model_.sensors;
    const int body = (reference ? s.reference_body : s.body)[i];
    const Pose& pose = (reference ? s.reference_pose : s.pose)[i];
    const std::vector<CameraOptions>& cameras = model_.appearance.cameras;
    for (std::size_t c = 0; c < cameras.size(); ++c)
    {
        const CameraOptions& camera = cameras[c];
        const bool here = camera.body.index == body && pose == Pose{camera.position, camera.rotation};
        if (here && camera.mode == FollowMode::fixed && (!has_lens(s, i) || camera.resolution == s.resolution[i]))
            return static_cast<int>(c);
    }
    return -1;
}

std::string MjcfWriter::find_sensor_camera(std::size_t i, bool reference) const
{
    const Sensors& s = model_.sensors;
    if ((reference ? s.reference : s.object)[i] == SensorObject::view)
        return model_.appearance.cameras[at((reference ? s.reference_target : s.target)[i])].name;
    const int own = find_own_camera(i, reference);
    if (own >= 0) return model_.appearance.cameras[at(own)].name;
    return "rattleback camera " + std::to_string(2 * i + (reference ? 1 : 0));
}

/// Cameras that sensors of this body look through or watch.
void MjcfWriter::write_cameras(int body)
{
    const Sensors& s = model_.sensors;
    for (std::size_t i = 0; i < s.type.size(); ++i)
    {
        for (const bool reference : {false, true})
        {
            if ((reference ? s.reference : s.object)[i] != SensorObject::camera) continue;
            if ((reference ? s.reference_body : s.body)[i] != body) continue;
            if (find_own_camera(i, reference) >= 0) continue;
            xml_.open("camera");
            xml_.attribute("name", find_sensor_camera(i, reference));
            write_pose((reference ? s.reference_pose : s.pose)[i]);
            const bool lens = has_lens(s, i) && reference == (s.type[i] == SensorType::camera_projection);
            if (lens)
            {
                const auto& pixels = s.resolution[i];
                xml_.attribute("resolution", std::to_string(pixels[0]) + " " + std::to_string(pixels[1]));
                const double fovy = s.orthographic[i] != 0 ? pixels[1] / s.focal[i][1]
                                                           : 2 / kDegree * std::atan(0.5 * pixels[1] / s.focal[i][1]);
                if (s.orthographic[i] != 0) xml_.attribute("projection", "orthographic");
                // Unequal lengths or an axis aside take a sensor: one metre for each pixel.
                const bool plain =
                    s.orthographic[i] != 0 || (s.focal[i][0] == s.focal[i][1] && s.principal[i][0] == 0.5 * pixels[0] &&
                                               s.principal[i][1] == 0.5 * pixels[1]);
                if (plain)
                    xml_.attribute("fovy", fovy);
                else
                {
                    xml_.attribute("sensorsize", std::array<double, 2>{1.0 * pixels[0], 1.0 * pixels[1]});
                    xml_.attribute("focal", s.focal[i]);
                    xml_.attribute("principal", s.principal[i]);
                }
            }
            xml_.close();
        }
    }
}

/// objtype and objname, or reftype and refname.
void MjcfWriter::write_frame(std::size_t i, bool reference)
{
    const Sensors& s = model_.sensors;
    const std::size_t target = at((reference ? s.reference_target : s.target)[i]);
    const auto write = [&](const char* type, const std::string& name)
    {
        xml_.attribute(reference ? "reftype" : "objtype", type);
        xml_.attribute(reference ? "refname" : "objname", name);
    };
    switch ((reference ? s.reference : s.object)[i])
    {
        case SensorObject::inertial:
            return write("body", model_.bodies.name[target]);
        case SensorObject::shape:
            return write("geom", model_.shapes.name[target]);
        case SensorObject::site:
            return write("site", model_.sites.name[target]);
        case SensorObject::camera:
        case SensorObject::view:
            return write("camera", find_sensor_camera(i, reference));
        case SensorObject::body:
            // What is enclosed are the shapes of a body, or of all that it carries.
            return write(s.type[i] == SensorType::enclosure ? "body" : "xbody", model_.bodies.name[target]);
        default:
            return write("xbody", model_.bodies.name[target]);
    }
}

/// geom1, body1, subtree1 or site; geom2, body2, subtree2.
void MjcfWriter::write_side(std::size_t i, bool reference)
{
    const Sensors& s = model_.sensors;
    const std::size_t target = at(std::max(0, (reference ? s.reference_target : s.target)[i]));
    const std::string number = reference ? "2" : "1";
    switch ((reference ? s.reference : s.object)[i])
    {
        case SensorObject::shape:
            return xml_.attribute("geom" + number, model_.shapes.name[target]);
        case SensorObject::body:
            return xml_.attribute("body" + number, model_.bodies.name[target]);
        case SensorObject::subtree:
            return xml_.attribute("subtree" + number, model_.bodies.name[target]);
        case SensorObject::site:
            return xml_.attribute("site", model_.sites.name[target]);
        default:
            return;
    }
}

void MjcfWriter::write_sensor_options(std::size_t i)
{
    const Sensors& s = model_.sensors;
    if (s.cutoff[i] != 0) xml_.attribute("cutoff", s.cutoff[i]);
    if (s.noise[i] != 0) xml_.attribute("noise", s.noise[i]);
    if (s.samples[i] == 0) return;
    xml_.attribute("nsample", s.samples[i]);
    xml_.attribute("interp", mjcf::kInterpolationWords[static_cast<std::size_t>(s.interpolation[i])]);
    if (s.delay[i] != 0) xml_.attribute("delay", s.delay[i]);
    if (s.interval[i][0] != 0) xml_.attribute("interval", s.interval[i]);
}

void MjcfWriter::write_sensor(std::size_t i)
{
    const Sensors& s = model_.sensors;
    const SensorType type = s.type[i];
    const std::size_t target = at(std::max(0, s.target[i]));
    xml_.open(sensor_word(type == SensorType::tactile ? SensorType::user : type));
    xml_.attribute("name", s.name[i]);
    const auto site = sensor_site_.find(i);
    if (s.object[i] == SensorObject::joint)
        xml_.attribute("joint", model_.joints.name[target]);
    else if (s.object[i] == SensorObject::tendon)
        xml_.attribute("tendon", model_.tendons.name[target]);
    else if (s.object[i] == SensorObject::actuator)
        xml_.attribute("actuator", model_.actuators.name[target]);
    else if (type == SensorType::contact_force)
    {
        // The force on the body is what the net contact does to its second side.
        xml_.attribute("body2", model_.bodies.name[at(s.body[i])]);
        xml_.attribute("num", 1);
        xml_.attribute("data", "force");
        xml_.attribute("reduce", "netforce");
    }
    else if (type == SensorType::contact || is_distance(type))
    {
        write_side(i, false);
        write_side(i, true);
    }
    else if (is_tree(type))
        xml_.attribute("body", model_.bodies.name[target]);
    else if (type == SensorType::camera_projection)
    {
        xml_.attribute("site", model_.sites.name[target]);
        xml_.attribute("camera", find_sensor_camera(i, true));
    }
    else if (has_lens(s, i))
        xml_.attribute("camera", find_sensor_camera(i, false));
    else if (needs_site(type))
        xml_.attribute("site", site == sensor_site_.end() ? model_.sites.name[target] : site->second);
    else if (s.object[i] != SensorObject::none && !is_users(type))
    {
        write_frame(i, false);
        if (type == SensorType::inside_site || type == SensorType::enclosure)
        {
            xml_.attribute("site", model_.sites.name[at(s.reference_target[i])]);
            if (type == SensorType::enclosure) xml_.attribute("enclosed", "true");
        }
        else if (s.reference[i] != SensorObject::none)
            write_frame(i, true);
    }
    if (type == SensorType::contact)
    {
        xml_.attribute("num", s.count[i]);
        xml_.attribute("data", join_fields(mjcf::kContactWords, s.fields[i]));
        xml_.attribute("reduce", mjcf::kReduceWords[static_cast<std::size_t>(s.reduce[i])]);
    }
    if (type == SensorType::rangefinder) xml_.attribute("data", join_fields(mjcf::kRayWords, s.fields[i]));
    if (is_users(type)) xml_.attribute("dim", count_numbers(s, i));
    write_sensor_options(i);
    xml_.close();
}

void MjcfWriter::write_sensors()
{
    if (model_.sensors.type.empty()) return;
    xml_.open("sensor");
    for (std::size_t i = 0; i < model_.sensors.type.size(); ++i) write_sensor(i);
    xml_.close();
}

}  // namespace rattleback
