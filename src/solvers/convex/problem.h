// The convex problem of one island on compact arrays: min_a 1/2 (a - a_s)ᵀ M (a - a_s) + s(J a - reference).
#pragma once

#include "solvers/convex/cone.h"
#include "solvers/shared/rows.h"

namespace rattleback::convex
{

/// Vectors over dofs carry this many zeros more, so that whole packs may run over the end of a row of J or H.
inline constexpr int kPadding = 4;

/// Neighbouring columns of a block of J.
struct Run
{
    int dof = 0;
    int length = 0;
    int packs = 0;  ///< length in packs of four, rounded up; values beyond the length are zero
    friend bool operator==(const Run&, const Run&) = default;
};

/// Rows of J with the same columns, stored dense: row after row, run after run.
struct Block
{
    int row = 0, row_count = 0;
    int run_begin = 0, run_end = 0;  ///< in RowMatrix::runs
    int stride = 0;                  ///< numbers per row
    int value = 0;                   ///< in RowMatrix::values
    bool edges = false;              ///< opposite edges of a pyramid, in pairs
};

/// A sparse matrix of rows over dofs, in blocks.
struct RowMatrix
{
    std::vector<Block> blocks;
    std::vector<Run> runs;
    std::vector<double> values;
    int row_count = 0;

    void clear();
    /// Adds a block with these columns (increasing) and `count` rows of values, [count][columns]. Runs end where
    /// columns are not neighbours and, unless `group` is empty, where the group changes.
    void add_block(std::span<const int> columns, const double* rows, int count, std::span<const int> group);
};

/// Trees that share constraints. Dofs in the model's order; rows sorted by class: equality, dry friction, one-sided
/// (limits, frictionless contacts, edges of pyramids), elliptic cones.
struct Problem
{
    int dof_count = 0, row_count = 0;
    int equality_end = 0, friction_end = 0, one_sided_end = 0;

    std::vector<int> dofs;                     ///< in the model
    std::vector<int> mass_begin, mass_column;  ///< lower triangle of M in rows, diagonal last
    std::vector<double> mass;
    std::vector<double> smooth;  ///< a_s, with padding
    std::vector<double> force;   ///< M a_s
    double scale = 1;            ///< 1 / trace(M): makes improvements and gradients comparable
    std::vector<int> group;      ///< [dof] dofs with one number stay together when a large system is ordered
    std::vector<int> tree;       ///< [dof] kinematic tree, numbers from zero

    // Rows: J by blocks, and the numbers that s(r) is made of.
    RowMatrix rows;                                               ///< J
    std::vector<double> reference, regulariser, stiffness, loss;  ///< [row]
    std::vector<Cone> cones;

    void clear_rows();
};

/// out = J x, [row]; x has kPadding more entries.
void multiply_rows(const Problem& problem, const double* x, double* out);
/// The same for the rows of one block.
void multiply_block(const RowMatrix& matrix, const Block& block, const double* x, double* out);
/// out += Jᵀ f; out has kPadding more entries.
void add_transposed(const Problem& problem, const double* f, double* out);
void add_transposed(const RowMatrix& matrix, const Block& block, const double* f, double* out);
/// out = M x.
void multiply_mass(const Problem& problem, const double* x, double* out);

/// Forces, and what the Hessian needs, at a residual r = J a - reference.
struct RowStates
{
    std::vector<double> force;   ///< -ds/dr
    std::vector<double> weight;  ///< [row] d2s/dr2: D or 0; rows of conic cones have 0 here
    std::vector<ConeZone> zone;  ///< [cone]

    void resize(const Problem& problem);
};

/// A point a with all that follows from it.
struct Point
{
    std::vector<double> a;         ///< [dof]
    std::vector<double> product;   ///< M a
    std::vector<double> residual;  ///< J a - reference, [row]
    std::vector<double> gradient;  ///< M (a - a_s) - Jᵀ f, [dof]
    RowStates states;
    double cost = 0;

    void resize(const Problem& problem);
};

/// From p.a: product, residual, states, cost.
void evaluate(const Problem& problem, Point& p);
/// From a, product, residual: states, cost. (After a move along a line, which updates these three.)
void evaluate_states(const Problem& problem, Point& p);
/// From states: gradient; returns its length.
double find_gradient(const Problem& problem, Point& p);

}  // namespace rattleback::convex
