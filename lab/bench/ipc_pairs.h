// Contacts as [RigidIPC] counts them, for the column of Fig. 20.
#pragma once

#include "lab/certify/overlap.h"

#include <rattleback/query.h>
#include <rattleback/state.h>

namespace rattleback::lab
{

/// Counts pairs of a vertex and a face, and of two edges, of bodies that may meet, which are nearer than
/// d-hat + d_min: every triangle and edge of the meshes, diagonals of flat sides too, a pair as often as it is one. So
/// does the authors' program (ipc-sim/rigid-ipc: `num_contacts` is `Constraints::num_constraints()`, in which what is
/// nearest at a vertex or an edge keeps its multiplicity); our solver has flat sides as one face and counts fewer.
class PairCounter
{
public:
    /// Of a model, with the d-hat and d_min of its parameters [m]. `welded` = false: every triangle has vertices and
    /// edges of its own, as in the meshes of the authors' piston and lock box (Fig. 20 has three vertices a face).
    PairCounter(const Model& model, bool welded);

    /// Where the bodies are; 0 where the model names no d-hat.
    std::int64_t count(const State& state);

private:
    std::int64_t count_pair(int first, int second) const;

    Collider collider_;
    std::vector<Complex> complexes_;  ///< [shape]
    std::vector<Vec3> centers_;       ///< [shape] of mass, in the frame of its body [m]
    std::vector<int> bodies_;         ///< [shape]
    std::vector<Place> places_;       ///< [shape]
    double reach_ = 0;                ///< d-hat + d_min [m]
    bool welded_ = true;
};

}  // namespace rattleback::lab
