// Fast bodies: contacts at the place where a body would first meet another on its way through the step.
#pragma once

#include "solvers/avbd/contact_rows.h"

#include <rattleback/query.h>

namespace rattleback::avbd
{

/// Scratch of the swept test.
struct SweptWork
{
    std::vector<char> fast;  ///< [part]
    std::vector<Pose> poses;
};

/// Appends a row for each pair of shapes that do not touch yet (are not in `contacts`) but would within `dt`, where one
/// part moves further than `margin` [m] in that time.
void add_swept_rows(const Layout& layout, const Settings& settings, const WorldView& world, const Contacts& contacts,
                    const std::vector<Body>& bodies, double margin, double dt, Collider& collider, SweptWork& work,
                    std::vector<ContactRow>& rows);

}  // namespace rattleback::avbd
