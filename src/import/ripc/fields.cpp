// Reads members of JSON objects and says what is wrong with them.
#include "import/ripc/fields.h"

#include <algorithm>
#include <cmath>

#include "base/nearest_match.h"
#include "import/mjcf/check_attribute.h"

namespace rattleback::ripc
{

Fields::Fields(const JsonValue* object, std::string owner, const JsonText& file, Log& log)
    : object_(object), owner_(std::move(owner)), file_(file), log_(log)
{
    if (object_ == nullptr || object_->kind == JsonKind::object) return;
    log_.fail(file_.locate(*object_), owner_ + " is " + describe(object_->kind) + " instead of an object");
    object_ = nullptr;
}

const JsonValue* Fields::find(const char* name)
{
    known_.emplace_back(name);
    if (object_ == nullptr) return nullptr;
    const auto found = std::find_if(object_->items.begin(), object_->items.end(),
                                    [&](const JsonValue& member) { return member.key == name; });
    return found == object_->items.end() ? nullptr : &*found;
}

const JsonValue* Fields::find_of(const char* name, JsonKind kind)
{
    const JsonValue* member = find(name);
    if (member == nullptr || member->kind == kind) return member;
    fail(name, "'" + std::string(name) + "' is " + describe(member->kind) + " instead of " + describe(kind), "",
         ErrorCode::syntax);
    return nullptr;
}

SourceLocation Fields::location(const char* name)
{
    const JsonValue* member = find(name);
    return member != nullptr ? file_.locate(*member) : location();
}

void Fields::fail(const char* name, std::string message, std::string hint, ErrorCode code)
{
    log_.fail(location(name), owner_ + ": " + std::move(message), std::move(hint), code);
}

double Fields::number(const char* name, double missing)
{
    const JsonValue* member = find_of(name, JsonKind::number);
    return member != nullptr ? member->number : missing;
}

double Fields::positive(const char* name, double missing)
{
    const double value = number(name, missing);
    if (value > 0) return value;
    fail(name, "'" + std::string(name) + "' must be positive");
    return missing;
}

double Fields::not_negative(const char* name, double missing)
{
    const double value = number(name, missing);
    if (value >= 0) return value;
    fail(name, "'" + std::string(name) + "' must not be negative");
    return missing;
}

int Fields::whole(const char* name, int missing)
{
    const double value = number(name, missing);
    if (value == std::floor(value) && std::abs(value) < 1e9) return static_cast<int>(value);
    fail(name, "'" + std::string(name) + "' must be a whole number below a thousand million");
    return missing;
}

bool Fields::flag(const char* name, bool missing)
{
    const JsonValue* member = find_of(name, JsonKind::boolean);
    return member != nullptr ? member->flag : missing;
}

std::string Fields::text(const char* name, const std::string& missing)
{
    const JsonValue* member = find_of(name, JsonKind::string);
    return member != nullptr ? member->text : missing;
}

Vec3 Fields::vector(const char* name, const Vec3& missing)
{
    const JsonValue* member = find(name);
    if (member == nullptr) return missing;
    return read_vector(*member, owner_ + ": '" + name + "'", file_, log_).value_or(missing);
}

int Fields::choice(const char* name, std::span<const std::string_view> words, int missing)
{
    const JsonValue* member = find_of(name, JsonKind::string);
    if (member == nullptr) return missing;
    const auto found = std::find(words.begin(), words.end(), member->text);
    if (found != words.end()) return static_cast<int>(found - words.begin());
    fail(name, "'" + std::string(name) + "' cannot be " + mjcf::in_quotes(member->text),
         make_name_hint(member->text, words), ErrorCode::unknown_name);
    return missing;
}

const std::vector<JsonValue>& Fields::list(const char* name)
{
    static const std::vector<JsonValue> kNone;
    const JsonValue* member = find_of(name, JsonKind::array);
    return member != nullptr ? member->items : kNone;
}

void Fields::ignore(const char* name, const char* remark)
{
    const JsonValue* member = find(name);
    if (member != nullptr && remark != nullptr) log_.warn(file_.locate(*member), owner_ + ": '" + name + "' " + remark);
}

void Fields::finish()
{
    if (object_ == nullptr) return;
    for (const JsonValue& member : object_->items)
    {
        if (member.key.starts_with('#') || std::find(known_.begin(), known_.end(), member.key) != known_.end())
            continue;
        log_.fail(file_.locate(member), owner_ + ": unknown key " + mjcf::in_quotes(member.key),
                  log_.name_hint(member.key, known_), ErrorCode::unknown_name);
    }
}

std::optional<Vec3> read_vector(const JsonValue& value, const std::string& what, const JsonText& file, Log& log)
{
    const bool planar = value.kind == JsonKind::array && value.items.size() == 2;
    bool good = value.kind == JsonKind::array && value.items.size() == 3;
    Vec3 result;
    for (int i = 0; good && i < 3; ++i)
    {
        const JsonValue& item = value.items[static_cast<std::size_t>(i)];
        good = item.kind == JsonKind::number;
        result[i] = item.number;
    }
    if (good) return result;
    log.fail(file.locate(value), what + " must be three numbers", planar ? "scenes in two dimensions are not read" : "",
             planar ? ErrorCode::unsupported : ErrorCode::syntax);
    return std::nullopt;
}

std::optional<std::vector<int>> read_indices(const JsonValue& value, std::size_t count, int most,
                                             const std::string& what, const JsonText& file, Log& log)
{
    std::vector<int> result;
    if (value.kind == JsonKind::array && value.items.size() == count)
    {
        for (const JsonValue& item : value.items)
        {
            const bool whole = item.kind == JsonKind::number && item.number == std::floor(item.number);
            if (!whole || item.number < 0 || item.number > most) break;
            result.push_back(static_cast<int>(item.number));
        }
        if (result.size() == count) return result;
    }
    log.fail(file.locate(value),
             what + " must be " + std::to_string(count) + " whole numbers from 0 to " + std::to_string(most));
    return std::nullopt;
}

}  // namespace rattleback::ripc
