// `rattleback decompose`: a mesh as convex parts, by CoACD.
#include "commands.h"
#include "lab/render/decompose_mesh.h"
#include "terminal.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace rattleback::cli
{

int decompose(const DecomposeCommand& command)
{
    const Result<lab::DecomposeReport> cut =
        lab::decompose_mesh_file(command.mesh, {.count = command.count, .folder = command.folder});
    if (!cut.ok()) return report_errors(cut.errors(), command.json);
    const lab::DecomposeReport& report = cut.value();
    if (command.json)
    {
        std::vector<std::string> parts;
        for (const auto& part : report.parts) parts.push_back(part.string());
        print_json({{"model", report.model.string()},
                    {"parts", parts},
                    {"volume", report.volume ? nlohmann::json(*report.volume) : nlohmann::json()},
                    {"parts_volume", report.parts_volume}});
        return 0;
    }
    const std::string whole = report.volume ? fmt::format("the mesh has {:.4g}", 1000 * *report.volume)
                                            : std::string("the mesh is open or inside out: it bounds nothing");
    say("{}: {} convex parts of {:.4g} litres together, {}\n", command.mesh, report.parts.size(),
        1000 * report.parts_volume, whole);
    say("  model: {}\n", report.model.string());
    return 0;
}

}  // namespace rattleback::cli
