// Model files: load, parse, write. Mistakes are one exception with all of them, each with file, line and column.
#include "convert.h"
#include "objects.h"

#include <rattleback/export.h>
#include <rattleback/import.h>

#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

namespace rattleback::python
{

namespace
{

using Path = std::filesystem::path;

ImportOptions make_options(bool allow_outside, const std::string& base, const std::vector<Path>& package_path)
{
    if (base != "fixed" && base != "free") throw nb::value_error("base: expected 'fixed' or 'free'");
    ImportOptions options;
    options.allow_outside = allow_outside;
    options.base = base == "free" ? RobotBase::free : RobotBase::fixed;
    options.package_path = package_path;
    return options;
}

/// The model; what was read without an effect becomes Python warnings.
template <class Load>
nb::object import_model(Load load)
{
    const auto run = [&]
    {
        const nb::gil_scoped_release released;
        return load();
    };
    Imported imported = take(run());
    const nb::object category = find_class("ImportWarning");
    for (const Error& warning : imported.warnings)
    {
        if (PyErr_WarnEx(category.ptr(), warning.text().c_str(), 2) != 0) throw nb::python_error();
    }
    return make_model(std::make_shared<const Model>(std::move(imported.model)));
}

using LoadFile = Result<Imported> (*)(const Path&, const ImportOptions&);
using ParseText = Result<Imported> (*)(std::string_view, const std::string&, const Path&, const ImportOptions&);

void bind_load(nb::module_& module, const char* name, LoadFile load, const char* text)
{
    const std::string signature = std::string("def ") + name +
                                  "(path: str | os.PathLike[str], *, allow_outside: bool = False, base: "
                                  "typing.Literal['fixed', 'free'] = 'fixed', package_path: "
                                  "collections.abc.Sequence[str | os.PathLike[str]] = ()) -> Model";
    module.def(
        name,
        [load](const Path& path, bool allow_outside, const std::string& base, const std::vector<Path>& package_path)
        {
            const ImportOptions options = make_options(allow_outside, base, package_path);
            return import_model([&] { return load(path, options); });
        },
        nb::arg("path"), nb::kw_only(), nb::arg("allow_outside") = false, nb::arg("base") = "fixed",
        nb::arg("package_path") = nb::make_tuple(), nb::sig(signature.c_str()), text);
}
void bind_parse(nb::module_& module, const char* name, ParseText parse, const char* text)
{
    const std::string signature =
        std::string("def ") + name +
        "(text: str, *, name: str = 'text', directory: str | os.PathLike[str] = '.', allow_outside: bool = False, "
        "base: "
        "typing.Literal['fixed', 'free'] = 'fixed', package_path: collections.abc.Sequence[str | os.PathLike[str]] = "
        "()) -> Model";
    module.def(
        name,
        [parse](const std::string& source, const std::string& file, const Path& directory, bool allow_outside,
                const std::string& base, const std::vector<Path>& package_path)
        {
            const ImportOptions options = make_options(allow_outside, base, package_path);
            return import_model([&] { return parse(source, file, directory, options); });
        },
        nb::arg("text"), nb::kw_only(), nb::arg("name") = "text", nb::arg("directory") = ".",
        nb::arg("allow_outside") = false, nb::arg("base") = "fixed", nb::arg("package_path") = nb::make_tuple(),
        nb::sig(signature.c_str()), text);
}

}  // namespace

void bind_import(nb::module_& module)
{
    bind_load(
        module, "load_model", [](const Path& p, const ImportOptions& o) { return load_model(p, o); },
        doc("load_model"));
    bind_load(
        module, "load_mjcf", [](const Path& p, const ImportOptions& o) { return load_mjcf(p, o); }, doc("load_mjcf"));
    bind_load(
        module, "load_urdf", [](const Path& p, const ImportOptions& o) { return load_urdf(p, o); }, doc("load_urdf"));
    bind_parse(
        module, "parse_mjcf", [](std::string_view t, const std::string& n, const Path& d, const ImportOptions& o)
        { return parse_mjcf(t, n, d, o); }, doc("parse_mjcf"));
    bind_parse(
        module, "parse_urdf", [](std::string_view t, const std::string& n, const Path& d, const ImportOptions& o)
        { return parse_urdf(t, n, d, o); }, doc("parse_urdf"));
    module.def(
        "write_mjcf",
        [](const ModelObject& model)
        {
            const auto write = [&]
            {
                const nb::gil_scoped_release released;
                return write_mjcf(*model.model);
            };
            return take(write());
        },
        nb::arg("model"), nb::sig("def write_mjcf(model: Model) -> str"), doc("write_mjcf"));
    module.def("model_extensions", &model_extensions, doc("model_extensions"));
}

}  // namespace rattleback::python
