// Fast bodies: contacts at the place where a body would first meet another on its way through the step.
#pragma once

#include "solvers/avbd/contact_rows.h"

#include <rattleback/query.h>

namespace rattleback
{
class ThreadPool;
}

namespace rattleback::avbd
{

/// Scratch of the swept test.
struct SweptWork
{
    std::vector<char> fast;  ///< [group] moves further than the margin of the contacts in the step
    bool any_fast = false;
    std::vector<char> is_fast;            ///< [pair] has a fast group
    std::vector<PairCandidate> suspects;  ///< those of them
    std::vector<ContactRow> found;        ///< [suspect]; without groups: they do not meet
};

/// Groups that come further than `margin` within `dt`.
void find_fast_groups(const Layout& layout, const std::vector<Body>& bodies, double margin, double dt, SweptWork& work);

/// Appends a row for each of `pairs` (see Collider::pairs) that has a fast group and does not touch yet (is not in
/// `contacts`) but would within `context.dt`, that of the whole step.
void add_swept_rows(const RowContext& context, std::span<const PairCandidate> pairs, const Contacts& contacts,
                    ThreadPool& pool, SweptWork& work, std::vector<ContactRow>& rows);

}  // namespace rattleback::avbd
