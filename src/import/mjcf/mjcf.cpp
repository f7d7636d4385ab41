// MJCF to Model: the elements of the text, what they describe, and the Model that this makes.
#include "import/mjcf/mjcf.h"

#include "base/within_memory.h"
#include "build/build.h"
#include "import/mjcf/assembly.h"
#include "import/mjcf/custom.h"
#include "import/mjcf/fuse.h"
#include "model/texture_limits.h"

#include <algorithm>
#include <iterator>

namespace rattleback
{

namespace
{

using namespace mjcf;

/// The model; nothing, and the log says why.
std::optional<Model> build_model(const Spec& spec, Assembly& assembly, Authored& authored, Log& log)
{
    // Files that this library wrote carry what MJCF cannot say as a patch in a custom text.
    const std::optional<CustomText> custom = find_custom(spec.custom);
    if (custom)
    {
        // The plain part of the file is told first what is wrong with it: a patch would hide where it stands.
        const std::vector<Error> mistakes = find_mistakes(authored);
        if (!mistakes.empty() || !log.good()) return assembly.add_builder_errors(mistakes), std::nullopt;
        std::optional<Authored> patched = apply_custom(*custom, spec.assets, authored, log);
        if (!patched) return std::nullopt;
        authored = std::move(*patched);
    }
    Result<Model> model = build(authored);
    if (model && log.good()) return std::move(model).value();
    if (custom)
        custom->fail(model.errors(), log);
    else
        assembly.add_builder_errors(model.errors());
    return std::nullopt;
}

Result<Reading> import_root(std::optional<Element> root, Source& source, Log& log)
{
    // Text to elements, elements to an authored model, that to a Model; every stage adds to one log.
    if (!root) return log.take_errors();
    Spec spec = make_spec(std::move(*root), source, log);
    if (spec.world.context->fuse_static) fuse_static(spec);
    Assembly assembly(spec, source, log);
    Authored authored = assembly.read();
    std::optional<Model> model;
    if (!log.is_cut_off()) model = build_model(spec, assembly, authored, log);
    if (!model) return log.take_errors();
    std::vector<Error> warnings = log.take_warnings();
    for (Error& warning : find_hull_warnings(*model)) warnings.push_back(std::move(warning));
    return Reading{std::move(authored), std::move(*model), std::move(warnings)};
}

Result<Imported> to_imported(Result<Reading> reading)
{
    if (!reading) return reading.errors();
    Reading& value = reading.value();
    return Imported{std::move(value.model), std::move(value.warnings)};
}

Source make_source(const std::filesystem::path& folder, const ImportOptions& options)
{
    // What is counted is counted over all included and attached files.
    return {.options = &options,
            .folder = folder,
            .root = folder,
            .text_left = options.limits.bytes,
            .bytes_left = options.limits.bytes,
            .copy_bytes_left = options.limits.bytes,
            .generated_left = static_cast<std::size_t>(std::max(0, options.limits.generated)),
            .pixels_left = kMostModelPixels};
}

}  // namespace

Result<Imported> load_mjcf(const std::filesystem::path& path, const ImportOptions& options)
{
    const auto read = [&]() -> Result<Imported>
    {
        Source source = make_source(path.parent_path().empty() ? "." : path.parent_path(), options);
        Log log;
        std::error_code code;  // what is wrong with the path is said where it is read
        source.open_models.push_back(std::filesystem::weakly_canonical(path, code));
        const SourceLocation location{std::make_shared<const std::string>(path.generic_string())};
        auto root = read_file(path, location, source, log);
        return to_imported(import_root(std::move(root), source, log));
    };
    return within_memory(path, read);
}

Result<Imported> parse_mjcf(std::string_view text, const std::string& name, const std::filesystem::path& directory,
                            const ImportOptions& options)
{
    return within_memory(name, [&] { return to_imported(mjcf::read(text, name, directory, options)); });
}

Result<Reading> mjcf::read(std::string_view text, const std::string& name, const std::filesystem::path& directory,
                           const ImportOptions& options)
{
    Source source = make_source(directory, options);
    Log log;
    auto root = read_text(text, name, source, log);
    return import_root(std::move(root), source, log);
}

}  // namespace rattleback
