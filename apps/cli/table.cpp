// Table: alignment.
#include "table.h"

#include "terminal.h"

#include <algorithm>

namespace rattleback::cli
{

namespace
{

std::string pad(const std::string& text, int width, Align align)
{
    const std::string space(static_cast<std::size_t>(std::max(0, width - display_width(text))), ' ');
    return align == Align::left ? text + space : space + text;
}

}  // namespace

void Table::add(std::vector<std::string> row)
{
    row.resize(columns_.size());
    rows_.push_back(std::move(row));
}

std::string Table::text() const
{
    std::vector<int> widths;
    for (std::size_t c = 0; c < columns_.size(); ++c)
    {
        int width = display_width(columns_[c].title);
        for (const auto& row : rows_) width = std::max(width, display_width(row[c]));
        widths.push_back(width);
    }
    std::string text;
    const auto add_line = [&](auto&& cell)
    {
        std::string line = "  ";
        for (std::size_t c = 0; c < columns_.size(); ++c)
        {
            if (c > 0) line += "  ";
            line += pad(cell(c), widths[c], columns_[c].align);
        }
        line.erase(line.find_last_not_of(' ') + 1);
        text += line + '\n';
    };
    add_line([&](std::size_t c) { return paint(columns_[c].title, Style::faint); });
    for (const auto& row : rows_) add_line([&](std::size_t c) { return row[c]; });
    return text;
}

}  // namespace rattleback::cli
