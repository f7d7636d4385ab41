// Our constraint rows of a Model beside MuJoCo's, with its contacts injected, at one state.
#pragma once

#include "external/contact_states.h"
#include "solvers/shared/rows.h"

#include <memory>

namespace rattleback
{

/// Settings of one comparison.
struct RowCase
{
    bool elliptic = false;
    double impratio = 1;
    bool refsafe = true;
    bool exact_diagonal = false;
    double tolerance = kMatchTolerance;  ///< of J and what it is multiplied with

    std::string text() const
    {
        return std::string(elliptic ? "elliptic" : "pyramidal") + ", impratio " + std::to_string(impratio) +
               (refsafe ? "" : ", no refsafe") + (exact_diagonal ? ", exact diagonal" : "");
    }
};
/// How many rows were compared.
struct RowTally
{
    int rows = 0;
    int levelled = 0;  ///< those at the floor of MuJoCo's R: taken as equal in R and what follows from it
};

/// Loads a state, kinematic bodies at rest, and builds the rows of given contacts there.
void place_and_build(const ContactState& at_state, const Contacts& contacts, const RowOptions& options,
                     const Tree& tree, State& state, Control& control, Workspace<double>& w, ConstraintRows& rows);

/// Our dynamics at a state, up to what rows need.
class OurRows
{
public:
    explicit OurRows(const Model& model);
    ~OurRows();
    OurRows(const OurRows&) = delete;
    OurRows& operator=(const OurRows&) = delete;

private:
    friend RowTally expect_same_rows(const Model& model, lab::Oracle& oracle, const ContactState& state,
                                     const RowCase& settings, OurRows& ours);
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

/// Fails unless both sides build the same rows, in the same order: J, residuals, references, regularisers.
RowTally expect_same_rows(const Model& model, lab::Oracle& oracle, const ContactState& state, const RowCase& settings,
                          OurRows& ours);

}  // namespace rattleback
