// The viewer's page: JSON that cannot end its element, numbers in base64, and the file.
#include "view_page.h"

#include "lab/base.h"

#include "plot_columns.h"
#include "setup.h"
#include "view_looks.h"
#include "viewer_bundle.h"

#include <fmt/format.h>

namespace rattleback::cli
{

namespace
{

/// JSON for a script element: bad UTF-8 replaced, and no '<' with which the element could end.
std::string to_script(const nlohmann::json& json)
{
    const std::string text = json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    std::string safe;
    safe.reserve(text.size());
    for (const char c : text)
    {
        if (c == '<')
            safe += "\\u003c";
        else
            safe += c;
    }
    return safe;
}

/// Blocks of numbers, numbered as they are added.
class Blocks
{
public:
    /// The pack's JSON with the number of its block.
    nlohmann::json add(const Pack& pack)
    {
        nlohmann::json about = pack.about;
        about["block"] = count_;
        text_ +=
            fmt::format("<script type=\"text/plain\" id=\"block-{}\">{}</script>\n", count_, to_base64(pack.bytes));
        ++count_;
        return about;
    }
    const std::string& text() const { return text_; }

private:
    int count_ = 0;
    std::string text_;
};

nlohmann::json scene_json(const ViewScene& scene, Blocks& blocks)
{
    nlohmann::json runs = nlohmann::json::array();
    for (const ViewRun& run : scene.runs)
    {
        nlohmann::json about = run.about;
        about["shapes"] = blocks.add(run.shapes);
        about["packs"] = nlohmann::json::array();
        for (const Pack& pack : run.frames) about["packs"].push_back(blocks.add(pack));
        runs.push_back(std::move(about));
    }
    nlohmann::json json{{"name", scene.name},
                        {"summary", scene.summary},
                        {"runs", std::move(runs)},
                        {"notices", scene.notices},
                        {"refusals", scene.refusals}};
    if (!scene.table.is_null()) json["table"] = scene.table;
    return json;
}

nlohmann::json bodies_json(const RecordedModel& model)
{
    nlohmann::json name = nlohmann::json::array(), parent = name, kind = name, mass = name, center = name;
    for (const RecordedBody& body : model.bodies)
    {
        name.push_back(body.name);
        parent.push_back(body.parent);
        kind.push_back(to_string(body.kind));
        mass.push_back(body.mass);
        for (int k = 0; k < 3; ++k) center.push_back(body.center[k]);
    }
    return {{"name", name}, {"parent", parent}, {"kind", kind}, {"mass", mass}, {"center", center}};
}

nlohmann::json height_fields_json(const RecordedModel& model)
{
    nlohmann::json list = nlohmann::json::array();
    for (const HeightFieldOptions& field : model.height_fields)
    {
        list.push_back({{"rows", field.rows},
                        {"columns", field.columns},
                        {"half_x", field.half_x},
                        {"half_y", field.half_y},
                        {"base", field.base}});
    }
    return list;
}

}  // namespace

Result<ViewRun> make_view_run(Recording& recording, const ViewRunOptions& options)
{
    const RecordedModel& model = recording.model();
    Result<FramePack> packed = pack_frames(recording, {.stride = options.stride, .budget = options.budget});
    if (!packed.ok()) return packed.errors();
    FramePack frames = std::move(packed).value();
    const bool empty = frames.next_frame == 0;
    if (empty && !(options.live && frames.usable))
    {
        return Error{.code = ErrorCode::invalid_value,
                     .where = options.label,
                     .message = frames.usable ? "this recording has no frames" : frames.notices.front(),
                     .hint = frames.usable ? "its run ended before the first was written" : ""};
    }
    std::vector<std::string> notices;
    for (const Error& warning : recording.warnings()) notices.push_back(warning.text());
    notices.insert(notices.end(), frames.notices.begin(), frames.notices.end());
    if (frames.stride > 1)
    {
        notices.push_back(
            fmt::format("one frame in {} is shown; plots and ticks cover those between, too", frames.stride));
    }
    ViewRun run;
    run.about = {{"label", options.label},
                 {"detail", options.detail},
                 {"model", model.name},
                 {"fingerprint", fmt::format("{:016x}", model.fingerprint)},
                 {"solver", model.solver},
                 {"parameters", to_json(model.parameters)},
                 {"dt", model.dt},
                 {"notices", notices},
                 {"bodies", bodies_json(model)},
                 {"height_fields", height_fields_json(model)},
                 {"looks", looks_json(model)},
                 {"columns", PlotColumns(model).about()},
                 {"weightless", norm(model.gravity) == 0},
                 {"stride", frames.stride},
                 {"next_frame", frames.next_frame}};
    run.shapes = pack_shapes(model);
    pack_looks(model, run.shapes);
    if (!empty) run.frames.push_back(std::move(frames.pack));
    return run;
}

std::vector<std::string> find_view_notices(const std::vector<ViewRun>& runs)
{
    for (std::size_t i = 1; i < runs.size(); ++i)
    {
        if (runs[i].about["fingerprint"] == runs[0].about["fingerprint"]) continue;
        const bool same_bodies = runs[i].about["bodies"]["name"] == runs[0].about["bodies"]["name"];
        return {fmt::format("These recordings are of different models. They are shown side by side{}.",
                            same_bodies ? "" : "; none can be laid over another as a ghost")};
    }
    return {};
}

std::vector<Error> find_missing_viewer()
{
    const ViewerBundle bundle = viewer_bundle();
    if (!bundle.page.empty()) return {};
    return {{.code = ErrorCode::unsupported,
             .where = "view",
             .message = fmt::format("this build has no viewer page: {}", bundle.missing),
             .hint = "install nodejs and npm, allow npm to reach its registry, and build again"}};
}

std::string make_html(const ViewPage& page)
{
    Blocks blocks;
    nlohmann::json json{{"format", 1}, {"title", page.title}, {"version", RATTLEBACK_VERSION}, {"live", page.live}};
    json["scenes"] = nlohmann::json::array();
    for (const ViewScene& scene : page.scenes) json["scenes"].push_back(scene_json(scene, blocks));
    const std::string data =
        fmt::format("<script type=\"application/json\" id=\"page-data\">{}</script>\n", to_script(json)) +
        blocks.text();

    std::string html;
    std::string_view rest = viewer_bundle().page;
    const auto fill = [&](std::string_view mark, std::string_view text)
    {
        const std::size_t place = rest.find(mark);
        if (place == std::string_view::npos) return;
        html += rest.substr(0, place);
        html += text;
        rest.remove_prefix(place + mark.size());
    };
    fill("{{connect}}", page.live ? "'self'" : "'none'");
    fill("{{title}}", escape_markup(page.title));
    fill("{{data}}", data);
    return html += rest;
}

Status write_html(const ViewPage& page, const std::filesystem::path& path)
{
    std::error_code ignored;  // what cannot be made cannot be written to either
    if (path.has_parent_path()) std::filesystem::create_directories(path.parent_path(), ignored);
    return write_file(path, make_html(page));
}

}  // namespace rattleback::cli
