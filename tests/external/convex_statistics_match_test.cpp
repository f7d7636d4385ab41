// Chaotic scenes in our solver and in MuJoCo: runs differ, their means do not.
#include "base/index.h"
#include "external/model_file.h"
#include "external/oracle_match.h"
#include "lab/scenes/humanoid.h"
#include "lab/scenes/parts.h"
#include "lab/scenes/stacks.h"
#include "math/random.h"

#include <rattleback/export.h>
#include <rattleback/import.h>
#include <rattleback/simulation.h>

#include <cmath>

namespace rattleback
{
namespace
{

constexpr int kRuns = 32;
constexpr double kSeconds = 10;
constexpr int kInterval = 10;  // steps between samples

/// Means over one run.
struct Means
{
    double height = 0;    ///< of the centre of mass [m]
    double energy = 0;    ///< [J]
    double contacts = 0;  ///< that act
};

double find_height(const Model& model, const State& state)
{
    double sum = 0, mass = 0;
    for (int b = 1; b < model.body_count(); ++b)
    {
        const Vec3& center = model.bodies.inertial_pose[at(b)].position;
        const Pose& pose = state.body_pose[at(b)];
        sum += model.bodies.mass[at(b)] * (pose.position + rotate(pose.rotation, center)).z;
        mass += model.bodies.mass[at(b)];
    }
    return sum / mass;
}

/// One scene with its perturbations, the same for both engines.
class Scene
{
public:
    Scene(const std::string& path, double noise)
        : model_(std::make_shared<const Model>(load_mjcf(path).value().model)),
          ours_(Simulation::make(model_, {.solver = "convex", .parameters = {{"stick", false}}}).value()),
          view_(Simulation::make(model_, {.solver = "convex"}).value()),
          theirs_(lab::find_mujoco().value()),
          noise_(noise)
    {
        EXPECT_TRUE(theirs_->load(path).ok());
    }

    Means run_ours(int run)
    {
        ours_.reset();
        perturb(run, ours_.state().q, ours_.state().v);
        ours_.refresh();
        Random random(1000 + static_cast<std::uint64_t>(run));
        Means sum;
        for (int i = 0; i < steps(); ++i)
        {
            drive(random, ours_.control().input);
            EXPECT_EQ(ours_.step().status, StepStatus::ok);
            if (i % kInterval != 0) continue;
            int acting = 0;  // contacts of the last step are those of the state before it
            for (const Contact& contact : ours_.contacts().items) acting += contact.distance < contact.margin ? 1 : 0;
            add(ours_, acting, sum);
        }
        return average(sum);
    }

    Means run_theirs(int run)
    {
        theirs_->reset();
        std::ranges::copy(model_->initial_q, theirs_->q().begin());
        std::ranges::copy(model_->initial_v, theirs_->v().begin());
        perturb(run, theirs_->q(), theirs_->v());
        Random random(1000 + static_cast<std::uint64_t>(run));
        Means sum;
        for (int i = 0; i < steps(); ++i)
        {
            drive(random, theirs_->input());
            const bool sampled = i % kInterval == 0;
            const int acting = sampled ? static_cast<int>(theirs_->find_quality()->depth.size()) : 0;
            theirs_->step();
            if (!sampled) continue;
            std::ranges::copy(theirs_->q(), view_.state().q.begin());
            std::ranges::copy(theirs_->v(), view_.state().v.begin());
            view_.refresh();
            add(view_, acting, sum);
        }
        EXPECT_TRUE(theirs_->trouble().none()) << theirs_->trouble().text();
        return average(sum);
    }

private:
    int steps() const { return static_cast<int>(std::lround(kSeconds / model_->settings.dt)); }

    /// Free bodies a little higher and moving.
    void perturb(int run, std::span<double> q, std::span<double> v) const
    {
        Random random(static_cast<std::uint64_t>(run));
        for (int j = 0; j < model_->joint_count(); ++j)
        {
            if (model_->joints.type[at(j)] == JointType::free)
                q[at(model_->joints.q_begin[at(j)]) + 2] += random.uniform(0, 0.01);
        }
        for (double& x : v) x += random.uniform(-0.1, 0.1);
    }

    void drive(Random& random, std::span<double> input) const
    {
        for (double& x : input) x = random.uniform(-noise_, noise_);
    }

    void add(const Simulation& simulation, int contacts, Means& sum) const
    {
        sum.height += find_height(*model_, simulation.state());
        sum.energy += simulation.energy().total();
        sum.contacts += contacts;
    }

    Means average(const Means& sum) const
    {
        const double samples = (steps() + kInterval - 1) / kInterval;
        return {sum.height / samples, sum.energy / samples, sum.contacts / samples};
    }

    std::shared_ptr<const Model> model_;
    Simulation ours_, view_;
    std::unique_ptr<lab::Peer> theirs_;
    double noise_;
};

/// Mean and its standard error over runs.
struct Estimate
{
    double mean = 0, error = 0;
};

Estimate estimate(const std::vector<Means>& runs, double Means::* value)
{
    const auto n = static_cast<double>(runs.size());
    Estimate e;
    for (const Means& run : runs) e.mean += run.*value / n;
    double squares = 0;
    for (const Means& run : runs) squares += (run.*value - e.mean) * (run.*value - e.mean);
    e.error = std::sqrt(squares / (n - 1) / n);
    return e;
}

void expect_same_means(const std::string& path, double noise)
{
    Scene scene(path, noise);
    std::vector<Means> ours, theirs;
    for (int run = 0; run < kRuns; ++run)
    {
        ours.push_back(scene.run_ours(run));
        theirs.push_back(scene.run_theirs(run));
        if (testing::Test::HasFailure()) return;
    }
    const std::pair<const char*, double Means::*> values[] = {
        {"height", &Means::height}, {"energy", &Means::energy}, {"contacts", &Means::contacts}};
    for (const auto& [name, value] : values)
    {
        const Estimate a = estimate(ours, value), b = estimate(theirs, value);
        EXPECT_GT(a.error, 1e-4 * std::abs(a.mean)) << name << ": the runs are all alike, so they prove nothing";
        EXPECT_LE(std::abs(a.mean - b.mean), 2 * std::hypot(a.error, b.error))
            << name << ": ours " << a.mean << " +- " << a.error << ", MuJoCo's " << b.mean << " +- " << b.error;
        testing::Test::RecordProperty(name, std::to_string((a.mean - b.mean) / std::hypot(a.error, b.error)));
    }
}

TEST(ConvexStatistics, slow_a_heap_of_capsules_is_that_of_mujoco_in_the_mean)
{
    SKIP_WITHOUT_MUJOCO();
    Model model = lab::build_capsules({.count = 27}).value();
    model.settings.integrator = Integrator::euler;
    model.settings.dt = 0.005;
    const ModelFile file(drop_custom(write_mjcf(model).value()));
    expect_same_means(file.path(), 0);
}

TEST(ConvexStatistics, slow_a_falling_humanoid_is_that_of_mujoco_in_the_mean)
{
    SKIP_WITHOUT_MUJOCO();
    Model model = lab::build_humanoid({.height = 0.2}).value();
    model.settings.integrator = Integrator::euler;
    const ModelFile file(drop_custom(write_mjcf(model).value()));
    expect_same_means(file.path(), 0.3);
}

}  // namespace
}  // namespace rattleback
