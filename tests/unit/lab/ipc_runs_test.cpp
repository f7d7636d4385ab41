// Our scenes for `ipc` run to their ends, as authored and with the one common set of parameters: every criterion is
// met, the audit along the way from state to state finds nothing, and contacts are within a fifth of the paper's. The
// small ones always, all of them in long tests.
#include <gtest/gtest.h>

#include "lab/bench/ipc_common.h"
#include "lab/bench/ipc_run.h"
#include "lab/scenes/ipc/ipc_scenes.h"
#include "lab/scenes/scenes.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace rattleback::lab
{
namespace
{

/// One entry of the table in docs/ipc.md.
struct Row
{
    const IpcScene* scene = nullptr;
    bool is_common = false;

    std::string name() const
    {
        std::string text(scene->scene.name.substr(4));  // without "ipc/"
        std::replace(text.begin(), text.end(), '/', '_');
        return text + (is_common ? "_common" : "_authored");
    }
};

std::vector<Row> list_rows()
{
    std::vector<Row> rows;
    for (const IpcScene& scene : all_ipc_scenes()) rows.insert(rows.end(), {{&scene, false}, {&scene, true}});
    return rows;
}

/// Criteria that say what a figure shows, and are not met: docs/ipc.md has the causes.
constexpr std::string_view kNotMet[] = {"ipc/card_house_3_blocks"};
/// Built as the authors' files are, not for the contacts of Fig. 20.
constexpr std::string_view kAsFiled[] = {"ipc/card_house_3_blocks", "ipc/sliced_sphere"};

bool is_among(std::span<const std::string_view> names, std::string_view name)
{
    return std::find(names.begin(), names.end(), name) != names.end();
}

std::int64_t find_step_count(const IpcScene& scene, const Model& model)
{
    return static_cast<std::int64_t>(std::ceil(scene.scene.duration / model.settings.dt - 1e-9));
}

/// By vertices times steps: runs of a second or less.
bool is_small(const IpcScene& scene)
{
    const Model model = scene.scene.build().value();
    return find_size(model).vertices * static_cast<double>(find_step_count(scene, model)) <= 10'000;
}

void run_row(const Row& row)
{
    const IpcScene& scene = *row.scene;
    const auto model = std::make_shared<Model>(scene.scene.build().value());
    if (row.is_common) set_common_parameters(*model);
    const std::int64_t steps = find_step_count(scene, *model);
    const PaperRun paper = find_paper_run(scene.scene.name);
    const Result<IpcOutcome> outcome = run_ipc(model, {.steps = steps, .budget = HUGE_VAL, .welded = paper.welded});
    ASSERT_TRUE(outcome.ok()) << to_text(outcome.errors());
    EXPECT_FALSE(outcome->failed) << "refused after " << outcome->steps << " steps";
    EXPECT_EQ(outcome->steps, steps);
    EXPECT_TRUE(outcome->audit.findings.empty()) << outcome->audit.findings.size() << " pairs intersect";
    EXPECT_EQ(outcome->audit.undecided, 0);
    EXPECT_GT(outcome->least_distance, 0);
    EXPECT_LE(20 * outcome->not_converged, steps);
    const IpcVerdict verdict = scene.judge(outcome->run);
    EXPECT_TRUE(verdict.passed || is_among(kNotMet, scene.scene.name)) << verdict.text;
    // As often as the authors' scene touches, by Fig. 20.
    if (row.is_common || std::isnan(paper.contacts) || is_among(kAsFiled, scene.scene.name)) return;
    EXPECT_NEAR(outcome->pairs / paper.contacts, 1, 0.2);
}

TEST(IpcRuns, small_scenes_meet_their_criteria_and_never_intersect)
{
    int count = 0;
    for (const Row& row : list_rows())
    {
        if (!is_small(*row.scene)) continue;
        SCOPED_TRACE(row.name());
        run_row(row);
        ++count;
    }
    EXPECT_GE(count, 40);
}

TEST(IpcRuns, a_ball_leaves_a_bat_alike_whatever_the_reach_of_the_barrier)
{
    // Together they go 10 mm in the step of the blow, 160 to 650 times the reach.
    std::vector<double> speeds;
    for (const double reach : {6.4e-5, 4e-5, 3.2e-5, 1.6e-5})
    {
        auto model = std::make_shared<Model>(find_scene("ipc/bat").value()->build().value());
        model->settings.solver_parameters["ipc"]["dhat"] = reach;
        const Result<IpcOutcome> outcome = run_ipc(model, {.steps = 60, .budget = HUGE_VAL});
        ASSERT_TRUE(outcome.ok()) << to_text(outcome.errors());
        EXPECT_EQ(outcome->not_converged, 0) << reach;
        EXPECT_TRUE(outcome->audit.clean()) << reach;
        speeds.push_back(norm(outcome->run.end().speed[outcome->run.body("ball")].linear));
    }
    for (const double speed : speeds) EXPECT_NEAR(speed / speeds.front(), 1, 0.02);
}

class WholeIpcScene : public testing::TestWithParam<Row>
{
};

TEST_P(WholeIpcScene, long_meets_its_criterion_and_never_intersects) { run_row(GetParam()); }

INSTANTIATE_TEST_SUITE_P(Table, WholeIpcScene, testing::ValuesIn(list_rows()),
                         [](const auto& row) { return row.param.name(); });

}  // namespace
}  // namespace rattleback::lab
