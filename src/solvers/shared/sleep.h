// Sleep: who has been slow for long enough falls asleep with its island, and wakes with it.
#pragma once

#include "base/index.h"

#include <rattleback/contacts.h>
#include <rattleback/model.h>
#include <rattleback/state.h>

#include <span>
#include <vector>

namespace rattleback
{

/// Steps for which a unit must have been slow before it may fall asleep.
inline constexpr int kQuietSteps = 10;

/// Sleep of units; a unit is what a solver moves as one: a kinematic tree, a block of bodies.
struct SleepState
{
    std::vector<int> island;  ///< [unit] units that fell asleep together have one number; -1: awake
    std::vector<int> quiet;   ///< [unit] steps for which it has been slow

    bool sleeps(int unit) const { return island[at(unit)] >= 0; }
    bool any_sleeps() const;
    bool all_sleep() const;

    /// False for numbers that no step wrote: bytes of a memory come from files.
    bool is_sound() const;

    /// So many units, all awake.
    void reset(std::size_t unit_count);
    /// Wakes a unit that sleeps, with its whole island.
    void wake(int unit);

    /// One more quiet step for every unit that is awake, none for those that never rest. What is fast is reset after
    /// it.
    void count_quiet_step(std::span<const char> restless);
    /// Islands fall asleep in which all that is awake has been quiet for kQuietSteps; sleepers in them stay what they
    /// are. `island_of`: [unit] any number below the count of units, -1: in none, stays awake. `names` is scratch.
    void fall_asleep(std::span<const int> island_of, std::vector<int>& names);
};

/// [body] 1: an actuator drives it (unless its SleepPolicy allows sleep), a kinematic body carries it, or its policy is
/// `never`. Units with such bodies are never left alone.
std::vector<char> find_restless_bodies(const Model& model);

/// Is the body of a tree that is asleep at first (SleepPolicy::init), and are its own joints where the model starts?
bool starts_asleep(const Model& model, int body, const ConstWorldView& world);

/// Wakes islands that touch something awake, and islands that touch those. `unit_of_body(body)` is -1 for bodies that
/// are not of any unit; of those, the ones awake are those that `moves(body)`.
template <class UnitOfBody, class Moves>
void wake_touched(const Contacts& contacts, const UnitOfBody& unit_of_body, const Moves& moves, SleepState& state)
{
    // Without sleepers there is nobody to wake, and the walks over all contacts are saved.
    if (!state.any_sleeps()) return;
    for (bool woke = true; woke;)  // who wakes may touch the next
    {
        woke = false;
        for (const Contact& contact : contacts.items)
        {
            // A contact beyond its margin carries no force, unless it sticks.
            if (contact.distance >= contact.margin && contact.adhesion == 0) continue;
            const int first = unit_of_body(contact.first_body.index), second = unit_of_body(contact.second_body.index);
            const bool first_sleeps = first >= 0 && state.sleeps(first);
            const bool second_sleeps = second >= 0 && state.sleeps(second);
            if (first_sleeps == second_sleeps) continue;
            // The other side wakes it when it is an awake unit, or a body that moves by itself.
            const int other = first_sleeps ? second : first;
            if (other < 0 && !moves((first_sleeps ? contact.second_body : contact.first_body).index)) continue;
            state.wake(first_sleeps ? first : second);
            woke = true;
        }
    }
}

}  // namespace rattleback
