// What the file needs beside the Model: its order of bodies, and sites for what MuJoCo ties to sites alone.
#include "base/index.h"
#include "import/mjcf_write/writer.h"

#include <algorithm>
#include <cmath>

namespace rattleback
{

namespace
{

bool same(const Pose& a, const Pose& b) { return a.position == b.position && a.rotation == b.rotation; }

}  // namespace

MjcfWriter::MjcfWriter(const Model& model, const Authored& authored)
    : model_(model), authored_(authored), site_names_(model.sites.name.begin(), model.sites.name.end())
{
    const auto count = static_cast<std::size_t>(model.body_count());
    children_.resize(count);
    sites_.resize(count);
    for (std::size_t body = 1; body < count; ++body)
        children_[at(model.bodies.parent[body])].push_back(static_cast<int>(body));
    for (std::size_t site = 0; site < model.sites.body.size(); ++site)
        sites_[at(model.sites.body[site])].push_back(static_cast<int>(site));
    carries_mass_.assign(count, 0);
    for (std::size_t body = 1; body < count; ++body)
    {
        if (!(model.bodies.mass[body] > 0)) continue;
        carries_mass_[body] = 1;
        carries_mass_[at(model.bodies.weld[body])] = 1;
    }
    mesh_used_.assign(model.meshes.size(), 0);
    for (std::size_t shape = 0; shape < model.shapes.type.size(); ++shape)
    {
        const ShapeType type = model.shapes.type[shape];
        if (type == ShapeType::hull || type == ShapeType::mesh) mesh_used_[at(model.shapes.asset[shape])] = 1;
    }
    world_.resize(count);
    for (std::size_t body = 1; body < count; ++body)
        world_[body] = world_[at(model.bodies.parent[body])] * model.bodies.pose[body];
    find_order();
    add_helper_sites();
}

void MjcfWriter::find_order()
{
    std::vector<int> open{0};
    while (!open.empty())
    {
        const int body = open.back();
        open.pop_back();
        body_order_.push_back(body);
        open.insert(open.end(), children_[at(body)].rbegin(), children_[at(body)].rend());
    }
}

std::string MjcfWriter::add_helper_site(int body, const Pose& pose)
{
    std::string name = "rattleback site " + std::to_string(helpers_.size());
    while (site_names_.contains(name)) name += '_';
    site_names_.insert(name);
    helpers_.emplace(body, HelperSite{name, pose});
    return name;
}

void MjcfWriter::add_helper_sites()
{
    const Sensors& sensors = model_.sensors;
    for (std::size_t i = 0; i < sensors.type.size(); ++i)
    {
        const SensorType type = sensors.type[i];
        if (sensors.joint[i] >= 0 || type == SensorType::contact_force) continue;
        const bool needs_site =
            type == SensorType::gyro || type == SensorType::accelerometer || type == SensorType::touch;
        if (!needs_site && same(sensors.pose[i], Pose{})) continue;
        std::string name;
        for (const int site : sites_[at(sensors.body[i])])
        {
            const bool fits =
                type != SensorType::touch && name.empty() && same(model_.sites.pose[at(site)], sensors.pose[i]);
            if (fits) name = model_.sites.name[at(site)];
        }
        if (name.empty()) name = add_helper_site(sensors.body[i], sensors.pose[i]);
        sensor_site_[i] = name;
        for (auto& [body, helper] : helpers_)
            helper.wide = helper.wide || (type == SensorType::touch && helper.name == name);
    }

    // A connection that is open at q0 cannot be told by one anchor.
    const Equalities& equalities = model_.equalities;
    for (std::size_t i = 0; i < equalities.type.size(); ++i)
    {
        if (equalities.type[i] != EqualityType::connect) continue;
        const int first = equalities.first[i], second = equalities.second[i];
        const Vec3 from = (world_[at(first)] * equalities.first_frame[i]).position;
        const Vec3 to = (world_[at(second)] * equalities.second_frame[i]).position;
        if (norm(from - to) <= 1e-12 * (1 + norm(from))) continue;
        const std::string a = add_helper_site(first, equalities.first_frame[i]);
        connect_sites_[i] = {a, add_helper_site(second, equalities.second_frame[i])};
    }
}

bool MjcfWriter::is_written(std::size_t shape) const
{
    const ShapeType type = model_.shapes.type[shape];
    return type != ShapeType::points && type != ShapeType::segments && type != ShapeType::surface;
}

double MjcfWriter::mass_of_body(int body) const
{
    const double weight = model_.bodies.inverse_weight[at(body)][0];
    return weight > 0 ? 1 / weight : 1;
}

std::string MjcfWriter::write(const std::vector<std::pair<std::string, std::string>>& custom)
{
    xml_ = {};
    xml_.open("mujoco");
    xml_.attribute("model", model_.name);
    write_options();
    write_headlight();
    write_assets();
    xml_.open("worldbody");
    write_inside(0);
    xml_.close();
    write_contacts();
    write_tendons();
    write_equalities();
    write_actuators();
    write_sensors();
    write_keyframes();
    if (!custom.empty())
    {
        xml_.open("custom");
        for (const auto& [name, data] : custom)
        {
            xml_.open("text");
            xml_.attribute("name", name);
            xml_.attribute("data", data);
            xml_.close();
        }
        xml_.close();
    }
    xml_.close();
    return xml_.text();
}

}  // namespace rattleback
