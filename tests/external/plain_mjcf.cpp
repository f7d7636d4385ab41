// A Model's moving parts as MJCF text.
#include "external/plain_mjcf.h"
#include "base/index.h"

#include <fmt/format.h>

namespace rattleback
{
namespace
{

// The shortest text that reads back as the same bits.
std::string text(double x) { return fmt::format("{}", x); }
std::string text(const Vec3& a) { return fmt::format("{} {} {}", a.x, a.y, a.z); }
std::string text(const Quat& q) { return fmt::format("{} {} {} {}", q.w, q.x, q.y, q.z); }
template <std::size_t N>
std::string text(const std::array<double, N>& values)
{
    return fmt::format("{}", fmt::join(values, " "));
}

std::string attribute(std::string_view name, std::string_view value) { return fmt::format(" {}=\"{}\"", name, value); }

std::string limits(std::string_view name, const Range& range)
{
    if (!range.limited) return attribute(fmt::format("{}limited", name), "false");
    return attribute(fmt::format("{}limited", name), "true") +
           attribute(fmt::format("{}range", name), text(std::array{range.lower, range.upper}));
}

class Writer
{
public:
    explicit Writer(const Model& model) : model_(model) {}

    std::string write()
    {
        out_ = "<mujoco>\n<compiler angle=\"radian\" inertiafromgeom=\"false\"/>\n";
        out_ += "<option" + attribute("timestep", text(model_.settings.dt)) +
                attribute("gravity", text(model_.settings.gravity)) + "/>\n<worldbody>\n";
        write_inside(0);
        out_ += "</worldbody>\n<tendon>\n";
        for (int t = 0; t < model_.tendon_count(); ++t) write_tendon(at(t));
        out_ += "</tendon>\n<actuator>\n";
        for (int a = 0; a < model_.actuator_count(); ++a) write_actuator(at(a));
        out_ += "</actuator>\n</mujoco>\n";
        return out_;
    }

private:
    void write_inside(int body)
    {
        for (int s = 0; s < model_.site_count(); ++s)
        {
            if (model_.sites.body[at(s)] != body) continue;
            const Pose& pose = model_.sites.pose[at(s)];
            out_ += "<site" + attribute("name", fmt::format("s{}", s)) + attribute("pos", text(pose.position)) +
                    attribute("quat", text(pose.rotation)) + "/>\n";
        }
        for (int child = body + 1; child < model_.body_count(); ++child)
        {
            if (model_.bodies.parent[at(child)] == body) write_body(child);
        }
    }

    void write_body(int body)
    {
        const Bodies& bodies = model_.bodies;
        const std::size_t b = at(body);
        out_ += "<body" + attribute("name", bodies.name[b]) + attribute("pos", text(bodies.pose[b].position)) +
                attribute("quat", text(bodies.pose[b].rotation)) +
                attribute("gravcomp", text(bodies.gravity_compensation[b]));
        if (bodies.kind[b] == BodyKind::kinematic) out_ += attribute("mocap", "true");
        out_ += ">\n";
        if (bodies.mass[b] > 0)
        {
            out_ += "<inertial" + attribute("mass", text(bodies.mass[b])) +
                    attribute("pos", text(bodies.inertial_pose[b].position)) +
                    attribute("quat", text(bodies.inertial_pose[b].rotation)) +
                    attribute("diaginertia", text(bodies.inertia[b])) + "/>\n";
        }
        for (int k = bodies.joint_begin[b]; k < bodies.joint_begin[b + 1]; ++k)
            write_joint(bodies.joints_of_body[at(k)]);
        write_inside(body);
        out_ += "</body>\n";
    }

    void write_joint(int joint)
    {
        const std::size_t j = at(joint), d = at(model_.joints.v_begin[j]), q = at(model_.joints.q_begin[j]);
        const JointType type = model_.joints.type[j];
        if (type == JointType::fixed) return;
        out_ += "<joint" + attribute("name", model_.joints.name[j]) + attribute("type", to_string(type));
        if (type == JointType::hinge || type == JointType::slide)
        {
            out_ += attribute("axis", text(model_.joints.axis[j])) + attribute("ref", text(model_.q0[q])) +
                    attribute("springref", text(model_.spring_q[q])) +
                    limits("actuatorfrc", model_.joints.actuator_force_range[j]) + limits("", model_.joints.range[j]);
        }
        if (type != JointType::free) out_ += attribute("pos", text(model_.joints.position[j]));
        out_ +=
            attribute("stiffness", text(model_.joints.stiffness[j])) +
            attribute("margin", text(model_.joints.margin[j])) +
            attribute("frictionloss", text(model_.dofs.dry_friction[d])) +
            attribute("damping", text(model_.dofs.damping[d])) + attribute("armature", text(model_.dofs.armature[d])) +
            attribute("actuatorgravcomp", model_.joints.gravity_compensation_by_actuator[j] != 0 ? "true" : "false") +
            "/>\n";
    }

    void write_tendon(std::size_t t)
    {
        const Tendons& tendons = model_.tendons;
        const char* kind = tendons.type[t] == TendonType::fixed ? "fixed" : "spatial";
        out_ += fmt::format("<{}", kind) + attribute("name", fmt::format("t{}", t)) +
                attribute("stiffness", text(tendons.stiffness[t])) + attribute("damping", text(tendons.damping[t])) +
                attribute("armature", text(tendons.armature[t])) +
                attribute("springlength", text(tendons.spring_length[t])) +
                attribute("frictionloss", text(tendons.dry_friction[t])) +
                attribute("margin", text(tendons.margin[t])) + limits("", tendons.range[t]) +
                limits("actuatorfrc", tendons.actuator_force_range[t]) + ">\n";
        for (int k = tendons.item_begin[t]; k < tendons.item_begin[t + 1]; ++k)
        {
            const TendonItem& item = tendons.items[at(k)];
            if (item.joint >= 0)
            {
                out_ += "<joint" + attribute("joint", model_.joints.name[at(item.joint)]) +
                        attribute("coef", text(item.value));
            }
            else if (item.site >= 0)
            {
                out_ += "<site" + attribute("site", fmt::format("s{}", item.site));
            }
            else
            {
                out_ += "<pulley" + attribute("divisor", text(item.value));
            }
            out_ += "/>\n";
        }
        out_ += fmt::format("</{}>\n", kind);
    }

    void write_actuator(std::size_t a)
    {
        static constexpr std::array kTargets = {"joint", "jointinparent", "tendon", "site"};
        static constexpr std::array kDynamics = {"none", "integrator", "filter", "filterexact"};
        const Actuators& actuators = model_.actuators;
        const auto transmission = static_cast<std::size_t>(actuators.transmission[a]);
        out_ += "<general" + attribute(kTargets[transmission], find_target(a)) +
                attribute("gear", text(actuators.gear[a])) + attribute("gaintype", "affine") +
                attribute("gainprm", text(actuators.gain[a])) + attribute("biastype", "affine") +
                attribute("biasprm", text(actuators.bias[a])) +
                attribute("dyntype", kDynamics[static_cast<std::size_t>(actuators.dynamics[a])]) +
                attribute("dynprm", text(actuators.time_constant[a])) + limits("ctrl", actuators.input_range[a]) +
                limits("force", actuators.force_range[a]) + limits("act", actuators.act_range[a]) +
                attribute("actearly", actuators.act_early[a] != 0 ? "true" : "false") + "/>\n";
    }

    std::string find_target(std::size_t a) const
    {
        const int target = model_.actuators.target[a];
        switch (model_.actuators.transmission[a])
        {
            case TransmissionType::tendon:
                return fmt::format("t{}", target);
            case TransmissionType::site:
                return fmt::format("s{}", target);
            default:
                return model_.joints.name[at(target)];
        }
    }

    const Model& model_;
    std::string out_;
};

}  // namespace

std::string write_plain_mjcf(const Model& model) { return Writer(model).write(); }

}  // namespace rattleback
