// Typed access to the attributes of an element.
#include "import/mjcf/element.h"

#include "base/decimal.h"

#include <algorithm>
#include <cmath>

namespace rattleback::mjcf
{

namespace
{

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v'; }

}  // namespace

const Attribute* Element::find(std::string_view name) const
{
    for (const Attribute& attribute : attributes)
    {
        if (attribute.rule->name == name) return &attribute;
    }
    return nullptr;
}

std::string Element::text(std::string_view name) const
{
    if (const Attribute* attribute = find(name)) return attribute->text;
    const AttributeRule* known = rule->find(name);
    return known ? known->fallback : std::string();
}

std::vector<double> Element::numbers(std::string_view name) const
{
    const AttributeRule* known = rule->find(name);
    std::vector<double> values = parse_numbers(known ? known->fallback : std::string()).value_or(std::vector<double>());
    if (const Attribute* attribute = find(name))
    {
        if (values.size() < attribute->numbers.size()) values.resize(attribute->numbers.size());
        std::copy(attribute->numbers.begin(), attribute->numbers.end(), values.begin());
    }
    // A required list that is missing was reported; zeros stand in, so that reading can go on.
    if (known && known->most > static_cast<int>(values.size())) values.resize(static_cast<std::size_t>(known->most), 0);
    return values;
}

double Element::number(std::string_view name) const
{
    const std::vector<double> values = numbers(name);
    return values.empty() ? 0 : values.front();
}

int Element::integer(std::string_view name) const { return static_cast<int>(number(name)); }

std::string Element::name() const
{
    for (const Attribute& attribute : attributes)
    {
        if (attribute.rule->type == Type::name) return attribute.text;
    }
    return {};
}

std::optional<std::vector<double>> parse_numbers(std::string_view text)
{
    std::vector<double> numbers;
    while (true)
    {
        while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
        if (text.empty()) return numbers;
        if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
        double value = 0;
        const auto [end, error] = parse_double(text, value);
        const auto length = static_cast<std::size_t>(end - text.data());
        // A number too small for a double is zero; one too large is not finite.
        if (error == std::errc::result_out_of_range)
        {
            const std::string_view digits = text.substr(0, length);
            const bool tiny = digits.find("e-") != digits.npos || digits.find("E-") != digits.npos;
            if (!tiny) return std::nullopt;
            value = 0;
        }
        else if (error != std::errc() || !std::isfinite(value))
            return std::nullopt;
        if (length < text.size() && !is_blank(text[length])) return std::nullopt;
        numbers.push_back(value);
        text.remove_prefix(length);
    }
}

}  // namespace rattleback::mjcf
