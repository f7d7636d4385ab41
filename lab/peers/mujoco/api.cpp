// Opens MuJoCo's library and checks that it is the one the headers describe.
#include "lab/peers/mujoco/api.h"

#include <dlfcn.h>

#include <array>
#include <cstdio>
#include <cstdlib>

namespace rattleback::lab
{

namespace
{

// Without a handler MuJoCo writes MUJOCO_LOG.TXT into the working directory. It asks that handlers of errors never
// return.
void handle_message(const mjLogMessage* message)
{
    if (message->level != mjLOG_ERROR) return;
    std::fprintf(stderr, "mujoco: %s\n", message->subject);
    std::exit(EXIT_FAILURE);
}

Error make_error(std::string message)
{
    return {.code = ErrorCode::io, .where = "", .message = std::move(message), .hint = "tools/peers installs it"};
}

Result<MujocoApi> open_library()
{
    void* library = dlopen(RATTLEBACK_MUJOCO_LIBRARY, RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) return make_error(std::string("cannot be opened: ") + dlerror());
    MujocoApi api;
    const char* missing = nullptr;
    const auto find = [&](const char* name, auto& function)
    {
        function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library, name));
        if (function == nullptr) missing = name;
    };
#define RATTLEBACK_MUJOCO_FIND(name) find(#name, api.name);
    RATTLEBACK_MUJOCO_FUNCTIONS(RATTLEBACK_MUJOCO_FIND)
#undef RATTLEBACK_MUJOCO_FIND
    if (missing != nullptr) return make_error(std::string("the library has no function ") + missing);
    if (api.mj_version() != mjVERSION_HEADER)
    {
        return make_error(std::string("the library is version ") + api.mj_versionString() + ", the headers are not");
    }
    api.mju_setLogHandler(&handle_message);
    return api;
}

}  // namespace

Result<const MujocoApi*> open_mujoco()
{
    static const Result<MujocoApi> api = open_library();
    if (!api.ok()) return api.errors();
    return &api.value();
}

void ModelDeleter::operator()(mjModel* model) const { open_mujoco().value()->mj_deleteModel(model); }
void DataDeleter::operator()(mjData* data) const { open_mujoco().value()->mj_deleteData(data); }

Result<ModelPointer> load_mujoco_file(const MujocoApi& api, const std::string& path)
{
    std::array<char, 2000> complaint{};
    ModelPointer model(api.mj_loadXML(path.c_str(), nullptr, complaint.data(), static_cast<int>(complaint.size())));
    if (!model) return Error{ErrorCode::syntax, path, std::string("MuJoCo: ") + complaint.data(), ""};
    return model;
}

}  // namespace rattleback::lab
