// Bullet's collision detection for a whole model: broad phase and manifolds, without dynamics.
#pragma once

#include <rattleback/error.h>
#include <rattleback/model.h>
#include <rattleback/state.h>

#include <memory>

namespace rattleback::lab
{

class BulletWorld
{
public:
    virtual ~BulletWorld() = default;
    virtual std::string name() const = 0;
    /// Moves every body to its pose in `world` and finds contacts; the number of contact points.
    virtual int find_contacts(const ConstWorldView& world) = 0;
    virtual int manifold_count() const = 0;
};

/// The shapes of a model, one compound per body with several of them, with the model's filters; or why not.
Result<std::unique_ptr<BulletWorld>> make_bullet_world(const Model& model);

}  // namespace rattleback::lab
