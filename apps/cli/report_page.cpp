// The report page as HTML.
#include "report_page.h"

#include <fmt/format.h>

#include <fstream>

namespace rattleback::cli
{

namespace
{

constexpr std::string_view kHead = R"(<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Rattleback: solvers side by side</title>
<style>
:root { color-scheme: light dark; --ink: #1d232b; --paper: #fbfaf7; --soft: #68717c; --line: #dcd9d1; --card: #ffffff;
        --good: #1c7a4a; --bad: #b23a24; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e7e4dd; --paper: #15181c; --soft: #98a1ab; --line: #30363d; --card: #1c2026; --good: #6cc795;
          --bad: #ee8a73; }
}
body { margin: 0 auto; max-width: 62rem; padding: 2.5rem 1.25rem 4rem; background: var(--paper); color: var(--ink);
       font: 16px/1.55 system-ui, sans-serif; }
h1 { font-size: 1.7rem; margin: 0 0 .3rem; }
h2 { font-size: 1.15rem; margin: 0; }
p { margin: .3rem 0 0; color: var(--soft); }
section { margin-top: 1.6rem; padding: 1.1rem 1.25rem; background: var(--card); border: 1px solid var(--line);
          border-radius: 10px; }
svg { display: block; width: 100%; min-width: 36rem; margin: .9rem 0 .4rem; }
svg line { stroke-linecap: round; }
svg text { font-size: 13px; text-anchor: middle; fill: var(--soft); }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; font-size: .92rem; }
th { text-align: left; font-weight: 500; color: var(--soft); }
th, td { padding: .4rem .9rem .4rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
td.n, th.n { text-align: right; white-space: nowrap; }
.good { color: var(--good); } .bad { color: var(--bad); }
code { font: .84rem/1.5 ui-monospace, monospace; }
</style>
</head>
<body>
)";

std::string make_row(const ReportRow& row)
{
    return fmt::format(
        "<tr><td>{}</td><td class=\"{}\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td>"
        "<td class=\"n\">{}</td><td class=\"n\">{}</td></tr>\n",
        escape_html(row.solver), row.good ? "good" : "bad", escape_html(row.status), escape_html(row.real_time_factor),
        escape_html(row.energy_drift), escape_html(row.linear_drift), escape_html(row.angular_drift),
        escape_html(row.steps));
}

std::string make_section(const ReportScene& scene)
{
    std::string html =
        fmt::format("<section>\n<h2>{}</h2>\n<p>{}</p>\n<div class=\"wide\">{}</div>\n<div class=\"wide\"><table>\n",
                    escape_html(scene.name), escape_html(scene.summary), scene.svg);
    html +=
        "<tr><th>solver</th><th>status</th><th class=\"n\">× real time</th><th class=\"n\">energy drift</th>"
        "<th class=\"n\">linear momentum</th><th class=\"n\">angular momentum</th><th class=\"n\">steps</th></tr>\n";
    for (const ReportRow& row : scene.rows) html += make_row(row);
    html += "</table></div>\n<p>Make these numbers again:</p>\n";
    for (const ReportRow& row : scene.rows) html += fmt::format("<code>{}</code><br>\n", escape_html(row.command));
    return html + "</section>\n";
}

}  // namespace

std::string escape_html(std::string_view text)
{
    std::string escaped;
    for (const char c : text)
    {
        switch (c)
        {
            case '&':
                escaped += "&amp;";
                break;
            case '<':
                escaped += "&lt;";
                break;
            case '>':
                escaped += "&gt;";
                break;
            case '"':
                escaped += "&quot;";
                break;
            case '\'':
                escaped += "&#39;";
                break;
            default:
                escaped += c;
        }
    }
    return escaped;
}

std::string make_report_page(const std::vector<ReportScene>& scenes)
{
    std::string html(kHead);
    html +=
        "<h1>Rattleback: solvers side by side</h1>\n"
        "<p>The same scenes with every solver in the list. Drift is the largest deviation seen, as a fraction; a dash "
        "stands where the scene does not conserve the quantity. Times are CPU time of one core, in double "
        "precision.</p>\n";
    for (const ReportScene& scene : scenes) html += make_section(scene);
    return html + "</body>\n</html>\n";
}

Result<std::filesystem::path> write_report_page(const std::vector<ReportScene>& scenes,
                                                const std::filesystem::path& folder)
{
    const std::filesystem::path path = folder / "index.html";
    std::error_code failure;
    std::filesystem::create_directories(folder, failure);
    std::ofstream stream(path, std::ios::binary);
    stream << make_report_page(scenes);
    stream.close();
    if (!stream)
    {
        return Error{.code = ErrorCode::io,
                     .where = path.string(),
                     .message = "cannot be written",
                     .hint = "choose another folder with --report"};
    }
    return path;
}

}  // namespace rattleback::cli
