// Runs lab/peers/coacd/decompose.py on a mesh and writes the model of its parts.
#include "lab/render/decompose_mesh.h"

#include "base/hash.h"
#include "geometry/mass.h"
#include "import/meshes/mesh_file.h"

#include <rattleback/import.h>

#include <fmt/format.h>

#include <spawn.h>
#include <sys/wait.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>

extern char** environ;

namespace rattleback::lab
{

namespace
{

namespace fs = std::filesystem;

Error make_decompose_error(std::string message, std::string hint = {})
{
    return {.code = ErrorCode::io, .where = "decompose", .message = std::move(message), .hint = std::move(hint)};
}

/// Python with CoACD, or nothing.
fs::path find_interpreter()
{
    if (const char* named = std::getenv("RATTLEBACK_COACD")) return named;
    return fs::path(RATTLEBACK_COACD) / "bin" / "python3";
}

std::uint64_t hash_mesh(const MeshOptions& mesh, int count)
{
    Hasher hasher;
    hasher.add(count);
    for (const Vec3& v : mesh.vertices)
    {
        for (const double x : {v.x, v.y, v.z}) hasher.add(x);
    }
    for (const auto& t : mesh.triangles)
    {
        for (const int corner : t) hasher.add(corner);
    }
    return hasher.value();
}

/// The file's name in letters that need no quoting anywhere.
std::string find_plain_name(const fs::path& path)
{
    std::string name = path.stem().string();
    const auto is_plain = [](char c)
    {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' ||
               c == '.';
    };
    std::replace_if(name.begin(), name.end(), [&](char c) { return !is_plain(c); }, '_');
    return name;
}

Status write_obj(const MeshOptions& mesh, const fs::path& path)
{
    std::ofstream file(path);
    for (const Vec3& v : mesh.vertices) file << fmt::format("v {:.17g} {:.17g} {:.17g}\n", v.x, v.y, v.z);
    for (const auto& [a, b, c] : mesh.triangles) file << fmt::format("f {} {} {}\n", a + 1, b + 1, c + 1);
    file.close();
    if (!file) return make_decompose_error("cannot write " + path.string());
    return {};
}

/// Runs a program without a shell; its exit status, or -1.
int run_program(const std::vector<std::string>& words)
{
    std::vector<char*> arguments;
    for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    pid_t child = 0;
    if (posix_spawn(&child, arguments[0], nullptr, nullptr, arguments.data(), environ) != 0) return -1;
    int status = 0;
    if (waitpid(child, &status, 0) != child || !WIFEXITED(status)) return -1;
    return WEXITSTATUS(status);
}

Status write_model(const std::string& name, const DecomposeReport& report)
{
    std::ofstream file(report.model);
    file << fmt::format("<mujoco model=\"{}\">\n  <asset>\n", name);
    for (const fs::path& part : report.parts)
        file << fmt::format("    <mesh name=\"{}\" file=\"{}\"/>\n", part.stem().string(), part.filename().string());
    file << fmt::format("  </asset>\n  <worldbody>\n    <body name=\"{}\">\n      <freejoint/>\n", name);
    for (const fs::path& part : report.parts)
        file << fmt::format("      <geom type=\"mesh\" mesh=\"{}\"/>\n", part.stem().string());
    file << "    </body>\n  </worldbody>\n</mujoco>\n";
    file.close();
    if (!file) return make_decompose_error("cannot write " + report.model.string());
    return {};
}

Result<double> find_volume(const MeshOptions& mesh, MeshMass rule)
{
    const Result<MassProperties> mass = compute_mass(ShapeType::mesh, {}, &mesh, rule, 1);
    if (!mass.ok()) return mass.errors();
    return mass.value().mass;
}

}  // namespace

Result<DecomposeReport> decompose_mesh_file(const fs::path& path, const DecomposeOptions& options)
{
    const Result<MeshOptions> loaded = load_mesh_file(path, {}, {.groups = ObjGroups::all});
    if (!loaded.ok()) return loaded.errors();
    const MeshOptions& mesh = loaded.value();
    const fs::path interpreter = find_interpreter();
    if (!fs::exists(interpreter))
        return make_decompose_error("CoACD is not installed", "tools/peers --coacd installs it");
    // Hand the mesh over as OBJ, whatever its own format.
    const fs::path folder = options.folder.empty() ? path.parent_path() : options.folder;
    const std::string name = fmt::format("{}-{:016x}", find_plain_name(path), hash_mesh(mesh, options.count));
    const fs::path source = folder / (name + "-source.obj");
    if (const Status written = write_obj(mesh, source); !written.ok()) return written.errors();
    const int status = run_program({interpreter.string(), RATTLEBACK_COACD_SCRIPT, source.string(),
                                    (folder / name).string(), std::to_string(options.count)});
    std::error_code ignored;
    fs::remove(source, ignored);
    if (status != 0) return make_decompose_error(fmt::format("CoACD failed with exit status {}", status));
    // What it wrote, in order, and the model of all of them, which must load.
    DecomposeReport report{.model = folder / (name + ".xml")};
    for (int i = 0;; ++i)
    {
        const fs::path part = folder / fmt::format("{}-{:03}.obj", name, i);
        if (i >= options.count || !fs::exists(part)) break;
        const Result<MeshOptions> piece = load_mesh_file(part);
        if (!piece.ok()) return piece.errors();
        const Result<double> volume = find_volume(piece.value(), MeshMass::convex);
        if (!volume.ok()) return volume.errors();
        report.parts.push_back(part);
        report.parts_volume += volume.value();
    }
    if (report.parts.empty()) return make_decompose_error("CoACD wrote no parts");
    if (const Status written = write_model(name, report); !written.ok()) return written.errors();
    const Result<double> volume = find_volume(mesh, MeshMass::exact);
    if (volume.ok()) report.volume = volume.value();
    const Result<Imported> checked = load_model(report.model);
    if (!checked.ok()) return checked.errors();
    return report;
}

}  // namespace rattleback::lab
