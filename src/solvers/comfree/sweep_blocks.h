// Blocks of the sweeps of the law `stable`: rows that are solved together, in every lane of a pack.
#pragma once

#include "solvers/shared/rows.h"

#include "base/index.h"

namespace rattleback::comfree
{

/// What a block may do.
enum class BlockKind : std::uint8_t
{
    push,     ///< one row, f >= 0: a limit, or a contact without friction
    bounded,  ///< one row, |f| <= bound: dry friction of a dof; spin
    contact,  ///< normal and two tangents: f_n >= 0, |f_t| <= mu f_n
    disc,     ///< two rows, |f| <= bound: rolling
};

constexpr int row_count(BlockKind kind) { return kind == BlockKind::contact ? 3 : kind == BlockKind::disc ? 2 : 1; }

/// Dofs on the paths from two bodies to the roots of their trees, as lists of the Model. An entry of a row stands at
/// its place in first[0 .. first_count), or first_count behind it at its place in second[0 .. second_count).
/// Rows of tendons have any number of paths: all of their dofs stand in `first`, ancestors before descendants.
struct DofPaths
{
    const int* first = nullptr;   ///< all that move the first body, root first
    const int* second = nullptr;  ///< that move the second body and not the first
    int first_count = 0, second_count = 0;
    int common = 0;               ///< of `first` that move both
    const int* places = nullptr;  ///< of tendons: in `first`, of the ancestors of each of its dofs; else null

    int count() const { return first_count + second_count; }
};

/// What all lanes share.
struct Block
{
    BlockKind kind = BlockKind::push;
    bool contact = false;
    int tendon = 0;    ///< of a tendon: 1 where a positive impulse lengthens it, -1 where it shortens it
    int element = -1;  ///< contact slot, joint of a limit, dof of dry friction, tendon of either
    int tree = 0;      ///< one of those that its rows move
    int normal = -1;   ///< block of the normal impulse that bounds it; -1: the bound stands
    DofPaths paths;
    int begin = 0;  ///< in SweepLaw's rows, [dof][row]
};

/// What differs by lane. Rows of a lane in which the block does not act have answers of zero, and never push.
template <class T>
struct BlockNumbers
{
    T base[3];            ///< [row] u_s + c
    T compliance[2];      ///< 1 / Z of the first row, and of those of a disc [1/kg]
    T mobility, inverse;  ///< A + 1 / Z of the first row, and one over it: 0 where the block does not act
    T stop_base, stop_compliance,
        stop_inverse;  ///< of what ends an overlap's approach; elsewhere those of the first row
    T overlap;         ///< c of an overlap that stops, else 0
    T rest;            ///< 1 / Z of what it keeps to carry its load
    T left, push;      ///< what is left of it after the step [m/s]; impulse that pushes it out
    T coupling[2];     ///< A between the normal and the tangents
    T disc[3];         ///< inverse of A + 1 / Z of the two rows of a disc: 00, 01, 11
    T disc_step;       ///< 1 / (its largest eigenvalue)
    T bound;           ///< mu [-, m], or the impulse itself [N s]
    T impulse[3];      ///< [row] f
};

}  // namespace rattleback::comfree
