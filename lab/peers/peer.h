// Peer: another physics engine as the laboratory sees it, and the table of those we know.
#pragma once

#include <rattleback/error.h>
#include <rattleback/model.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace rattleback::lab
{

/// How a peer is to run a model.
struct PeerOptions
{
    double dt = 0;                                        ///< [s]; 0: the file's
    bool constraints = true;                              ///< false: no contacts, limits, dry friction or equalities
    std::optional<Integrator> integrator = std::nullopt;  ///< nothing: the file's
    std::string method = {};                              ///< for constraints: Newton, CG, PGS; empty: the file's
    std::optional<bool> sparse = std::nullopt;            ///< matrices of constraints; nothing: the file's
    std::optional<bool> islands = std::nullopt;           ///< solved one by one; nothing: the file's
    double tolerance = 0;                                 ///< of the solver of constraints; 0: the file's
    std::int64_t memory = 0;                              ///< at least this much for constraints [byte]
    int iterations = 0;                                   ///< of its contact solver; 0: the file's
    bool elliptic = false;                                ///< friction cones; false: the file's
    double impratio = 0;                                  ///< friction to normal impedance; 0: the file's
    std::optional<bool> multiccd = std::nullopt;          ///< several contacts of convex meshes; nothing: the file's
};

/// What a peer did behind our back since it was loaded or reset. A figure measured across a reset does not count.
struct PeerTrouble
{
    int resets = 0;             ///< times it put its state back to the start
    int overflows = 0;          ///< times contacts or constraint rows did not fit its buffers and were dropped
    int singular_inertias = 0;  ///< times it changed an inertia matrix to go on

    bool none() const { return resets == 0 && overflows == 0 && singular_inertias == 0; }
    /// "2 resets, 1 overflow", or "none".
    std::string text() const;
};

/// How well constraints hold at one state.
struct ConstraintQuality
{
    std::vector<double> depth;  ///< [contact that acts] overlap [m], 0 when apart
    std::vector<double> slip;   ///< [contact with friction] speed in the tangent plane [m/s]
    double violation = 0;       ///< largest of equalities and limits [m or rad]
};

/// Runs a model file in another engine. Arrays are in MuJoCo's layout and the file's order; SI units, world axes.
class Peer
{
public:
    virtual ~Peer() = default;

    /// With its version, for example "mujoco 4.0.0".
    virtual std::string name() const = 0;
    /// Takes over a model in MJCF; the number of its bodies (the world included), or why it cannot.
    virtual Result<int> load(const std::string& path, const PeerOptions& options = {}) = 0;
    /// Back to the initial state, inputs zero, trouble forgotten.
    virtual void reset() = 0;
    virtual void step(int count = 1) = 0;
    virtual double time() const = 0;  ///< [s]
    virtual double dt() const = 0;    ///< [s]

    // May be written between steps.
    virtual std::span<double> q() = 0;
    virtual std::span<double> v() = 0;
    virtual std::span<double> act() = 0;
    virtual std::span<double> input() = 0;
    /// Force and torque at each centre of mass, world axes, [body][6]; they stay until changed.
    virtual std::span<double> body_forces() = 0;

    /// Body frames at the present q, [body_count].
    virtual void read_poses(std::vector<Pose>& poses) = 0;
    virtual PeerTrouble trouble() const = 0;

    /// Whether the last step's solver of constraints met its tolerance before its iterations ran out.
    virtual bool converged() const { return true; }
    /// At the present q and v; nothing where the engine does not tell.
    virtual std::optional<ConstraintQuality> find_quality() { return std::nullopt; }
    /// The same as the last step found it, at its begin: nothing is computed.
    virtual std::optional<ConstraintQuality> last_quality() { return std::nullopt; }
};

/// Many worlds of one model in another engine.
class PeerBatch
{
public:
    virtual ~PeerBatch() = default;
    virtual void reset() = 0;
    virtual void step(int count = 1) = 0;
    /// All worlds to one state; empty arrays: the initial values.
    virtual void start(std::span<const double> q, std::span<const double> v, std::span<const double> act) = 0;
    /// The engine's own rollout: `steps` steps with inputs [world][step][input].
    virtual void rollout(int steps, std::span<const double> controls) = 0;
    virtual std::span<const double> q(int world) const = 0;
    virtual PeerTrouble trouble() const = 0;
};

/// A peer as data: its name, and how to get it on this machine.
struct PeerInfo
{
    std::string_view name;
    std::string_view precision;  ///< "float" or "double"
    /// The engine, or a sentence that says what is missing here.
    Result<std::unique_ptr<Peer>> (*find)() = nullptr;
};

/// All peers, in the order of the table in peers.cpp.
std::span<const PeerInfo> all_peers();

/// Which peers this machine has, for the head of a benchmark.
struct PeerSurvey
{
    std::vector<std::string> found;    ///< names with versions
    std::vector<std::string> skipped;  ///< "name: why"
};
PeerSurvey survey_peers();

}  // namespace rattleback::lab
