// Kit: puts the bodies of a scene for `ipc` together.
#pragma once

#include "lab/scenes/ipc/ipc_scenes.h"
#include "lab/scenes/ipc/plates.h"

namespace rattleback::lab
{

struct KitOptions
{
    double dt = 0.01;    ///< [s]
    double dhat = 1e-3;  ///< distance below which the barrier acts [m]
    double friction = 0;
    Vec3 gravity{0, 0, -9.81};   ///< [m/s^2]
    double ground = 0;           ///< half width of a square floor at z = 0; 0: none
    double static_speed = 1e-3;  ///< below which friction is smoothed [m/s]
    int friction_lags = 2;
};

struct SolidOptions
{
    Vec3 position;
    Quat rotation;
    double density = 1000;
    BodyKind kind = BodyKind::dynamic;
    Vec3 linear_velocity, angular_velocity;
    double weightless = 0;  ///< fraction of the weight that is held up; above 1 the body is pulled up
};

class Kit
{
public:
    Kit(const char* name, const KitOptions& options);

    MeshId add_mesh(const char* name, MeshOptions mesh);
    BodyId add_body(const std::string& name, const SolidOptions& options = {});
    BodyId add_solid(const std::string& name, MeshId mesh, const SolidOptions& options = {});
    BodyId add_solid(const std::string& name, MeshOptions mesh, const SolidOptions& options = {});
    BodyId add_box(const std::string& name, const Vec3& half_extents, const SolidOptions& options = {});
    /// One more shape of a body, for solids made of several.
    void add_shape(BodyId body, const Shape& shape, const Vec3& position = {}, const Quat& rotation = {},
                   double density = 1000);
    void add_part(BodyId body, MeshOptions mesh, const Vec3& position = {}, double density = 1000);
    /// Drives a kinematic body about an axis through its place: the angle [rad] as a function of time, a knot each
    /// `every` seconds.
    void add_turning(BodyId body, const Pose& start, const Vec3& axis, const std::function<double(double)>& angle,
                     double duration, double every = 0.01);
    ModelBuilder& builder() { return builder_; }
    MaterialId material() const { return material_; }
    Result<Model> finish() { return builder_.build(); }

private:
    ModelBuilder builder_;
    MaterialId material_;
    int parts_ = 0;
};

// What criteria share.

/// The check handler is called where the body has none.
std::size_t find_first_shape(const Model& model, std::size_t body);
/// Every step converged.
bool all_converged(const IpcRun& run);
IpcVerdict judge_every_step(const IpcRun& run);  ///< the same
/// By how much the energy rises above the least it had before, beyond m g d-hat, over its largest fall.
double find_energy_gain(const IpcRun& run);
double speed_of(const IpcFrame& frame, std::size_t body);
/// Turn of a body about an axis of the world over the whole run, up to each frame [rad].
std::vector<double> find_turns(const IpcRun& run, std::size_t body, const Vec3& axis);
/// Largest distance, over all frames, of a point of one body from the axis (a point of it and its direction, unit) of
/// another, both given in the body's frame [m].
struct AxisOf
{
    std::size_t body = 0;
    Vec3 point, direction{0, 0, 1};
};
double find_largest_offset(const IpcRun& run, std::size_t body, const Vec3& point, const AxisOf& axis);
IpcVerdict make_verdict(bool passed, const char* what, double value, const char* unit);
/// Both must pass; the text of both.
IpcVerdict operator&&(const IpcVerdict& a, const IpcVerdict& b);

}  // namespace rattleback::lab
