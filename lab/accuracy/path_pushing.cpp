// The closed loop: look at the box, choose where to push, move the rod, let the plant answer.
#include "lab/accuracy/path_pushing.h"

#include "base/index.h"
#include "lab/measure/measure.h"
#include "lab/scenes/parts.h"

#include <algorithm>
#include <cmath>

namespace rattleback::lab
{

namespace
{

constexpr double kBoxHalf = 0.1, kPusherRadius = 0.03, kPusherHalf = 0.2;  // [m]
constexpr double kLimitRadius = 0.0765;                                    // torque over force of the floor [m]
constexpr double kBegin = 0.002;                                           // gap between rod and box at first [m]
constexpr int kStepsPerFrame = 10;

struct PlanarVelocity
{
    double x = 0, y = 0;  ///< [m/s]
};

Result<Model> build_path_scene(const PathPushOptions& options, const Contestant& who)
{
    const bool peer = who.solver.empty();
    ModelBuilder builder("pushing along a path");
    builder.settings().dt = kCaseDt;
    builder.settings().gravity = {0, 0, -kCaseGravity};
    builder.settings().integrator = Integrator::implicitfast;
    const Softness softness = peer ? Softness{who.softness} : Softness{Rigid{}};
    const MaterialId floor =
        builder.add_material({.name = "floor", .friction = options.friction, .softness = softness});
    // Priority: what slides along the face is the rod's friction, not the larger one of the box.
    const MaterialId rod =
        builder.add_material({.name = "rod", .friction = options.rod_friction, .softness = softness, .priority = 1});
    builder.add_ground({.name = "floor", .material = floor, .colour = kFloor});
    const BodyId box = builder.add_body({.name = "box", .position = {0, 0, kBoxHalf}});
    builder.add_shape(box, Box{.half_extents = {kBoxHalf, kBoxHalf, kBoxHalf}},
                      {.name = "box", .material = floor, .mass = 4, .category = 3, .mask = 3, .colour = kTeal});
    const BodyId pusher = builder.add_body({.name = "rod",
                                            .position = {-kBoxHalf - kPusherRadius - kBegin, 0, kPusherHalf},
                                            .kind = peer ? BodyKind::dynamic : BodyKind::kinematic,
                                            .gravity_compensation = peer ? 1.0 : 0.0});
    const Shape shape = who.capsule_rod ? Shape(Capsule{.radius = kPusherRadius, .half_length = kPusherHalf})
                                        : Shape(Cylinder{.radius = kPusherRadius, .half_length = kPusherHalf});
    builder.add_shape(pusher, shape,
                      {.name = "rod", .material = rod, .mass = 2, .category = 2, .mask = 2, .colour = kRust});
    return builder.build();
}

/// The world that is pushed in: one of our solvers, or a peer.
class PushPlant
{
public:
    virtual ~PushPlant() = default;
    /// One step during which the rod goes from one place to another; a sentence when it cannot go on.
    virtual std::string step(const Vec3& from, const Vec3& to) = 0;
    virtual Pose read_box() = 0;
};

class OwnPlant final : public PushPlant
{
public:
    explicit OwnPlant(Simulation simulation) : simulation_(std::move(simulation)) {}

    std::string step(const Vec3&, const Vec3& to) override
    {
        simulation_.control().target[0] = {to, {}};
        const StepReport report = simulation_.step();
        const bool lost = report.status == StepStatus::diverged || report.status == StepStatus::capacity;
        return lost ? std::string(to_string(report.status)) : "";
    }
    Pose read_box() override { return simulation_.state().pose(BodyId{1}); }

private:
    Simulation simulation_;
};

class PeerPlant final : public PushPlant
{
public:
    explicit PeerPlant(std::unique_ptr<Peer> peer) : peer_(std::move(peer)) {}

    std::string step(const Vec3& from, const Vec3& to) override
    {
        // Overwritten before every step, so that it feels nothing; its coordinates follow the box's seven and six.
        for (int k = 0; k < 3; ++k)
        {
            peer_->q()[at(7 + k)] = from[k];
            peer_->v()[at(6 + k)] = (to[k] - from[k]) / kCaseDt;
            peer_->v()[at(9 + k)] = 0;
        }
        const std::array<double, 4> upright{1, 0, 0, 0};
        std::copy(upright.begin(), upright.end(), peer_->q().begin() + 10);
        peer_->step(1);
        return peer_->trouble().resets > 0 ? "it reset itself" : "";
    }
    Pose read_box() override
    {
        peer_->read_poses(poses_);
        return poses_[1];
    }

private:
    std::unique_ptr<Peer> peer_;
    std::vector<Pose> poses_;
};

Result<std::unique_ptr<PushPlant>> make_plant(const Contestant& contestant, const PathPushOptions& options)
{
    Result<Model> model = build_path_scene(options, contestant);
    if (!model.ok()) return model.errors();
    if (contestant.solver.empty())
    {
        Result<std::unique_ptr<Peer>> peer = load_peer(model.value(), contestant.peer);
        if (!peer.ok()) return peer.errors();
        return std::unique_ptr<PushPlant>(std::make_unique<PeerPlant>(std::move(peer).value()));
    }
    Result<Simulation> made = Simulation::make(
        model.value(), {.solver = contestant.solver, .dt = kCaseDt, .parameters = contestant.parameters});
    if (!made.ok()) return made.errors();
    return std::unique_ptr<PushPlant>(std::make_unique<OwnPlant>(std::move(made).value()));
}

PlanarPose to_planar(const Pose& pose)
{
    const Vec3 ahead = rotate(pose.rotation, Vec3{1, 0, 0});
    return {pose.position.x, pose.position.y, std::atan2(ahead.y, ahead.x)};
}

/// Distance from the path, positive to its left, taken along the normal at the same x.
double find_distance(const PushPath& path, const PlanarPose& box)
{
    return (box.y - path.y(box.x)) * std::cos(path.heading(box.x));
}

/// Where the rod should go for the next frame.
PlanarVelocity choose_velocity(const PathPushOptions& options, const PlanarPose& seen, const Vec3& rod)
{
    const PushPath& path = options.path;
    // Without feedback the box is taken to be on the path, at the x where it is.
    const double error = options.feedback ? find_distance(path, seen) : 0;
    const double turned = options.feedback ? seen.angle - path.heading(seen.x) : 0;
    const double reach = options.look_ahead, c2 = kLimitRadius * kLimitRadius;
    const double wanted = std::clamp(c2 * (error / (reach * reach) + 2 * turned / reach - path.curvature(seen.x)),
                                     -options.largest_offset, options.largest_offset);
    const double c = std::cos(seen.angle), s = std::sin(seen.angle);
    const double offset = -s * (rod.x - seen.x) + c * (rod.y - seen.y);
    // Along the face no faster than ahead: beyond that the rod would leave it.
    const double slide = std::clamp(options.slide_rate * (wanted - offset), -options.speed, options.speed);
    return {c * options.speed - s * slide, s * options.speed + c * slide};
}

}  // namespace

double PushPath::y(double x) const { return 0.5 * height * (1 - std::cos(2 * kPi * x / length)); }
double PushPath::heading(double x) const { return std::atan(height * kPi / length * std::sin(2 * kPi * x / length)); }
double PushPath::curvature(double x) const
{
    const double slope = std::tan(heading(x));
    const double second = 2 * height * kPi * kPi / (length * length) * std::cos(2 * kPi * x / length);
    return second / std::pow(1 + slope * slope, 1.5);
}

PathPushRun push_along_path(const Contestant& contestant, const PathPushOptions& options)
{
    PathPushRun run{.who = contestant.name, .precision = find_precision(contestant)};
    Result<std::unique_ptr<PushPlant>> made = make_plant(contestant, options);
    if (!made.ok())
    {
        run.refused = to_text(made.errors());
        return run;
    }
    PushPlant& plant = *made.value();
    const double begin = process_seconds();
    Vec3 rod{-kBoxHalf - kPusherRadius - kBegin, 0, kPusherHalf};
    const int frames = static_cast<int>(std::lround(options.seconds / kCaseFrame));
    for (int frame = 0; frame < frames && run.trouble.empty(); ++frame)
    {
        const PlanarPose seen = to_planar(plant.read_box());
        const PlanarVelocity velocity = choose_velocity(options, seen, rod);
        for (int i = 0; i < kStepsPerFrame && run.trouble.empty(); ++i)
        {
            const Vec3 next = rod + kCaseDt * Vec3{velocity.x, velocity.y, 0};
            run.trouble = plant.step(rod, next);
            rod = next;
        }
        run.box.push_back(to_planar(plant.read_box()));
        const PlanarPose& box = run.box.back();
        const double distance = find_distance(options.path, box), turned = box.angle - options.path.heading(box.x);
        run.mean_square += distance * distance / frames;
        run.heading_mean_square += turned * turned / frames;
        run.worst = std::max(run.worst, std::abs(distance));
        run.way = box.x;
    }
    run.mean_square = std::sqrt(run.mean_square);
    run.heading_mean_square = std::sqrt(run.heading_mean_square);
    run.seconds = process_seconds() - begin;
    return run;
}

double find_path_difference(const PathPushRun& a, const PathPushRun& b)
{
    const std::size_t count = std::min(a.box.size(), b.box.size());
    double sum = 0;
    for (std::size_t i = 0; i < count; ++i)
    {
        const double dx = a.box[i].x - b.box[i].x, dy = a.box[i].y - b.box[i].y;
        sum += (dx * dx + dy * dy) / static_cast<double>(count);
    }
    return std::sqrt(sum);
}

}  // namespace rattleback::lab
