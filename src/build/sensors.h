// A sensor of a Model as a builder was told of it.
#pragma once

#include "build/authored.h"

namespace rattleback
{

AuthoredSensor author_sensor(const Model& model, std::size_t sensor);

}  // namespace rattleback
