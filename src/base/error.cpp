// Text of errors, and the replaceable check handler.
#include "base/cpu_check.h"

#include <rattleback/error.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>

namespace rattleback
{

namespace
{

void print_and_abort(const std::string& message)
{
    std::fprintf(stderr, "rattleback: %s\n", message.c_str());
    std::abort();
}

std::atomic<CheckHandler> check_handler{&print_and_abort};

// Every program with the library has this file in it, and so the guard too.
[[gnu::used]] void (*const processor_guard)() = &refuse_old_processor;

}  // namespace

const char* to_string(ErrorCode code)
{
    switch (code)
    {
        case ErrorCode::invalid_value:
            return "invalid_value";
        case ErrorCode::duplicate_name:
            return "duplicate_name";
        case ErrorCode::unknown_name:
            return "unknown_name";
        case ErrorCode::unsupported:
            return "unsupported";
        case ErrorCode::syntax:
            return "syntax";
        case ErrorCode::io:
            return "io";
        case ErrorCode::limit:
            return "limit";
    }
    return "unknown";
}

std::string Error::text() const
{
    std::string result = where.empty() ? message : where + ": " + message;
    if (!hint.empty()) result += " (" + hint + ")";
    return result;
}

std::string to_text(const std::vector<Error>& errors)
{
    std::string result;
    for (const Error& error : errors)
    {
        if (!result.empty()) result += '\n';
        result += error.text();
    }
    return result;
}

CheckHandler set_check_handler(CheckHandler handler) { return check_handler.exchange(handler); }

void fail_check(const char* file, int line, const std::string& message)
{
    check_handler.load()(message + " [" + file + ":" + std::to_string(line) + "]");
    std::abort();  // a handler that returns breaks its contract
}

}  // namespace rattleback
