// Assembly: tells a ModelBuilder what links, joints and transmissions say, remembering which element became what.
#pragma once

#include <rattleback/builder.h>

#include <map>
#include <set>

#include "import/urdf/extension.h"
#include "import/urdf/find_mesh.h"
#include "import/urdf/tree.h"

namespace rattleback::urdf
{

class Assembly
{
public:
    Assembly(const Robot& robot, const Extension& extension, FilePlaces places, const ImportOptions& options);

    /// Everything that the file describes. What it gets wrong is in the log.
    Authored read();
    /// Notes what the builder found, at the elements behind it.
    void add_builder_errors(const std::vector<Error>& errors) const;

private:
    // links.cpp
    void add_link(const Link& link);
    std::optional<Inertia> read_inertial(const Link& link) const;
    void add_shapes(const Link& link, BodyId body);
    std::optional<Shape> read_geometry(const Node& owner, bool visual);
    void read_colours();
    std::array<float, 4> find_colour(const Node& visual) const;
    /// Links that joints move and that weigh nothing take the weight of their collision shapes.
    void weigh_shapes();
    // odd_inertias.cpp
    /// Moves inertias that the builder would refuse to where they do no harm: M stays what it is.
    void carry_odd_inertias();
    // meshes.cpp
    std::optional<MeshId> find_mesh_asset(const Node& mesh, bool visual);
    std::optional<MeshOptions> read_mesh_file(const Node& mesh, bool visual);
    // textures.cpp
    /// The visual material of a visual with a texture; none: it has a colour alone.
    VisualMaterialId find_visual(const Node& visual);
    /// Its texture element, or that of the material it names.
    Node find_texture(const Node& visual);
    /// Meshes keep their places in a texture where there is one.
    void drop_unused_places();
    // joints.cpp
    void add_joint(const Joint& joint, BodyId body);
    JointOptions read_joint(const Joint& joint);
    void add_limits(const Joint& joint, JointOptions& options);
    void add_planar(const Joint& joint, const JointOptions& options, BodyId body);
    void add_floating(const Joint& joint, JointOptions options, BodyId body);
    JointId note_joint(const Joint& joint, const JointOptions& options, BodyId body);
    // couplings.cpp
    void add_mimics();
    void add_transmission(const Node& transmission);
    void add_motor(const Node& transmission, const Node& joint, const Node& actuator);

    BodyId body_of(int link) const { return bodies_[static_cast<std::size_t>(link)]; }
    /// The name, if no other element of that kind has it; else nothing, and the builder makes one.
    std::string make_unique(const char* kind, const std::string& name);
    void blame(const char* kind, const std::string& name, const Node& node);

    const Robot& robot_;
    const Extension& extension_;
    FilePlaces places_;
    const ImportOptions& options_;
    Log& log_;
    ModelBuilder builder_;
    Authored& authored_;  ///< what the builder was told so far

    std::vector<BodyId> bodies_;                ///< by link
    std::map<std::string, Node> joint_nodes_;   ///< of joints with one coordinate, by name
    std::map<std::string, JointId> joint_ids_;  ///< likewise
    std::map<std::string, Node> blamed_;        ///< who stands behind the builder's "where"
    std::map<std::string, std::array<float, 4>> colours_;
    std::map<std::string, Node> textured_;                 ///< materials of the robot that have a texture, by name
    std::map<std::string, std::optional<MeshId>> meshes_;  ///< by file and scale
    std::map<std::string, VisualMaterialId> visuals_;      ///< by the path of their texture
    std::set<std::string> names_;                          ///< that are taken, kind first
    std::vector<int> collision_link_;                      ///< of each shape; -1: a visual
    std::size_t bytes_left_;                               ///< that meshes and textures may still take
    MaterialId material_;                                  ///< MJCF's default contact
    int velocity_limits_ = 0;
};

}  // namespace rattleback::urdf
