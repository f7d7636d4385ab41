// What applications need of the engine's lower layers, which they do not see: hints for names, the CPU check, indices,
// files and escapes of text, elementary functions and random numbers with the same bits everywhere.
#pragma once

#include "base/cpu_check.h"
#include "base/file.h"
#include "base/index.h"
#include "base/nearest_match.h"
#include "base/text.h"
#include "math/elementary.h"
#include "math/random.h"
