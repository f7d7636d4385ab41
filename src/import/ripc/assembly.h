// Assembly: tells a ModelBuilder what the bodies of a scene are.
#pragma once

#include "build/authored.h"
#include "import/ripc/meshes.h"

namespace rattleback::ripc
{

class Assembly
{
public:
    Assembly(const Scene& scene, const std::string& name, std::filesystem::path folder, const ImportOptions& options,
             Log& log);

    /// Everything that the scene describes. What it gets wrong is in the log.
    Authored read();
    /// Notes what the builder found, at the bodies behind it.
    void add_builder_errors(const std::vector<Error>& errors);

private:
    void add_body(const Body& body, const Geometry& geometry);
    void add_shapes(const Body& body, const Geometry& geometry, BodyId id, const Vec3& origin);
    /// Joints for the coordinates that are not fixed, and the constant force along them.
    void add_joints(const Body& body, BodyId id, const std::string& name);
    void add_rotation(const Body& body, BodyId id, const std::string& name);
    void add_force(ActuatorTarget target, const std::string& name, const std::array<double, 6>& gear,
                   SiteId reference = {});
    /// In the world's axes, on a body that turns on two hinges.
    void add_torque(BodyId id, const std::string& name, const Vec3& torque);
    Track make_track(const Body& body, const Pose& start);
    std::string make_name(const std::string& name);
    /// Categories and masks by which equal groups never meet.
    std::pair<std::uint32_t, std::uint32_t> find_masks(const Body& body);

    const Scene& scene_;
    Log& log_;
    ModelBuilder builder_;
    Authored& authored_;  ///< what the builder was told so far
    Meshes meshes_;
    std::map<std::string, int> names_;              ///< how often each was given
    std::map<std::string, SourceLocation> blamed_;  ///< who stands behind the builder's "where"
    std::map<int, int> groups_;                     ///< bit of each group
};

}  // namespace rattleback::ripc
