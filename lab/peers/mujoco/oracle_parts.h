// What the files of the oracle share: the compiled model, its data, and how a state gets there.
#pragma once

#include "lab/peers/mujoco/api.h"
#include "lab/peers/mujoco/mujoco.h"

#include <algorithm>
#include <span>

namespace rattleback::lab
{

struct Oracle::Parts
{
    Parts(const MujocoApi& library, ModelPointer compiled)
        : api(&library), model(std::move(compiled)), options(model->opt)
    {
    }

    const MujocoApi* api;
    ModelPointer model;
    mjOption options;  ///< as compiled
    DataPointer data;

    /// Data at a state, everything else as after a reset; nothing is computed yet.
    mjData* place(const OracleInput& input);
};

template <class T>
std::vector<double> to_numbers(const T* values, mjtSize count)
{
    std::vector<double> numbers(static_cast<std::size_t>(count));
    std::transform(values, values + count, numbers.begin(), [](T x) { return static_cast<double>(x); });
    return numbers;
}

}  // namespace rattleback::lab
