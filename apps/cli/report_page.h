// The report page: one static HTML file with the comparison table and how to reproduce every number.
#pragma once

#include <rattleback/error.h>

#include <filesystem>
#include <string>
#include <vector>

namespace rattleback::cli
{

/// One line of the comparison; numbers are already text.
struct ReportRow
{
    std::string scene, solver;
    std::string status;  ///< "ok", "diverged", … or "refuses: why"
    bool good = true;
    std::string real_time_factor, energy_drift, linear_drift, angular_drift, steps;
    std::string command;  ///< that makes this line again
};

/// One scene: a caption, a picture and its lines.
struct ReportScene
{
    std::string name, summary;
    std::string svg;  ///< trusted: made by draw_svg
    std::vector<ReportRow> rows;
};

/// The text with the characters that mean something in HTML replaced.
std::string escape_html(std::string_view text);

std::string make_report_page(const std::vector<ReportScene>& scenes);

/// Writes folder/index.html, making the folder where needed; the path, or what went wrong.
Result<std::filesystem::path> write_report_page(const std::vector<ReportScene>& scenes,
                                                const std::filesystem::path& folder);

}  // namespace rattleback::cli
