// Stands in for the viewer's server where cpp-httplib is not installed.
#include "view_server.h"

namespace rattleback::cli
{

std::vector<Error> serve(const ServeOptions&)
{
    return {{.code = ErrorCode::unsupported,
             .where = "--serve",
             .message = "this build has no server: cpp-httplib was not there",
             .hint = "install libcpp-httplib-dev and configure again; `view -o page.html` works without"}};
}

}  // namespace rattleback::cli
