// build: from what was authored to a Model; and back from a Model to what one would author to get it again.
#pragma once

#include "build/authored.h"
#include "build/body_mass.h"

namespace rattleback
{

/// The Model, or every mistake at once.
Result<Model> build(const Authored& authored);

/// Every mistake, without the Model.
std::vector<Error> find_mistakes(const Authored& authored);

/// Mass, centre and principal axes of each body; nothing where a mistake in bodies, joints or shapes is in the way.
std::optional<std::vector<BodyMass>> find_masses(const Authored& authored);

/// Coordinates at the authored pose, Model::q0.
std::vector<double> find_q0(const Authored& authored);

/// What makes `model`, bit for bit: build(make_authored(model)) has its fingerprint. Every name is written out,
/// automatic free joints are joints like others, and what was computed is given as found.
Authored make_authored(const Model& model);

}  // namespace rattleback
