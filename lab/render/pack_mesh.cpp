// Packs a mesh file, weighs it, and draws the spheres.
#include "lab/render/pack_mesh.h"

#include "lab/scenes/rabbit.h"

#include "geometry/packing/packing.h"
#include "import/meshes/mesh_file.h"
#include "lab/render/film.h"
#include "lab/scenes/parts.h"

#include <rattleback/simulation.h>

#include <unistd.h>

#include <algorithm>

namespace rattleback::lab
{

namespace
{

constexpr double kDensity = 1000;  // [kg/m^3]

Result<Model> build_picture(const std::vector<PackedSphere>& spheres)
{
    ModelBuilder builder("packing");
    constexpr std::array kColours = {kTeal, kAmber, kPaper, kRust};
    for (std::size_t i = 0; i < spheres.size(); ++i)
    {
        const Vec3& c = spheres[i].center;
        // layers in turn, so that they can be told apart
        const auto layer =
            static_cast<std::size_t>(std::max(0.0, (c.z - spheres[0].center.z) / (2 * spheres[i].radius) + 1000.5));
        builder.add_shape(kWorld, Sphere{.radius = spheres[i].radius},
                          {.name = "sphere " + std::to_string(i),
                           .position = c,
                           .category = 0,
                           .mask = 0,
                           .colour = kColours[layer % kColours.size()]});
    }
    return builder.build();
}

}  // namespace

Result<PackReport> pack_mesh_file(const std::filesystem::path& path, const PackMeshOptions& options)
{
    Result<MeshOptions> loaded = load_mesh_file(path, {}, {.groups = ObjGroups::all});
    if (!loaded.ok()) return loaded.errors();
    MeshOptions mesh = std::move(loaded).value();
    std::vector<std::string> notes;
    close_mesh(mesh, notes);
    const auto at_fault = [&](std::vector<Error> errors)
    {
        for (Error& error : errors)
            if (error.where.empty()) error.where = path.string();
        return errors;
    };
    Result<std::vector<PackedSphere>> packed =
        pack_shape({.type = ShapeType::mesh, .mesh = &mesh},
                   {.across = options.across, .radius = options.radius, .most = 200'000});
    if (!packed.ok()) return at_fault(packed.errors());
    std::vector<PackedSphere> spheres = std::move(packed).value();
    const Result<MassProperties> solid = compute_mass(ShapeType::mesh, {}, &mesh, MeshMass::exact, kDensity);
    if (!solid.ok()) return at_fault(solid.errors());
    const double mean = solid.value().mass / static_cast<double>(spheres.size());
    for (PackedSphere& s : spheres) s.mass = mean;
    if (options.exact)
    {
        const Status weighed = weigh_exactly(solid.value(), spheres);
        if (!weighed.ok()) return at_fault(weighed.errors());
    }
    PackReport report{.spheres = static_cast<int>(spheres.size()), .radius = spheres[0].radius};
    report.notes = std::move(notes);
    report.volume = solid.value().mass / kDensity;
    const double r = report.radius;
    report.filled = report.spheres * 4 * kPi / 3 * r * r * r / report.volume;
    const MassProperties points = point_mass_properties(spheres);
    report.center_error = norm(points.center - solid.value().center);
    report.moments = find_principal_axes(solid.value().inertia).moments;
    report.point_moments = find_principal_axes(points.inertia).moments;
    const auto [lightest, heaviest] = std::minmax_element(
        spheres.begin(), spheres.end(), [](const PackedSphere& a, const PackedSphere& b) { return a.mass < b.mass; });
    report.lightest = lightest->mass / mean;
    report.heaviest = heaviest->mass / mean;
    Result<Model> model = build_picture(spheres);
    if (!model.ok()) return model.errors();
    report.model = std::move(model).value();
    return report;
}

Status draw_packing(const PackReport& report, const std::filesystem::path& path)
{
    Result<Simulation> made = Simulation::make(report.model, {.solver = "smooth"});
    if (!made.ok()) return made.errors();
    Simulation simulation = std::move(made).value();
    const std::filesystem::path temporary =
        std::filesystem::temp_directory_path() / ("rattleback_packing_" + std::to_string(getpid()) + ".rec");
    const auto draw = [&]() -> Status
    {
        Result<Recorder> recorder = make_recorder(simulation, temporary);
        if (!recorder.ok()) return recorder.errors();
        {
            Recorder writer = std::move(recorder).value();
            const Status recorded = record_frame(writer, simulation);
            if (!recorded.ok()) return recorded.errors();
        }
        Result<Recording> recording = load_recording(temporary);
        if (!recording.ok()) return recording.errors();
        Recording opened = std::move(recording).value();
        const Result<FilmReport> drawn = film(opened, path, {});
        if (!drawn.ok()) return drawn.errors();
        return {};
    };
    const Status drawn = draw();
    std::error_code ignored;
    std::filesystem::remove(temporary, ignored);
    return drawn;
}

}  // namespace rattleback::lab
