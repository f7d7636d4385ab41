// Scene: what a scene file of the rigid-IPC reference says, with its defaults ([RigidIPC]'s JSON format).
#pragma once

#include <rattleback/model.h>

#include "import/ripc/fields.h"

namespace rattleback::ripc
{

enum class Motion
{
    dynamic,
    fixed,  ///< "static"
    kinematic,
};

struct Body
{
    SourceLocation location;
    std::string name;  ///< the file of its mesh, without folder and ending
    // Geometry: a file, or what is written here.
    std::string mesh;
    SourceLocation mesh_location;
    MeshOptions drawn;
    Vec3 scale{1, 1, 1};
    std::optional<Vec3> dimensions;  ///< of the box around it; overrides the scale
    bool split = false;              ///< every connected part is a body of its own

    Motion motion = Motion::dynamic;
    double density = 1000;
    std::array<bool, 6> fixed{};  ///< along and about x, y, z
    Vec3 position;                ///< of the mesh's origin
    Quat rotation;                ///< about it
    Vec3 linear_velocity;         ///< of the centre of mass
    Vec3 angular_velocity;        ///< [rad/s]
    Vec3 force, torque;           ///< at the centre of mass, world axes [N], [N m]
    double kinematic_end = -1;    ///< [s]; negative: never
    std::vector<Pose> poses;      ///< of the centre of mass, one at the end of each step
    int group = -1;               ///< equal ones never collide; negative: none
};

struct Scene
{
    double dt = 0.01;
    double duration = 0;  ///< [s]
    Vec3 gravity;
    double friction = 0;
    double restitution = 0;
    Parameters solver;  ///< of solver `ipc`
    std::vector<Body> bodies;
};

/// Is this object a scene at all?
bool is_scene(const JsonValue& root);

/// Everything that the file says. What is wrong with it is in the log.
Scene read_scene(const JsonText& file, Log& log);

/// What it says about the method, as parameters of solver `ipc`; `root` is the whole file.
void read_solver(Fields& root, Scene& scene);

}  // namespace rattleback::ripc
