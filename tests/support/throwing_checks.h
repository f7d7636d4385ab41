// ThrowingChecks: failed checks as exceptions, for tests of what must not be asked.
#pragma once

#include <rattleback/error.h>

#include <stdexcept>

namespace rattleback
{

/// Turns failed checks into std::runtime_error while it lives.
class ThrowingChecks
{
public:
    ThrowingChecks() : old_(set_check_handler([](const std::string& message) { throw std::runtime_error(message); })) {}
    ~ThrowingChecks() { set_check_handler(old_); }
    ThrowingChecks(const ThrowingChecks&) = delete;
    ThrowingChecks& operator=(const ThrowingChecks&) = delete;

private:
    CheckHandler old_;
};

}  // namespace rattleback
