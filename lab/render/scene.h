// What one picture shows: triangles in the world, infinite planes, and the colours of both.
#pragma once

#include "lab/render/camera.h"
#include "lab/render/colour.h"
#include "lab/render/looks.h"
#include "lab/render/triangulate.h"

#include "base/thread_pool.h"

namespace rattleback::lab
{

/// A moment of a recording.
struct Moment
{
    double time = 0;                                 ///< [s]
    std::vector<Pose> pose;                          ///< of the bodies; finite, rotations unit
    std::vector<RecordedContact> contacts;           ///< to draw; may be empty
    std::vector<RecordedTendonPoint> tendon_points;  ///< finite
};

struct SceneOptions
{
    bool every_group = false;      ///< shapes of groups 3 and above too: in MJCF they are often collision shapes
    double extent = 1;             ///< half the size of what is shown [m]: points, segments and markers are sized by it
    double largest_force = 0;      ///< [N], drawn as an arrow of a third of the extent; 0: no arrows
    const Looks* looks = nullptr;  ///< of the model; null: colours alone, in our own light
};

/// A form at its place.
struct Instance
{
    Form form;
    Mat3 rotation;
    Vec3 position;
    Light colour;
    double opacity = 1;
    int shape = -1;       ///< into the model's; -1: a marker
    bool marker = false;  ///< drawn over everything, without shadow
    bool round = false;   ///< without an edge anywhere
    Form coarse;          ///< the same with as few corners as its shade needs
    std::size_t first_vertex = 0, first_triangle = 0;

    std::size_t triangle_count() const { return form.drawing->indices.size() / 3; }
};

struct ScenePlane
{
    Pose pose;
    Light colour;
    int shape = -1;

    Vec3 normal() const { return rotate(pose.rotation, Vec3{0, 0, 1}); }
};

struct DrawnCorner
{
    Vec3 position;
    Vec3 normal;  ///< unit
};

struct DrawnScene
{
    std::vector<Instance> instances;
    std::vector<ScenePlane> planes;
    std::vector<DrawnCorner> corners;        ///< of all instances
    std::vector<std::uint32_t> instance_of;  ///< [triangle]
    Vec3 middle;                             ///< of the box around what casts shadows [m]
    double radius = 0;                       ///< of the ball around that box [m]; 0: nothing does
    const Looks* looks = nullptr;            ///< null: colours alone
    std::vector<PlacedLight> lamps;          ///< none: our own sun and sky

    const DrawnCorner& corner(std::size_t triangle, int k) const
    {
        const Instance& instance = instances[instance_of[triangle]];
        const std::size_t index = 3 * (triangle - instance.first_triangle) + static_cast<std::size_t>(k);
        return corners[instance.first_vertex + instance.form.drawing->indices[index]];
    }
};

/// Whether a shape is drawn: opacity above zero, and group below 3 unless every group is wanted or no shape is in
/// those.
std::vector<bool> find_drawn(const RecordedModel& model, bool every_group);

/// Makes scenes of one model.
class SceneMaker
{
public:
    SceneMaker(const RecordedModel& model, const SceneOptions& options);

    /// The camera decides how fine round shapes are drawn.
    DrawnScene make(const Moment& moment, const Camera& camera, ThreadPool& pool);
    const std::vector<bool>& drawn() const { return drawn_; }

private:
    void add_shape(const RecordedShape& shape, int index, const Pose& pose, const Camera& camera, DrawnScene& scene);
    void add_thread(const Vec3& from, const Vec3& to, double radius, const Instance& like, DrawnScene& scene);
    void add_dots_and_lines(const RecordedShape& shape, const Pose& pose, const Instance& like, DrawnScene& scene);
    void add_contact(const RecordedContact& contact, DrawnScene& scene);
    void add_tendons(const std::vector<RecordedTendonPoint>& points, DrawnScene& scene);

    const RecordedModel& model_;
    SceneOptions options_;
    Forms forms_;
    std::vector<bool> drawn_;
    std::vector<Light> colour_;   ///< [shape]
    std::vector<double> radius_;  ///< [shape] of the ball around its origin
};

}  // namespace rattleback::lab
