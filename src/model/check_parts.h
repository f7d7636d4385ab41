// Checks of what a builder is told and a Model holds alike: each notes what is wrong with its argument.
#pragma once

#include "base/index.h"
#include "model/checker.h"

namespace rattleback
{

void check_settings(const Settings& settings, Checker& checker);
void check_material(const MaterialOptions& material, Checker& checker);
bool check_mesh(const MeshOptions& mesh, Checker& checker);
bool check_height_field(const HeightFieldOptions& field, Checker& checker);
/// Sizes of shapes without an asset.
bool check_primitive_size(ShapeType type, const Vec3& size, Checker& checker);
void check_cable(const Cable& cable, Checker& checker);
/// A spring or damper whose further terms are zero pulls back: one that pushes is a slip of the pen.
void check_pull(double first, const std::array<double, 2>& others, const char* what, Checker& checker);
void check_spring_length(const std::array<double, 2>& length, Checker& checker);
/// The way of a spatial tendon. Each branch (what lies between two pulleys) needs two sites to have a length.
void check_path(std::span<const TendonItem> items, double armature, int site_count,
                std::span<const ShapeType> shape_types, Checker& checker);
/// A list of a keyframe: empty, or of the model's size and finite.
bool check_list(const std::vector<double>& values, int count, const char* what, Checker& checker);
void check_poses(const std::vector<Pose>& poses, Checker& checker);
void check_track(const Track& track, Checker& checker);

}  // namespace rattleback
