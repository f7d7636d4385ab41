// Draft: a Model taken apart into what one would tell a builder to get it again, bit for bit.
#pragma once

#include "build/authored.h"

#include <map>

namespace rattleback
{

/// Initial coordinates of one joint as the Model keeps them; empty: the reference, or rest.
struct JointStart
{
    std::vector<double> q, v;
};

struct Draft
{
    Authored parts;
    /// How free and ball joints start, by joint, where it is not at q0 and at rest: the builder has no words for it.
    std::map<int, JointStart> starts;
    /// Are the weights at q0 those of MuJoCo's compiler (see import/mjcf/constants.h), as in models read from MJCF?
    bool mujoco_constants = true;
};

/// Every name is written out, automatic free joints are joints like others, and what was computed is given as found.
Draft make_draft(const Model& model);

/// The Model again: build(make_draft(model)) has the fingerprint of `model`.
Result<Model> build(const Draft& draft);

}  // namespace rattleback
