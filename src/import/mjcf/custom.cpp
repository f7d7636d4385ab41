// Cuts patches into texts, puts them together again and applies them to what was read from the rest of the file.
#include "import/mjcf/custom.h"

#include "import/document/document.h"
#include "import/json/clear_json.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace rattleback::mjcf
{

namespace
{

constexpr std::string_view kName = "rattleback";
constexpr int kMaxDepth = 16;
constexpr std::size_t kPiece = 60'000;  // bytes; a reader may take no longer words than 64 KiB

std::string piece_name(std::size_t index)
{
    return std::string(kName) + (index == 0 ? "" : "_" + std::to_string(index));
}

/// Deepest nesting outside of strings: what walks the tree later does so by recursion.
int find_depth(std::string_view text)
{
    int depth = 0, deepest = 0;
    bool quoted = false;
    for (std::size_t i = 0; i < text.size(); ++i)
    {
        const char c = text[i];
        if (quoted && c == '\\')
            ++i;
        else if (c == '"')
            quoted = !quoted;
        else if (!quoted && (c == '{' || c == '['))
            deepest = std::max(deepest, ++depth);
        else if (!quoted && (c == '}' || c == ']'))
            --depth;
    }
    return deepest;
}

/// Meshes whose numbers are those of the file, where our reader would move them to their centre of mass.
void leave_out_written(const std::vector<MeshOptions>& written, nlohmann::json& patch)
{
    if (!patch.contains("meshes")) return;
    for (const MeshOptions& in_file : written)
    {
        const auto mesh = patch["meshes"].find(in_file.name);
        if (mesh == patch["meshes"].end() || !mesh->is_object() || !mesh->contains("vertices")) continue;
        mesh->erase("vertices");
        if (mesh->contains("triangles") && (*mesh)["triangles"].is_array()) mesh->erase("triangles");
        (*mesh)["as_written"] = true;
    }
}

void put_in_written(const std::vector<Element>& assets, nlohmann::json& patch)
{
    if (!patch.contains("meshes") || !patch["meshes"].is_object()) return;
    for (const Element& asset : assets)
    {
        const auto mesh = patch["meshes"].find(asset.name());
        if (!asset.is("mesh") || mesh == patch["meshes"].end() || !mesh->is_object()) continue;
        if (mesh->erase("as_written") == 0) continue;
        (*mesh)["vertices"] = asset.numbers("vertex");
        const std::vector<double> corners = asset.numbers("face");
        if (!mesh->contains("triangles") && !corners.empty())
            (*mesh)["triangles"] = std::vector<int>(corners.begin(), corners.end());
    }
}

/// Shapes that were added to the file by hand keep the materials that they were read with.
void keep_used(const nlohmann::json& materials, nlohmann::json& document)
{
    for (const char* kind : {"shapes", "materials"})
    {
        if (!document.contains(kind) || !document[kind].is_object()) return;
    }
    for (const nlohmann::json& shape : document["shapes"])
    {
        const auto name = shape.find("material");
        if (name == shape.end() || !name->is_string()) continue;
        const auto known = materials.find(name->get_ref<const std::string&>());
        if (known != materials.end()) document["materials"].emplace(known.key(), *known);
    }
}

}  // namespace

std::vector<std::pair<std::string, std::string>> make_custom(nlohmann::json document_patch,
                                                             const std::vector<MeshOptions>& written)
{
    leave_out_written(written, document_patch);
    const std::string patch = document_patch.dump(-1, ' ', true);
    std::vector<std::pair<std::string, std::string>> texts;
    for (std::size_t begin = 0; begin < patch.size(); begin += kPiece)
        texts.emplace_back(piece_name(texts.size()), patch.substr(begin, kPiece));
    return texts;
}

std::optional<CustomText> find_custom(const std::vector<Element>& custom)
{
    CustomText result;
    std::size_t count = 0;
    for (const Element& element : custom)
    {
        if (!element.is("text") || element.name() != piece_name(count)) continue;
        if (count++ == 0) result.first = &element;
        result.text += element.text("data");
    }
    if (!result.first) return std::nullopt;
    return result;
}

void CustomText::fail(const std::vector<Error>& errors, Log& log) const
{
    const std::string hint =
        "the text 'rattleback' belongs to the rest of the file as `rattleback convert` wrote it; "
        "without it the file is plain MJCF";
    for (const Error& error : errors) log.fail(first->location, error.where + ": " + error.message, hint, error.code);
}

std::optional<Authored> apply_custom(const CustomText& custom, const std::vector<Element>& assets,
                                     const Authored& plain, Log& log)
{
    const auto fail = [&](const std::vector<Error>& errors) { return custom.fail(errors, log), std::nullopt; };
    if (find_depth(custom.text) > kMaxDepth) return fail({{ErrorCode::limit, "rattleback", "nested too deeply", ""}});
    nlohmann::json patch, document, materials;
    const JsonClearer end_of_patch(patch), end_of_document(document), end_of_materials(materials);
    nlohmann::detail::json_sax_dom_parser<nlohmann::json> builder(patch, false);
    if (!nlohmann::json::sax_parse(custom.text, &builder) || !patch.is_object())
        return fail({{ErrorCode::syntax, "rattleback", "not a JSON object", ""}});
    put_in_written(assets, patch);
    document = write_document(plain);
    materials = document["materials"];
    apply_patch(patch, document);
    keep_used(materials, document);
    Result<Authored> patched = read_document(document);
    if (!patched) return fail(patched.errors());
    // What was left out of the plain part, such as sensors that only we have, is in the patch.
    log.take_warnings();
    return std::move(patched).value();
}

}  // namespace rattleback::mjcf
