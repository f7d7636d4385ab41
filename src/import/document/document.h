// Document: what was authored as JSON, elements by name, and the difference between two such.
#pragma once

#include "build/authored.h"

#include <nlohmann/json_fwd.hpp>

namespace rattleback
{

/// Objects by kind and name, with only what differs from the defaults; "order" lists the names by index.
nlohmann::json write_document(const Authored& authored);

/// The other way. Every mistake is named; a name that "order" lists without an element is skipped.
Result<Authored> read_document(const nlohmann::json& document);

/// What turns `from` into `to`: a merge patch (RFC 7386), and "every": for a kind, fields that all its elements get
/// first. Empty if they are equal to the bit.
nlohmann::json make_patch(const nlohmann::json& from, const nlohmann::json& to);
void apply_patch(const nlohmann::json& patch, nlohmann::json& document);

}  // namespace rattleback
