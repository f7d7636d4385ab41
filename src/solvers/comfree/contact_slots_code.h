// Contacts found in lanes or world by world, merged by their order into slots; for any scalar.
#pragma once

#include "solvers/comfree/contact_slots.h"

#include <algorithm>
#include <bit>
#include <tuple>

namespace rattleback::comfree
{

namespace
{

constexpr double kLeastFriction = 1e-5;   ///< as rows of the other solvers have it
constexpr int kDimension[3] = {3, 4, 6};  ///< of contacts that slide, spin and roll with friction

template <class T>
void set_vector(Vector3<T>& to, int lane_index, const Vec3& from)
{
    set_lane(to.x, lane_index, from.x);
    set_lane(to.y, lane_index, from.y);
    set_lane(to.z, lane_index, from.z);
}

}  // namespace

template <class T>
ContactSlots<T>::ContactSlots(const Model& model, const Options& options)
    : model_(model),
      options_(options),
      found_(model),
      collider_(found_.serves_model() ? nullptr : std::make_unique<Collider>(model)),
      poses_(at(model.body_count())),
      surfaces_(at(kLaneCount<T>), RunningSurfaces(model))
{
}

template <class T>
void ContactSlots<T>::load(int lane, const StepInput& input)
{
    // Inputs that worlds may have of their own.
    surfaces_[at(lane)].load(input.control.surface_velocity);
    filters_[at(lane)] = input.contact_filter;
    frictions_[at(lane)] = input.parameters.friction;
    const ParameterView& own = input.parameters;
    shares_.set(lane, {own.find_stiffness(options_.stiffness), own.find_damping(options_.damping)}, input.dt);
}

template <class T>
void ContactSlots<T>::find(const Workspace<T>& w, std::span<Memory* const> memories, double dt)
{
    // Slots of the last step are written over: a step keeps nothing.
    slot_count_ = 0;
    // Lists that will be written anew keep their storage and their contacts.
    const std::size_t kept = collider_ || !options_.rows.contacts ? 0 : memories.size();
    for (std::size_t lane = kept; lane < contacts_.size(); ++lane) contacts_[lane].clear();
    if (!options_.rows.contacts) return;
    // Closed forms are found in all lanes at once; models with other pairs ask the collider, world by world.
    if (collider_)
        find_by_world(w, memories, dt);
    else
        find_in_lanes(w, static_cast<int>(memories.size()), dt);
}

template <class T>
void ContactSlots<T>::add_swept(const Workspace<T>& w, std::span<const Contact> swept, double dt)
{
    const auto key = [](const Contact& c) { return std::tuple(c.first_shape, c.second_shape, c.feature); };
    std::vector<Contact>& items = contacts_[0].items;
    for (const Contact& contact : swept)
    {
        if (!moves(contact.first_body.index, contact.second_body.index)) continue;
        // Slots name contacts by their places, which move where one comes before them.
        const auto place = std::upper_bound(items.begin(), items.end(), contact,
                                            [&](const Contact& a, const Contact& b) { return key(a) < key(b); });
        const int index = static_cast<int>(place - items.begin());
        items.insert(place, contact);
        for (std::size_t s = 0; s < slot_count_; ++s) slots_[s].contact[0] += slots_[s].contact[0] >= index ? 1 : 0;
        if (slots_.size() == slot_count_) slots_.emplace_back();
        ContactSlot<T>& slot = slots_[slot_count_++];
        slot = {.first_body = contact.first_body.index, .second_body = contact.second_body.index};
        slot.contact.fill(-1);
        slot.contact[0] = index;
        fill(0, index, slot);
        find_answers(w, contact.softness, dt, slot);
    }
}

/// Surfaces run as half a step later: README, "Half a step".
template <class T>
void ContactSlots<T>::place_surfaces(const Workspace<T>& w, int lane_index, double dt)
{
    const auto value = [&](const T& x) { return lane(x, lane_index); };
    surfaces_[at(lane_index)].place(
        [&](int body) -> Pose
        {
            const Vector3<T>& p = w.position[at(body)];
            const Quaternion<T>& q = w.rotation[at(body)];
            return {{value(p.x), value(p.y), value(p.z)}, {value(q.w), value(q.x), value(q.y), value(q.z)}};
        },
        0.5 * dt);
}

template <class T>
void ContactSlots<T>::find_in_lanes(const Workspace<T>& w, int lanes, double dt)
{
    // Narrow phase of all lanes at once: points with a mask of the lanes that have them. Each world's list of contacts,
    // for sensors and callers, in the order of the collider's.
    found_.find(w, filters_);
    found_.write(std::span(contacts_).first(at(lanes)));
    unsigned varied = 0;  // lanes with frictions of their own, or surfaces that run
    for (int lane = 0; lane < kLaneCount<T>; ++lane)
    {
        rattleback::set_friction(model_, frictions_[at(lane)], contacts_[at(lane)]);
        place_surfaces(w, lane, dt);
        if (!frictions_[at(lane)].empty() || surfaces_[at(lane)].any()) varied |= 1U << lane;
    }
    // The next contact in the list of each lane: points and lists have one order.
    std::array<int, kLaneCount<T>> next{};
    const unsigned filled = (1U << lanes) - 1;
    for (const LanePoint<T>& point : found_.points())
    {
        const LanePair& pair = found_.pair(point.pair);
        const MaskOf<T> acts = both(point.touches, point.distance < T(pair.margin));
        const auto acting = static_cast<unsigned>(to_bits(acts));
        // Rows where a point is within its margin, in any lane, and some dof moves it.
        const bool has_rows = acting != 0 && moves(pair.first_body, pair.second_body);
        if (has_rows && slots_.size() == slot_count_) slots_.emplace_back();
        if (has_rows) fill(point, acts, slots_[slot_count_]);
        for (unsigned bits = static_cast<unsigned>(to_bits(point.touches)) & filled; bits != 0; bits &= bits - 1)
        {
            const int lane = std::countr_zero(bits), index = next[at(lane)]++;
            if (!has_rows || (acting >> lane) % 2 == 0) continue;
            ContactSlot<T>& slot = slots_[slot_count_];
            slot.contact[at(lane)] = index;
            if ((varied >> lane) % 2 == 0) continue;
            // What a world has of its own.
            const Contact& contact = contacts_[at(lane)].items[at(index)];
            if (!frictions_[at(lane)].empty()) set_friction(lane, contact, slot);
            add_drift(lane, contact, slot);
        }
        if (!has_rows) continue;
        // Z and c of the rows, once all lanes are filled.
        find_answers(w, pair.surface.softness, dt, slots_[slot_count_]);
        ++slot_count_;
    }
}

/// A slot in all lanes where it acts.
template <class T>
void ContactSlots<T>::fill(const LanePoint<T>& point, const MaskOf<T>& acts, ContactSlot<T>& slot) const
{
    const LanePair& pair = found_.pair(point.pair);
    const T zero(0.0);
    slot = {.first_body = pair.first_body, .second_body = pair.second_body, .dimension = pair.surface.dimension};
    // Lanes that do not act have axes of length zero: their rows push nothing, and divide by nothing.
    slot.contact.fill(-1);
    slot.touches = select(acts, T(1.0), zero);
    slot.distance = select(acts, point.distance, zero);
    slot.point = select(acts, point.point, Vector3<T>{});
    for (int k = 0; k < 3; ++k) slot.axis[k] = select(acts, point.frame.column(k), Vector3<T>{});
    // mu of the cone's three conditions (Eq. 3): sliding, spinning, rolling.
    for (int k = 0; k < 3; ++k)
        if (slot.dimension >= kDimension[k])
            slot.friction[k] = select(acts, T(std::max(kLeastFriction, pair.surface.friction[k])), zero);
}

template <class T>
void ContactSlots<T>::find_by_world(const Workspace<T>& w, std::span<Memory* const> memories, double dt)
{
    for (int lane = 0; lane < static_cast<int>(memories.size()); ++lane)
    {
        find_lane(w, lane, memories[at(lane)]->collider);
        place_surfaces(w, lane, dt);
    }
    merge(w, dt);
}

template <class T>
void ContactSlots<T>::find_lane(const Workspace<T>& w, int lane_index, ColliderMemory& memory)
{
    const auto value = [&](const T& x) { return lane(x, lane_index); };
    // Poses of one world out of the pack.
    for (std::size_t b = 0; b < poses_.size(); ++b)
    {
        const Vector3<T>& p = w.position[b];
        const Quaternion<T>& q = w.rotation[b];
        poses_[b] = {{value(p.x), value(p.y), value(p.z)}, {value(q.w), value(q.x), value(q.y), value(q.z)}};
    }
    // The collider looks at one world at a time; its memory is that world's.
    WorldView view;
    view.body_pose = poses_;
    // No margin: contacts count where they are, not where they may come.
    collider_->set_filter(filters_[at(lane_index)]);
    collider_->find_contacts(view, 0, memory, contacts_[at(lane_index)]);
    rattleback::set_friction(model_, frictions_[at(lane_index)], contacts_[at(lane_index)]);
}

/// Whether any dof moves two bodies against each other.
template <class T>
bool ContactSlots<T>::moves(int first_body, int second_body) const
{
    return model_.bodies.last_dof[at(first_body)] != model_.bodies.last_dof[at(second_body)];
}

/// To the first contact at or behind `from` that has rows; false where there is none.
template <class T>
bool ContactSlots<T>::advance(int lane, int from, Cursor& cursor) const
{
    const std::vector<Contact>& items = contacts_[at(lane)].items;
    // Contacts beyond their margin, or of bodies that nothing moves, have no rows.
    const int last = cursor.next;
    const auto acts = [&](const Contact& contact)
    { return contact.distance < contact.margin && moves(contact.first_body.index, contact.second_body.index); };
    int next = from;
    while (at(next) < items.size() && !acts(items[at(next)])) ++next;
    cursor.next = next;
    if (at(next) == items.size()) return false;
    // Points of a pair are counted: a slot is the k-th point of two shapes, in every lane.
    const bool same_pair = from > 0 && items[at(last)].first_shape == items[at(next)].first_shape &&
                           items[at(last)].second_shape == items[at(next)].second_shape;
    cursor.place = same_pair ? cursor.place + 1 : 0;
    return true;
}

template <class T>
typename ContactSlots<T>::Key ContactSlots<T>::key(int lane, const Cursor& cursor) const
{
    const Contact& contact = contacts_[at(lane)].items[at(cursor.next)];
    return {contact.first_shape.index, contact.second_shape.index, cursor.place};
}

/// Slots in the order of the pairs: the contacts of a lane keep theirs, whatever its neighbours touch.
template <class T>
void ContactSlots<T>::merge(const Workspace<T>& w, double dt)
{
    std::array<Cursor, kLaneCount<T>> cursors;
    std::array<Key, kLaneCount<T>> keys;
    std::array<bool, kLaneCount<T>> has;
    const auto look = [&](int lane, int from)
    {
        has[at(lane)] = advance(lane, from, cursors[at(lane)]);
        if (has[at(lane)]) keys[at(lane)] = key(lane, cursors[at(lane)]);
    };
    // Sorted lists, one per lane, merged like those of a sort.
    for (int lane = 0; lane < kLaneCount<T>; ++lane) look(lane, 0);
    for (slot_count_ = 0;; ++slot_count_)
    {
        // The least key of all lanes is the next slot, and every lane that has it joins.
        int first = -1;
        for (int lane = 0; lane < kLaneCount<T>; ++lane)
            if (has[at(lane)] && (first < 0 || keys[at(lane)] < keys[at(first)])) first = lane;
        if (first < 0) return;
        const Key least = keys[at(first)];
        const Contact& contact = contacts_[at(first)].items[at(cursors[at(first)].next)];
        if (slots_.size() == slot_count_) slots_.emplace_back();
        ContactSlot<T>& slot = slots_[slot_count_];
        slot = {.first_body = contact.first_body.index, .second_body = contact.second_body.index};
        for (int lane = 0; lane < kLaneCount<T>; ++lane)
        {
            const bool joins = has[at(lane)] && keys[at(lane)] == least;
            slot.contact[at(lane)] = joins ? cursors[at(lane)].next : -1;
            if (!joins) continue;
            fill(lane, cursors[at(lane)].next, slot);
            look(lane, cursors[at(lane)].next + 1);
        }
        // Softness belongs to the two materials, so any lane's contact has it.
        find_answers(w, contact.softness, dt, slot);
    }
}

/// One lane of a slot.
template <class T>
void ContactSlots<T>::fill(int lane, int index, ContactSlot<T>& slot) const
{
    const Contact& contact = contacts_[at(lane)].items[at(index)];
    // Numbers of this lane; those of lanes without the contact stay zero.
    set_lane(slot.touches, lane, 1);
    set_lane(slot.distance, lane, contact.distance);
    set_vector(slot.point, lane, contact.point);
    for (int k = 0; k < 3; ++k) set_vector(slot.axis[k], lane, contact.frame.column(k));
    set_friction(lane, contact, slot);
    add_drift(lane, contact, slot);
}

/// A smaller dimension is friction of zero.
template <class T>
void ContactSlots<T>::set_friction(int lane, const Contact& contact, ContactSlot<T>& slot) const
{
    slot.dimension = std::max(slot.dimension, contact.dimension);
    for (int k = 0; k < 3; ++k)
    {
        const bool rubs = contact.dimension >= kDimension[k];
        set_lane(slot.friction[k], lane, rubs ? std::max(kLeastFriction, contact.friction[k]) : 0);
    }
}

template <class T>
void ContactSlots<T>::add_drift(int lane, const Contact& contact, ContactSlot<T>& slot) const
{
    const RunningSurfaces& surfaces = surfaces_[at(lane)];
    // Belts: the velocity of the surface adds to that of the bodies.
    if (!surfaces.runs(contact)) return;
    const Velocity drift = surfaces.find_drift(contact);
    set_vector(slot.drift[0], lane, drift.linear);
    set_vector(slot.drift[1], lane, drift.angular);
}

/// Eqs. 10 to 12 for the normal; friction is rigid. Two shapes have the same softness in every lane.
template <class T>
void ContactSlots<T>::find_answers(const Workspace<T>& w, const Softness& softness, double dt,
                                   ContactSlot<T>& slot) const
{
    // w, the estimate of A's diagonal from inverse weights at q0.
    const PairWeight<T> weight = find_pair_weight<T>(w, slot.first_body, slot.second_body);
    const Answer<T> answer = find_answer<T>(options_, softness, weight.linear, slot.distance, dt, shares_.push);
    // 1 / Z and c of f = -Z (u + c); lanes without contact have no target.
    slot.compliance = T(1.0) / answer.impedance;
    slot.target = select(slot.touches > T(0.0), answer.target, T(0.0));
    slot.stop = select(slot.touches > T(0.0), answer.stop, T(0.0));
    slot.rest = find_rest(answer, weight.linear);
    // Friction is rigid: a compliance that is a tiny part of the point's own mobility.
    slot.linear = T(1 / kSweepFrictionHardness) * maximum(T(kTinyRow), weight.linear);
    slot.angular = T(1 / kSweepFrictionHardness) * maximum(T(kTinyRow), weight.angular);
}

}  // namespace rattleback::comfree
