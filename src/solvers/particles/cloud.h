// Cloud: positions and velocities of all particles, coordinate by coordinate.
#pragma once

#include "base/index.h"

#include <rattleback/math.h>

#include <array>
#include <vector>

namespace rattleback::particles
{

inline constexpr int kMaxLanes = 8;  ///< all lane counts divide it

/// A list of vectors, coordinate by coordinate: a pack of lanes is loaded without a shuffle. (Tiles of eight were
/// tried: no faster at 1e4 vectors, slower at 1e6.)
template <class T>
class VectorList
{
public:
    void resize(std::size_t count)
    {
        for (auto& list : lists_) list.resize(count);
    }
    void swap(VectorList& other) { lists_.swap(other.lists_); }
    std::size_t size() const { return lists_[0].size(); }
    /// Number k of vector i; those of the next vectors follow it.
    T* at(std::size_t i, std::size_t k) { return &lists_[k][i]; }
    const T* at(std::size_t i, std::size_t k) const { return &lists_[k][i]; }
    Vector3<T> operator[](int i) const
    {
        const auto n = static_cast<std::size_t>(i);
        return {lists_[0][n], lists_[1][n], lists_[2][n]};
    }
    void set(int i, const Vector3<T>& value)
    {
        for (int k = 0; k < 3; ++k) lists_[static_cast<std::size_t>(k)][static_cast<std::size_t>(i)] = value[k];
    }
    /// Number k of all vectors.
    const std::vector<T>& coordinate(int k) const { return lists_[static_cast<std::size_t>(k)]; }
    /// Takes back what coordinate() gave; false where there are not as many.
    bool set_coordinate(int k, const std::vector<T>& numbers)
    {
        if (numbers.size() != size()) return false;
        lists_[static_cast<std::size_t>(k)] = numbers;
        return true;
    }

private:
    std::array<std::vector<T>, 3> lists_;
};

template <class T>
struct Cloud
{
    VectorList<T> x;  ///< [m] from the frame of the group (GroupFrame): u
    VectorList<T> v;  ///< [m/s] the same of velocities: f

    void resize(std::size_t count)
    {
        x.resize(count);
        v.resize(count);
    }
    void swap(Cloud& other)
    {
        x.swap(other.x);
        v.swap(other.v);
    }
    Vector3<T> position(int i) const { return x[i]; }
    Vector3<T> velocity(int i) const { return v[i]; }
};

}  // namespace rattleback::particles
