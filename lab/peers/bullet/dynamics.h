// Bullet's dynamics for models of free bodies: the peer of piles.
#pragma once

#include <rattleback/error.h>
#include <rattleback/model.h>
#include <rattleback/state.h>

#include <memory>

namespace rattleback::lab
{

struct BulletOptions
{
    double dt = 1.0 / 60;  ///< [s], one step without substeps
    int iterations = 10;   ///< of its sequential impulse solver, Bullet's default
};

/// A model of free bodies in Bullet, double precision, never sleeping, split impulses as Bullet's default.
class BulletDynamics
{
public:
    virtual ~BulletDynamics() = default;
    virtual std::string name() const = 0;
    virtual void step(int count = 1) = 0;
    virtual int contact_count() const = 0;
    /// Poses of the body frames and velocities at the centres of mass.
    virtual void read(State& state) const = 0;
};

/// The model in Bullet, or why not: joints and equality constraints are not taken over.
Result<std::unique_ptr<BulletDynamics>> make_bullet_dynamics(const Model& model, const BulletOptions& options = {});

}  // namespace rattleback::lab
