// BodyPeer: another engine that moves the bodies of a Model, and the table of those we know; for piles and mechanisms.
#pragma once

#include <rattleback/error.h>
#include <rattleback/model.h>
#include <rattleback/state.h>

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace rattleback::lab
{

struct BodyPeerOptions
{
    double dt = 1.0 / 60;  ///< [s], one step without substeps
    int iterations = 0;    ///< of its solver; 0: the engine's own default
};

/// CPU time of the calling thread, summed over all steps so far [s]. What is left of a step is integration and upkeep.
struct BodyPeerTimes
{
    double broad = 0, narrow = 0, solve = 0;
};

/// A Model in another engine: never sleeping, without damping, restitution or continuous collision, friction combined
/// by our rule.
class BodyPeer
{
public:
    virtual ~BodyPeer() = default;

    /// With its version, for example "bullet 3.24".
    virtual std::string name() const = 0;
    virtual int iterations() const = 0;
    virtual void step(int count = 1) = 0;
    virtual int contact_count() const = 0;  ///< points that the last step solved for
    virtual BodyPeerTimes times() const = 0;
    /// Poses of the body frames and velocities at the centres of mass; q and v are left as they are.
    virtual void read(State& state) const = 0;
};

/// A body peer as data.
struct BodyPeerInfo
{
    std::string_view name;
    std::string_view precision;  ///< of its arithmetic
    /// The model (which must outlive the peer) in the engine; or what it cannot express, element by element; or what is
    /// missing here.
    Result<std::unique_ptr<BodyPeer>> (*make)(const Model& model, const BodyPeerOptions& options) = nullptr;
};

/// All body peers, in the order of the table in body_peers.cpp.
std::span<const BodyPeerInfo> all_body_peers();

// One function per engine, in its folder.
Result<std::unique_ptr<BodyPeer>> make_bullet_peer(const Model& model, const BodyPeerOptions& options = {});
Result<std::unique_ptr<BodyPeer>> make_ode_peer(const Model& model, const BodyPeerOptions& options = {});

/// What no body peer can express, each element by its name; `engine` stands before it. Left are free, kinematic and
/// fixed bodies, one joint per body (ball, hinge and slide, the last two with limits), connect and weld equalities,
/// hard contacts with sliding friction, convex shapes and planes, and `by_triangles` meshes that collide exactly.
std::vector<Error> find_inexpressible(const Model& model, const std::string& engine, bool by_triangles = false);

/// The frame in which a peer keeps a body: at the centre of mass, with axes in which the inertia is diagonal. Those of
/// the body's only shape where that can be, so that the engine needs no compound for it.
struct PeerFrame
{
    Pose in_body;
    Vec3 moments;           ///< of inertia about its axes [kg m^2]
    bool of_shape = false;  ///< it is the frame of the only shape
};
PeerFrame find_peer_frame(const Model& model, int body);

/// What moves a body in a peer.
enum class PeerMotion
{
    none,
    given,  ///< kinematic
    forces,
};
PeerMotion find_motion(const Model& model, int body);

/// Shapes of a body as indices.
std::span<const int> shapes_of(const Model& model, int body);

}  // namespace rattleback::lab
