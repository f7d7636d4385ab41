// What applications need of the engine's base layer, which they do not see: hints for names, and the CPU check.
#pragma once

#include "base/cpu_check.h"
#include "base/nearest_match.h"
