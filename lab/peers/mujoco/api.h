// The functions of MuJoCo's library that we call, found when the program runs.
#pragma once

#include <rattleback/error.h>

#include <mujoco/mjbatch.h>
#include <mujoco/mujoco.h>

#include <memory>
#include <string>

namespace rattleback::lab
{

/// MuJoCo's library, open: every function that we call, by our names (api.cpp has theirs).
struct MujocoApi
{
    decltype(&::mj_version) version = nullptr;
    decltype(&::mj_versionString) version_string = nullptr;
    decltype(&::mju_setLogHandler) set_log_handler = nullptr;
    decltype(&::mj_loadXML) load_xml = nullptr;
    decltype(&::mj_parseXMLString) parse_xml_string = nullptr;
    decltype(&::mj_compile) compile = nullptr;
    decltype(&::mjs_getError) get_spec_error = nullptr;
    decltype(&::mj_deleteSpec) delete_spec = nullptr;
    decltype(&::mj_deleteModel) delete_model = nullptr;
    decltype(&::mj_makeData) make_data = nullptr;
    decltype(&::mj_resetData) reset_data = nullptr;
    decltype(&::mj_deleteData) delete_data = nullptr;
    decltype(&::mj_step) step = nullptr;
    decltype(&::mj_forward) forward = nullptr;
    decltype(&::mj_kinematics) compute_kinematics = nullptr;
    decltype(&::mj_fullM) fill_mass_matrix = nullptr;
    decltype(&::mj_inverse) inverse = nullptr;
    decltype(&::mj_jac) fill_point_jacobian = nullptr;
    decltype(&::mj_jacSubtreeCom) fill_subtree_jacobian = nullptr;
    decltype(&::mj_id2name) find_name = nullptr;
    decltype(&::mjCOLLISIONFUNC) collision_functions = nullptr;  ///< by the types of two geoms, lower first
    decltype(&::mjb_defaultConfig) set_batch_defaults = nullptr;
    decltype(&::mjb_makeBatch) make_batch = nullptr;
    decltype(&::mjb_deleteBatch) delete_batch = nullptr;
    decltype(&::mjb_step) batch_step = nullptr;
    decltype(&::mjb_rollout) batch_rollout = nullptr;
    decltype(&::mjb_reset) batch_reset = nullptr;
    decltype(&::mjb_stateComponent) find_batch_component = nullptr;
    decltype(&::mjb_nstate) batch_state_size = nullptr;
    decltype(&::mjb_warning) find_batch_warnings = nullptr;
};

/// The library, opened at the first call and never closed; an error where it is missing or of another version than the
/// headers. Its warnings go nowhere (mjData counts them), its errors to stderr before it ends the process.
Result<const MujocoApi*> open_mujoco();

struct ModelDeleter
{
    void operator()(mjModel* model) const;
};
struct DataDeleter
{
    void operator()(mjData* data) const;
};
using ModelPointer = std::unique_ptr<mjModel, ModelDeleter>;
using DataPointer = std::unique_ptr<mjData, DataDeleter>;

/// The file or text, compiled by MuJoCo, or its complaint.
Result<ModelPointer> load_mujoco_file(const MujocoApi& api, const std::string& path);
Result<ModelPointer> load_mujoco_text(const MujocoApi& api, const std::string& mjcf);

}  // namespace rattleback::lab
