// NumPy arrays on the engine's memory, and numbers out of arrays.
#pragma once

#include "bindings.h"

#include <rattleback/model.h>

#include <memory>
#include <span>

namespace rattleback::python
{

/// What an array's numbers are.
enum class Scalar
{
    float64,
    float32,
    int32,
    uint32,
    int64,
    uint64,
};
enum class Access
{
    read,
    write,
};

/// Memory of the engine as an array: [world][count][width], where `width` 0 means no such dimension.
struct Block
{
    const void* data = nullptr;
    std::int64_t count = 0;
    std::int64_t width = 0;
    std::int64_t stride = 1;  ///< scalars from item to item
    Scalar scalar = Scalar::float64;
    std::int64_t worlds = -1;  ///< -1: no world dimension
};

/// A view, without a copy; it keeps `owner` alive.
nb::object make_view(const Block& block, Access access, std::shared_ptr<const void> owner);
/// An array of its own, with the numbers of a vector, which it takes over.
nb::object make_array(std::vector<double> values, std::span<const std::int64_t> shape);
nb::object make_array(std::vector<std::int64_t> values);
/// The numbers of a view, copied.
nb::object copy_array(const Block& block);

/// Numbers as float64 in C order: of the array itself where it has them so, otherwise converted.
struct NumberArray
{
    nb::object array;
    std::span<const double> values;
    std::vector<std::size_t> shape;
};
/// A Mismatch where they are not numbers.
NumberArray read_numbers(nb::handle given);
/// The same of a shape, -1 for any; otherwise a ValueError that begins with `place`.
NumberArray read_numbers(nb::handle given, const char* place, std::span<const std::int64_t> shape);
std::string shape_text(std::span<const std::int64_t> shape);

// Blocks of the arrays of a Model and State.
template <class T>
Block block_of(const std::vector<T>& values)
{
    const auto count = static_cast<std::int64_t>(values.size());
    if constexpr (std::is_same_v<T, double>)
        return {values.data(), count};
    else if constexpr (std::is_same_v<T, int>)
        return {values.data(), count, 0, 1, Scalar::int32};
    else if constexpr (std::is_same_v<T, std::uint32_t>)
        return {values.data(), count, 0, 1, Scalar::uint32};
    else if constexpr (std::is_same_v<T, std::int64_t>)
        return {values.data(), count, 0, 1, Scalar::int64};
    else if constexpr (std::is_same_v<T, std::array<float, 4>>)
        return {values.data(), count, 4, 4, Scalar::float32};
    else
    {
        constexpr std::int64_t kWidth = sizeof(T) / sizeof(double);
        static_assert(alignof(T) == alignof(double));
        return {values.data(), count, kWidth, kWidth};
    }
}
/// `width` numbers from `offset` on of every item.
inline Block part_of(Block block, std::int64_t offset, std::int64_t width)
{
    if (block.count > 0) block.data = static_cast<const double*>(block.data) + offset;
    block.width = width;
    return block;
}

}  // namespace rattleback::python
