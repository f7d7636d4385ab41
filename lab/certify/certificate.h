// Certificate: shapes, poses and turns of a recording as plain numbers, and how far apart everything stays on the way,
// so that a program that shares nothing with the engine can prove it all again (tools/check_certificate).
#pragma once

#include "lab/certify/audit.h"

#include <filesystem>

namespace rattleback::lab
{

/// Writes JSON: "shapes" (vertices from the centre of mass, faces, edges, points, radius), "pairs" of them that may
/// collide, "frames" (for each body its centre of mass and quaternion, and the rotation vector to the next frame; and
/// "bounds", what the report has proven of distances until then).
Status write_certificate(Recording& recording, const AuditOptions& options, const AuditReport& report,
                         const std::filesystem::path& path);

}  // namespace rattleback::lab
