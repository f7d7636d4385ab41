// MJCF to Model: read, expand, assemble; a second time where numbers depend on the finished model.
#include <rattleback/builder.h>
#include <rattleback/import.h>

#include "import/mjcf/assembly.h"
#include "import/mjcf/constants.h"
#include "import/mjcf/custom.h"

#include <algorithm>
#include <iterator>

namespace rattleback
{

namespace
{

using namespace mjcf;

struct Assets
{
    std::map<std::string, MeshAsset> meshes;
    std::vector<MeshOptions> mesh_data;
};

std::optional<Model> assemble(const Spec& spec, Source& source, Log& log, Assets& assets, const Refinement& refinement,
                              std::optional<Refinement>* next)
{
    Assembly assembly(spec, source, log, refinement);
    assembly.add_options();
    assembly.add_assets(assets.meshes, assets.mesh_data);
    assembly.add_tree();
    assembly.add_contacts();
    assembly.add_tendons();
    assembly.add_equalities();
    assembly.add_actuators();
    assembly.add_sensors();
    assembly.add_keys();
    std::optional<Model> model = assembly.build();
    if (model && next && assembly.wants_refinement()) *next = assembly.refine(*model);
    return model;
}

Result<Imported> import_root(std::optional<Element> root, Source& source, Log& log)
{
    if (!root) return log.take_errors();
    const Spec spec = make_spec(std::move(*root), source, log);
    Assets assets;
    std::optional<Refinement> refinement;
    std::optional<Model> model = assemble(spec, source, log, assets, {}, &refinement);
    if (model && refinement)
    {
        Log second;  // says the same again
        model = assemble(spec, source, second, assets, *refinement, nullptr);
        if (!model) return second.take_errors();
    }
    if (!model) return log.take_errors();
    match_constants(*model);
    model = apply_custom(spec.custom, spec.assets, std::move(*model), log);
    if (!model) return log.take_errors();
    std::vector<Error> warnings = log.take_warnings();
    std::ranges::move(find_hull_warnings(*model), std::back_inserter(warnings));
    return Imported{std::move(*model), std::move(warnings)};
}

Source make_source(const std::filesystem::path& folder, const ImportOptions& options)
{
    Source source{.options = &options, .folder = folder, .bytes_left = options.limits.bytes};
    std::error_code code;
    const auto full = std::filesystem::weakly_canonical(std::filesystem::absolute(folder, code), code);
    source.root = full.parent_path();
    return source;
}

}  // namespace

Result<Imported> load_mjcf(const std::filesystem::path& path, const ImportOptions& options)
{
    Source source = make_source(path.parent_path().empty() ? "." : path.parent_path(), options);
    Log log;
    const Place place{std::make_shared<const std::string>(path.generic_string())};
    auto root = mjcf::read_file(path, place, source, log);
    return import_root(std::move(root), source, log);
}

Result<Imported> parse_mjcf(std::string_view text, const std::string& name, const std::filesystem::path& directory,
                            const ImportOptions& options)
{
    Source source = make_source(directory, options);
    Log log;
    auto root = read_text(text, name, source, log);
    return import_root(std::move(root), source, log);
}

}  // namespace rattleback
