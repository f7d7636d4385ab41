// The tests on single numbers.
#include "model/checker.h"

#include "math/finite.h"

#include <algorithm>
#include <cstdio>

namespace rattleback
{

std::string number(double value)
{
    char text[32];
    // Twelve digits: numbers that differ in a file differ in a message.
    std::snprintf(text, sizeof text, "%.12g", value);
    return text;
}

std::string Checker::where() const
{
    if (name_ != nullptr) return std::string(kind_) + " '" + *name_ + "'";
    return index_ < 0 ? std::string(kind_) : std::string(kind_) + "[" + std::to_string(index_) + "]";
}

bool Checker::fail(std::string message, std::string hint, ErrorCode code)
{
    errors_.push_back({code, where(), std::move(message), std::move(hint)});
    return false;
}

bool Checker::has_failed() const
{
    // By its place: an element with several mistakes needs no second one of the same kind.
    return std::any_of(errors_.begin(), errors_.end(), [here = where()](const Error& e) { return e.where == here; });
}

bool Checker::require(bool condition, const char* message, const char* hint)
{
    return condition || fail(message, hint);
}

bool Checker::finite(double value, const char* what)
{
    return std::isfinite(value) || fail(std::string(what) + " is not finite");
}

bool Checker::finite(const Vec3& value, const char* what)
{
    return is_finite(value) || fail(std::string(what) + " is not finite");
}

bool Checker::positive(double value, const char* what)
{
    return finite(value, what) && (value > 0 || fail(std::string(what) + " " + number(value) + " is not positive"));
}

bool Checker::not_negative(double value, const char* what)
{
    return finite(value, what) && (value >= 0 || fail(std::string(what) + " " + number(value) + " is negative"));
}

bool Checker::bound(double value, const char* what)
{
    if (std::isnan(value)) return fail(std::string(what) + " is not a number");
    return value > 0 || fail(std::string(what) + " " + number(value) + " is not positive");
}

bool Checker::rotation(const Quat& value, const char* what)
{
    const double length = norm(value);
    if (!std::isfinite(length)) return fail(std::string(what) + " is not finite");
    return length > 1e-10 || fail(std::string(what) + " is a quaternion of length zero", "no rotation is (1, 0, 0, 0)");
}

bool Checker::range(const Range& value, const char* what)
{
    // The bounds of a range that is switched off may be infinite, yet NaN is always a mistake.
    if (std::isnan(value.lower) || std::isnan(value.upper)) return fail(std::string(what) + " is not a number");
    if (!value.limited) return true;
    if (!std::isfinite(value.lower) || !std::isfinite(value.upper))
        return fail(std::string(what) + " is not finite", "leave `limited` false where there is no bound");
    return value.lower <= value.upper ||
           fail(std::string(what) + ": lower " + number(value.lower) + " is above upper " + number(value.upper));
}

bool Checker::softness(const Softness& value, const char* what)
{
    if (const auto* spring = std::get_if<Spring>(&value))
    {
        const std::string field(what);
        const bool stiff = positive(spring->stiffness, (field + " stiffness").c_str());
        return not_negative(spring->damping, (field + " damping").c_str()) && stiff;
    }
    if (const auto* impedance = std::get_if<Impedance>(&value))
    {
        const std::string field(what);
        const bool reference = finite(impedance->solref, (field + " solref").c_str());
        return finite(impedance->solimp, (field + " solimp").c_str()) && reference;
    }
    return true;
}

bool Checker::id(int index, std::size_t count, const char* what)
{
    return (index >= 0 && static_cast<std::size_t>(index) < count) ||
           fail(std::string(what) + " " + std::to_string(index) + " does not exist",
                "use an id that this builder returned", ErrorCode::unknown_name);
}

void Checker::append(std::vector<Error> errors)
{
    for (Error& error : errors)
    {
        if (error.where.empty()) error.where = where();
        errors_.push_back(std::move(error));
    }
}

}  // namespace rattleback
