// Pictures and curves of bench `piles`, and a page that shows them.
#include "base/file.h"
#include "base/text.h"
#include "lab/accuracy/plot.h"
#include "lab/bench/piles.h"
#include "lab/render/film.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>

namespace rattleback::lab
{

namespace
{

Error make_page_error(const std::filesystem::path& where, const std::string& message)
{
    return {.code = ErrorCode::io, .where = where.string(), .message = message, .hint = ""};
}

/// The last state as a picture, by way of a recording of one frame.
Status write_picture(const PileRun& run, State& state, const std::filesystem::path& path)
{
    const std::filesystem::path file =
        std::filesystem::temp_directory_path() / fmt::format("rattleback-pile-{}.rec", getpid());
    Result<Recorder> opened = Recorder::open(file, run.model, {.solver = "avbd", .dt = run.scene->dt});
    if (!opened.ok()) return opened.errors();
    const Control control(*run.model);
    Recorder recorder = std::move(opened).value();
    Status done =
        recorder.append({.time = state.time[0], .step = 1, .world = state.world(), .control = control.world()});
    if (done.ok()) done = recorder.close();
    if (done.ok())
    {
        Result<Recording> loaded = load_recording(file);
        if (!loaded.ok()) done = loaded.errors();
        if (loaded.ok())
        {
            Recording recording = std::move(loaded).value();
            FilmOptions options;
            options.camera.width = 960;
            options.camera.height = 600;
            if (run.scene->flat_view)
            {
                options.camera.yaw = -80;
                options.camera.pitch = 8;
            }
            const Result<FilmReport> filmed = film(recording, path, options);
            if (!filmed.ok()) done = filmed.errors();
        }
    }
    std::error_code ignored;
    std::filesystem::remove(file, ignored);
    return done;
}

/// One curve per engine, from the cheapest to the dearest setting.
std::vector<Curve> make_curves(const PileRun& run, double (*measure)(const PileOutcome&))
{
    std::vector<const PileOutcome*> sorted;
    for (const PileOutcome& outcome : run.outcomes) sorted.push_back(&outcome);
    std::stable_sort(sorted.begin(), sorted.end(), [](const auto* a, const auto* b) { return a->ms < b->ms; });
    std::vector<Curve> curves;
    for (const PileOutcome& outcome : run.outcomes)
    {
        const auto same = [&](const Curve& curve) { return curve.name == outcome.engine; };
        if (std::find_if(curves.begin(), curves.end(), same) == curves.end())
            curves.push_back({outcome.engine, {}, {}});
    }
    for (Curve& curve : curves)
    {
        for (const PileOutcome* outcome : sorted)
        {
            if (outcome->engine != curve.name) continue;
            curve.x.push_back(outcome->ms);
            curve.y.push_back(measure(*outcome));
        }
    }
    return curves;
}

struct Measure
{
    const char* file;
    const char* label;
    double (*value)(const PileOutcome&);
};
constexpr Measure kMeasures[] = {
    {"overlap", "deepest overlap [mm]", [](const PileOutcome& o) { return 1e3 * o.quality.deepest; }},
    {"shake", "kinetic energy over mass [J/kg]", [](const PileOutcome& o) { return o.quality.shake; }},
    {"sink", "top off its true height [mm]", [](const PileOutcome& o) { return 1e3 * std::abs(o.sink); }},
    {"joints", "largest joint error [mm]", [](const PileOutcome& o) { return 1e3 * o.quality.joint_error; }},
};

std::string to_html(const BenchTable& table)
{
    std::string text = "<table><tr><th>setting</th>";
    for (const std::string& column : table.columns) text += "<th>" + escape_markup(column) + "</th>";
    text += "<th>precision</th></tr>\n";
    for (const BenchTable::Row& row : table.rows)
    {
        text += "<tr><td>" + escape_markup(row.name) + "</td>";
        for (const double value : row.values)
            text += fmt::format("<td class=n>{}</td>", std::isnan(value) ? "" : short_number(value));
        text += "<td>" + row.precision + "</td></tr>\n";
    }
    return text + "</table>\n";
}

std::string figures_to_html(const BenchReport& report)
{
    std::string text =
        "<table><tr><th>figure</th><th>value</th><th>unit</th><th>bar</th><th></th><th>precision</th></tr>\n";
    for (const Figure& figure : report.figures)
    {
        const std::string bar =
            figure.bar ? fmt::format("{} {}", figure.higher_is_better ? "≥" : "≤", short_number(*figure.bar)) : "";
        const char* mark = !figure.bar ? "" : figure.passes() ? "pass" : "MISS";
        text += fmt::format(
            "<tr><td>{}</td><td class=n>{}</td><td>{}</td><td>{}</td><td class={}>{}</td><td>{}</td></tr>\n",
            escape_markup(figure.name), short_number(figure.value), escape_markup(figure.unit), bar, mark, mark,
            figure.precision);
    }
    return text + "</table>\n";
}

/// Figures and tables for a document.
std::string to_markdown(const BenchReport& report)
{
    std::string text = "| figure | value | unit | bar | | precision |\n|---|---|---|---|---|---|\n";
    for (const Figure& figure : report.figures)
    {
        const std::string bar =
            figure.bar ? fmt::format("{} {}", figure.higher_is_better ? "≥" : "≤", short_number(*figure.bar)) : "";
        text +=
            fmt::format("| {} | {} | {} | {} | {} | {} |\n", figure.name, short_number(figure.value), figure.unit, bar,
                        !figure.bar       ? ""
                        : figure.passes() ? "met"
                                          : "**missed**",
                        figure.precision);
    }
    for (const BenchTable& table : report.tables)
    {
        text += "\n" + table.title + "\n\n| setting |";
        for (const std::string& column : table.columns) text += " " + column + " |";
        text += " precision |\n|---|";
        for (std::size_t c = 0; c <= table.columns.size(); ++c) text += "---|";
        for (const BenchTable::Row& row : table.rows)
        {
            text += "\n| " + row.name + " |";
            for (const double value : row.values)
                text += fmt::format(" {} |", std::isnan(value) ? "" : short_number(value));
            text += " " + row.precision + " |";
        }
        text += "\n";
    }
    return text;
}

constexpr const char* kHead = R"(<!doctype html><html lang="en"><meta charset="utf-8"><title>Rattleback: piles</title>
<meta name="viewport" content="width=device-width"><style>
body{font:15px/1.45 system-ui,sans-serif;color:#29303c;max-width:1400px;margin:2em auto;padding:0 1em}
table{border-collapse:collapse;margin:1em 0;font-size:13px}td,th{padding:2px 9px;border-bottom:1px solid #e1e4e8;text-align:left}
.n{text-align:right;font-variant-numeric:tabular-nums}.pass{color:#1d7a3c}.MISS{color:#c0392b;font-weight:600}
figure{display:inline-block;margin:0 1em 1em 0;max-width:46%;vertical-align:top}img{max-width:100%;border:1px solid #e1e4e8}
figcaption{font-size:13px;color:#5a6372}</style>
)";

/// Pictures and curves of one scene, as files and as a part of the page.
Result<std::string> write_scene(PileRun& run, const BenchTable& table, const std::filesystem::path& folder)
{
    const std::string name(run.scene->name);
    std::string text = fmt::format("<h2>{}</h2>\n", escape_markup(table.title));
    const auto add_figure = [&](const std::string& file, const std::string& caption)
    {
        text += fmt::format("<figure><img src=\"{}\" alt=\"{}\"><figcaption>{}</figcaption></figure>\n", file,
                            escape_markup(caption), escape_markup(caption));
    };
    std::vector<std::string> drawn;
    for (std::size_t i = 0; i < run.ends.size(); ++i)
    {
        // The second setting of ours, ten sweeps, and the default of every peer.
        const PileOutcome& outcome = run.outcomes[i];
        const bool ours = outcome.engine == "avbd double";
        const bool seen = std::find(drawn.begin(), drawn.end(), outcome.engine) != drawn.end();
        if (seen || (ours && outcome.name != "avbd 1x10") || outcome.engine == "avbd single") continue;
        drawn.push_back(outcome.engine);
        const std::string file = fmt::format("{}-{}.png", name, ours ? "avbd" : outcome.engine);
        const Status written = write_picture(run, run.ends[i], folder / file);
        if (!written.ok()) return written.errors();
        add_figure(file, fmt::format("{}: {} after {:.3g} s", name, outcome.name, run.ends[i].time[0]));
    }
    text += "<br>\n";
    for (const Measure& measure : kMeasures)
    {
        Plot plot{.title = name,
                  .x_label = "ms per step",
                  .y_label = measure.label,
                  .curves = make_curves(run, measure.value),
                  .marks = true,
                  .log_x = true,
                  .log_y = true};
        const auto has_value = [](const Curve& curve)
        { return std::any_of(curve.y.begin(), curve.y.end(), [](double y) { return y > 0; }); };
        if (std::none_of(plot.curves.begin(), plot.curves.end(), has_value)) continue;
        const std::string file = fmt::format("{}-{}.png", name, measure.file);
        const Status written = write_plot(plot, folder / file);
        if (!written.ok()) return written.errors();
        add_figure(file, fmt::format("{} against the time of a step", measure.label));
    }
    return text + to_html(table);
}

}  // namespace

Status write_pile_page(std::vector<PileRun>& runs, const BenchReport& report, const std::string& folder)
{
    std::error_code failed;
    std::filesystem::create_directories(folder, failed);
    if (!std::filesystem::is_directory(folder))
        return make_page_error(folder, "is not a folder and cannot be made one");
    std::string page = kHead;
    page += "<h1>Piles</h1>\n<p>" + escape_markup(report.question) + "</p>\n<ul>\n";
    for (const std::string& note : report.notes) page += "<li>" + escape_markup(note) + "</li>\n";
    page += fmt::format("</ul>\n<p><b>{}</b></p>\n", escape_markup(report.verdict())) + figures_to_html(report);
    for (std::size_t i = 0; i < runs.size(); ++i)
    {
        const Result<std::string> text = write_scene(runs[i], report.tables[i], folder);
        if (!text.ok()) return text.errors();
        page += text.value();
    }
    const std::filesystem::path place(folder);
    const Status written = write_file(place / "index.html", page + "</html>\n");
    return written.ok() ? write_file(place / "figures.md", to_markdown(report)) : written;
}

}  // namespace rattleback::lab
