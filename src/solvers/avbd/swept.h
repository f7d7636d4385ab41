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
    std::vector<char> fast;  ///< [part] moves further than the margin of the contacts in the step
    bool any_fast = false;
    std::vector<char> is_fast;            ///< [pair] has a fast part
    std::vector<PairCandidate> suspects;  ///< those of them
    std::vector<ContactRow> found;        ///< [suspect]; without parts: they do not meet
};

void find_fast_parts(const Layout& layout, const std::vector<Body>& bodies, double margin, double dt, SweptWork& work);

/// Appends a row for each of `pairs` (see Collider::pairs) that has a fast part and does not touch yet (is not in
/// `contacts`) but would within `dt`.
void add_swept_rows(const Layout& layout, const Settings& settings, std::span<const PairCandidate> pairs,
                    const Contacts& contacts, const std::vector<Body>& bodies, double dt, ThreadPool& pool,
                    SweptWork& work, std::vector<ContactRow>& rows);

}  // namespace rattleback::avbd
