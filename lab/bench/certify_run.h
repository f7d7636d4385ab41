// Runs of bench `certify`: a scene in anybody's hands, ours or a peer's, recorded step by step and audited.
#pragma once

#include "lab/certify/audit.h"

#include <functional>
#include <memory>

namespace rattleback::lab
{

/// Somebody who moves the bodies of a model.
struct Mover
{
    std::string name;       ///< "ipc", "bullet 3.24"
    std::string precision;  ///< of the arithmetic
    State state;            ///< where the bodies are
    /// Takes a step and brings the state along; what is wrong, where it fails.
    std::function<Status(State& state)> step;
    /// It starts in touch, and moves surfaces inwards: what is drawn may overlap by as much.
    bool has_insets = false;
};

/// One of our solvers with the model's own parameters; or why it refuses the model.
Result<Mover> make_own_mover(const std::shared_ptr<const Model>& model, const std::string& solver);
/// One of all_body_peers(), or "mujoco", at the model's timestep; or what it cannot express, or that it is not here.
Result<Mover> make_peer_mover(const std::shared_ptr<const Model>& model, std::string_view peer);
/// Names for make_peer_mover().
std::vector<std::string> list_peer_movers();

struct AuditedRun
{
    std::int64_t steps = 0;  ///< taken
    std::string trouble;     ///< why it ended early
    AuditReport audit;       ///< of every state and the way between them, by the model's filters

    /// The finding that is deepest over its size; null without any.
    const AuditFinding* worst() const;
};

/// Takes so many steps and audits them. The recording goes to `path` and stays; "": it is gone afterwards.
Result<AuditedRun> run_audited(const std::shared_ptr<const Model>& model, Mover& mover, std::int64_t steps,
                               const std::filesystem::path& path = {});

}  // namespace rattleback::lab
