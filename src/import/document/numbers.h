// The numbers that a plain value is made of, so that those who read and write numbers need not know the value.
#pragma once

#include <rattleback/options.h>

namespace rattleback
{

using Number = std::variant<double*, float*, int*, std::uint32_t*, bool*>;
using Numbers = std::vector<Number>;

// collect(value, numbers) appends the numbers of a value in order.

template <class T>
    requires std::is_arithmetic_v<T>
void collect(T& x, Numbers& numbers)
{
    numbers.emplace_back(&x);
}
template <class T, std::size_t N>
void collect(std::array<T, N>& x, Numbers& numbers);
inline void collect(Vec3& x, Numbers& numbers) { numbers.insert(numbers.end(), {&x.x, &x.y, &x.z}); }
inline void collect(Quat& x, Numbers& numbers) { numbers.insert(numbers.end(), {&x.w, &x.x, &x.y, &x.z}); }
inline void collect(Pose& x, Numbers& numbers)
{
    collect(x.position, numbers);
    collect(x.rotation, numbers);
}
inline void collect(Range& x, Numbers& numbers) { numbers.insert(numbers.end(), {&x.limited, &x.lower, &x.upper}); }
inline void collect(Spring& x, Numbers& numbers) { numbers.insert(numbers.end(), {&x.stiffness, &x.damping}); }
inline void collect(Impedance& x, Numbers& numbers)
{
    collect(x.solref, numbers);
    collect(x.solimp, numbers);
}
inline void collect(Cable& x, Numbers& numbers)
{
    for (auto* part : {&x.stretch, &x.shear, &x.bend, &x.twist}) collect(*part, numbers);
}
template <class T, std::size_t N>
void collect(std::array<T, N>& x, Numbers& numbers)
{
    for (T& item : x) collect(item, numbers);
}

/// Made of a fixed count of numbers?
template <class T>
concept Plain = requires(T& x, Numbers& numbers) { collect(x, numbers); };

}  // namespace rattleback
