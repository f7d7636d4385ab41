// Tests the text of an attribute against its rule.
#include "import/mjcf/check_attribute.h"

#include <algorithm>
#include <cmath>

#include "base/nearest_match.h"

namespace rattleback::mjcf
{

namespace
{

/// Does a refused attribute ask for what it stands for? Zeros and the default do not.
bool is_used(const Attribute& attribute)
{
    const AttributeRule& rule = *attribute.rule;
    if (rule.type != Type::real && rule.type != Type::integer) return attribute.text != rule.fallback;
    const auto usual = parse_numbers(rule.fallback).value_or(std::vector<double>());
    if (attribute.numbers == usual) return false;
    return rule.most < 0 ||
           std::any_of(attribute.numbers.begin(), attribute.numbers.end(), [](double x) { return x != 0; });
}

bool check_numbers(const std::string& what, Attribute& attribute, Log& log)
{
    const AttributeRule& rule = *attribute.rule;
    const auto numbers = parse_numbers(attribute.text);
    if (!numbers)
    {
        log.fail(attribute.location, what + " is " + in_quotes(attribute.text), "finite numbers, separated by blanks");
        return false;
    }
    const int count = static_cast<int>(numbers->size());
    if (count < rule.least || (rule.most >= 0 && count > rule.most))
    {
        const std::string wanted = rule.least == rule.most || rule.most < 0
                                       ? std::to_string(rule.least)
                                       : std::to_string(rule.least) + " to " + std::to_string(rule.most);
        log.fail(attribute.location, what + " has " + std::to_string(count) + " numbers", "it needs " + wanted);
        return false;
    }
    for (const double value : *numbers)
    {
        if (rule.type != Type::integer ||
            (std::floor(value) == value && value >= -2147483648.0 && value <= 2147483647.0))
            continue;
        log.fail(attribute.location, what + " is " + in_quotes(attribute.text), "it needs a whole number");
        return false;
    }
    attribute.numbers = *numbers;
    return true;
}

}  // namespace

std::string in_quotes(std::string_view text)
{
    constexpr std::size_t kShown = 60;
    return "'" + std::string(text.substr(0, kShown)) + (text.size() > kShown ? "...'" : "'");
}

std::string name_hint(std::string_view name, const std::vector<std::string>& candidates)
{
    const std::vector<std::string_view> views(candidates.begin(), candidates.end());
    return make_name_hint(name, views);
}

bool check_attribute(const ElementRule& element, std::size_t longest, Attribute& attribute, Log& log)
{
    const AttributeRule& rule = *attribute.rule;
    const std::string what = "'" + rule.name + "' of '" + element.name + "'";
    const bool number = rule.type == Type::real || rule.type == Type::integer;
    // Lists of elements that are passed over are texts of any length.
    const bool passed_over = element.use == Use::ignored && rule.type == Type::text;
    if (!number && !passed_over && attribute.text.size() > longest)
    {
        log.fail(attribute.location, what + " is too long", "at most " + std::to_string(longest) + " bytes",
                 ErrorCode::limit);
        return false;
    }
    if (rule.type == Type::boolean || rule.type == Type::word)
    {
        static const std::vector<std::string> kTruth{"false", "true"};
        const std::vector<std::string>& words = rule.type == Type::word ? rule.words : kTruth;
        if (std::find(words.begin(), words.end(), attribute.text) == words.end())
        {
            log.fail(attribute.location, what + " is " + in_quotes(attribute.text),
                     log.takes_hint() ? name_hint(attribute.text, words) : "");
            return false;
        }
    }
    if (number && !check_numbers(what, attribute, log)) return false;
    if (rule.use == Use::refused && is_used(attribute))
    {
        log.fail(attribute.location, what + " is not supported", "", ErrorCode::unsupported);
        return false;
    }
    return true;
}

}  // namespace rattleback::mjcf
