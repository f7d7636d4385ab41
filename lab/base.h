// What applications need of the base layer, which they do not see: hints for names, indices, the CPU check.
#pragma once

#include "base/cpu_check.h"
#include "base/index.h"
#include "base/nearest_match.h"
