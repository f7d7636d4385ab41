// Errors as values (Result, Status), and the check for misuse at the public border.
#pragma once

#include <rattleback/api.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#if defined(__CUDACC__)
#define RB_HD __host__ __device__
#else
#define RB_HD  ///< marks a function that also compiles for the device
#endif

namespace rattleback RATTLEBACK_API
{

/// What kind of mistake an Error describes.
enum class ErrorCode
{
    invalid_value,   ///< a number, size or combination that makes no physical sense
    duplicate_name,  ///< two elements of one kind share a name
    unknown_name,    ///< a reference to something that does not exist
    unsupported,     ///< a feature that the chosen solver or format does not have
    syntax,          ///< text that does not follow its grammar
    io,              ///< a file that cannot be read or written
    limit,           ///< larger than a documented bound
};

/// The code as written in JSON, for example "invalid_value".
const char* to_string(ErrorCode code);

/// One mistake in the user's data, said so that it can be mended.
struct Error
{
    ErrorCode code = ErrorCode::invalid_value;
    std::string where;    ///< element ("body 'arm'") or place ("arm.xml:42:7"); may be empty
    std::string message;  ///< what is wrong
    std::string hint;     ///< what would be right; may be empty

    /// "where: message (hint)".
    std::string text() const;
};

/// One text() per line.
std::string to_text(const std::vector<Error>& errors);

/// Receives the text of a failed RB_CHECK, on the thread where it failed. Must not return: it throws or ends the
/// process. What it throws reaches the caller of the library, also out of a task on another thread: the first by the
/// order of the tasks, the same each time. The object that was at work may be half-way through a step then: reset,
/// restore or destroy it.
using CheckHandler = void (*)(const std::string& message);

/// Replaces the handler (default: print to stderr and abort). Returns the old one. Thread-safe.
CheckHandler set_check_handler(CheckHandler handler);

/// Calls the check handler.
[[noreturn]] void fail_check(const char* file, int line, const std::string& message);

/// A T, or the list of all errors that prevented it.
template <class T>
class [[nodiscard]] Result
{
public:
    Result(T value) : value_(std::move(value)) {}
    Result(Error error) { errors_.push_back(std::move(error)); }
    Result(std::vector<Error> errors) : errors_(std::move(errors)) {}

    bool ok() const { return value_.has_value(); }
    explicit operator bool() const { return ok(); }

    /// The value; on failure the check handler gets the error text.
    const T& value() const&
    {
        require_value();
        return *value_;
    }
    T& value() &
    {
        require_value();
        return *value_;
    }
    T&& value() &&
    {
        require_value();
        return std::move(*value_);
    }

    // As value(): `simulation->run_for(2)`.
    const T& operator*() const& { return value(); }
    T& operator*() & { return value(); }
    T&& operator*() && { return std::move(*this).value(); }
    const T* operator->() const { return &value(); }
    T* operator->() { return &value(); }

    const std::vector<Error>& errors() const { return errors_; }

private:
    void require_value() const
    {
        if (!ok()) fail_check(__FILE__, __LINE__, to_text(errors_));
    }

    std::optional<T> value_;
    std::vector<Error> errors_;
};

/// Success, or the list of all errors that prevented it: a Result without a value. `return {}` is success.
class [[nodiscard]] Status
{
public:
    Status() = default;
    Status(Error error) { errors_.push_back(std::move(error)); }
    /// Success when there are none.
    Status(std::vector<Error> errors) : errors_(std::move(errors)) {}

    bool ok() const { return errors_.empty(); }
    explicit operator bool() const { return ok(); }
    /// On failure the check handler gets the error text.
    void require() const
    {
        if (!ok()) fail_check(__FILE__, __LINE__, to_text(errors_));
    }

    const std::vector<Error>& errors() const { return errors_; }

private:
    std::vector<Error> errors_;
};

}  // namespace rattleback

/// Always on: for mistakes of the caller at the public border.
#define RB_CHECK(condition, message)                                             \
    do                                                                           \
    {                                                                            \
        if (!(condition)) ::rattleback::fail_check(__FILE__, __LINE__, message); \
    } while (false)

/// Debug only: for mistakes of ours.
#if defined(NDEBUG)
#define RB_ASSERT(condition) static_cast<void>(0)
#else
#define RB_ASSERT(condition) RB_CHECK(condition, "assertion failed: " #condition)
#endif
