// Runs MuJoCo with random inputs and keeps the states that have contacts.
#include "external/contact_states.h"
#include "base/index.h"

#include "support/random_model.h"

#include <algorithm>

namespace rattleback
{
namespace
{

bool has_contacts(const ContactState& state, lab::Oracle& oracle)
{
    const lab::OracleConstraints found = oracle.find_constraints(state.as_input(), {.iterations = 1});
    return std::ranges::any_of(found.contact_row, [](int row) { return row >= 0; });
}

void set_inputs(const Model& model, Random& random, std::span<double> inputs)
{
    for (int a = 0; a < model.actuator_count(); ++a)
    {
        const Range& range = model.actuators.input_range[at(a)];
        inputs[at(a)] = range.limited ? random.uniform(range.lower, range.upper) : random.uniform(-1, 1);
    }
}

void start(const Model& model, lab::Peer& peer)
{
    peer.reset();
    if (model.keyframes.empty()) return;
    const Keyframe& key = model.keyframes.front();
    if (!key.q.empty()) std::ranges::copy(key.q, peer.q().begin());
}

ContactState read(lab::Peer& peer)
{
    const auto copy = [](std::span<double> values) { return std::vector<double>(values.begin(), values.end()); };
    return {copy(peer.q()), copy(peer.v()), copy(peer.act()), copy(peer.input())};
}

/// Free bodies sink a little, other joints move within (and slightly beyond) their limits, velocities are random.
void disturb(const Model& model, Random& random, ContactState& state)
{
    for (int j = 0; j < model.joint_count(); ++j)
    {
        double* q = &state.q[at(model.joints.q_begin[at(j)])];
        const Range& range = model.joints.range[at(j)];
        const JointType type = model.joints.type[at(j)];
        if (type == JointType::free)
            q[2] -= random.uniform(0, 0.1);
        else if (type == JointType::ball)
            q[0] += random.uniform(-0.5, 0.5);
        else if (range.limited)
            q[0] = random.uniform(range.lower - 0.01, range.upper + 0.01);
        else
            q[0] += random.uniform(-0.5, 0.5);
    }
    for (double& v : state.v) v = random.uniform(-2, 2);
}

}  // namespace

std::vector<ContactState> find_contact_states(const Model& model, const std::string& path, lab::Oracle& oracle,
                                              int count, std::uint64_t seed)
{
    constexpr int kStepsBetween = 10, kTries = 2000, kRun = 200;
    const std::unique_ptr<lab::Peer> peer = lab::find_mujoco().value();
    EXPECT_TRUE(peer->load(path).ok());
    Random random(seed);
    std::vector<ContactState> states;
    start(model, *peer);
    for (int i = 0; i < kTries && std::ssize(states) < count; ++i)
    {
        if (i % kRun == kRun - 1) start(model, *peer);
        set_inputs(model, random, peer->input());
        peer->step(kStepsBetween);
        ContactState state = read(*peer);
        if (i % 2 == 1) disturb(model, random, state);
        if (has_contacts(state, oracle)) states.push_back(std::move(state));
    }
    EXPECT_EQ(std::ssize(states), count) << "too few states of " << path << " have contacts";
    return states;
}

}  // namespace rattleback
