// Model files: load, parse, write. Mistakes are one exception with all of them, each with file, line and column.
#include "convert.h"
#include "objects.h"

#include <rattleback/export.h>
#include <rattleback/import.h>

#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <chrono>
#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>

namespace rattleback::python
{

namespace
{

using Path = std::filesystem::path;

ImportOptions make_options(bool strict, const std::string& base, const std::vector<Path>& package_path)
{
    if (base != "fixed" && base != "free") throw nb::value_error("base: expected 'fixed' or 'free'");
    ImportOptions options;
    options.strict = strict;
    options.base = base == "free" ? RobotBase::free : RobotBase::fixed;
    options.package_path = package_path;
    return options;
}

/// One reading on a thread of its own, shared with it, so that waiting for it may end first.
struct Reading
{
    std::mutex mutex;
    std::condition_variable ended;
    std::optional<Result<Imported>> result;
    std::exception_ptr failure;  ///< of a check
    bool is_over = false;

    void run(const std::function<Result<Imported>()>& load)
    {
        std::optional<Result<Imported>> read;
        std::exception_ptr thrown;
        try
        {
            read = load();
        }
        catch (...)
        {
            thrown = std::current_exception();
        }
        const std::lock_guard lock(mutex);
        result = std::move(read);
        failure = thrown;
        is_over = true;
        ended.notify_all();
    }
    bool wait(double seconds)
    {
        std::unique_lock lock(mutex);
        return ended.wait_for(lock, std::chrono::duration<double>(seconds), [&] { return is_over; });
    }
};

/// Readings that were left: the end of the process waits for them a moment, as they still use the library.
std::vector<std::shared_ptr<Reading>>& find_left_readings()
{
    static auto* const kLeft = new std::vector<std::shared_ptr<Reading>>();
    return *kLeft;
}
void await_left_readings()
{
    for (const std::shared_ptr<Reading>& reading : find_left_readings()) reading->wait(1);
}

/// Reads while this thread listens for Ctrl-C: a large model may take many seconds. After it what is read is dropped.
Result<Imported> read_interruptibly(const std::function<Result<Imported>()>& load)
{
    const auto reading = std::make_shared<Reading>();
    std::thread([reading, load] { reading->run(load); }).detach();
    const auto wait = [&]
    {
        const nb::gil_scoped_release released;
        return reading->wait(0.1);
    };
    while (!wait())
    {
        if (PyErr_CheckSignals() == 0) continue;
        if (find_left_readings().empty()) Py_AtExit(&await_left_readings);
        find_left_readings().push_back(reading);
        throw nb::python_error();
    }
    if (reading->failure) std::rethrow_exception(reading->failure);
    return std::move(*reading->result);
}

/// The model; what was read without an effect becomes Python warnings.
nb::object import_model(const std::function<Result<Imported>()>& load)
{
    Imported imported = take(read_interruptibly(load));
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
                                  "(path: str | os.PathLike[str], *, strict: bool = False, base: "
                                  "typing.Literal['fixed', 'free'] = 'fixed', package_path: "
                                  "collections.abc.Sequence[str | os.PathLike[str]] = ()) -> Model";
    module.def(
        name,
        [load](const Path& path, bool strict, const std::string& base, const std::vector<Path>& package_path)
        {
            const ImportOptions options = make_options(strict, base, package_path);
            return import_model([load, path, options] { return load(path, options); });
        },
        nb::arg("path"), nb::kw_only(), nb::arg("strict") = false, nb::arg("base") = "fixed",
        nb::arg("package_path") = nb::make_tuple(), nb::sig(signature.c_str()), text);
}
void bind_parse(nb::module_& module, const char* name, ParseText parse, const char* text)
{
    const std::string signature =
        std::string("def ") + name +
        "(text: str, *, name: str = 'text', directory: str | os.PathLike[str] = '.', strict: bool = False, "
        "base: "
        "typing.Literal['fixed', 'free'] = 'fixed', package_path: collections.abc.Sequence[str | os.PathLike[str]] = "
        "()) -> Model";
    module.def(
        name,
        [parse](const std::string& source, const std::string& file, const Path& directory, bool strict,
                const std::string& base, const std::vector<Path>& package_path)
        {
            const ImportOptions options = make_options(strict, base, package_path);
            return import_model([parse, source, file, directory, options]
                                { return parse(source, file, directory, options); });
        },
        nb::arg("text"), nb::kw_only(), nb::arg("name") = "text", nb::arg("directory") = ".", nb::arg("strict") = false,
        nb::arg("base") = "fixed", nb::arg("package_path") = nb::make_tuple(), nb::sig(signature.c_str()), text);
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
