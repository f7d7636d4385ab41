// `rattleback pack`: a mesh as spheres, weighed against the solid, and as a picture.
#include "commands.h"
#include "lab/render/pack_cloud.h"
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

/// Points of a surface: what they enclose, and how sure that is.
int pack_points(const PackCommand& command)
{
    const Result<std::vector<Vec3>> points = lab::load_points(command.mesh);
    if (!points.ok()) return report_errors(points.errors(), command.json);
    CloudOptions options{.cell = 2 * command.radius, .density = command.density};
    if (command.view.size() == 3) options.view = Vec3{command.view[0], command.view[1], command.view[2]};
    Result<CloudSolid> measured = measure_cloud(points.value(), options);
    if (!measured.ok())
    {
        std::vector<Error> errors = measured.errors();
        errors.front().where = command.mesh;
        return report_errors(errors, command.json);
    }
    const CloudSolid& solid = measured.value();
    const Vec3 moments = find_principal_axes(solid.mass.inertia).moments;
    if (command.json)
    {
        print_json({{"points", points.value().size()},
                    {"spheres", solid.spheres.size()},
                    {"cell", solid.cell},
                    {"mass", solid.mass.mass},
                    {"mass_error", solid.error.mass},
                    {"centre", list(solid.mass.center)},
                    {"centre_error", solid.error.center},
                    {"moments", list(moments)},
                    {"moment_error", solid.error.moment}});
        return 0;
    }
    say("{}: {} points, cells of {:.3g} mm, {} spheres\n", command.mesh, points.value().size(), 1000 * solid.cell,
        solid.spheres.size());
    say("  mass at {:g} kg/m^3: {:.4g} kg, within {:.2g} kg\n", command.density, solid.mass.mass, solid.error.mass);
    say("  centre of mass [m]: {}, within {:.2g} mm\n", numbers(solid.mass.center), 1000 * solid.error.center);
    say("  principal moments [kg m^2]: {}, within {:.2g}\n", numbers(moments), solid.error.moment);
    if (options.view) say("  the far side was taken to mirror the near one in the middle of the body\n");
    return 0;
}

}  // namespace

int pack(const PackCommand& command)
{
    if (command.mesh.ends_with(".xyz")) return pack_points(command);
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
    for (const std::string& note : report.notes) say("{}\n", note);
    say("{}: {} spheres of radius {:.4g} mm fill {:.1f} % of {:.4g} litres\n", command.mesh, report.spheres,
        1000 * report.radius, 100 * report.filled, 1000 * report.volume);
    say("  centre of mass off by {:.3g} mm\n", 1000 * report.center_error);
    say("  principal moments at 1000 kg/m^3 [kg m^2]: solid {}; spheres as points {}\n", numbers(report.moments),
        numbers(report.point_moments));
    say("  weights from {:.3g} to {:.3g} of the mean\n", report.lightest, report.heaviest);
    if (command.show) say("  picture: {}\n", command.output);
    return 0;
}

}  // namespace rattleback::cli
