// `rattleback pack`: a mesh as spheres, weighed against the solid, and as a picture.
#include "commands.h"
#include "lab/render/pack_mesh.h"
#include "table.h"
#include "terminal.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace rattleback::cli
{

namespace
{

std::string numbers(const Vec3& v) { return fmt::format("{:.4g}, {:.4g}, {:.4g}", v.x, v.y, v.z); }

nlohmann::json list(const Vec3& v) { return {v.x, v.y, v.z}; }

}  // namespace

int pack(const PackCommand& command)
{
    const Result<lab::PackReport> packed =
        lab::pack_mesh_file(command.mesh, {.radius = command.radius, .across = command.across, .exact = command.exact});
    if (!packed.ok()) return report_errors(packed.errors(), command.json);
    const lab::PackReport& report = packed.value();
    if (command.show)
    {
        const Status drawn = lab::draw_packing(report, command.output);
        if (!drawn.ok()) return report_errors(drawn.errors(), command.json);
    }
    if (command.json)
    {
        print_json({{"spheres", report.spheres},
                    {"notes", report.notes},
                    {"radius", report.radius},
                    {"volume", report.volume},
                    {"filled", report.filled},
                    {"centre_error", report.center_error},
                    {"moments", list(report.moments)},
                    {"point_moments", list(report.point_moments)},
                    {"lightest", report.lightest},
                    {"heaviest", report.heaviest}});
        return 0;
    }
    for (const std::string& note : report.notes) fmt::print("{}\n", note);
    fmt::print("{}: {} spheres of radius {:.4g} mm fill {:.1f} % of {:.4g} litres\n", command.mesh, report.spheres,
               1000 * report.radius, 100 * report.filled, 1000 * report.volume);
    fmt::print("  centre of mass off by {:.3g} mm\n", 1000 * report.center_error);
    fmt::print("  principal moments at 1000 kg/m^3 [kg m^2]: solid {}; spheres as points {}\n", numbers(report.moments),
               numbers(report.point_moments));
    fmt::print("  weights from {:.3g} to {:.3g} of the mean\n", report.lightest, report.heaviest);
    if (command.show) fmt::print("  picture: {}\n", command.output);
    return 0;
}

}  // namespace rattleback::cli
