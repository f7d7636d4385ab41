// Every figure and table of [PBD-R] made again: what a figure is, who draws which, and the page of all of them.
#pragma once

#include "lab/accuracy/chart.h"
#include "lab/accuracy/trials.h"
#include "lab/bench/accuracy.h"

namespace rattleback::lab
{

/// How a number of ours stands to the published one.
enum class Verdict
{
    reproduces,
    in_part,
    differs,
    not_run,  ///< somebody whom it needs was not there
};
const char* to_string(Verdict verdict);
/// `known`: there are numbers to judge by.
Verdict judge(bool known, bool holds, bool partly = false);

/// A sentence of the paper that can be checked.
struct PaperClaim
{
    std::string claim;
    std::string published;  ///< the number, or the words where the text has no number
    std::string ours;       ///< with unit
    Verdict verdict = Verdict::not_run;
};

struct FigureTable
{
    std::string title;
    std::vector<std::string> head;
    std::vector<std::vector<std::string>> rows;
};

/// One figure or table of the paper.
struct PaperFigure
{
    std::string id;  ///< "fig3": of the section on the page, and of the file
    std::string title;
    std::string caption;
    double width = 0, height = 0;  ///< [pixels]
    std::string content;           ///< of the drawing, SVG; "": a table alone
    std::vector<PaperClaim> claims = {};
    std::vector<FigureTable> tables = {};
};

/// What all figures are made with.
class FigureDesk
{
public:
    FigureDesk(const AccuracySetup& setup, TrialBook& book) : setup_(setup), book_(book) {}

    bool quick() const { return setup_.options.quick; }
    bool wants(int test) const { return setup_.wants(test); }
    const AccuracySetup& setup() const { return setup_; }
    /// The contestant of that name; null: not asked for.
    const Contestant* find(std::string_view name) const;
    /// The outcomes in the order of the trials; all at once, or one after the other where time is measured.
    Result<std::vector<TrialOutcome>> run(const std::vector<Trial>& trials, bool alone = false) const;

private:
    const AccuracySetup& setup_;
    TrialBook& book_;
};

/// Names of the peer in all_contestants().
inline constexpr std::string_view kPaperMujoco = "mujoco, paper's settings", kPyramidMujoco = "mujoco, stiff pyramids",
                                  kConeMujoco = "mujoco, stiff cones";

/// One of our solvers, PBD-R's relatives with the spheres of the paper's bunny.
Contestant make_subject(std::string_view solver, Parameters parameters = {});
/// The colour of a contestant in all figures, and its name in legends.
std::string find_ink(std::string_view name);
std::string find_label(std::string_view name);

/// Numbers from the least to the largest: "0.7 to 0.8".
std::string to_span(std::vector<double> values);

// The figures; one whose tests are not wanted has no title.
Result<PaperFigure> draw_seven_scenes(const FigureDesk& desk);
Result<PaperFigure> draw_seven_tests(const FigureDesk& desk);
Result<PaperFigure> draw_time(const FigureDesk& desk);
Result<PaperFigure> draw_push_paths(const FigureDesk& desk);
Result<PaperFigure> draw_turning(const FigureDesk& desk);
Result<PaperFigure> draw_friction_maps(const FigureDesk& desk);
Result<PaperFigure> draw_tumbling(const FigureDesk& desk);
Result<PaperFigure> draw_push_resolution(const FigureDesk& desk);
Result<PaperFigure> make_ablation_table(const FigureDesk& desk);

/// The page, complete in itself. `remarks` stand below its title.
std::string make_figure_page(const std::vector<PaperFigure>& figures, const std::vector<std::string>& remarks);

/// Runs what is missing, draws everything, writes index.html and a file per figure into options.figures.
Status make_paper_figures(const AccuracySetup& setup, BenchReport& report);

}  // namespace rattleback::lab
