// Tests a value of a field as its row asks.
#pragma once

#include "model/checker.h"
#include "model/fields/rows.h"

namespace rattleback
{

inline bool check_value(double value, Check check, const char* what, Checker& checker)
{
    if (check == Check::not_negative) return checker.not_negative(value, what);
    if (check == Check::positive) return checker.positive(value, what);
    if (check == Check::bound) return checker.bound(value, what);
    return checker.finite(value, what);
}
inline bool check_value(const Vec3& value, Check check, const char* what, Checker& checker)
{
    if (check == Check::usual) return checker.finite(value, what);
    bool good = true;
    for (int i = 0; i < 3; ++i) good = check_value(value[i], check, what, checker) && good;
    return good;
}
inline bool check_value(const Quat& value, Check, const char* what, Checker& checker)
{
    return checker.rotation(value, what);
}
inline bool check_value(const Range& value, Check, const char* what, Checker& checker)
{
    return checker.range(value, what);
}
inline bool check_value(const Softness& value, Check, const char* what, Checker& checker)
{
    return checker.softness(value, what);
}
template <class T, std::size_t N>
bool check_value(const std::array<T, N>& values, Check check, const char* what, Checker& checker)
{
    bool good = true;
    for (const T& value : values)
    {
        if constexpr (std::is_arithmetic_v<T>)
            good = good && check_value(static_cast<double>(value), check, what, checker);
        else
            good = good && check_value(value, check, what, checker);
    }
    return good;
}
// Optional values only where the value itself has a test.
template <class T>
    requires requires(const T& x, Checker& checker) { check_value(x, Check::usual, "", checker); }
bool check_value(const std::optional<T>& value, Check check, const char* what, Checker& checker)
{
    return !value || check_value(*value, check, what, checker);
}
/// Whole numbers, flags, kinds and names: the types leave nothing to test.
template <class T>
    requires std::is_integral_v<T> || std::is_enum_v<T> || std::is_same_v<T, std::string>
bool check_value(const T&, Check, const char*, Checker&)
{
    return true;
}

/// Tests the options of one element; a message calls a field by its name.
template <class Rows, class Options>
void check_options(const Options& options, Checker& checker)
{
    visit_options<Rows>(
        [&](const auto& row)
        {
            if constexpr (requires { check_value(options.*row.option, row.check, "", checker); })
            {
                if (row.check == Check::elsewhere) return;
                check_value(options.*row.option, row.check, label_of(row).c_str(), checker);
            }
        });
}

}  // namespace rattleback
