// Writes plain MJCF, reads it back, and adds what is missing.
#include <rattleback/export.h>
#include <rattleback/import.h>

#include "build/build.h"
#include "import/document/document.h"
#include "import/mjcf/custom.h"
#include "import/mjcf/mjcf.h"
#include "import/mjcf_write/writer.h"

#include <nlohmann/json.hpp>

namespace rattleback
{

namespace
{

/// Names and words that XML cannot hold.
std::vector<Error> check_words(const Model& model)
{
    std::vector<Error> errors;
    const auto check = [&](const char* what, std::size_t index, const std::string& word)
    {
        if (fits_xml(word)) return;
        errors.push_back({ErrorCode::unsupported, std::string(what) + " " + std::to_string(index),
                          "its name cannot stand in an MJCF file", "UTF-8 without control characters"});
    };
    const auto check_all = [&](const char* what, const std::vector<std::string>& names)
    {
        for (std::size_t i = 0; i < names.size(); ++i) check(what, i, names[i]);
    };
    const auto check_named = [&](const char* what, const auto& items)
    {
        for (std::size_t i = 0; i < items.size(); ++i) check(what, i, items[i].name);
    };
    check("model", 0, model.name);
    check_all("body", model.bodies.name);
    check_all("joint", model.joints.name);
    check_all("shape", model.shapes.name);
    check_all("site", model.sites.name);
    check_all("equality", model.equalities.name);
    check_all("tendon", model.tendons.name);
    check_all("actuator", model.actuators.name);
    check_all("sensor", model.sensors.name);
    check_named("material", model.materials);
    check_named("mesh", model.meshes);
    check_named("height field", model.height_fields);
    check_named("keyframe", model.keyframes);
    check_named("camera", model.appearance.cameras);
    check_named("light", model.appearance.lights);
    check_named("texture", model.appearance.textures);
    check_named("visual material", model.appearance.materials);
    check("solver", 0, model.settings.solver);
    for (const auto& [solver, parameters] : model.settings.solver_parameters)
    {
        check("solver parameters", 0, solver);
        for (const auto& [name, value] : parameters)
        {
            check("solver parameter", 0, name);
            if (const auto* word = std::get_if<std::string>(&value)) check("solver parameter", 0, *word);
        }
    }
    return errors;
}

/// MuJoCo would see bodies that nothing ties: better no file than that one.
std::vector<Error> check_cables(const Equalities& equalities)
{
    std::vector<Error> errors;
    for (std::size_t i = 0; i < equalities.type.size(); ++i)
    {
        if (equalities.type[i] != EqualityType::cable) continue;
        errors.push_back({ErrorCode::unsupported, "equality '" + equalities.name[i] + "'",
                          "MJCF has no joint that stretches, bends and twists between any two bodies",
                          "a weld or a connect with a softness comes near"});
    }
    return errors;
}

}  // namespace

Result<std::string> write_mjcf(const Model& model)
{
    std::vector<Error> errors = check_words(model);
    for (Error& error : check_cables(model.equalities)) errors.push_back(std::move(error));
    if (!errors.empty()) return errors;
    const Authored authored = make_authored(model);
    MjcfWriter writer(model, authored);
    const std::uint64_t wanted = fingerprint(model);
    const auto read_back = [](const std::string& text) { return mjcf::read(text, "written MJCF", ".", {}); };

    // Most models are said completely by MJCF itself.
    std::string text = writer.write({});
    const Result<mjcf::Reading> plain = read_back(text);
    if (!plain) return plain.errors();
    if (fingerprint(plain.value().model) == wanted) return text;

    // For the others a patch says how what the plain text describes differs from the model.
    const Authored& described = plain.value().authored;
    const nlohmann::json patch = make_patch(write_document(described), write_document(authored));
    text = writer.write(mjcf::make_custom(patch, described.meshes));
    const Result<mjcf::Reading> whole = read_back(text);
    if (!whole) return whole.errors();
    if (fingerprint(whole.value().model) == wanted) return text;
    return Error{ErrorCode::unsupported, "model '" + model.name + "'", "it cannot be written to MJCF without a loss",
                 "models made by ModelBuilder or an importer can"};
}

}  // namespace rattleback
