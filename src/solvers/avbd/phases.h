// The phases of a step that both modes share (augmented in avbd.cpp, penalty in penalty_solver.cpp), in their order.
#pragma once

#include "base/stage_timer.h"
#include "base/thread_pool.h"
#include "solvers/avbd/armature.h"
#include "solvers/avbd/colours.h"
#include "solvers/avbd/kinematic.h"
#include "solvers/avbd/masses.h"
#include "solvers/avbd/memory.h"
#include "solvers/avbd/swept.h"
#include "solvers/shared/running_surfaces.h"

#include <optional>

namespace rattleback::avbd
{

/// The contact rows of a step.
struct RowSet
{
    std::vector<ContactRow> rows;
    std::vector<Manifold> manifolds;
    // scratch of making them side by side
    std::vector<std::vector<Manifold>> pieces;  ///< manifolds of each piece of the rows
    std::vector<Manifold> added;
    std::vector<double> deepest;  ///< penetration in each piece [m], and 0
};

/// What a step works on. Arrays are kept between steps.
struct StepState
{
    /// `tree_blocks`: bodies that joints or loops join are one block; `error_fraction`: of the rows' errors at the
    /// start of a substep that counts.
    StepState(const Model& model, const Settings& settings, bool tree_blocks, double error_fraction);
    StepState(const StepState&) = delete;
    StepState& operator=(const StepState&) = delete;

    const Sleep* sleeping() const { return sleep ? &*sleep : nullptr; }
    int group_count() const { return static_cast<int>(layout.groups.size()); }

    const Settings settings;
    const double error_fraction;  ///< 1 - alpha of [AVBD] Eq. 18 at the start of a substep
    const bool tree_blocks;
    Layout layout;                                     ///< with the masses of the world under way
    const std::shared_ptr<const Layout> model_layout;  ///< with those of the Model, for the memories of all worlds
    const std::vector<char> smooth_blocks;             ///< find_smooth_blocks() of the layout
    MassSwitch masses;
    ThreadPool pool;
    Collider collider;
    Contacts contacts;
    KeptManifolds kept_manifolds;  ///< of this step, for recycling
    Vec3 gravity;                  ///< of the world [m/s^2]
    SweptWork swept;
    KinematicGroups kinematic;
    RunningSurfaces surfaces;
    ExternalForces external;
    std::optional<Sleep> sleep;
    RowSet rows;
    Colouring colouring;
    BlockWork work;
    ArmatureTrees armature;
    const bool tells_limits;  ///< sensors ask for the forces of limits
    const bool yields;        ///< some spring does
};

inline constexpr int kRowsPerTask = 256;

/// Calls function(range) for pieces of a list from `begin` on, the same for any number of threads.
template <class Function>
void for_each_range(ThreadPool& pool, int begin, int end, Function function)
{
    run_pieces(&pool, static_cast<std::size_t>(end - begin), kRowsPerTask,
               [&](std::size_t from, std::size_t to, int /*task*/, int /*worker*/)
               { function(Piece{begin + static_cast<int>(from), begin + static_cast<int>(to)}); });
}

/// The world's own masses, x_t and v_t of all groups, multipliers of joints, motions that are given, external forces
/// and drives.
void load_world(const StepInput& input, const WorldView& world, AvbdMemory& memory, StepState& state);

/// Wakes islands that were moved or pushed. False: nothing moves in this step.
bool wake_islands(const WorldView& world, const AvbdMemory& memory, StepState& state);
/// A step in which nothing moves: contacts and forces are those of the last one.
StepReport skip_step(const WorldView& world, AvbdMemory& memory, const StepState& state);

/// Contacts within a margin, recycled where bodies hardly moved; the pairs that fast groups may meet; wakes what they
/// touch.
void detect_contacts(const StepInput& input, const WorldView& world, AvbdMemory& memory, StepState& state);

/// Makes room for the rows of all contacts.
void start_rows(StepState& state);
/// The rows of one piece of the contacts, moved to whole pairs of shapes (returned).
Piece build_piece(const AvbdMemory& memory, Piece piece, StepState& state);
/// The manifolds of all pieces, in their order.
void join_pieces(StepState& state);
/// Places some rows at the present poses.
void place_range(Piece range, StepState& state);

/// Rows of all contacts with their warm starts. `records` takes them, piece by piece, while they are in the cache.
template <class Records>
void build_contact_rows(const AvbdMemory& memory, StepState& state, Records& records)
{
    start_rows(state);
    records.resize(state.rows.rows.size());
    for_each_range(state.pool, 0, state.contacts.count(),
                   [&](Piece piece)
                   {
                       const Piece range = build_piece(memory, piece, state);
                       records.load_records(state.settings, state.rows.rows, range, state.work);
                   });
    join_pieces(state);
}

/// Rows at the places where fast groups would first meet others on their way through `dt`.
template <class Records>
void build_swept_rows(double dt, StepState& state, Records& records)
{
    RowSet& set = state.rows;
    const int begin = static_cast<int>(set.rows.size());
    if (state.settings.swept)
        add_swept_rows({state.layout, state.settings, state.work.bodies, nullptr, dt, state.gravity},
                       state.collider.pairs(), state.contacts, state.pool, state.swept, set.rows);
    const Piece added{begin, static_cast<int>(set.rows.size())};
    if (added.begin == added.end) return;
    records.resize(set.rows.size());
    place_range(added, state);
    records.load_records(state.settings, set.rows, added, state.work);
    find_manifolds(set.rows, added, set.added);
    set.manifolds.insert(set.manifolds.end(), set.added.begin(), set.added.end());
}

/// How surfaces that run move against each other in the rows of contacts; marks their manifolds.
void find_drifts(StepState& state);

/// Links and loops at x_t: in the first substep from the world's q, then from their own.
void start_joints(int substep, const WorldView& world, StepState& state);

/// All rows at x_t: joints, and contacts, which the first substep has placed.
template <class Records>
void start_substep(int substep, const WorldView& world, StepState& state, Records& records)
{
    start_joints(substep, world, state);
    find_drifts(state);
    if (substep == 0) return;
    for_each_range(state.pool, 0, static_cast<int>(state.rows.rows.size()),
                   [&](Piece range)
                   {
                       place_range(range, state);
                       records.load_records(state.settings, state.rows.rows, range, state.work);
                   });
}

/// Inertial targets and first guesses of all groups that are awake, and the increments of those whose motion is given.
void predict_motion(int substep, FirstGuess guess, StepState& state);

/// Breaks joints that bear more than they may, and takes the velocities.
void finish_velocities(StepState& state);

/// Moves the poses on, carries the rates of armature, and lets what hit fast enough bounce.
void finish_substep(StepState& state);

/// Contacts and iterations of a step; its deepest penetration is that of its start.
StepReport make_report(const StepState& state);
/// Whether a pose or velocity is absurd; then the report says so, and nothing may be written.
bool find_divergence(const StepState& state, StepReport& report);
/// Poses, velocities, q, v and activations of all that is awake; openings of joints into the report.
void write_world(const WorldView& world, StepState& state, StepReport& report);
/// What the next step starts from; lets blocks fall asleep.
void store_memory(const WorldView& world, AvbdMemory& memory, StepState& state);

/// The seconds of each stage; what is left belongs to `integrate`.
void finish_report(StageTimer& timer, StepReport& report);

}  // namespace rattleback::avbd
