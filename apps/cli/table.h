// Table: rows of text in aligned columns.
#pragma once

#include <string>
#include <vector>

namespace rattleback::cli
{

enum class Align
{
    left,
    right,
};

struct Column
{
    std::string title;
    Align align = Align::left;
};

/// Collects rows, then prints them with every column as wide as its widest cell.
class Table
{
public:
    explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}

    /// Missing cells are empty; further ones are dropped.
    void add(std::vector<std::string> row);
    std::string text() const;

    const std::vector<Column>& columns() const { return columns_; }
    const std::vector<std::vector<std::string>>& rows() const { return rows_; }

private:
    std::vector<Column> columns_;
    std::vector<std::vector<std::string>> rows_;
};

}  // namespace rattleback::cli
