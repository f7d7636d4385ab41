// Checks everything that was authored; one function per family of elements.
#pragma once

#include "build/authored.h"
#include "build/body_mass.h"
#include "build/layout.h"
#include "build/mesh_hulls.h"
#include "build/names.h"
#include "model/check_parts.h"

namespace rattleback
{

inline constexpr std::size_t kMaxElements = 10'000'000;          ///< of each kind
inline constexpr std::int64_t kMaxPatternEntries = 100'000'000;  ///< of the mass matrix

/// All mistakes; none: `masses` and `hulls` (of the meshes) are filled and the parts can be compiled.
std::vector<Error> check(const Authored& authored, const Names& names, const Layout& layout,
                         std::vector<BodyMass>& masses, std::vector<Polyhedron>& hulls);

void check_names(const Names& names, Checker& checker);

/// Is the tree of bodies and joints sound? `body_good[i]`: the inertia of body i can be used.
bool check_tree(const Authored& authored, const Names& names, const Layout& layout, std::vector<char>& body_good,
                Checker& checker);

/// `shape_good[i]`: body, size and asset of shape i can be used.
void check_shapes(const Authored& authored, const Names& names, std::vector<char>& shape_good, Checker& checker);
void check_pairs(const Authored& authored, const Names& names, Checker& checker);
void check_sites(const Authored& authored, const Names& names, Checker& checker);
void check_equalities(const Authored& authored, const Names& names, Checker& checker);
void check_tendons(const Authored& authored, const Names& names, Checker& checker);
void check_actuators(const Authored& authored, const Names& names, Checker& checker);
void check_sensors(const Authored& authored, const Names& names, Checker& checker);
void check_keyframes(const Authored& authored, const Names& names, const Layout& layout, Checker& checker);
void check_tracks(const Authored& authored, const Names& names, Checker& checker);
void check_appearance(const Authored& authored, const Names& names, Checker& checker);

}  // namespace rattleback
