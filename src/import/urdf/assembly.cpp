// The order in which a robot is put together, and who is blamed for what the builder finds.
#include "import/urdf/assembly.h"

#include "base/index.h"

namespace rattleback::urdf
{

Assembly::Assembly(const Robot& robot, const Extension& extension, FilePlaces places, const ImportOptions& options)
    : robot_(robot),
      extension_(extension),
      places_(std::move(places)),
      options_(options),
      log_(robot.node.log()),
      builder_(robot.node.has("name") && !robot.node.text("name").empty() ? robot.node.text("name") : "robot"),
      authored_(authored_by(builder_)),
      bodies_(robot.links.size()),
      bytes_left_(options.limits.bytes)
{
    authored_.mujoco_weights = true;
    authored_.settings = extension.settings;
    material_ = builder_.add_material({.softness = Impedance{}});
}

Authored Assembly::read()
{
    read_colours();
    for (const int link : robot_.order) add_link(robot_.links[at(link)]);
    drop_unused_places();
    carry_odd_inertias();
    weigh_shapes();
    apply_mass_settings(extension_.compiler, authored_);
    add_mimics();
    for (const Node& transmission : robot_.node.children("transmission")) add_transmission(transmission);
    if (velocity_limits_ > 0)
        robot_.node.warn("the velocity limits of " + std::to_string(velocity_limits_) + " joints are ignored");
    return std::move(authored_);
}

std::string Assembly::make_unique(const char* kind, const std::string& name)
{
    return name.empty() || !names_.insert(std::string(kind) + " " + name).second ? std::string() : name;
}

void Assembly::blame(const char* kind, const std::string& name, const Node& node)
{
    blamed_.emplace(std::string(kind) + " '" + name + "'", node);
}

void Assembly::add_builder_errors(const std::vector<Error>& errors) const
{
    const bool first = log_.good();
    for (const Error& error : errors)
    {
        const auto found = blamed_.find(error.where);
        // What follows from a mistake of the file is not said again.
        if (found == blamed_.end() && !first) continue;
        const Node& node = found != blamed_.end() ? found->second : robot_.node;
        if (log_.places().contains(node.location().text())) continue;
        std::string subject = found != blamed_.end() ? node.name() : error.where;
        if (found != blamed_.end() && node.has("name")) subject += " '" + node.text("name") + "'";
        const bool odd = error.message.find("principal moments") != error.message.npos;
        const char* const balance =
            "; or let <mujoco><compiler balanceinertia=\"true\" boundinertia=\"1e-9\"/></mujoco> mend it";
        node.fail(subject + ": " + error.message, error.hint + (odd ? balance : ""), error.code);
    }
}

}  // namespace rattleback::urdf
