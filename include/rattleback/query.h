// Collider: finds what touches in one world. Solvers receive one and ask when their method needs it.
#pragma once

#include <rattleback/contacts.h>
#include <rattleback/state.h>

#include <memory>

namespace rattleback
{

/// What the collider keeps of one world from step to step: it speeds the search and carries ids, never changes the
/// answer.
struct ColliderMemory
{
    std::vector<std::uint64_t> keys;  ///< features of the last contacts, sorted
};

/// Two shapes that may touch; first < second.
struct PairCandidate
{
    int first = -1, second = -1;

    friend auto operator<=>(const PairCandidate&, const PairCandidate&) = default;
};

/// Finds contacts of one Model. Keeps scratch: one Collider per thread.
class Collider
{
public:
    explicit Collider(const Model& model);
    ~Collider();
    Collider(Collider&&) noexcept;

    /// Contacts whose distance is below the shapes' own margins and gaps plus `margin` [m]. The reference is valid
    /// until the next call. Set, order and geometry are a function of the poses alone.
    const Contacts& find_contacts(const WorldView& world, double margin, ColliderMemory& memory);

    /// Pairs of shapes whose bounds come within `margin` [m] while the bodies move on by `motion` seconds, sorted.
    std::span<const PairCandidate> find_pairs(const WorldView& world, double margin, double motion = 0);

private:
    struct Scratch;
    std::unique_ptr<Scratch> scratch_;
};

/// True when the filters let two shapes collide: categories, same or parent body, exclusions, explicit pairs.
bool may_collide(const Model& model, int first_shape, int second_shape);

/// One pair of shapes that may collide, or nothing if no two shapes of the model can.
std::optional<PairCandidate> find_any_pair(const Model& model);

}  // namespace rattleback
