// Asks Pinocchio and MuJoCo for M and bias of the robots of URDF files.
#include "external/urdf_match.h"

#include "external/model_file.h"
#include "support/source_folder.h"

#include <rattleback/dynamics.h>

#include <algorithm>
#include <cstdlib>
#include <sstream>

namespace rattleback
{

namespace
{

constexpr std::uint64_t kUrdfStates = 20;

/// One state of a model as the oracle reads it.
std::string write_state(const Model& model, const State& state)
{
    std::ostringstream text;
    text.precision(17);
    for (std::size_t i = 0; i < model.joints.name.size(); ++i)
    {
        const bool free = model.joints.type[i] == JointType::free;
        const auto q = static_cast<std::size_t>(model.joints.q_begin[i]),
                   v = static_cast<std::size_t>(model.joints.v_begin[i]);
        text << model.joints.name[i];
        for (std::size_t k = 0; k < (free ? 7U : 1U); ++k) text << '\t' << state.q[q + k];
        for (std::size_t k = 0; k < (free ? 6U : 1U); ++k) text << '\t' << state.v[v + k];
        text << '\t';
    }
    return text.str() + "\n";
}

}  // namespace

std::filesystem::path find_peer(const std::string& name) { return source_folder() / "build" / "peers" / name; }

std::vector<double> read_numbers(const std::string& line)
{
    std::vector<double> numbers;
    const char* next = line.c_str();
    for (char* end = nullptr;; next = end)
    {
        const double value = std::strtod(next, &end);
        if (end == next) return numbers;
        numbers.push_back(value);
    }
}

std::vector<std::string> ask_python(const std::string& peer, const std::string& script, const std::string& arguments,
                                    const std::string& text)
{
    const ModelFile input(text), output("");
    const std::string command = "'" + (find_peer(peer) / "bin" / "python").string() + "' -B '" +
                                source_folder().string() + "/tests/external/" + script + "' " + arguments + " < '" +
                                input.path() + "' > '" + output.path() + "'";
    EXPECT_EQ(std::system(command.c_str()), 0) << command;
    std::vector<std::string> lines;
    std::ifstream answers(output.path());
    for (std::string line; std::getline(answers, line);) lines.push_back(line);
    return lines;
}

std::filesystem::path find_robots()
{
    if (!std::filesystem::exists(find_peer("robots") / "lib")) return {};
    for (const auto& entry : std::filesystem::recursive_directory_iterator(find_peer("robots") / "lib"))
    {
        if (entry.path().filename() == "example-robot-data" && std::filesystem::exists(entry.path() / "robots"))
            return entry.path();
    }
    return {};
}

// Asks about all states at once and compares.
void expect_same_as_pinocchio(const std::string& urdf, const Model& model, const char* base)
{
    std::vector<State> states;
    std::string lines;
    for (std::uint64_t seed = 0; seed < kUrdfStates; ++seed)
    {
        states.push_back(MatchState(model, seed).state);
        lines += write_state(model, states.back());
    }
    const std::vector<std::string> answers =
        ask_python("pinocchio", "pinocchio_oracle.py", "'" + urdf + "' " + base, lines);
    ASSERT_EQ(answers.size(), 3 * states.size());
    Dynamics dynamics(model);
    for (std::size_t at = 0; at < states.size(); ++at)
    {
        const std::vector<double> theirs = read_numbers(answers[3 * at + 1]),
                                  their_bias = read_numbers(answers[3 * at + 2]);
        const auto count = static_cast<std::size_t>(model.v_count());
        ASSERT_EQ(theirs.size(), count * count);
        // Where our degrees of freedom stand in Pinocchio's order.
        std::vector<std::string> order;
        std::istringstream words(answers[3 * at]);
        for (std::string word; std::getline(words, word, '\t');) order.push_back(word);
        std::vector<std::size_t> place(count);
        for (std::size_t i = 0; i < model.joints.name.size(); ++i)
        {
            const auto first = static_cast<std::size_t>(std::ranges::find(order, model.joints.name[i]) - order.begin());
            const auto v = static_cast<std::size_t>(model.joints.v_begin[i]);
            for (std::size_t k = 0; k < (model.joints.type[i] == JointType::free ? 6U : 1U); ++k)
                place[v + k] = first + k;
        }
        std::vector<double> arranged(count * count), arranged_bias(count);
        for (std::size_t i = 0; i < count; ++i)
        {
            for (std::size_t k = 0; k < count; ++k) arranged[i * count + k] = theirs[place[i] * count + place[k]];
            arranged_bias[i] = their_bias[place[i]];
        }
        dynamics.update(states[at]);
        expect_near(dynamics.mass_matrix().values, arranged, "mass matrix");
        expect_near(dynamics.bias(), arranged_bias, "bias");
    }
}

void expect_same_as_mujoco(const Model& model, lab::Oracle& oracle)
{
    // The root is a body of ours and part of MuJoCo's world, and MuJoCo fuses what is fixed: M and bias are compared by
    // the names of joints.
    const std::vector<std::string> names = oracle.names("joint");
    const std::size_t count = names.size();
    ASSERT_EQ(count, static_cast<std::size_t>(model.v_count()));
    std::vector<std::size_t> ours(count);
    for (std::size_t i = 0; i < count; ++i)
    {
        const auto found = std::ranges::find(model.joints.name, names[i]);
        ASSERT_NE(found, model.joints.name.end()) << names[i];
        ours[i] = static_cast<std::size_t>(found - model.joints.name.begin());
    }
    Dynamics dynamics(model);
    for (std::uint64_t seed = 0; seed < kUrdfStates; ++seed)
    {
        const MatchState at(model, seed);
        std::vector<double> q(count), v(count), mass(count * count), bias(count);
        for (std::size_t i = 0; i < count; ++i)
        {
            q[i] = at.state.q[ours[i]];
            v[i] = at.state.v[ours[i]];
        }
        const lab::OracleState theirs = oracle.evaluate({.q = q, .v = v});
        dynamics.update(at.state);
        const DenseMatrix own = dynamics.mass_matrix();
        for (std::size_t i = 0; i < count; ++i)
        {
            for (std::size_t k = 0; k < count; ++k)
                mass[i * count + k] = own(static_cast<int>(ours[i]), static_cast<int>(ours[k]));
            bias[i] = dynamics.bias()[ours[i]];
        }
        expect_near(mass, theirs.mass_matrix, "mass matrix");
        expect_near(bias, theirs.bias, "bias");
        if (testing::Test::HasFailure()) return;
    }
}

}  // namespace rattleback
