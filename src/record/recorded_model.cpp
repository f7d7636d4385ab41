// What a recording keeps of a Model: names, drawable shapes with their meshes, settings and solver.
#include "base/version.h"
#include "geometry/hull.h"
#include "record/recording_format.h"

namespace rattleback
{

namespace
{

/// The meshes that shapes are drawn with: assets as they are, and hulls of assets.
class MeshCollector
{
public:
    explicit MeshCollector(const Model& model) : model_(model) {}

    int find(int asset, bool hull)
    {
        const auto [entry, is_new] = index_.try_emplace({asset, hull}, static_cast<int>(meshes.size()));
        if (is_new) meshes.push_back(make(model_.meshes[static_cast<std::size_t>(asset)], hull));
        return entry->second;
    }

    std::vector<MeshOptions> meshes;

private:
    static MeshOptions make(const MeshOptions& mesh, bool hull)
    {
        if (!hull) return mesh;
        Result<MeshOptions> computed = compute_hull(mesh.vertices);
        if (!computed.ok()) return mesh;  // flat: better drawn as it is than not at all
        MeshOptions result = std::move(computed).value();
        result.name = mesh.name;
        return result;
    }

    const Model& model_;
    std::map<std::pair<int, bool>, int> index_;
};

void add_shapes(const Model& model, RecordedModel& recorded)
{
    MeshCollector collector(model);
    const Shapes& shapes = model.shapes;
    for (std::size_t i = 0; i < shapes.type.size(); ++i)
    {
        const ShapeType type = shapes.type[i];
        int asset = shapes.asset[i];
        if (asset >= 0 && type != ShapeType::height_field) asset = collector.find(asset, type == ShapeType::hull);
        recorded.shapes.push_back({.name = shapes.name[i],
                                   .type = type,
                                   .body = shapes.body[i],
                                   .pose = shapes.pose[i],
                                   .size = shapes.size[i],
                                   .asset = asset,
                                   .colour = shapes.colour[i],
                                   .group = shapes.group[i]});
    }
    recorded.meshes = std::move(collector.meshes);
    recorded.height_fields = model.height_fields;
}

}  // namespace

RecordedModel make_recorded_model(const Model& model, const RecorderOptions& options)
{
    RecordedModel recorded;
    recorded.appearance = model.appearance;
    recorded.name = model.name;
    recorded.fingerprint = fingerprint(model);
    recorded.library_version = library_version();
    recorded.solver = options.solver;
    recorded.parameters = options.parameters;
    recorded.dt = options.dt > 0 ? options.dt : model.settings.dt;
    recorded.gravity = options.world.find_gravity(model);
    recorded.integrator = model.settings.integrator;
    recorded.contacts = options.contacts;
    recorded.q_count = model.q_count();
    recorded.v_count = model.v_count();
    recorded.act_count = model.act_count;
    recorded.kinematic_count = model.kinematic_count;
    const Bodies& bodies = model.bodies;
    const std::span<const double> own = options.world.mass.mass;
    RB_CHECK(own.empty() || own.size() == bodies.mass.size(), "Recorder::open: masses of another model");
    for (std::size_t i = 0; i < bodies.parent.size(); ++i)
    {
        recorded.bodies.push_back({.name = bodies.name[i],
                                   .parent = bodies.parent[i],
                                   .kind = bodies.kind[i],
                                   .mass = own.empty() ? bodies.mass[i] : own[i],
                                   .center = bodies.inertial_pose[i].position});
    }
    const Joints& joints = model.joints;
    for (std::size_t i = 0; i < joints.type.size(); ++i)
    {
        recorded.joints.push_back({.name = joints.name[i],
                                   .type = joints.type[i],
                                   .body = joints.body[i],
                                   .q_begin = joints.q_begin[i],
                                   .v_begin = joints.v_begin[i]});
    }
    recorded.actuators = model.actuators.name;
    for (std::size_t i = 0; i < model.sensors.type.size(); ++i)
        recorded.sensors.push_back(
            {model.sensors.name[i], model.sensors.type[i], model.sensors.begin[i], model.sensors.size[i]});
    for (std::size_t i = 0; i < model.tendons.type.size(); ++i)
        recorded.tendons.push_back({model.tendons.name[i], model.tendons.type[i]});
    add_shapes(model, recorded);
    return recorded;
}

}  // namespace rattleback
