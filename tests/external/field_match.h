// Comparing the constants of a Model with MuJoCo's arrays of the same model, field by field from one table.
#pragma once

#include "external/oracle_match.h"

namespace rattleback
{

/// Fails, naming the field, where a size differs (bodies, joints, coordinates, tendons, actuators, ...).
void expect_same_sizes(const Model& model, const lab::Oracle& oracle);

/// Our actuators that stand for one of MuJoCo's: of several with inputs of their own the first.
std::vector<std::size_t> find_leading_actuators(const Model& model);

/// Fails where a name that the file gives differs; elements without a name may be called anything.
void expect_same_names(const Model& model, const lab::Oracle& oracle);

/// Fails, naming the field and the entry, where an array of constants differs by more than kMatchTolerance of its
/// largest entry.
void expect_same_fields(const Model& model, const lab::Oracle& oracle, const Order& order);

/// The same for shapes and their surfaces, and for equality constraints: what contacts and rows are made of. Poses and
/// sizes of meshes are left out: MuJoCo moves them into their principal axes.
void expect_same_surfaces(const Model& model, const lab::Oracle& oracle);

/// Fails where a keyframe differs.
void expect_same_keyframes(const Model& model, const lab::Oracle& oracle);

}  // namespace rattleback
