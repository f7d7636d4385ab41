// A child process that answers lines with lines.
#pragma once

#include <rattleback/error.h>

#include <chrono>
#include <string>
#include <vector>

namespace rattleback::lab
{

/// Started without a shell; ends with this object. Its stderr is ours.
class LineProcess
{
public:
    /// The program is looked for on PATH. A program that is missing is an error here; one that ends at once is an error
    /// of the first ask().
    static Result<LineProcess> start(const std::vector<std::string>& command);
    LineProcess(LineProcess&& other) noexcept;
    LineProcess& operator=(LineProcess&& other) noexcept;
    ~LineProcess();

    /// The line with which the child answers `line`, both without the newline. After an error the child is of no use.
    Result<std::string> ask(const std::string& line, std::chrono::milliseconds patience);

private:
    LineProcess(int child, int socket) : child_(child), socket_(socket) {}

    int child_ = -1;
    int socket_ = -1;
    std::string received_;  ///< what came after the last answer
};

}  // namespace rattleback::lab
