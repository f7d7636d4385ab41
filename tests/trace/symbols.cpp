// The symbol table of /proc/self/exe. (dladdr knows dynamic symbols only, not functions of anonymous namespaces.)
#include "trace/symbols.h"

#include <cxxabi.h>
#include <elf.h>
#include <link.h>

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <memory>
#include <vector>

namespace rattleback::trace
{

namespace
{

std::string demangle(const char* name)
{
    int status = 0;
    const std::unique_ptr<char, decltype(&std::free)> text(abi::__cxa_demangle(name, nullptr, nullptr, &status),
                                                           &std::free);
    return status == 0 ? text.get() : name;
}

/// Where the program was loaded: what is added to addresses of the file.
std::uintptr_t find_base()
{
    std::uintptr_t base = 0;
    dl_iterate_phdr(
        [](dl_phdr_info* info, std::size_t, void* out)
        {
            *static_cast<std::uintptr_t*>(out) = info->dlpi_addr;
            return 1;  // the first entry is the program itself
        },
        &base);
    return base;
}

template <class T>
std::vector<T> read_table(const std::string& bytes, const Elf64_Shdr& section)
{
    std::vector<T> table(section.sh_size / sizeof(T));
    std::memcpy(table.data(), bytes.data() + section.sh_offset, table.size() * sizeof(T));
    return table;
}

}  // namespace

std::map<const void*, Symbol> read_symbols()
{
    std::ifstream file("/proc/self/exe", std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(file), {}};
    Elf64_Ehdr head;
    std::memcpy(&head, bytes.data(), sizeof(head));
    std::vector<Elf64_Shdr> sections(head.e_shnum);
    std::memcpy(sections.data(), bytes.data() + head.e_shoff, sections.size() * sizeof(Elf64_Shdr));

    std::map<const void*, Symbol> symbols;
    const std::uintptr_t base = find_base();
    for (const Elf64_Shdr& section : sections)
    {
        if (section.sh_type != SHT_SYMTAB) continue;
        const std::vector<char> names = read_table<char>(bytes, sections[section.sh_link]);
        for (const Elf64_Sym& symbol : read_table<Elf64_Sym>(bytes, section))
        {
            if (ELF64_ST_TYPE(symbol.st_info) != STT_FUNC || symbol.st_value == 0) continue;
            symbols[reinterpret_cast<const void*>(base + symbol.st_value)] = {
                demangle(names.data() + symbol.st_name), ELF64_ST_BIND(symbol.st_info) == STB_WEAK};
        }
    }
    return symbols;
}

}  // namespace rattleback::trace
