// Asks oracle.mjs, which runs MuJoCo's npm build in Node; the texts between them are described there.
#include "lab/peers/mujoco_node/node_oracle.h"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <limits>

namespace rattleback::lab
{

namespace
{

using Json = nlohmann::json;

constexpr std::chrono::seconds kPatience{60};  // a large model takes a second, on a busy machine ten

Error make_error(std::string message)
{
    return {
        .code = ErrorCode::io, .where = "", .message = std::move(message), .hint = "tools/peers --node installs it"};
}

Result<Json> ask(LineProcess& process, const Json& request)
{
    const std::string text = request.dump(-1, ' ', false, Json::error_handler_t::replace);  // odd bytes in a path
    const Result<std::string> line = process.ask(text, kPatience);
    if (!line.ok()) return line.errors();
    Json answer = Json::parse(line.value(), nullptr, false);
    if (!answer.is_object()) return make_error("oracle.mjs answers no JSON: " + line.value().substr(0, 200));
    if (answer.contains("error")) return make_error("MuJoCo in Node: " + answer["error"].dump());
    return answer;
}

/// The numbers called `name`, none when there is no such array. JSON has null for those that are not finite.
std::vector<double> read_numbers(const Json& object, const std::string& name)
{
    std::vector<double> numbers;
    const auto values = object.find(name);
    if (values == object.end()) return numbers;
    for (const Json& value : *values)
        numbers.push_back(value.is_number() ? value.get<double>() : std::numeric_limits<double>::quiet_NaN());
    return numbers;
}

std::vector<Pose> read_poses(const Json& state)
{
    const std::vector<double> p = read_numbers(state, "xpos"), r = read_numbers(state, "xquat");
    std::vector<Pose> poses;
    for (std::size_t b = 0; 3 * b < p.size() && 4 * b < r.size(); ++b)
        poses.push_back({{p[3 * b], p[3 * b + 1], p[3 * b + 2]}, {r[4 * b], r[4 * b + 1], r[4 * b + 2], r[4 * b + 3]}});
    return poses;
}

Json write_input(const OracleInput& input)
{
    Json request = Json::object();
    const auto put = [&](const char* name, std::span<const double> values)
    {
        if (!values.empty()) request[name] = std::vector<double>(values.begin(), values.end());
    };
    put("q", input.q);
    put("v", input.v);
    put("act", input.act);
    put("input", input.input);
    put("joint_force", input.joint_force);
    std::vector<double> wrenches, positions, rotations;
    for (const auto& [force, torque] : input.body_wrench)
        wrenches.insert(wrenches.end(), {force.x, force.y, force.z, torque.x, torque.y, torque.z});
    for (const auto& [p, r] : input.kinematic_poses)
    {
        positions.insert(positions.end(), {p.x, p.y, p.z});
        rotations.insert(rotations.end(), {r.w, r.x, r.y, r.z});
    }
    put("body_wrench", wrenches);
    put("mocap_pos", positions);
    put("mocap_quat", rotations);
    return request;
}

}  // namespace

std::optional<Error> find_node_absence()
{
    if (!std::filesystem::exists(RATTLEBACK_MUJOCO_NODE "/installed"))
        return make_error("the npm package is not installed");
    const Result<LineProcess> process = LineProcess::start({"node", "--version"});
    if (!process.ok()) return process.errors()[0];
    return std::nullopt;
}

Result<NodeOracle> NodeOracle::load_file(const std::string& path)
{
    if (std::optional<Error> absence = find_node_absence()) return *absence;
    Result<LineProcess> process = LineProcess::start({"node", RATTLEBACK_NODE_ORACLE, RATTLEBACK_MUJOCO_NODE});
    if (!process.ok()) return process.errors();
    NodeOracle oracle(std::move(process).value());
    const Result<Json> answer = ask(oracle.process_, {{"load", path}});
    if (!answer.ok()) return answer.errors();
    oracle.version_ = answer.value().value("version", "");
    const Json sizes = answer.value().value("size", Json::object()), fields = answer.value().value("field", sizes);
    for (const auto& [name, size] : sizes.items()) oracle.sizes_[name] = size.is_number() ? size.get<int>() : -1;
    for (const auto& [name, values] : fields.items()) oracle.fields_[name] = read_numbers(fields, name);
    return oracle;
}

int NodeOracle::size(const std::string& name) const
{
    const auto found = sizes_.find(name);
    return found == sizes_.end() ? -1 : found->second;
}

std::optional<std::vector<double>> NodeOracle::field(const std::string& name) const
{
    const auto found = fields_.find(name);
    return found == fields_.end() ? std::nullopt : std::optional(found->second);
}

Status NodeOracle::set_field(const std::string& name, std::span<const double> values)
{
    std::vector<double> numbers(values.begin(), values.end());
    const Result<Json> answer = ask(process_, {{"set", {{name, numbers}}}});
    if (!answer.ok()) return answer.errors();
    fields_[name] = std::move(numbers);
    return {};
}

Result<OracleState> NodeOracle::evaluate(const OracleInput& input)
{
    const Result<Json> answer = ask(process_, {{"evaluate", write_input(input)}});
    if (!answer.ok()) return answer.errors();
    const Json& state = answer.value();
    return OracleState{.body_pose = read_poses(state),
                       .mass_matrix = read_numbers(state, "M"),
                       .bias = read_numbers(state, "qfrc_bias"),
                       .passive = read_numbers(state, "qfrc_passive"),
                       .actuator = read_numbers(state, "qfrc_actuator"),
                       .acceleration = read_numbers(state, "qacc_smooth"),
                       .tendon_length = read_numbers(state, "ten_length"),
                       .actuator_length = read_numbers(state, "actuator_length"),
                       .actuator_force = read_numbers(state, "actuator_force"),
                       .act_rate = read_numbers(state, "act_dot")};
}

}  // namespace rattleback::lab
