// MuJoCo's npm build in Node as an oracle, for machines on which the native library cannot be installed.
#pragma once

#include "lab/peers/line_process.h"
#include "lab/peers/mujoco/mujoco.h"

#include <map>

namespace rattleback::lab
{

/// A model as MuJoCo's npm build compiled it, in a process of its own. The questions and answers are those of Oracle.
class NodeOracle
{
public:
    /// Copies the files below the model's folder, so meshes and included files must lie there.
    static Result<NodeOracle> load_file(const std::string& path);

    /// MuJoCo's version, for example "3.14.0": the npm build may be older than the native one.
    const std::string& version() const { return version_; }
    /// A size of mjModel by its name there; -1 when oracle.mjs does not send it.
    int size(const std::string& name) const;
    /// An array of mjModel by its name there; nothing when oracle.mjs does not send it.
    std::optional<std::vector<double>> field(const std::string& name) const;

    /// Overwrites an array of mjModel.
    Status set_field(const std::string& name, std::span<const double> values);
    Result<OracleState> evaluate(const OracleInput& input);

private:
    explicit NodeOracle(LineProcess process) : process_(std::move(process)) {}

    LineProcess process_;
    std::string version_;
    std::map<std::string, int> sizes_;
    std::map<std::string, std::vector<double>> fields_;
};

/// Why there is no NodeOracle here: the package is not installed or Node does not start. Nothing: there is one.
std::optional<Error> find_node_absence();

}  // namespace rattleback::lab
