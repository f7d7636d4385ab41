// The page of bench `accuracy --figures`: every figure with what the paper says beside what was measured.
#include "lab/bench/accuracy_figures.h"

#include "base/text.h"

#include <fmt/format.h>

namespace rattleback::lab
{

namespace
{

constexpr const char* kPageHead =
    R"(<!doctype html><html lang="en"><head><meta charset="utf-8"><title>PBD-R, every figure again</title>
<meta name="viewport" content="width=device-width"><link rel="icon" href="data:,"><style>
body{font:15px/1.5 system-ui,sans-serif;color:#29303c;background:#fff;max-width:1180px;margin:2em auto;padding:0 1em}
table{border-collapse:collapse;margin:.8em 0;font-size:13px}td,th{padding:3px 10px;border-bottom:1px solid #e1e4e8;text-align:left;vertical-align:top}
caption{text-align:left;font-weight:600;padding:3px 0}svg{max-width:100%;height:auto}.wide{overflow-x:auto}nav a{margin-right:1em}
.reproduces{color:#1d7a3c}.in_part{color:#8a6100}.differs{color:#b02a1a;font-weight:600}.not_run{color:#5a6372}
figure{margin:1em 0}figcaption{font-size:14px;color:#4a5362;max-width:75em}code{background:#f3f5f7;padding:1px 4px}summary{cursor:pointer;margin:.6em 0}
</style></head><body>
<h1>PBD-R, every figure and table again</h1>
<p>Abderezaei et al., <i>Physically Accurate Rigid-Body Dynamics in Particle-Based Simulation</i>, section V, made by <code>rattleback bench accuracy --figures DIR</code>.
Published numbers are those of its text and tables: its diagrams are not read off. Test 7 has two references: the authors’ (the rod’s centre touches) and the corrected one (its surface touches).</p>
)";

std::string class_of(Verdict verdict)
{
    switch (verdict)
    {
        case Verdict::reproduces:
            return "reproduces";
        case Verdict::in_part:
            return "in_part";
        case Verdict::differs:
            return "differs";
        case Verdict::not_run:
            return "not_run";
    }
    return "";
}

std::string claims_to_html(const std::vector<PaperClaim>& claims)
{
    if (claims.empty()) return "";
    std::string text =
        "<div class=\"wide\"><table class=\"claims\"><thead><tr><th>the paper "
        "says</th><th>published</th><th>here</th><th></th></tr></thead><tbody>\n";
    for (const PaperClaim& claim : claims)
        text += fmt::format("<tr><td>{}</td><td>{}</td><td>{}</td><td class=\"{}\">{}</td></tr>\n",
                            escape_markup(claim.claim), escape_markup(claim.published), escape_markup(claim.ours),
                            class_of(claim.verdict), to_string(claim.verdict));
    return text + "</tbody></table></div>\n";
}

std::string table_to_html(const FigureTable& table)
{
    std::string text = fmt::format("<div class=\"wide\"><table class=\"numbers\"><caption>{}</caption><thead><tr>",
                                   escape_markup(table.title));
    for (const std::string& head : table.head) text += "<th>" + escape_markup(head) + "</th>";
    text += "</tr></thead><tbody>\n";
    for (const std::vector<std::string>& row : table.rows)
    {
        text += "<tr>";
        for (const std::string& cell : row) text += "<td>" + escape_markup(cell) + "</td>";
        text += "</tr>\n";
    }
    return text + "</tbody></table></div>\n";
}

}  // namespace

std::string make_figure_page(const std::vector<PaperFigure>& figures, const std::vector<std::string>& remarks)
{
    std::string page = kPageHead;
    page += "<ul>\n";
    for (const std::string& remark : remarks) page += "<li>" + escape_markup(remark) + "</li>\n";
    page += "</ul>\n<nav>";
    for (const PaperFigure& figure : figures)
        page += fmt::format("<a href=\"#{}\">{}</a>", figure.id,
                            escape_markup(figure.title.substr(0, figure.title.find(':'))));
    page += "</nav>\n";
    for (const PaperFigure& figure : figures)
    {
        page += fmt::format("<section id=\"{}\"><h2>{}</h2>\n<figure>", figure.id, escape_markup(figure.title));
        if (!figure.content.empty()) page += make_sheet(figure.width, figure.height, figure.title, figure.content);
        page +=
            "<figcaption>" + escape_markup(figure.caption) + "</figcaption></figure>\n" + claims_to_html(figure.claims);
        // a table of the paper is shown, the numbers behind a diagram on demand
        const bool open = figure.content.empty();
        if (!figure.tables.empty() && !open) page += "<details><summary>The numbers</summary>\n";
        for (const FigureTable& table : figure.tables) page += table_to_html(table);
        if (!figure.tables.empty() && !open) page += "</details>\n";
        page += "</section>\n";
    }
    return page + "</body></html>\n";
}

}  // namespace rattleback::lab
