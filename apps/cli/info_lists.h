// Keyframes, actuators and sensors of a model, for `rattleback info`.
#pragma once

#include <rattleback/model.h>

#include <nlohmann/json_fwd.hpp>

namespace rattleback::cli
{

/// Tables of what the model has; nothing for what it has not.
void print_control_lists(const Model& model);

nlohmann::json keyframes_json(const Model& model);
nlohmann::json actuators_json(const Model& model);
nlohmann::json sensors_json(const Model& model);

}  // namespace rattleback::cli
