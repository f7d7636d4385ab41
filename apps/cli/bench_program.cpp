// `rattleback bench` hands over to the program beside it, which holds the benches and links the peer engines.
#include "commands.h"
#include "lab/measure/measure.h"
#include "terminal.h"

#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace rattleback::cli
{

namespace
{

/// The words this program was started with.
std::vector<std::string> read_own_words()
{
    std::ifstream file("/proc/self/cmdline", std::ios::binary);
    std::vector<std::string> words;
    for (std::string word; std::getline(file, word, '\0');) words.push_back(word);
    return words;
}

}  // namespace

int run_bench(const BenchCommand& command)
{
    const std::string program = std::filesystem::path(lab::own_program()).replace_filename("rattleback-bench");
    std::vector<std::string> words = read_own_words();
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    execv(program.c_str(), arguments.data());  // returns only when it fails
    return report_errors({{.code = ErrorCode::io,
                           .where = "bench",
                           .message = "cannot start " + program,
                           .hint = "`./run --build` builds it; an installation has it beside `rattleback`"}},
                         command.json);
}

}  // namespace rattleback::cli
