// Contacts by rigid group: from the rows to the sides that the sweep reads, and back.
#include "base/index.h"
#include "solvers/avbd/blocks.h"

#include <algorithm>

namespace rattleback::avbd
{

namespace
{

/// C_t(x_t) as far as it counts, and what surfaces that run add to it by the end of the substep.
Vec3 find_slip(const ContactRow& row, int index, double side, double fraction, const BlockWork& work)
{
    // the side says on which body the tangential force is counted
    // of C_t(x_t) the part that is regularised ([AVBD] Eq. 18); a drift is new in this step and counts whole
    const Vec3 slip = (side * fraction) * row.slip;
    return work.drift.empty() ? slip : slip + (side * work.dt) * work.drift_of(index).linear;
}

/// The row as its second body sees it (side 1) or its first (side -1).
BlockContact make_side(const ContactRow& row, int index, double side, const Settings& settings, const BlockWork& work)
{
    BlockContact contact;
    contact.other = side > 0 ? row.first : row.second;
    contact.row = index;
    contact.side = side;
    // the normal points to the own body; the arms change places with the sides
    HalfContact<double>& half = contact.half;
    half.normal = side * row.normal;
    half.arm = side > 0 ? row.second_arm : row.first_arm;
    half.other_arm = side > 0 ? row.first_arm : row.second_arm;
    // C(x_t), lambda and k of the row, with the side's signs
    half.gap = regularised_gap(row, work.error_fraction);
    // tangential vectors change their sign with the side, the gap and the multiplier of the normal do not
    half.slip = find_slip(row, index, side, work.error_fraction, work);
    half.normal_penalty = row.penalty;
    half.tangent_penalty = row.penalty;
    half.normal_lambda = row.normal_lambda;
    half.tangent_lambda = side * row.tangent_lambda;
    half.friction = row.friction;
    half.compliance = row.compliance;
    half.active = row.is_active ? 1 : 0;
    // beta and the bound of k in units of effective mass / h^2 (and per body size): the same motion at any density
    // [AVBD] gives k and beta in absolute units; here masses and lengths of the scene set them
    const double unit = row.mass / (work.dt * work.dt);
    contact.beta = settings.ramp * unit / row.size;
    contact.max_penalty = kMaxPenalty * unit;
    // turning friction: rows about the normal and the tangents, with k at the length of the body
    contact.spin = row.spin;
    contact.roll = side * row.roll;
    contact.spin_friction = row.spin_friction;
    contact.roll_friction = row.roll_friction;
    contact.turning_penalty = row.penalty * row.size * row.size;
    // surfaces of turntables turn against each other without any motion of the bodies
    contact.turn = (side * work.dt) * work.drift_of(index).angular;
    return contact;
}

}  // namespace

void add_shift(const Vec3& shift, HalfContact<double>& half)
{
    const double along = dot(half.normal, shift);
    half.gap += along;
    half.slip += shift - along * half.normal;
}

BlockWork::BlockWork(const Layout& layout)
    : bodies(layout.groups.size()),
      contact_begin(layout.groups.size() + 1),
      links(layout.links.size()),
      link_memory(layout.links.size()),
      loops(layout.loops.size()),
      loop_memory(layout.loops.size()),
      tendons(layout.tendon_rows.size()),
      tendon_memory(layout.tendon_rows.size()),
      tendon_gradient(layout.tendon_groups.size()),
      tendon_start_gradient(layout.tendon_groups.size()),
      tendon_ends(4 * layout.segments.size()),
      diagonal(layout.groups.size()),
      to_parent(layout.groups.size()),
      right(layout.groups.size()),
      scratch(1),
      kept(layout.groups.size()),
      swings(layout.blocks.size()),
      violation(layout.blocks.size())
{
    // room for every end that a path can have: placing it allocates nothing
    // a segment that touches its shape has two straight parts with two ends each
    for (std::size_t t = 0; t + 1 < layout.segment_begin.size(); ++t)
        tendons[t].end_begin = 4 * layout.segment_begin[t];
}

void gather_contacts(const Layout& layout, const Settings& settings, const std::vector<ContactRow>& rows,
                     const std::vector<Manifold>& manifolds, const std::vector<char>& wanted, BlockWork& work)
{
    const auto takes = [&](int group) { return layout.groups[at(group)].dynamic && wanted[at(group)] != 0; };
    // how many each group has, and where its list begins
    std::fill(work.contact_begin.begin(), work.contact_begin.end(), 0);
    for (const Manifold& manifold : manifolds)
    {
        for (const int group : {manifold.first, manifold.second})
        {
            if (takes(group)) work.contact_begin[at(group) + 1] += manifold.end - manifold.begin;
        }
    }
    for (std::size_t g = 1; g < work.contact_begin.size(); ++g) work.contact_begin[g] += work.contact_begin[g - 1];
    work.contacts.resize(at(work.contact_begin.back()));
    // both sides of every row, in the order of the rows
    work.fill = work.contact_begin;
    for (const Manifold& manifold : manifolds)
    {
        const bool first = takes(manifold.first), second = takes(manifold.second);
        if (!first && !second) continue;
        for (int r = manifold.begin; r < manifold.end; ++r)
        {
            const ContactRow& row = rows[at(r)];
            const auto add = [&](int group, double side)
            {
                BlockContact& contact = work.contacts[at(work.fill[at(group)]++)];
                contact = make_side(row, r, side, settings, work);
                contact.rolling = manifold.rolling;
            };
            if (first) add(row.first, -1);
            if (second) add(row.second, 1);
        }
    }
}

void scatter_contacts(const BlockWork& work, std::vector<ContactRow>& rows)
{
    for (const BlockContact& contact : work.contacts)
    {
        // both sides hold the same numbers: the last one writes
        // lambda and k of both sides were updated from the same x by the same operations
        ContactRow& row = rows[at(contact.row)];
        const HalfContact<double>& half = contact.half;
        row.normal_lambda = half.normal_lambda;
        row.tangent_lambda = contact.side * half.tangent_lambda;
        row.penalty = half.normal_penalty;
        row.spin = contact.spin;
        row.roll = contact.side * contact.roll;
    }
}

void start_correction(const std::vector<ContactRow>& rows, const Settings& settings, BlockWork& work)
{
    // joints: all of it, their Newton step is exact in a tree
    work.error_fraction = 1;
    work.correcting = true;
    // contacts: C(x) with alpha = 1 - correction, at firmer penalties
    for (BlockContact& contact : work.contacts)
    {
        // lambda stays: only what C(x) asks beyond it moves positions
        const ContactRow& row = rows[at(contact.row)];
        contact.half.gap = regularised_gap(row, settings.correction);
        contact.half.slip = find_slip(row, contact.row, contact.side, settings.correction, work);
        // a point goes on wandering while errors are taken back
        if (contact.rolling) add_shift(contact.shift, contact.half);
        contact.half.normal_penalty = contact.half.tangent_penalty = settings.firmness * row.penalty;
    }
}

}  // namespace rattleback::avbd
