// Arrays of numbers from numpy's archives: .npz files as numpy.savez writes them. Files are untrusted.
#pragma once

#include <rattleback/error.h>

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace rattleback::cli
{

/// An array in row order.
struct NumpyArray
{
    std::vector<std::uint64_t> shape;
    std::vector<double> values;
};

/// The arrays of these names that the archive holds; others are passed over. Entries must be stored as they are (not
/// savez_compressed), of type float64, float32 or int64, little-endian, in C order. `name` stands for the file in
/// errors.
Result<std::map<std::string, NumpyArray>> read_numpy_archive(std::string_view bytes, const std::string& name,
                                                             const std::vector<std::string>& wanted);

}  // namespace rattleback::cli
