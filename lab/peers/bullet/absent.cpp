// What stands in for Bullet where it was not found when the program was built.
#include "lab/peers/body_peer.h"
#include "lab/peers/bullet/world.h"
#include "lab/peers/pair_probe.h"

namespace rattleback::lab
{

namespace
{

Error make_absence()
{
    return {.code = ErrorCode::io,
            .where = "bullet",
            .message = "not there when this program was built",
            .hint = "install libbullet-dev and build again"};
}

}  // namespace

Result<std::unique_ptr<PairProbe>> make_bullet_probe(const PlacedShape& /*first*/, const PlacedShape& /*second*/)
{
    return make_absence();
}

Result<std::unique_ptr<PairProbe>> make_bullet_surface_probe(const PlacedShape& /*first*/,
                                                             const PlacedShape& /*second*/, double /*margin*/)
{
    return make_absence();
}

Result<std::unique_ptr<BulletWorld>> make_bullet_world(const Model& /*model*/) { return make_absence(); }

Result<std::unique_ptr<BodyPeer>> make_bullet_peer(const Model& /*model*/, const BodyPeerOptions& /*options*/)
{
    return make_absence();
}

}  // namespace rattleback::lab
