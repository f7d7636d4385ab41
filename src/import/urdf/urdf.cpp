// URDF to Model: the elements of the text, what they describe, and the Model that this makes.
#include <rattleback/import.h>

#include <algorithm>
#include <iterator>

#include "base/within_memory.h"
#include "build/build.h"
#include "import/mjcf/check_attribute.h"
#include "import/mjcf/files.h"
#include "import/urdf/assembly.h"
#include "import/urdf/check.h"

namespace rattleback
{

namespace
{

using namespace urdf;

/// The robot's element, if the text is XML that has one and stays within the limits.
std::optional<Node> find_robot(const XmlText& file, const ImportLimits& limits, Log& log)
{
    const Node root(file.document.document_element(), file, log);
    if (!root.is("robot"))
    {
        root.fail("the file begins with " + mjcf::in_quotes(root.name()) + " instead of 'robot'", "",
                  ErrorCode::syntax);
        return std::nullopt;
    }
    return check_size(root, limits) ? std::optional(root) : std::nullopt;
}

Result<Imported> import_robot(const Node& root, const XmlText& file, const std::filesystem::path& folder,
                              const ImportOptions& options)
{
    Log& log = root.log();
    check_words(root);
    const Extension extension = read_extension(root, file, options);
    const std::optional<Robot> robot = read_tree(root);
    if (!robot) return log.take_errors();
    const FilePlaces places{folder, extension.compiler.mesh_folder, extension.compiler.strip_path, options.strict,
                            list_package_folders(options)};
    Assembly assembly(*robot, extension, places, options);
    const Authored authored = assembly.read();
    if (log.is_cut_off()) return log.take_errors();
    Result<Model> model = build(authored);
    if (!model) assembly.add_builder_errors(model.errors());
    if (!log.good()) return log.take_errors();
    std::vector<Error> warnings = log.take_warnings();
    for (Error& warning : find_hull_warnings(model.value())) warnings.push_back(std::move(warning));
    return Imported{std::move(model).value(), std::move(warnings)};
}

Result<Imported> read_text(std::string_view text, const std::string& name, const std::filesystem::path& directory,
                           const ImportOptions& options)
{
    if (text.size() > options.limits.bytes)
        return Error{ErrorCode::limit, name, "the text is too long",
                     "at most " + std::to_string(options.limits.bytes) + " bytes"};
    Log log;
    XmlText file;
    if (!file.parse(text, name, "a URDF file holds one element 'robot'", log)) return log.take_errors();
    const std::optional<Node> root = find_robot(file, options.limits, log);
    if (!root) return log.take_errors();
    return import_robot(*root, file, directory, options);
}

}  // namespace

Result<Imported> load_urdf(const std::filesystem::path& path, const ImportOptions& options)
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

Result<Imported> parse_urdf(std::string_view text, const std::string& name, const std::filesystem::path& directory,
                            const ImportOptions& options)
{
    return within_memory(name, [&] { return read_text(text, name, directory, options); });
}

}  // namespace rattleback
