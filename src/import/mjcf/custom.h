// What MJCF has no words for: JSON in texts of <custom> whose names begin with "rattleback".
#pragma once

#include "build/authored.h"
#include "import/mjcf/element.h"

#include <nlohmann/json_fwd.hpp>

namespace rattleback::mjcf
{

/// The texts (name, data) that hold a JSON merge patch of documents (see import/document/document.h); long ones are cut
/// into pieces. The vertices of `written`, the meshes in the rest of the file, are not said twice.
std::vector<std::pair<std::string, std::string>> make_custom(nlohmann::json patch,
                                                             const std::vector<MeshOptions>& written);

/// A patch as a file holds it.
struct CustomText
{
    std::string text;
    const Element* first = nullptr;  ///< where it begins

    /// Notes what is wrong with it.
    void fail(const std::vector<Error>& errors, Log& log) const;
};

/// The patch in the children of a custom section, if any.
std::optional<CustomText> find_custom(const std::vector<Element>& custom);

/// What the rest of the file describes with the patch applied; nothing, and errors: it does not fit. `assets`: the
/// children of that section.
std::optional<Authored> apply_custom(const CustomText& custom, const std::vector<Element>& assets,
                                     const Authored& plain, Log& log);

}  // namespace rattleback::mjcf
