// Shapes and poses are drawn from the bytes of an input.
#pragma once

#include <rattleback/math.h>

#include <cstddef>
#include <cstdint>

namespace rattleback
{

/// Numbers out of bytes; zeros once they are used up.
class Bytes
{
public:
    Bytes(const std::uint8_t* data, std::size_t size) : data_(data), left_(size) {}

    int draw(int count) { return next() % count; }
    /// In [0, 1], ends included.
    double fraction() { return next() / 255.0; }
    /// In [-1, 1], zero included.
    double signed_fraction() { return (next() - 128) / 128.0; }
    Vec3 vector() { return {signed_fraction(), signed_fraction(), signed_fraction()}; }
    bool empty() const { return left_ == 0; }

private:
    int next()
    {
        if (left_ == 0) return 0;
        --left_;
        return *data_++;
    }

    const std::uint8_t* data_;
    std::size_t left_;
};

}  // namespace rattleback
