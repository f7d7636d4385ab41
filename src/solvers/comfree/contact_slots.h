// Contacts of the worlds of a pack in slots: one for each pair of shapes and place in its list of points.
#pragma once

#include "solvers/comfree/answers.h"
#include "solvers/comfree/row_products.h"
#include "solvers/comfree/sweep_blocks.h"
#include "solvers/shared/running_surfaces.h"
#include "solvers/shared/stage_contacts.h"

#include "collide/lane_contacts.h"

namespace rattleback::comfree
{

/// A contact in the worlds that have it. Bodies, and with them the dofs that move it, are those of all lanes.
template <class T>
struct ContactSlot
{
    int first_body = 0, second_body = 0;
    int dimension = 1;                       ///< the largest of the lanes
    std::array<int, kLaneCount<T>> contact;  ///< [lane] in the world's contacts; -1: the lane has none
    T touches;  ///< 1, or 0 in lanes that have none: there point, axes, friction, target and drift are zero

    T distance;            ///< [m]
    Vector3<T> point;      ///< world [m]
    Vector3<T> axis[3];    ///< normal from first to second body, tangents; world
    T compliance, target;  ///< 1 / Z [1/kg] and c [m/s] of the normal
    T stop;                ///< Z that ends the approach of an overlap; 0: none
    T rest;                ///< 1 / Z of what an overlap keeps to carry its load
    T linear, angular;     ///< 1 / Z of tangents, and of spin and rolls
    T friction[3];         ///< slide [-], spin [m], roll [m]
    Vector3<T> drift[2];   ///< of running surfaces: linear [m/s], angular [rad/s]; world
};

/// Contacts of all lanes at the poses of a workspace, and their slots: found in all lanes at once, or world by world
/// for models with surfaces.
template <class T>
class ContactSlots
{
public:
    ContactSlots(const Model& model, const Options& options);

    /// Controls and parameters of a lane for the present step.
    void load(int lane, const StepInput& input);
    const ContactFilter& filter(int lane) const { return filters_[at(lane)]; }
    /// Of k and d of the worlds.
    const LaneShares<T>& shares() const { return shares_; }
    /// False where a surface's velocity is no number: rows would take no notice.
    bool is_finite(int lane) const { return surfaces_[at(lane)].is_finite(); }

    /// Contacts of the worlds in the first lanes, whose memories these are. Lanes behind them repeat the last world.
    void find(const Workspace<T>& w, std::span<Memory* const> memories, double dt);

    /// Contacts of the world in the first lane that fast bodies will meet, among those of find().
    void add_swept(const Workspace<T>& w, std::span<const Contact> swept, double dt);

    std::span<const ContactSlot<T>> slots() const { return {slots_.data(), slot_count_}; }
    /// Contacts of one world, sorted.
    Contacts& contacts(int lane) { return contacts_[at(lane)]; }
    const Contacts& contacts(int lane) const { return contacts_[at(lane)]; }

private:
    struct Cursor
    {
        int next = 0;   ///< in the lane's contacts: the next that acts; their count at the end
        int place = 0;  ///< of it among the points of its pair that act
    };
    using Key = std::array<int, 3>;

    void find_in_lanes(const Workspace<T>& w, int lanes, double dt);
    void fill(const LanePoint<T>& point, const MaskOf<T>& acts, ContactSlot<T>& slot) const;
    void find_by_world(const Workspace<T>& w, std::span<Memory* const> memories, double dt);
    void find_lane(const Workspace<T>& w, int lane, ColliderMemory& memory);
    void place_surfaces(const Workspace<T>& w, int lane, double dt);
    void merge(const Workspace<T>& w, double dt);
    bool advance(int lane, int from, Cursor& cursor) const;
    Key key(int lane, const Cursor& cursor) const;
    void fill(int lane, int index, ContactSlot<T>& slot) const;
    void find_answers(const Workspace<T>& w, const Softness& softness, double dt, ContactSlot<T>& slot) const;
    void set_friction(int lane, const Contact& contact, ContactSlot<T>& slot) const;
    void add_drift(int lane, const Contact& contact, ContactSlot<T>& slot) const;
    bool moves(int first_body, int second_body) const;

    const Model& model_;
    const Options& options_;
    LaneContacts<T> found_;
    std::unique_ptr<Collider> collider_;  ///< null: found_ serves the model
    std::vector<Pose> poses_;
    std::array<Contacts, kLaneCount<T>> contacts_;
    std::array<ContactFilter, kLaneCount<T>> filters_;
    std::array<std::span<const double>, kLaneCount<T>> frictions_;
    LaneShares<T> shares_;
    std::vector<RunningSurfaces> surfaces_;  ///< [lane]
    std::vector<ContactSlot<T>> slots_;
    std::size_t slot_count_ = 0;
};

}  // namespace rattleback::comfree
