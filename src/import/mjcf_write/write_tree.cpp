// Options, bodies, joints and sites.
#include "base/index.h"
#include "import/mjcf_write/writer.h"

#include "import/mjcf/schema.h"
#include "model/fields/tree_fields.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace rattleback
{

namespace
{

const char* integrator_word(Integrator integrator)
{
    switch (integrator)
    {
        case Integrator::euler:
            return "Euler";
        case Integrator::rk4:
        case Integrator::lie_rk4:
            return "RK4";
        case Integrator::implicit:
            return "implicit";
        case Integrator::discrete:
            return "discrete";
        case Integrator::implicitfast:
        case Integrator::midpoint:
            break;
    }
    return "implicitfast";
}

const char* type_word(JointType type)
{
    switch (type)
    {
        case JointType::free:
            return "free";
        case JointType::ball:
            return "ball";
        case JointType::slide:
            return "slide";
        case JointType::hinge:
        case JointType::fixed:
            break;
    }
    return "hinge";
}

/// Is the attribute one that the importer keeps as a parameter of `convex`, with a value of this type?
bool fits(const mjcf::AttributeRule* rule, const ParameterValue& value)
{
    if (!rule || rule->use != mjcf::Use::read || rule->most != 1) return false;
    if (const auto* word = std::get_if<std::string>(&value))
        return rule->type == mjcf::Type::word &&
               std::find(rule->words.begin(), rule->words.end(), *word) != rule->words.end();
    if (std::holds_alternative<int>(value)) return rule->type == mjcf::Type::integer;
    const auto* real = std::get_if<double>(&value);
    return real && rule->type == mjcf::Type::real && std::isfinite(*real);
}

}  // namespace

bool MjcfWriter::write_override()
{
    const auto& [slide, roll] = model_.settings.second_friction;
    if (slide < 0 && roll < 0) return false;
    // To MuJoCo only the surface of all contacts has two coefficients of sliding: all materials must be that one.
    if (model_.materials.empty()) return false;
    const MaterialOptions& first = model_.materials.front();
    const auto* impedance = std::get_if<Impedance>(&first.softness);
    const auto is_same = [&](const MaterialOptions& x)
    {
        return x.friction == first.friction && x.spinning_friction == first.spinning_friction &&
               x.rolling_friction == first.rolling_friction && x.softness == first.softness;
    };
    const std::vector<double>& margins = model_.shapes.margin;
    if (impedance == nullptr || !std::all_of(model_.materials.begin(), model_.materials.end(), is_same) ||
        std::adjacent_find(margins.begin(), margins.end(), std::not_equal_to()) != margins.end())
        return false;
    if (!margins.empty() && margins.front() != 0) xml_.attribute("o_margin", 2 * margins.front());
    xml_.attribute("o_solref", impedance->solref);
    xml_.attribute("o_solimp", impedance->solimp);
    xml_.attribute("o_friction",
                   std::array{first.friction, slide >= 0 ? slide : first.friction, first.spinning_friction,
                              first.rolling_friction, roll >= 0 ? roll : first.rolling_friction});
    return true;
}

void MjcfWriter::write_parameters()
{
    const auto found = model_.settings.solver_parameters.find("convex");
    const Parameters parameters = found == model_.settings.solver_parameters.end() ? Parameters() : found->second;
    const mjcf::ElementRule* option = mjcf::find_element("mujoco", "option");
    const mjcf::ElementRule* flags = mjcf::find_element("option", "flag");
    const auto own = [](const std::string& name)
    {
        return name == "timestep" || name == "gravity" || name == "integrator" || name == "wind" ||
               name == "magnetic" || name == "density" || name == "viscosity";
    };
    for (const auto& [name, value] : parameters)
    {
        if (own(name) || !fits(option->find(name), value)) continue;
        if (const auto* word = std::get_if<std::string>(&value)) xml_.attribute(name.c_str(), *word);
        if (const auto* whole = std::get_if<int>(&value)) xml_.attribute(name.c_str(), *whole);
        if (const auto* real = std::get_if<double>(&value)) xml_.attribute(name.c_str(), *real);
    }
    const bool overrides = write_override();
    bool open = overrides || !model_.settings.filter_parents;
    if (open) xml_.open("flag");
    if (overrides) xml_.attribute("override", "enable");
    if (!model_.settings.filter_parents) xml_.attribute("filterparent", "disable");
    for (const auto& [name, value] : parameters)
    {
        const auto* on = std::get_if<bool>(&value);
        const mjcf::AttributeRule* rule = flags->find(name);
        if (!on || !rule || rule->use != mjcf::Use::read) continue;
        // these would change the model
        if (name == "gravity" || name == "spring" || name == "damper" || name == "filterparent") continue;
        if (!open) xml_.open("flag");
        open = true;
        xml_.attribute(name.c_str(), *on ? "enable" : "disable");
    }
    if (open) xml_.close();
}

void MjcfWriter::write_options()
{
    const Settings& settings = model_.settings;
    xml_.open("compiler");
    xml_.attribute("angle", "radian");
    xml_.attribute("autolimits", false);
    xml_.close();
    xml_.open("option");
    xml_.attribute("timestep", settings.dt);
    xml_.attribute("gravity", settings.gravity);
    xml_.attribute("integrator", integrator_word(settings.integrator));
    const Medium& medium = settings.medium;
    if (medium.density != 0) xml_.attribute("density", medium.density);
    if (medium.viscosity != 0) xml_.attribute("viscosity", medium.viscosity);
    xml_.position("wind", medium.wind);
    if (settings.magnetic_field != Settings().magnetic_field) xml_.attribute("magnetic", settings.magnetic_field);
    write_parameters();
    xml_.close();
}

void MjcfWriter::write_pose(const Pose& pose)
{
    xml_.position("pos", pose.position);
    xml_.rotation("quat", pose.rotation);
}

void MjcfWriter::write_inertial(std::size_t body)
{
    const Bodies& bodies = model_.bodies;
    Vec3 inertia = bodies.inertia[body];
    double mass = bodies.mass[body];
    if (bodies.v_count[body] > 0 &&
        (!carries_mass_[body] || (mass > 0 && !(inertia.x > 0 && inertia.y > 0 && inertia.z > 0))))
    {
        // What moves by armature alone, or is a line, needs some inertia in MuJoCo.
        constexpr double kLeast = 1e-12;
        mass = std::max(mass, kLeast);
        for (int k = 0; k < 3; ++k) inertia[k] = std::max(inertia[k], kLeast);
    }
    if (!(mass > 0)) return;
    const Pose& pose = bodies.inertial_pose[body];
    xml_.open("inertial");
    xml_.attribute("pos", pose.position);
    xml_.rotation("quat", pose.rotation);
    xml_.attribute("mass", mass);
    xml_.attribute("diaginertia", inertia);
    xml_.close();
}

void MjcfWriter::write_joint(std::size_t joint)
{
    JointOptions options = authored_.joints[joint].options;
    if (options.type == JointType::fixed) return;  // no joint at all, for MuJoCo
    const double weight = model_.dofs.inverse_weight[at(model_.joints.v_begin[joint])];
    const bool bare = have_same_options<JointRows>(options, {.type = JointType::free});
    xml_.open(bare ? "freejoint" : "joint");
    xml_.attribute("name", options.name);
    if (!bare)
    {
        xml_.attribute("type", type_word(options.type));
        write_polynomials(options);
        write_fields<JointRows>(*mjcf::find_element("body", "joint"), options, weight > 0 ? 1 / weight : 1);
    }
    xml_.close();
}

void MjcfWriter::write_site(std::size_t site)
{
    xml_.open("site");
    xml_.attribute("name", model_.sites.name[site]);
    write_pose(model_.sites.pose[site]);
    const Vec3& size = model_.sites.size[site];
    if (model_.sites.type[site] != ShapeType::sphere) xml_.attribute("type", to_string(model_.sites.type[site]));
    if (size != SiteOptions().size) xml_.attribute("size", std::array<double, 3>{size.x, size.y, size.z});
    xml_.close();
}

void MjcfWriter::write_inside(int body)
{
    const Bodies& bodies = model_.bodies;
    for (int i = bodies.joint_begin[at(body)]; i < bodies.joint_begin[at(body) + 1]; ++i)
        write_joint(at(bodies.joints_of_body[at(i)]));
    for (int i = bodies.shape_begin[at(body)]; i < bodies.shape_begin[at(body) + 1]; ++i)
    {
        const std::size_t shape = at(bodies.shapes_of_body[at(i)]);
        if (is_written(shape)) write_geom(shape);
    }
    for (const int site : sites_[at(body)]) write_site(at(site));
    write_eyes_and_lights(body);
    const auto [begin, end] = helpers_.equal_range(body);
    for (auto helper = begin; helper != end; ++helper)
    {
        xml_.open("site");
        xml_.attribute("name", helper->second.name);
        write_pose(helper->second.pose);
        if (helper->second.wide) xml_.attribute("size", 1000.0);
        xml_.close();
    }
    write_cameras(body);
    for (const int child : children_[at(body)]) write_body(child);
}

void MjcfWriter::write_body(int body)
{
    const std::size_t i = at(body);
    const Bodies& bodies = model_.bodies;
    xml_.open("body");
    xml_.attribute("name", bodies.name[i]);
    write_pose(bodies.pose[i]);
    if (bodies.kind[i] == BodyKind::kinematic) xml_.attribute("mocap", true);
    // Only roots of trees have a policy, for MuJoCo.
    const bool root = bodies.root[i] == body && bodies.v_count[i] > 0;
    if (root && bodies.sleep[i] != SleepPolicy::automatic) xml_.attribute("sleep", to_string(bodies.sleep[i]));
    write_fields<BodyRows>(*mjcf::find_element("body", "body"), authored_.bodies[i]);
    write_inertial(i);
    write_inside(body);
    xml_.close();
}

}  // namespace rattleback
