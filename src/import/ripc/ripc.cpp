// Scene file to Model: the values of the text, what they describe, and the Model that this makes.
#include <rattleback/import.h>

#include "base/within_memory.h"
#include "build/build.h"
#include "import/mjcf/files.h"
#include "import/ripc/assembly.h"

namespace rattleback
{

namespace
{

Result<Imported> read_text(std::string_view text, const std::string& name, const std::filesystem::path& directory,
                           const ImportOptions& options)
{
    Log log;
    JsonText file;
    if (!file.parse(text, name, options.limits, log)) return log.take_errors();
    if (!ripc::is_scene(file.root()))
        return Error{ErrorCode::unsupported, name, "a JSON file, and no scene of rigid-IPC",
                     "such a scene is an object with the key 'rigid_body_problem'"};
    const ripc::Scene scene = ripc::read_scene(file, log);
    if (log.is_cut_off()) return log.take_errors();
    ripc::Assembly assembly(scene, std::filesystem::path(name).stem().string(), directory, options, log);
    const Authored authored = assembly.read();
    if (!log.good()) return log.take_errors();
    Result<Model> model = build(authored);
    if (!model) assembly.add_builder_errors(model.errors());
    if (!log.good()) return log.take_errors();
    return Imported{std::move(model).value(), log.take_warnings(), scene.duration};
}

}  // namespace

Result<Imported> load_ripc(const std::filesystem::path& path, const ImportOptions& options)
{
    const auto read = [&]() -> Result<Imported>
    {
        const Result<std::string> text = mjcf::read_bytes(path, options.limits.bytes);
        if (!text) return text.errors();
        const std::filesystem::path folder = path.parent_path().empty() ? "." : path.parent_path();
        return read_text(text.value(), path.generic_string(), folder, options);
    };
    return within_memory(path, read);
}

Result<Imported> parse_ripc(std::string_view text, const std::string& name, const std::filesystem::path& directory,
                            const ImportOptions& options)
{
    return within_memory(name, [&] { return read_text(text, name, directory, options); });
}

}  // namespace rattleback
