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
    find("mj_version", api.version);
    find("mj_versionString", api.version_string);
    find("mju_setLogHandler", api.set_log_handler);
    find("mj_loadXML", api.load_xml);
    find("mj_parseXMLString", api.parse_xml_string);
    find("mj_compile", api.compile);
    find("mjs_getError", api.get_spec_error);
    find("mj_deleteSpec", api.delete_spec);
    find("mj_deleteModel", api.delete_model);
    find("mj_makeData", api.make_data);
    find("mj_resetData", api.reset_data);
    find("mj_deleteData", api.delete_data);
    find("mj_step", api.step);
    find("mj_forward", api.forward);
    find("mj_kinematics", api.compute_kinematics);
    find("mj_fullM", api.fill_mass_matrix);
    find("mj_inverse", api.inverse);
    find("mj_jac", api.fill_point_jacobian);
    find("mj_jacSubtreeCom", api.fill_subtree_jacobian);
    find("mj_id2name", api.find_name);
    find("mjCOLLISIONFUNC", api.collision_functions);
    find("mjb_defaultConfig", api.set_batch_defaults);
    find("mjb_makeBatch", api.make_batch);
    find("mjb_deleteBatch", api.delete_batch);
    find("mjb_step", api.batch_step);
    find("mjb_rollout", api.batch_rollout);
    find("mjb_reset", api.batch_reset);
    find("mjb_stateComponent", api.find_batch_component);
    find("mjb_nstate", api.batch_state_size);
    find("mjb_warning", api.find_batch_warnings);
    if (missing != nullptr) return make_error(std::string("the library has no function ") + missing);
    if (api.version() != mjVERSION_HEADER)
    {
        return make_error(std::string("the library is version ") + api.version_string() + ", the headers are not");
    }
    api.set_log_handler(&handle_message);
    return api;
}

}  // namespace

Result<const MujocoApi*> open_mujoco()
{
    static const Result<MujocoApi> kApi = open_library();
    if (!kApi.ok()) return kApi.errors();
    return &kApi.value();
}

void ModelDeleter::operator()(mjModel* model) const { open_mujoco().value()->delete_model(model); }
void DataDeleter::operator()(mjData* data) const { open_mujoco().value()->delete_data(data); }

Result<ModelPointer> load_mujoco_file(const MujocoApi& api, const std::string& path)
{
    std::array<char, 2000> complaint{};
    ModelPointer model(api.load_xml(path.c_str(), nullptr, complaint.data(), static_cast<int>(complaint.size())));
    if (!model) return Error{ErrorCode::syntax, path, std::string("MuJoCo: ") + complaint.data(), ""};
    return model;
}

Result<ModelPointer> load_mujoco_text(const MujocoApi& api, const std::string& mjcf)
{
    std::array<char, 2000> complaint{};
    const auto drop = [&](mjSpec* spec) { api.delete_spec(spec); };
    const std::unique_ptr<mjSpec, decltype(drop)> spec(
        api.parse_xml_string(mjcf.c_str(), nullptr, complaint.data(), static_cast<int>(complaint.size())), drop);
    if (!spec) return Error{ErrorCode::syntax, "", std::string("MuJoCo: ") + complaint.data(), ""};
    ModelPointer model(api.compile(spec.get(), nullptr));
    if (!model) return Error{ErrorCode::syntax, "", std::string("MuJoCo: ") + api.get_spec_error(spec.get()), ""};
    return model;
}

}  // namespace rattleback::lab
