// What stands in for MuJoCo where its headers were not found when the program was built.
#include "lab/peers/mujoco/mujoco.h"
#include "lab/peers/pair_probe.h"

namespace rattleback::lab
{

namespace
{

Error make_absence()
{
    return {.code = ErrorCode::io,
            .where = "",
            .message = "not there when this program was built",
            .hint = "run tools/peers and build again"};
}

}  // namespace

struct Oracle::Parts
{
};

Result<std::unique_ptr<Peer>> find_mujoco() { return make_absence(); }
Result<std::unique_ptr<PeerBatch>> make_mujoco_batch(const std::string& /*path*/, const PeerOptions& /*options*/,
                                                     int /*worlds*/, int /*threads*/)
{
    return make_absence();
}

Result<std::unique_ptr<PairProbe>> make_mujoco_probe(const PlacedShape& /*first*/, const PlacedShape& /*second*/)
{
    return make_absence();
}

Oracle::Oracle(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
Oracle::Oracle(Oracle&&) noexcept = default;
Oracle& Oracle::operator=(Oracle&&) noexcept = default;
Oracle::~Oracle() = default;
Result<Oracle> Oracle::load_file(const std::string& /*path*/) { return make_absence(); }
Result<Oracle> Oracle::load_text(const std::string& /*mjcf*/) { return make_absence(); }
std::optional<std::vector<double>> Oracle::field(std::string_view /*name*/) const { return std::nullopt; }
int Oracle::size(std::string_view /*name*/) const { return -1; }
std::vector<std::string> Oracle::names(std::string_view /*kind*/) const { return {}; }
double Oracle::dt() const { return 0; }
Vec3 Oracle::gravity() const { return {}; }
double Oracle::mean_inertia() const { return 0; }
OracleState Oracle::evaluate(const OracleInput& /*input*/) { return {}; }
OracleMechanics Oracle::find_mechanics(const OracleInput& /*input*/, std::span<const double> /*acceleration*/)
{
    return {};
}
OracleConstraints Oracle::find_constraints(const OracleInput& /*input*/, const OracleConstraintOptions& /*options*/)
{
    return {};
}
std::vector<double> Oracle::find_sensors(const OracleInput& /*input*/, const OracleConstraintOptions& /*options*/)
{
    return {};
}

}  // namespace rattleback::lab
