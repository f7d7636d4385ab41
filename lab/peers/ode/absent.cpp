// What stands in for ODE where it was not found when the program was built.
#include "lab/peers/body_peer.h"

namespace rattleback::lab
{

Result<std::unique_ptr<BodyPeer>> make_ode_peer(const Model& /*model*/, const BodyPeerOptions& /*options*/)
{
    return Error{.code = ErrorCode::io,
                 .where = "ode",
                 .message = "not there when this program was built",
                 .hint = "install libode-dev and build again"};
}

}  // namespace rattleback::lab
