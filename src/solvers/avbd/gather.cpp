// Contacts by part: from the rows to the sides that the sweep reads, and back.
#include "base/index.h"
#include "solvers/avbd/blocks.h"

#include <algorithm>

namespace rattleback::avbd
{

namespace
{

/// The row as its second body sees it (side 1) or its first (side -1).
BlockContact make_side(const ContactRow& row, int index, double side, const Settings& settings, const BlockWork& work)
{
    BlockContact contact;
    contact.other = side > 0 ? row.first : row.second;
    contact.row = index;
    contact.side = side;
    HalfContact<double>& half = contact.half;
    half.normal = side * row.normal;
    half.arm = side > 0 ? row.second_arm : row.first_arm;
    half.other_arm = side > 0 ? row.first_arm : row.second_arm;
    half.gap = counted_gap(row, work.counted);
    half.slip = (side * work.counted) * row.slip;
    half.stiffness = row.stiffness;
    half.shear = row.stiffness;
    half.pressure = row.pressure;
    half.drag = side * row.drag;
    half.friction = row.friction;
    half.compliance = row.compliance;
    half.live = row.live ? 1 : 0;
    const double unit = row.mass / (work.dt * work.dt);
    contact.ramp = settings.ramp * unit / row.size;
    contact.most = kMostPenalty * unit;
    contact.spin = row.spin;
    contact.roll = side * row.roll;
    contact.spin_friction = row.spin_friction;
    contact.roll_friction = row.roll_friction;
    contact.turning = row.stiffness * row.size * row.size;
    return contact;
}

}  // namespace

BlockWork::BlockWork(const Layout& layout)
    : bodies(layout.parts.size()),
      contact_begin(layout.parts.size() + 1),
      links(layout.links.size()),
      link_memory(layout.links.size()),
      loops(layout.loops.size()),
      loop_memory(layout.loops.size()),
      diagonal(layout.parts.size()),
      to_parent(layout.parts.size()),
      right(layout.parts.size()),
      scratch(1),
      violation(layout.blocks.size())
{
}

void gather_contacts(const Layout& layout, const Settings& settings, const std::vector<ContactRow>& rows,
                     const std::vector<RowGroup>& groups, const std::vector<char>& wanted, BlockWork& work)
{
    std::fill(work.contact_begin.begin(), work.contact_begin.end(), 0);
    const auto takes = [&](int part) { return layout.parts[at(part)].dynamic && wanted[at(part)] != 0; };
    for (const RowGroup& group : groups)
    {
        for (const int part : {group.first, group.second})
        {
            if (takes(part)) work.contact_begin[at(part) + 1] += group.end - group.begin;
        }
    }
    for (std::size_t p = 1; p < work.contact_begin.size(); ++p) work.contact_begin[p] += work.contact_begin[p - 1];
    work.contacts.resize(at(work.contact_begin.back()));
    work.fill = work.contact_begin;
    for (const RowGroup& group : groups)
    {
        const bool first = takes(group.first), second = takes(group.second);
        if (!first && !second) continue;
        for (int r = group.begin; r < group.end; ++r)
        {
            const ContactRow& row = rows[at(r)];
            if (first) work.contacts[at(work.fill[at(row.first)]++)] = make_side(row, r, -1, settings, work);
            if (second) work.contacts[at(work.fill[at(row.second)]++)] = make_side(row, r, 1, settings, work);
        }
    }
}

void scatter_contacts(const BlockWork& work, std::vector<ContactRow>& rows)
{
    for (const BlockContact& contact : work.contacts)
    {
        ContactRow& row = rows[at(contact.row)];
        const HalfContact<double>& half = contact.half;
        row.pressure = half.pressure;
        row.drag = contact.side * half.drag;
        row.stiffness = half.stiffness;
        row.spin = contact.spin;
        row.roll = contact.side * contact.roll;
    }
}

void count_errors(const std::vector<ContactRow>& rows, double fraction, double firmness, BlockWork& work)
{
    work.counted = 1;  // joints: all of it, their Newton step is exact in a tree
    for (BlockContact& contact : work.contacts)
    {
        const ContactRow& row = rows[at(contact.row)];
        contact.half.gap = counted_gap(row, fraction);
        contact.half.slip = (fraction * contact.side) * row.slip;
        contact.half.stiffness = contact.half.shear = firmness * row.stiffness;
    }
}

}  // namespace rattleback::avbd
