// The web page of the viewer, which Node bundles at build time and the program carries inside.
#pragma once

#include <string_view>

namespace rattleback::cli
{

struct ViewerBundle
{
    std::string_view page;     ///< HTML with the marks {{title}}, {{connect}} and {{data}}; empty when it was not built
    std::string_view missing;  ///< why it was not built
};
ViewerBundle viewer_bundle();

}  // namespace rattleback::cli
