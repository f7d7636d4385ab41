// Cloud: positions and velocities of all particles, coordinate by coordinate.
#pragma once

#include "base/index.h"

#include <rattleback/math.h>

#include <array>
#include <vector>

namespace rattleback::particles
{

template <class T>
struct Cloud
{
    // One list per coordinate (structure of arrays): a pack of lanes is loaded without a shuffle.
    std::array<std::vector<T>, 3> x;  ///< [m], world
    std::array<std::vector<T>, 3> v;  ///< [m/s]

    void resize(std::size_t count)
    {
        for (auto& list : x) list.resize(count);
        for (auto& list : v) list.resize(count);
    }
    void swap(Cloud& other)
    {
        x.swap(other.x);
        v.swap(other.v);
    }
    Vector3<T> position(int i) const { return get(x, i); }
    Vector3<T> velocity(int i) const { return get(v, i); }

private:
    static Vector3<T> get(const std::array<std::vector<T>, 3>& lists, int i)
    {
        return {lists[0][at(i)], lists[1][at(i)], lists[2][at(i)]};
    }
};

}  // namespace rattleback::particles
