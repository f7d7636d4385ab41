// The viewer's page with data in it: scenes, each with runs side by side and perhaps a table that compares them.
#pragma once

#include "view_pack.h"

#include <filesystem>

namespace rattleback::cli
{

/// One recording on the page.
struct ViewRun
{
    nlohmann::json about;
    Pack shapes;
    std::vector<Pack> frames;
};
struct ViewRunOptions
{
    std::string label;
    std::string detail = {};  ///< beside the label, instead of solver and model
    std::int64_t stride = 0;  ///< frames of the recording from one shown frame to the next; 0: see FrameSelection
    std::uint64_t budget = std::uint64_t{64} << 20;  ///< [bytes]
    bool live = false;                               ///< more frames may come; none at all is no mistake
};
/// Errors: no frame that can be drawn.
Result<ViewRun> make_view_run(Recording& recording, const ViewRunOptions& options);

/// What to say about these runs together.
std::vector<std::string> find_view_notices(const std::vector<ViewRun>& runs);

/// Runs side by side.
struct ViewScene
{
    std::string name, summary;
    std::vector<ViewRun> runs;
    std::vector<std::string> notices;
    nlohmann::json refusals = nlohmann::json::array();  ///< {solver, reason}
    nlohmann::json table;  ///< {columns: [{title, about, numeric}], rows: [{cells, good, command}], note}; or null
};
struct ViewPage
{
    std::string title;
    std::vector<ViewScene> scenes;
    bool live = false;  ///< the page asks its server for more frames
};

/// What this build cannot do, and how to mend it; nothing when the page is there.
std::vector<Error> find_missing_viewer();

/// The whole page. Words of recordings are inside JSON that holds no '<', numbers are base64.
std::string make_html(const ViewPage& page);
/// Writes beside and renames: a reader sees the old page or the new one. Makes the folder where needed.
Status write_html(const ViewPage& page, const std::filesystem::path& path);

}  // namespace rattleback::cli
