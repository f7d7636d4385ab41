// Turns parts that passed all checks into the flat arrays of a Model.
#pragma once

#include "build/body_mass.h"
#include "build/layout.h"
#include "build/names.h"
#include "geometry/polyhedron.h"

namespace rattleback
{

/// `hulls` are those of the meshes, see find_mesh_hulls.
Model compile(const Authored& authored, const Names& names, const Layout& layout, const std::vector<BodyMass>& masses,
              std::vector<Polyhedron> hulls);

// The parts of compile(), in the order in which they need each other.
void compile_bodies(const Authored& authored, const Names& names, const Layout& layout,
                    const std::vector<BodyMass>& masses, Model& model);
void compile_joints(const Authored& authored, const Names& names, const Layout& layout, Model& model);
void compile_dofs(const Authored& authored, Model& model);
void compile_coordinates(const Authored& authored, const Layout& layout, Model& model);
void compile_shapes(const Authored& authored, const Names& names, Model& model);
/// After the shapes: see Model::surfaces.
void compile_surfaces(Model& model);
void compile_equalities(const Authored& authored, const Names& names, Model& model);
void compile_tendons(const Authored& authored, const Names& names, Model& model);
/// Where in State::act the shifts of springs that yield stand: behind what actuators have.
void compile_yields(Model& model);
void compile_actuators(const Authored& authored, const Names& names, Model& model);
void compile_sensors(const Authored& authored, const Names& names, Model& model);
void compile_keyframes(const Authored& authored, const Names& names, Model& model);
void compile_tracks(const Authored& authored, Model& model);
void compile_appearance(const Authored& authored, const Names& names, Model& model);

/// Body frames in the world with every joint at its reference.
std::vector<Pose> find_reference_poses(const Model& model);

}  // namespace rattleback
