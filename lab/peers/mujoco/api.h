// The functions of MuJoCo's library that we call, found when the program runs.
#pragma once

#include <rattleback/error.h>

#include <mujoco/mjbatch.h>
#include <mujoco/mujoco.h>

#include <memory>
#include <string>

namespace rattleback::lab
{

// Every function we call, once.
// clang-format off
#define RATTLEBACK_MUJOCO_FUNCTIONS(X)                                                                                \
    X(mj_version) X(mj_versionString) X(mju_setLogHandler)                                                            \
    X(mj_loadXML) X(mj_parseXMLString) X(mj_compile) X(mjs_getError) X(mj_deleteSpec) X(mj_deleteModel)               \
    X(mj_makeData) X(mj_resetData) X(mj_deleteData)                                                                   \
    X(mj_step) X(mj_forward) X(mj_kinematics) X(mj_fullM) X(mj_id2name)                                               \
    X(mjb_defaultConfig) X(mjb_makeBatch) X(mjb_deleteBatch) X(mjb_step) X(mjb_reset)                                 \
    X(mjb_stateComponent) X(mjb_nstate) X(mjb_warning)
// clang-format on

/// MuJoCo's library, open.
struct MujocoApi
{
#define RATTLEBACK_MUJOCO_MEMBER(name) decltype(&::name) name = nullptr;
    RATTLEBACK_MUJOCO_FUNCTIONS(RATTLEBACK_MUJOCO_MEMBER)
#undef RATTLEBACK_MUJOCO_MEMBER
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

/// The file, compiled by MuJoCo, or its complaint.
Result<ModelPointer> load_mujoco_file(const MujocoApi& api, const std::string& path);

}  // namespace rattleback::lab
