// From the attributes of an element to the fields of its options, as the rows of model/fields name them.
#pragma once

#include "import/mjcf/element.h"
#include "model/fields/rows.h"

namespace rattleback::mjcf
{

/// The attributes behind a field: those that the column `mjcf` of its row names; the second is empty where one is
/// enough.
struct AttributeNames
{
    explicit AttributeNames(std::string_view column);
    std::string_view first, second;
};

/// Reads the attributes of one element. What is not written has MJCF's default.
class AttributeReader
{
public:
    AttributeReader(const Element& element, Log& log) : element_(element), log_(log) {}

    /// All fields that have attributes in this element.
    template <class Rows, class Options>
    void read_all(Options& options) const
    {
        visit_options<Rows>([&](const auto& row) { read_row(row, options); });
    }
    template <class Row, class Options>
    void read_row(const Row& row, Options& options) const
    {
        if constexpr (requires { read(AttributeNames(""), options.*row.option); })
        {
            const AttributeNames names(row.mjcf);
            const bool pair = !names.second.empty();
            if (element_.rule->find(pair ? names.second : names.first)) read(names, options.*row.option);
        }
    }

    /// The coefficients behind the first of a polynomial, `stiffness` or `damping`.
    std::array<double, 2> read_polynomial(const char* name) const;

private:
    /// Where MJCF has a polynomial, its first number.
    void read(const AttributeNames& names, double& value) const;
    void read(const AttributeNames& names, bool& value) const { value = element_.flag(names.first); }
    void read(const AttributeNames& names, int& value) const { value = element_.integer(names.first); }
    void read(const AttributeNames& names, std::uint32_t& value) const
    {
        value = static_cast<std::uint32_t>(element_.integer(names.first));
    }
    void read(const AttributeNames& names, Vec3& value) const;
    template <class T, std::size_t N>
    void read(const AttributeNames& names, std::array<T, N>& values) const
    {
        const std::vector<double> numbers = element_.numbers(names.first);
        for (std::size_t i = 0; i < N; ++i) values[i] = static_cast<T>(numbers[i]);
    }
    /// `first` says whether it is limited: true, false, or (auto) where the bounds are not empty.
    void read(const AttributeNames& names, Range& value) const;
    /// solref and solimp.
    void read(const AttributeNames& names, Softness& value) const;

    const Element& element_;
    Log& log_;
};

/// The numbers of `friction`; negative ones are MuJoCo's least coefficient, as its solvers take them.
std::vector<double> read_friction(const Element& element);

/// solref and solimp of an element, under the names it uses.
Impedance read_impedance(const Element& element, std::string_view solref, std::string_view solimp);

}  // namespace rattleback::mjcf
