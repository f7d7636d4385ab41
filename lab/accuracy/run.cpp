// One test, one contestant: steps, samples, errors.
#include "lab/accuracy/run.h"

#include "base/index.h"
#include "lab/measure/measure.h"
#include "lab/peers/mujoco/mujoco.h"

#include <rattleback/export.h>

#include <fmt/format.h>

#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <mutex>

namespace rattleback::lab
{

namespace
{

bool has_parameter(const SolverInfo& info, std::string_view name)
{
    for (const ParameterInfo& parameter : info.parameters)
    {
        if (parameter.name == name) return true;
    }
    return false;
}

/// The object now: pose and velocity of its centre of mass, world axes.
struct Moment
{
    Pose pose;
    Velocity velocity;
};

/// What both kinds of contestant can do.
class Runner
{
public:
    virtual ~Runner() = default;
    /// One frame of ten steps; a sentence when it cannot go on.
    virtual std::string run_frame(int frame) = 0;
    virtual Moment read() = 0;
    virtual std::string trouble() const { return ""; }
};

class OwnRunner final : public Runner
{
public:
    OwnRunner(const AccuracyCase& test, Simulation simulation) : test_(test), simulation_(std::move(simulation))
    {
        simulation_.control().body_wrench[at(test_.object.index)] = test_.wrench;
    }

    std::string run_frame(int frame) override
    {
        constexpr int kSteps = 10;
        for (int i = 0; i < kSteps; ++i)
        {
            if (test_.rod.valid())
                simulation_.control().target[0] = test_.rod_pose(frame * kCaseFrame + (i + 1) * kCaseDt);
            const StepReport report = simulation_.step();
            if (report.status == StepStatus::diverged || report.status == StepStatus::capacity)
                return std::string(to_string(report.status)) + " at " + std::to_string(simulation_.time()) + " s";
        }
        return "";
    }

    Moment read() override
    {
        return {simulation_.state().pose(test_.object), simulation_.state().velocity(test_.object)};
    }

private:
    const AccuracyCase& test_;
    Simulation simulation_;
};

class PeerRunner final : public Runner
{
public:
    PeerRunner(const AccuracyCase& test, std::unique_ptr<Peer> peer) : test_(test), peer_(std::move(peer))
    {
        const std::span<double> force = peer_->body_forces().subspan(6 * at(test_.object.index), 6);
        for (int k = 0; k < 3; ++k)
        {
            force[at(k)] = test_.wrench.force[k];
            force[at(3 + k)] = test_.wrench.torque[k];
        }
    }

    std::string run_frame(int frame) override
    {
        constexpr int kSteps = 10;
        for (int i = 0; i < kSteps; ++i)
        {
            if (test_.rod.valid()) place_rod(frame * kCaseFrame + i * kCaseDt);
            peer_->step(1);
        }
        return peer_->trouble().resets > 0 ? "it reset itself" : "";
    }

    Moment read() override
    {
        peer_->read_poses(poses_);
        const Pose& pose = poses_[at(test_.object.index)];
        const auto v = peer_->v();
        // the object comes first, and its frame is at its centre of mass
        return {pose, {{v[0], v[1], v[2]}, rotate(pose.rotation, Vec3{v[3], v[4], v[5]})}};
    }

    std::string trouble() const override { return peer_->trouble().none() ? "" : peer_->trouble().text(); }

private:
    /// Overwritten before every step, so that it feels nothing, as in the authors' code.
    void place_rod(double time)
    {
        const Pose now = test_.rod_pose(time), next = test_.rod_pose(time + kCaseDt);
        const std::array coordinates{now.position.x, now.position.y, now.position.z, 1.0, 0.0, 0.0, 0.0};
        std::copy(coordinates.begin(), coordinates.end(), peer_->q().begin() + 7);
        for (int k = 0; k < 6; ++k) peer_->v()[at(6 + k)] = k < 3 ? (next.position[k] - now.position[k]) / kCaseDt : 0;
    }

    const AccuracyCase& test_;
    std::unique_ptr<Peer> peer_;
    std::vector<Pose> poses_;
};

Result<std::unique_ptr<Runner>> make_runner(const AccuracyCase& test, const Contestant& contestant)
{
    if (contestant.solver.empty())
    {
        Result<std::unique_ptr<Peer>> peer = load_peer(*test.model, contestant.peer);
        if (!peer.ok()) return peer.errors();
        return std::unique_ptr<Runner>(std::make_unique<PeerRunner>(test, std::move(peer).value()));
    }
    Result<Simulation> made =
        Simulation::make(test.model, {.solver = contestant.solver, .dt = kCaseDt, .parameters = contestant.parameters});
    if (!made.ok()) return made.errors();
    return std::unique_ptr<Runner>(std::make_unique<OwnRunner>(test, std::move(made).value()));
}

/// Angle of a rotation [degrees].
double angle_of_turn(const Quat& q)
{
    return 2 * std::atan2(std::sqrt(q.x * q.x + q.y * q.y + q.z * q.z), std::abs(q.w)) / kDegree;
}

/// Turns moments into errors.
class Watch
{
public:
    Watch(const AccuracyCase& test, const Moment& start) : test_(test), start_(start) {}

    AccuracySample look(int frame, const Moment& now)
    {
        const Expected expected = test_.expected(frame);
        // trapezoidal: the one-sided sum of the authors' code adds half a frame of turning to any solver
        if (frame > 0) yaw_ += 0.5 * kCaseFrame * (last_spin_ + now.velocity.angular.z);
        last_spin_ = now.velocity.angular.z;
        const Vec3 moved = center_of(now) - center_of(start_);
        AccuracySample sample{.time = frame * kCaseFrame};
        sample.position = norm(moved - expected.displacement);
        sample.yaw = (yaw_ - expected.angle) / kDegree;
        const Quat right = from_axis_angle({0, 0, 1}, expected.angle) * start_.pose.rotation;
        sample.rotation = angle_of_turn(conjugate(right) * now.pose.rotation);
        sample.linear = norm(test_.mass * now.velocity.linear - expected.linear);
        const Vec3 missing = angular_momentum(now) - expected.angular;
        // a lopsided body that turns about z has angular momentum across z too, which the floor gives and takes
        sample.angular = test_.turn > 0 ? std::abs(missing.z) : norm(missing);
        sample.pose = {now.pose.position.x, now.pose.position.y, yaw_};
        sample.place = now.pose;
        if (test_.number == 7)
        {
            const PlanarPose& printed = test_.printed_path[at(frame)];
            const Vec3 way{printed.x - test_.printed_path.front().x, printed.y - test_.printed_path.front().y, 0};
            sample.printed_position = norm(moved - way);
            sample.linear = sample.angular = 0;  // the quasi-static answer has none
        }
        return sample;
    }

private:
    Vec3 center_of(const Moment& moment) const
    {
        return moment.pose.position +
               rotate(moment.pose.rotation, test_.model->bodies.inertial_pose[at(test_.object.index)].position);
    }
    Vec3 angular_momentum(const Moment& moment) const
    {
        const auto b = at(test_.object.index);
        const Quat axes = moment.pose.rotation * test_.model->bodies.inertial_pose[b].rotation;
        Vec3 spin = rotate(conjugate(axes), moment.velocity.angular);
        for (int k = 0; k < 3; ++k) spin[k] *= test_.model->bodies.inertia[b][k];
        return rotate(axes, spin);
    }

    const AccuracyCase& test_;
    Moment start_;
    double yaw_ = 0, last_spin_ = 0;
};

}  // namespace

double AccuracyRun::mean(double AccuracySample::* error) const
{
    double sum = 0;
    for (const AccuracySample& sample : samples) sum += std::abs(sample.*error);
    return samples.empty() ? std::nan("") : sum / static_cast<double>(samples.size());
}

std::string Contestant::settings() const
{
    if (!solver.empty()) return "";
    const bool rk4 = peer.integrator == Integrator::lie_rk4;
    return fmt::format(
        "{}, {}, impratio {:g}, {} iterations, multiccd {}, solref {:g} {:g}, solimp {:g} {:g}, condim {}, rod a {}",
        rk4 ? "RK4" : to_string(*peer.integrator), peer.elliptic ? "elliptic" : "pyramidal",
        std::max(peer.impratio, 1.0), peer.iterations, peer.multiccd.value_or(true) ? "on" : "off", softness.solref[0],
        softness.solref[1], softness.solimp[0], softness.solimp[1], frictionless_rows ? "1 without friction" : "3",
        capsule_rod ? "capsule" : "cylinder");
}

namespace
{

Contestant make_mujoco(Integrator integrator, bool elliptic, double time_constant, double impedance)
{
    Contestant who{.peer = {.dt = kCaseDt,
                            .integrator = integrator,
                            .tolerance = 1e-14,
                            .iterations = 100,
                            .elliptic = elliptic,
                            .impratio = elliptic ? 10.0 : 1.0,
                            .multiccd = true},
                   .capsule_rod = true,
                   .frictionless_rows = true};
    who.softness.solref[0] = time_constant;
    if (impedance > 0) who.softness.solimp[0] = who.softness.solimp[1] = impedance;
    who.name = "mujoco, " + who.settings();
    return who;
}

/// One of all_mujoco_settings().
struct MujocoPick
{
    const char* name;
    bool elliptic;
    double time;
};

}  // namespace

std::vector<Contestant> all_mujoco_settings()
{
    std::vector<Contestant> all;
    for (const Integrator integrator : {Integrator::implicitfast, Integrator::lie_rk4})
        for (const bool elliptic : {true, false})
            for (const double time : {0.02, 0.004, 0.002})
                for (const double impedance : {0.0, 0.9999})
                    all.push_back(make_mujoco(integrator, elliptic, time, impedance));
    return all;
}

Contestant as_published(Contestant contestant)
{
    if (contestant.solver == "pbd" || contestant.solver == "pbdr")
    {
        contestant.parameters.emplace("frame", std::string("world"));
        contestant.parameters.emplace("max_spheres", 20'000'000);
    }
    return contestant;
}

std::vector<Contestant> all_contestants()
{
    std::vector<Contestant> all;
    for (const SolverInfo* info : all_solvers())
    {
        Contestant plain{.name = std::string(info->name), .solver = std::string(info->name)};
        if (has_parameter(*info, "radius")) plain.parameters["radius"] = 0.005;
        // every test starts touching, which a barrier does not allow
        if (has_parameter(*info, "inset")) plain.parameters["inset"] = 1e-4;
        all.push_back(as_published(std::move(plain)));
        if (info->name == "avbd")
            all.push_back({.name = "avbd penalty", .solver = "avbd", .parameters = {{"mode", std::string("penalty")}}});
    }
    all.push_back({.name = "mujoco, paper's settings",
                   .peer = {.dt = kCaseDt,
                            .integrator = Integrator::implicitfast,
                            .iterations = 50,
                            .elliptic = true,
                            .multiccd = false}});
    for (const MujocoPick& pick :
         {MujocoPick{"mujoco, stiff pyramids", false, 0.02}, {"mujoco, stiff cones", true, 0.004}})
    {
        Contestant best = make_mujoco(Integrator::lie_rk4, pick.elliptic, pick.time, 0.9999);
        best.name = pick.name;
        all.push_back(std::move(best));
    }
    return all;
}

std::string find_precision(const Contestant& contestant)
{
    const Result<const SolverInfo*> info = find_solver(contestant.solver);
    if (contestant.solver.empty() || !info.ok()) return "double";
    for (const ParameterInfo& parameter : info.value()->parameters)
    {
        if (parameter.name != "precision") continue;
        const auto set = contestant.parameters.find("precision");
        return std::get<std::string>(set == contestant.parameters.end() ? parameter.default_value : set->second);
    }
    return "double";
}

Result<std::unique_ptr<Peer>> load_peer(const Model& model, const PeerOptions& options)
{
    const Result<std::string> mjcf = write_mjcf(model);
    if (!mjcf.ok()) return mjcf.errors();
    Result<std::unique_ptr<Peer>> peer = find_mujoco();
    if (!peer.ok()) return peer.errors();
    static std::mutex loading;  // one file at a time: its name is this process's
    const std::lock_guard<std::mutex> lock(loading);
    const std::filesystem::path path =
        std::filesystem::temp_directory_path() / ("rattleback_accuracy_" + std::to_string(getpid()) + ".xml");
    std::ofstream(path) << mjcf.value();
    const Result<int> loaded = peer.value()->load(path.string(), options);
    std::error_code ignored;
    std::filesystem::remove(path, ignored);
    if (!loaded.ok()) return loaded.errors();
    return peer;
}

AccuracyRun run_case(const AccuracyCase& test, const Contestant& contestant, int frames)
{
    AccuracyRun run{.who = contestant.name};
    const Result<std::unique_ptr<Runner>> made = make_runner(test, contestant);
    if (!made.ok())
    {
        run.refused = to_text(made.errors());
        return run;
    }
    run.precision = find_precision(contestant);
    Runner& runner = *made.value();
    Watch watch(test, runner.read());
    run.samples.push_back(watch.look(0, runner.read()));
    const int count = frames > 0 ? frames : static_cast<int>(std::lround(kCaseSeconds / kCaseFrame));
    const double begin = wall_seconds(), cpu_begin = process_seconds();
    for (int frame = 0; frame < count && run.trouble.empty(); ++frame)
    {
        run.trouble = runner.run_frame(frame);
        run.samples.push_back(watch.look(frame + 1, runner.read()));
    }
    run.seconds = wall_seconds() - begin;
    run.cpu_seconds = process_seconds() - cpu_begin;
    if (run.trouble.empty()) run.trouble = runner.trouble();
    return run;
}

}  // namespace rattleback::lab
