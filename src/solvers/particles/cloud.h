// Cloud: positions and velocities of all particles, in tiles of eight.
#pragma once

#include "base/index.h"

#include <rattleback/math.h>

#include <algorithm>
#include <vector>

namespace rattleback::particles
{

inline constexpr int kMaxLanes = 8;  ///< particles of a tile; all lane counts divide it

/// A list of vectors as tiles of eight x, eight y, eight z: a pack of lanes is loaded without a shuffle, and a pass
/// that runs over all particles reads one stream of memory instead of three.
template <class T>
class VectorList
{
public:
    void resize(std::size_t count)
    {
        count_ = count;
        values_.resize((count + kMaxLanes - 1) / kMaxLanes * kMaxLanes * 3);
    }
    void swap(VectorList& other)
    {
        std::swap(count_, other.count_);
        values_.swap(other.values_);
    }
    std::size_t size() const { return count_; }
    /// Number k of vector i; those of the next vectors in its tile follow it, the other numbers stand kMaxLanes on.
    T* at(std::size_t i, std::size_t k = 0) { return &values_[find_place(i, k)]; }
    const T* at(std::size_t i, std::size_t k = 0) const { return &values_[find_place(i, k)]; }
    Vector3<T> operator[](int i) const
    {
        const T* x = at(rattleback::at(i));
        return {x[0], x[kMaxLanes], x[2 * kMaxLanes]};
    }
    void set(int i, const Vector3<T>& value)
    {
        T* x = at(rattleback::at(i));
        for (int k = 0; k < 3; ++k) x[k * kMaxLanes] = value[k];
    }
    /// Number k of all vectors.
    std::vector<T> coordinate(int k) const
    {
        std::vector<T> numbers(count_);
        for (std::size_t i = 0; i < count_; ++i) numbers[i] = *at(i, static_cast<std::size_t>(k));
        return numbers;
    }
    /// Takes back what coordinate() gave; false where there are not as many.
    bool set_coordinate(int k, const std::vector<T>& numbers)
    {
        if (numbers.size() != count_) return false;
        for (std::size_t i = 0; i < count_; ++i) *at(i, static_cast<std::size_t>(k)) = numbers[i];
        return true;
    }

private:
    static std::size_t find_place(std::size_t i, std::size_t k)
    {
        return i / kMaxLanes * (3 * kMaxLanes) + k * kMaxLanes + i % kMaxLanes;
    }

    std::size_t count_ = 0;
    std::vector<T> values_;
};

template <class T>
struct Cloud
{
    VectorList<T> x;  ///< [m], world
    VectorList<T> v;  ///< [m/s]

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
