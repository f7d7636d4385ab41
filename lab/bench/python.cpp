// Bench `python`: what a call from Python costs beyond the work itself, beside MuJoCo's Python. A script of the package
// measures, in the environment of tools/python, and writes its figures to a file; here they meet their bars.
#include "lab/bench/bench.h"
#include "lab/measure/measure.h"

#include <nlohmann/json.hpp>

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace rattleback::lab
{

namespace
{

namespace fs = std::filesystem;

/// A figure of the script: its key there, what it is called here, and its bar.
struct PythonFigure
{
    const char* key;
    const char* name;
    const char* unit;
    std::optional<double> bar;
};

constexpr PythonFigure kPythonFigures[] = {
    {"step_call", "a step call adds", "us", 1.0},
    {"rollout_share", "a rollout of 4096 worlds x 100 steps adds", "%", 1.0},
    {"import", "import rattleback beyond NumPy's own", "ms", 50.0},
    {"rollout_call", "a rollout call, whatever its size, adds", "us", std::nullopt},
    {"rollout", "the rollout itself, on one thread", "s", std::nullopt},
    {"mujoco_step_call", "MuJoCo: a step call adds", "us", std::nullopt},
    {"mujoco_rollout_share", "MuJoCo: the same rollout adds", "%", std::nullopt},
    {"mujoco_import", "MuJoCo: import beyond NumPy's own", "ms", std::nullopt},
};

Error make_python_error(std::string message, std::string hint)
{
    return {.code = ErrorCode::io, .where = "bench python", .message = std::move(message), .hint = std::move(hint)};
}

/// The interpreter with NumPy and the base of nanobind: that of tools/python, unless RATTLEBACK_BENCH_PYTHON names
/// another.
fs::path find_python()
{
    if (const char* named = std::getenv("RATTLEBACK_BENCH_PYTHON")) return named;
    return fs::path(RATTLEBACK_CLONE) / "build/python/bin/python";
}

/// Runs the script; what it wrote.
Result<nlohmann::json> run_script(const fs::path& extension, bool quick)
{
    const fs::path output =
        fs::temp_directory_path() / ("rattleback_bench_python_" + std::to_string(getpid()) + ".json");
    std::vector<std::string> words{find_python().string(),
                                   std::string(RATTLEBACK_CLONE) + "/bindings/python/tools/bench.py",
                                   "--extension",
                                   extension.string(),
                                   "--json",
                                   output.string()};
    if (quick) words.emplace_back("--quick");
    const Result<int> code = run_program(words);
    if (!code.ok()) return code.errors();
    std::ifstream file(output);
    nlohmann::json figures = nlohmann::json::parse(file, nullptr, false);
    std::error_code ignored;
    fs::remove(output, ignored);
    if (code.value() == 0 && figures.is_object()) return figures;
    std::string command;
    for (const std::string& word : words) command += " " + word;
    return make_python_error("the script ended with " + std::to_string(code.value()), "it says why:" + command);
}

}  // namespace

Status measure_python(const BenchOptions& options, BenchReport& report)
{
    const fs::path extension = fs::path(own_program()).parent_path() / "bindings/python/rattleback/_core.abi3.so";
    for (const fs::path& needed : {find_python(), extension})
    {
        if (!fs::exists(needed))
            return make_python_error(needed.string() + " is missing",
                                     "`tools/python` installs the environment, `tools/build release` builds the rest");
    }
    if (options.say) options.say("calls, rollouts and imports from Python");
    const Result<nlohmann::json> written = run_script(extension, options.quick);
    if (!written.ok()) return written.errors();
    for (const PythonFigure& figure : kPythonFigures)
    {
        if (!written.value().contains(figure.key)) continue;
        report.figures.push_back({.name = figure.name,
                                  .value = written.value().at(figure.key).get<double>(),
                                  .unit = figure.unit,
                                  .bar = figure.bar,
                                  .higher_is_better = false});
    }
    for (const nlohmann::json& note : written.value().at("notes")) report.notes.push_back(note.get<std::string>());
    return {};
}

}  // namespace rattleback::lab
