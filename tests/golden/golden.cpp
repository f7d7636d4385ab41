// How golden hashes are made, compared and rewritten.
#include "golden/golden.h"

#include "base/all_of.h"
#include "base/hash.h"
#include "lab/scenes/scenes.h"
#include "support/source_folder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <map>
#include <optional>
#include <sstream>

namespace rattleback::golden
{

namespace
{

std::filesystem::path find_file() { return source_folder() / "tests/golden/hashes.txt"; }

/// A line of the file: "scene label variant", and "state memory".
struct Line
{
    std::string key, value;
    bool belongs_to(std::string_view label) const
    {
        return key.find(' ' + std::string(label) + ' ') != std::string::npos;
    }
};

std::vector<Line> read_lines()
{
    std::vector<Line> lines;
    std::ifstream file(find_file());
    std::string scene, label, variant, state, memory;
    while (file >> scene >> label >> variant >> state >> memory)
        lines.push_back({.key = scene + ' ' + label + ' ' + variant, .value = state + ' ' + memory});
    return lines;
}

/// The lines of one label take the place of those it had; the others stay as they are.
void rewrite(std::string_view label, const std::vector<Line>& made)
{
    std::vector<Line> lines = read_lines();
    const auto old = std::find_if(lines.begin(), lines.end(), [&](const Line& line) { return line.belongs_to(label); });
    const auto place = old - lines.begin();
    std::erase_if(lines, [&](const Line& line) { return line.belongs_to(label); });
    lines.insert(lines.begin() + place, made.begin(), made.end());
    std::ofstream file(find_file());
    for (const Line& line : lines) file << line.key << ' ' << line.value << '\n';
}

std::string to_hex(std::uint64_t value)
{
    std::ostringstream text;
    text << std::hex << value;
    return text.str();
}

std::uint64_t hash_memory(const Snapshot& snapshot)
{
    Hasher hasher;
    for (const std::byte byte : snapshot.memories.at(0)) hasher.add(static_cast<unsigned char>(byte));
    return hasher.value();
}

bool has_parameter(const SolverInfo& info, std::string_view name)
{
    return std::any_of(info.parameters.begin(), info.parameters.end(),
                       [&](const ParameterInfo& p) { return p.name == name; });
}

/// The one reason to leave a scene out: the solver says that it does not support it.
bool is_refused(const Result<Batch>& made)
{
    return !made.ok() && all_of(made.errors(), [](const Error& e) { return e.code == ErrorCode::unsupported; });
}

/// One family on one scene.
class Run
{
public:
    Run(const Family& family, const Variant& variant, const lab::Scene& scene)
        : family_(family),
          info_(*find_solver(family.solver).value()),
          model_(std::make_shared<const Model>(scene.build().value())),
          parameters_(variant.parameters)
    {
        key_ = std::string(scene.name) + ' ' + std::string(family.label) + ' ' + std::string(variant.name);
        if (has_parameter(info_, "ignore")) parameters_["ignore"] = std::string(scene.ignore);
        // The arm has contacts, but its motors keep it clear of everything.
        touching_ = scene.ignore.find("contact") != std::string_view::npos && !has_parameter(info_, "ignore") &&
                    scene.name != "arm";
    }

    /// The line that this build makes; nothing when the solver refuses the scene.
    std::optional<Line> make_line()
    {
        const Result<Batch> made = make_batch(1);
        EXPECT_TRUE(made.ok() || is_refused(made)) << key_ << ": " << to_text(made.errors());
        if (!made.ok()) return std::nullopt;
        const std::uint64_t batch = hash_batch(1);
        for (const int threads : {2, 3}) EXPECT_EQ(hash_batch(threads), batch) << key_ << ", batch of " << threads;

        const std::uint64_t memory = hash_alone(1);
        const int most = has_parameter(info_, "threads") ? 3 : 1;
        for (int threads = 2; threads <= most; ++threads)
            EXPECT_EQ(hash_alone(threads), memory) << key_ << ", memory of one world on " << threads << " threads";
        return Line{.key = key_, .value = to_hex(batch) + ' ' + to_hex(memory)};
    }

private:
    Result<Batch> make_batch(int threads) const
    {
        return Batch::make(model_, {.solver = std::string(family_.solver),
                                    .dt = family_.dt,
                                    .parameters = parameters_,
                                    .world_count = family_.last_world + threads,
                                    .thread_count = threads});
    }

    /// World w starts a little apart from the others, world 0 as authored.
    std::uint64_t hash_batch(int threads)
    {
        Batch batch = make_batch(threads).value();
        for (int w = 1; w < batch.world_count(); ++w)
        {
            for (double& v : batch.state().world(w).v) v += 0.01 * w;
        }
        batch.refresh();
        batch.run_steps(family_.steps);
        first_world_ = hash(batch.state(), 0);
        EXPECT_EQ(batch.state().step[0], family_.steps) << key_ << " stopped: " << to_string(batch.reports()[0].status);
        return first_world_ ^ hash(batch.state(), family_.last_world);
    }

    /// World 0 as a Simulation: its state is that of the batch; returns its memory's hash.
    std::uint64_t hash_alone(int threads)
    {
        Parameters parameters = parameters_;
        if (has_parameter(info_, "threads")) parameters["threads"] = threads;
        Simulation alone =
            Simulation::make(model_,
                             {.solver = std::string(family_.solver), .dt = family_.dt, .parameters = parameters})
                .value();
        const StepReport report = alone.run_steps(family_.steps);
        EXPECT_EQ(hash(alone.state(), 0), first_world_) << key_ << ", one world on " << threads << " threads";
        EXPECT_TRUE(report.contact_count > 0 || !touching_) << key_ << " touches nothing: more steps";
        return hash_memory(alone.snapshot());
    }

    const Family& family_;
    const SolverInfo& info_;
    std::shared_ptr<const Model> model_;
    Parameters parameters_;
    std::string key_;
    bool touching_ = false;
    std::uint64_t first_world_ = 0;
};

}  // namespace

void expect_golden(const Family& family)
{
    std::vector<Line> made;
    for (const Variant& variant : family.variants)
    {
        for (const lab::Scene& scene : lab::all_scenes())
        {
            if (!variant.includes(scene.name)) continue;
            if (const std::optional<Line> line = Run(family, variant, scene).make_line()) made.push_back(*line);
        }
    }

    std::map<std::string, std::string> missing;
    for (const Line& line : read_lines())
    {
        if (line.belongs_to(family.label)) missing[line.key] = line.value;
    }
    for (const Line& line : made)
    {
        EXPECT_EQ(line.value, missing[line.key])
            << line.key << ": state and memory changed; after an intended change of behaviour run this program with "
            << "RATTLEBACK_UPDATE_GOLDEN=1";
        missing.erase(line.key);
    }
    for (const auto& [key, value] : missing) ADD_FAILURE() << key << ' ' << value << ": not run any more";
    if (std::getenv("RATTLEBACK_UPDATE_GOLDEN")) rewrite(family.label, made);
}

}  // namespace rattleback::golden
