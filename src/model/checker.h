// Checker: small tests on single values; each failure becomes an Error that names its element.
#pragma once

#include <rattleback/error.h>
#include <rattleback/model.h>

#include <cmath>
#include <cstddef>

namespace rattleback
{

/// Every test returns whether it passed. `what` is the field as the author knows it.
class Checker
{
public:
    /// The following tests are about this element. Both must outlive them.
    void enter(const char* kind, const std::string& name)
    {
        kind_ = kind;
        name_ = &name;
    }
    /// The following tests are about this, which has no name.
    void enter(const char* where)
    {
        kind_ = where;
        name_ = nullptr;
        index_ = -1;
    }
    /// The following tests are about this element of an array.
    void enter(const char* array, std::size_t index)
    {
        kind_ = array;
        name_ = nullptr;
        index_ = static_cast<std::ptrdiff_t>(index);
    }

    /// Notes a mistake; returns false.
    bool fail(std::string message, std::string hint = {}, ErrorCode code = ErrorCode::invalid_value);
    bool require(bool condition, const char* message, const char* hint = "");

    bool finite(double value, const char* what);
    bool finite(const Vec3& value, const char* what);
    template <std::size_t N>
    bool finite(const std::array<double, N>& values, const char* what)
    {
        bool good = true;
        for (const double value : values) good = good && finite(value, what);
        return good;
    }
    bool positive(double value, const char* what);
    bool not_negative(double value, const char* what);
    /// Positive, infinity allowed.
    bool bound(double value, const char* what);
    /// Finite and not zero.
    bool rotation(const Quat& value, const char* what);
    bool range(const Range& value, const char* what);
    bool softness(const Softness& value, const char* what);
    /// `index` is an element of a list of `count`.
    bool id(int index, std::size_t count, const char* what);

    /// Has this element failed a test already?
    bool has_failed() const;
    std::size_t count() const { return errors_.size(); }
    void append(std::vector<Error> errors);
    std::vector<Error> take() { return std::move(errors_); }

private:
    std::string where() const;

    const char* kind_ = "model";
    const std::string* name_ = nullptr;
    std::ptrdiff_t index_ = -1;  ///< into an array; -1: none
    std::vector<Error> errors_;
};

/// A number in a message: short, yet different numbers look different.
std::string number(double value);

}  // namespace rattleback
