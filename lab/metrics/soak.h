// Soak: hours of one scene with one solver, looked at every few seconds: drift of energy and height, memory, statuses.
#pragma once

#include <rattleback/simulation.h>

#include <algorithm>
#include <functional>
#include <span>
#include <string_view>

namespace rattleback::lab
{

/// A scene that is in the same state again and again, so that any difference is drift.
struct SoakScene
{
    std::string_view name, summary;
    bool free_bodies = false;  ///< no joints: solvers of free bodies run it too
    Result<Model> (*build)() = nullptr;
    void (*drive)(double time, Control& control) = nullptr;     ///< null: nothing drives it
    double (*find_height)(const Simulation& sample) = nullptr;  ///< [m]; null: heights wander rightly
    /// Energies are compared with that of a fall of all that moves by this [m].
    double fall = 1;
    double dt = 0.01;  ///< [s] of a soak
};
std::span<const SoakScene> soak_scenes();
Result<const SoakScene*> find_soak_scene(std::string_view name);
/// Timestep [s] of a soak with a solver: the scene's, or a shorter one where the solver needs it and is quick enough.
double find_soak_step(const SoakScene& scene, std::string_view solver);

/// Cycles of all drives fit into this [s]: the time from one look to the next.
inline constexpr double kSoakPeriod = 8;
/// The first look that others are compared with [s]: what falls has come to rest.
inline constexpr double kSoakSettled = 2 * kSoakPeriod;

/// What is known of a run so far. Plain numbers: a run that was interrupted goes on with them and its Snapshot.
struct SoakAccount
{
    double seconds = 0;      ///< simulated
    double cpu = 0;          ///< spent on it [s]
    std::int64_t looks = 0;  ///< from kSoakSettled on
    std::int64_t steps = 0, unsettled = 0, divided = 0;
    double removed = 0;  ///< StepReport::removed_energy, summed [J]
    bool diverged = false;
    double scale = 0;  ///< energy of a fall of everything that moves by SoakScene::fall [J]
    double first_energy = 0, last_energy = 0, highest_energy = 0, lowest_energy = 0;
    double first_height = 0, last_height = 0, highest_height = 0, lowest_height = 0;
    double memory = 0;         ///< resident set at the last look [bytes]
    double memory_growth = 0;  ///< of it, from look to look within each process that had a part in the run [bytes]

    /// Largest gain, largest loss, and change from the first look to the last, over `scale`.
    double energy_gain() const { return scale > 0 ? (highest_energy - first_energy) / scale : 0; }
    double energy_loss() const { return scale > 0 ? (first_energy - lowest_energy) / scale : 0; }
    double energy_drift() const { return scale > 0 ? (last_energy - first_energy) / scale : 0; }
    double height_drift() const { return last_height - first_height; }
    /// Largest distance of any look from the first [m].
    double height_range() const { return std::max(highest_height - first_height, first_height - lowest_height); }
};

/// Goes on until `seconds` are simulated, or `stop` says so after a look.
void run_soak(const SoakScene& scene, double seconds, const std::function<bool()>& stop, Simulation& simulation,
              SoakAccount& account);

/// Resident set of this process [bytes]; 0 where the system does not tell.
double find_resident_memory();

}  // namespace rattleback::lab
