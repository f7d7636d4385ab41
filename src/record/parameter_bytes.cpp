// Parameters of a solver as bytes.
#include "record/parameter_bytes.h"

#include "base/bytes.h"

namespace rattleback
{

namespace
{

static_assert(std::is_same_v<ParameterValue, std::variant<bool, int, double, std::string>>,
              "their order is the format's");

void append_value(std::vector<std::byte>& bytes, bool value) { append(bytes, static_cast<std::int32_t>(value)); }
void append_value(std::vector<std::byte>& bytes, int value) { append(bytes, static_cast<std::int32_t>(value)); }
void append_value(std::vector<std::byte>& bytes, double value) { append(bytes, value); }
void append_value(std::vector<std::byte>& bytes, const std::string& value) { append(bytes, std::string_view(value)); }

bool read_value(std::span<const std::byte>& bytes, ParameterValue& value)
{
    std::int32_t kind = 0, number = 0;
    if (!read(bytes, kind)) return false;
    switch (kind)
    {
        case 0:
            if (!read(bytes, number) || (number != 0 && number != 1)) return false;
            value = number == 1;
            return true;
        case 1:
            if (!read(bytes, number)) return false;
            value = static_cast<int>(number);
            return true;
        case 2:
            return read(bytes, value.emplace<double>());
        case 3:
            return read(bytes, value.emplace<std::string>());
        default:
            return false;
    }
}

}  // namespace

void append_parameters(std::vector<std::byte>& bytes, const Parameters& parameters)
{
    append(bytes, static_cast<std::uint64_t>(parameters.size()));
    for (const auto& [name, value] : parameters)
    {
        append(bytes, std::string_view(name));
        append(bytes, static_cast<std::int32_t>(value.index()));
        std::visit([&](const auto& held) { append_value(bytes, held); }, value);
    }
}

bool read_parameters(std::span<const std::byte>& bytes, Parameters& parameters)
{
    std::size_t count = 0;
    if (!read_count(bytes, 8, count)) return false;
    for (std::size_t i = 0; i < count; ++i)
    {
        std::string name;
        ParameterValue value;
        if (!read(bytes, name) || !read_value(bytes, value)) return false;
        if (!parameters.empty() && !(parameters.rbegin()->first < name)) return false;
        parameters.emplace(std::move(name), std::move(value));
    }
    return true;
}

}  // namespace rattleback
