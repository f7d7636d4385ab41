// The table of benches, and what all of them have in common.
#include "base/nearest_match.h"
#include "lab/bench/bench.h"
#include "lab/measure/measure.h"
#include "lab/peers/peer.h"

#include <array>

namespace rattleback::lab
{

namespace
{

// A new bench is one file and one line here.
constexpr std::array kBenches = {
    Bench{"accuracy", "how near does every solver come to seven closed-form answers?", &measure_accuracy},
    Bench{"batch", "how fast are one world and many beside MuJoCo and its own batch?", &measure_batch},
    Bench{"ccd", "does the certified time of impact miss nothing, and how fast is it?", &measure_ccd},
    Bench{"certify", "what passes through what, in our solvers and in Bullet, ODE and MuJoCo?", &measure_certify},
    Bench{"collision", "how fast are contacts found, pair by pair and in whole scenes?", &measure_collision},
    Bench{"comfree", "what do contacts in closed form hold, and where do they fail, beside MuJoCo?", &measure_comfree},
    Bench{"convex", "how fast is soft convex contact beside MuJoCo, and how well does it hold?", &measure_convex},
    Bench{"ipc", "how fast do bodies move without ever intersecting, beside the reference's own figures?",
          &measure_ipc},
    Bench{"piles", "how fast do piles settle beside Bullet and ODE, and how well do they lie?", &measure_piles},
    Bench{"python", "what do a step, a rollout and an import from Python add, beside MuJoCo's?", &measure_python},
    Bench{"robust", "does any solver blow up on random valid scenes, and does energy grow?", &measure_robust},
    Bench{"smooth", "how fast is articulated motion without contact, and how exact?", &measure_smooth},
    Bench{"soak", "do energy, height and memory stay where they are for hours?", &measure_soak},
    Bench{"tumble", "does a free tumbling body keep its energy and angular momentum?", &measure_tumble},
};

}  // namespace

std::span<const Bench> all_benches() { return kBenches; }

Result<const Bench*> find_bench(std::string_view name)
{
    std::vector<std::string_view> names;
    for (const Bench& bench : kBenches)
    {
        if (bench.name == name) return &bench;
        names.push_back(bench.name);
    }
    return Error{.code = ErrorCode::unknown_name,
                 .where = "",
                 .message = "there is no bench '" + std::string(name) + "'",
                 .hint = make_name_hint(name, names)};
}

Result<BenchReport> run_bench(const Bench& bench, const BenchOptions& options)
{
    BenchReport report;
    report.name = bench.name;
    report.question = bench.question;
    report.quick = options.quick;
    report.calibration = measure_calibration();
    if (std::string load = describe_load(); !load.empty()) report.notes.push_back(std::move(load));
    PeerSurvey peers = survey_peers();
    report.peers_found = std::move(peers.found);
    report.peers_skipped = std::move(peers.skipped);
    const Status measured = bench.measure(options, report);
    if (!measured.ok()) return measured.errors();
    return report;
}

}  // namespace rattleback::lab
