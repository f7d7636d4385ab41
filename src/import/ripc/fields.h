// Fields: the members of one JSON object, read by name and type; what nobody asked for is a mistake.
#pragma once

#include <rattleback/math.h>

#include <array>
#include <span>

#include "import/json/json_text.h"

namespace rattleback::ripc
{

class Fields
{
public:
    /// `object` may be null: then every field is missing. `owner` names the object in messages. An object that is none
    /// is noted as a mistake.
    Fields(const JsonValue* object, std::string owner, const JsonText& file, Log& log);

    /// The member of that name, or null.
    const JsonValue* find(const char* name);
    bool has(const char* name) { return find(name) != nullptr; }

    // Missing: the default. Of another type: a mistake, and the default.
    double number(const char* name, double missing);
    double positive(const char* name, double missing);      ///< above zero, else a mistake
    double not_negative(const char* name, double missing);  ///< zero or above
    int whole(const char* name, int missing);
    bool flag(const char* name, bool missing);
    std::string text(const char* name, const std::string& missing);
    Vec3 vector(const char* name, const Vec3& missing);
    /// One of `words`; their index.
    int choice(const char* name, std::span<const std::string_view> words, int missing);
    const std::vector<JsonValue>& list(const char* name);

    /// Fields that are read over, and what is said of them if they are there; null: nothing.
    void ignore(const char* name, const char* remark = nullptr);
    /// Notes every member that was not asked for; a key that begins with # is a comment.
    void finish();

    const JsonText& file() const { return file_; }
    Log& log() const { return log_; }
    SourceLocation location() const { return object_ != nullptr ? file_.locate(*object_) : SourceLocation{}; }
    SourceLocation location(const char* name);
    void fail(const char* name, std::string message, std::string hint = {}, ErrorCode code = ErrorCode::invalid_value);

private:
    const JsonValue* find_of(const char* name, JsonKind kind);

    const JsonValue* object_;
    std::string owner_;
    const JsonText& file_;
    Log& log_;
    std::vector<std::string_view> known_;
};

/// Three numbers; nothing, and a mistake: `value` is something else. `what` names it.
std::optional<Vec3> read_vector(const JsonValue& value, const std::string& what, const JsonText& file, Log& log);

/// So many whole numbers from 0 to `most`.
std::optional<std::vector<int>> read_indices(const JsonValue& value, std::size_t count, int most,
                                             const std::string& what, const JsonText& file, Log& log);

}  // namespace rattleback::ripc
