// What MJCF has no words for: JSON in texts of <custom> whose names begin with "rattleback".
#pragma once

#include <rattleback/model.h>

#include "import/mjcf/element.h"

#include <nlohmann/json_fwd.hpp>

namespace rattleback::mjcf
{

/// The texts (name, data) that hold a JSON merge patch of documents (see import/draft/document.h); long ones are cut
/// into pieces. The vertices of `written`, the meshes in the rest of the file, are not said twice.
std::vector<std::pair<std::string, std::string>> make_custom(nlohmann::json patch,
                                                             const std::vector<MeshOptions>& written);

/// The model with the patch applied that its file holds, if any. `custom`, `assets`: the children of these sections.
std::optional<Model> apply_custom(const std::vector<Element>& custom, const std::vector<Element>& assets, Model model,
                                  Log& log);

}  // namespace rattleback::mjcf
