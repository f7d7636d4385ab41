// What the file needs beside the Model: its order of bodies, and sites for what MuJoCo ties to sites alone.
#include "base/index.h"
#include "import/mjcf_write/writer.h"

#include <algorithm>
#include <cmath>

namespace rattleback
{

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
    add_sensor_sites();
    for (std::size_t i = 0; i < model_.equalities.type.size(); ++i) choose_equality_sites(i);
}

std::string MjcfWriter::find_site(int body, const Pose& pose, bool turned) const
{
    for (const int site : sites_[at(body)])
    {
        const Pose& own = model_.sites.pose[at(site)];
        if (turned ? own == pose : own.position == pose.position) return model_.sites.name[at(site)];
    }
    return {};
}

void MjcfWriter::choose_equality_sites(std::size_t equality)
{
    const Equalities& equalities = model_.equalities;
    const bool weld = equalities.type[equality] == EqualityType::weld;
    if (!weld && equalities.type[equality] != EqualityType::connect) return;
    const int first = equalities.first[equality], second = equalities.second[equality];
    const Pose &from = equalities.first_frame[equality], &to = equalities.second_frame[equality];
    // Bodies and an anchor can tell a connection that is closed at q0, and a weld whose second frame has the axes of
    // its body: MuJoCo measures the turn between these axes.
    const Vec3 gap = (world_[at(first)] * from).position - (world_[at(second)] * to).position;
    const bool closed = norm(gap) <= 1e-12 * (1 + norm((world_[at(first)] * from).position));
    const bool by_bodies = weld ? to.rotation == Quat{} : closed;
    const std::string a = find_site(first, from, weld), b = find_site(second, to, weld);
    if (!a.empty() && !b.empty() && !(weld && by_bodies))
        equality_sites_[equality] = {a, b};
    else if (!by_bodies)
    {
        const std::string helper = a.empty() ? add_helper_site(first, from) : a;
        equality_sites_[equality] = {helper, b.empty() ? add_helper_site(second, to) : b};
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
