// Bench `accuracy --figures`: runs the trials of every figure of [PBD-R] and writes the page.
#include "lab/bench/accuracy_figures.h"

#include "base/file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace rattleback::lab
{

const char* to_string(Verdict verdict)
{
    switch (verdict)
    {
        case Verdict::reproduces:
            return "reproduces";
        case Verdict::in_part:
            return "in part";
        case Verdict::differs:
            return "differs";
        case Verdict::not_run:
            return "not run";
    }
    return "";
}

Verdict judge(bool known, bool holds, bool partly)
{
    if (!known) return Verdict::not_run;
    return holds ? Verdict::reproduces : partly ? Verdict::in_part : Verdict::differs;
}

const Contestant* FigureDesk::find(std::string_view name) const
{
    for (const Contestant& contestant : setup_.contestants)
        if (contestant.name == name) return &contestant;
    return nullptr;
}

Result<std::vector<TrialOutcome>> FigureDesk::run(const std::vector<Trial>& trials, bool alone) const
{
    const auto make = [&](const Trial& trial) { return setup_.make(trial.test, trial.who, trial.changes); };
    return book_.run(trials, make, [&](const std::string& what) { setup_.say(what); }, alone ? 1 : 0);
}

Contestant make_subject(std::string_view solver, Parameters parameters)
{
    const bool particles = solver == "pbd" || solver == "pbdr" || solver == "refined";
    if (particles && !parameters.contains("radius")) parameters["radius"] = 0.005;
    return as_published(
        {.name = std::string(solver), .solver = std::string(solver), .parameters = std::move(parameters)});
}

std::string find_ink(std::string_view name)
{
    // Okabe and Ito's colours, which the colour-blind can tell apart, and three more.
    constexpr std::pair<std::string_view, const char*> kInks[] = {
        {"pbdr", "#0072b2"},         {"pbd", "#d55e00"},       {"refined", "#009e73"}, {"convex", "#e69f00"},
        {"avbd", "#cc79a7"},         {"comfree", "#56b4e9"},   {"ipc", "#8a6d3b"},     {kPaperMujoco, "#000000"},
        {kPyramidMujoco, "#8c8c8c"}, {kConeMujoco, "#4d6a4d"},
    };
    for (const auto& [who, ink] : kInks)
        if (who == name) return ink;
    // other ways to run a solver
    if (name.starts_with("pbdr")) return "#7fb2d6";
    if (name.starts_with("pbd")) return "#f0a878";
    return name.starts_with("avbd") ? "#6a3d9a" : "#b15928";
}

std::string find_label(std::string_view name)
{
    if (name == kPaperMujoco) return "MuJoCo, paper's";
    if (name == kPyramidMujoco) return "MuJoCo, stiff pyramids";
    if (name == kConeMujoco) return "MuJoCo, stiff cones";
    return std::string(name);
}

std::string to_span(std::vector<double> values)
{
    std::erase_if(values, [](double value) { return std::isnan(value); });
    if (values.empty()) return "–";
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    const std::string first = to_cell(*low), last = to_cell(*high);
    return first == last ? first : first + " to " + last;
}

Status make_paper_figures(const AccuracySetup& setup, BenchReport& report)
{
    const std::filesystem::path folder = setup.options.figures;
    const std::string mark = setup.options.mesh.empty() ? "" : "; mesh " + setup.options.mesh;
    Result<TrialBook> opened = TrialBook::open(folder, mark);
    if (!opened.ok()) return opened.errors();
    TrialBook book = std::move(opened).value();
    const FigureDesk desk(setup, book);
    using Draw = Result<PaperFigure> (*)(const FigureDesk&);
    std::vector<PaperFigure> figures;
    for (const Draw draw : {&draw_seven_scenes, &draw_seven_tests, &draw_time, &draw_push_paths, &draw_turning,
                            &draw_friction_maps, &draw_tumbling, &draw_push_resolution, &make_ablation_table})
    {
        Result<PaperFigure> figure = draw(desk);
        if (!figure.ok()) return figure.errors();
        if (!figure.value().title.empty()) figures.push_back(std::move(figure).value());
    }
    std::vector<std::string> remarks = report.notes;
    for (const std::string& peer : report.peers_found) remarks.push_back("beside " + peer);
    remarks.push_back(fmt::format("{} runs, {} of them read from {}; delete that file to run them again",
                                  book.ran() + book.reused(), book.reused(), book.file().filename().string()));
    if (setup.options.quick)
        remarks.push_back(
            "--quick: tests 4 to 6 for 1 s in Fig. 3, fewer cells and sizes in Figs. 4, 6, 7 and 9; verdicts are meant "
            "for the full run");
    for (const PaperFigure& figure : figures)
    {
        if (figure.content.empty()) continue;
        const Status drawn = write_file(folder / (figure.id + ".svg"),
                                        make_sheet(figure.width, figure.height, figure.title, figure.content));
        if (!drawn.ok()) return drawn.errors();
    }
    const Status written = write_file(folder / "index.html", make_figure_page(figures, remarks));
    if (!written.ok()) return written.errors();
    report.notes.push_back("page: " + (folder / "index.html").string());
    report.notes.push_back(remarks.back());
    // With --json all that the page says, in words where it has no number.
    for (const PaperFigure& figure : figures)
        for (const PaperClaim& claim : figure.claims)
            report.notes.push_back(fmt::format("{}, {}: published: {}; ours: {}: {}", figure.id, claim.claim,
                                               claim.published, claim.ours, to_string(claim.verdict)));
    for (const Verdict verdict : {Verdict::reproduces, Verdict::in_part, Verdict::differs, Verdict::not_run})
    {
        int count = 0;
        for (const PaperFigure& figure : figures)
            for (const PaperClaim& claim : figure.claims) count += claim.verdict == verdict ? 1 : 0;
        report.figures.push_back({.name = fmt::format("claims of the paper: {}", to_string(verdict)),
                                  .value = static_cast<double>(count),
                                  .unit = "claims",
                                  .precision = "float"});
    }
    return {};
}

}  // namespace rattleback::lab
