// The three stages of validate(Model): each needs the ones before to have found nothing.
#pragma once

#include "model/checker.h"

namespace rattleback
{

/// Arrays are as long as they belong together, as the rows of model/fields say.
void check_sizes(const Model& model, Checker& checker);
/// Every index points at something, and what follows from the tree does.
void check_structure(const Model& model, Checker& checker);
/// Every number is one that build() could have made.
void check_numbers(const Model& model, Checker& checker);
/// Sizes and indices of what is for the eye; needs the sizes of the rest.
void check_appearance_indices(const Model& model, Checker& checker);

}  // namespace rattleback
