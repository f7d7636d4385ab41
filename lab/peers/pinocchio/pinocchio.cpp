// Asks oracle.py, which runs Pinocchio in Python; the texts between them are described there.
#include "lab/peers/pinocchio/pinocchio.h"

#include "base/index.h"

#include <nlohmann/json.hpp>

#include <filesystem>

namespace rattleback::lab
{

namespace
{

using Json = nlohmann::json;

constexpr std::chrono::seconds kPatience{60};  // Python with its libraries starts in a second, on a busy machine in ten

Error make_error(std::string message)
{
    return {.code = ErrorCode::io,
            .where = "",
            .message = std::move(message),
            .hint = "tools/peers --pinocchio installs it"};
}

Result<Json> ask(LineProcess& process, const Json& request)
{
    const Result<std::string> line = process.ask(request.dump(), kPatience);
    if (!line.ok()) return line.errors();
    Json answer = Json::parse(line.value(), nullptr, false);
    if (!answer.is_object()) return make_error("oracle.py answers no JSON: " + line.value().substr(0, 200));
    if (answer.contains("error")) return make_error("Pinocchio: " + answer["error"].dump());
    return answer;
}

Json write(const Vec3& v) { return {v.x, v.y, v.z}; }

Json write(const Pose& pose)
{
    const auto& [p, r] = pose;
    return {p.x, p.y, p.z, r.w, r.x, r.y, r.z};
}

Json write_joint(const Model& model, int joint)
{
    const Joints& joints = model.joints;
    const int q = joints.q_begin[at(joint)];
    const JointType type = joints.type[at(joint)];
    const bool one_number = type == JointType::hinge || type == JointType::slide;
    return {{"type", to_string(type)},
            {"position", write(joints.position[at(joint)])},
            {"axis", write(joints.axis[at(joint)])},
            {"q", q},
            {"v", joints.v_begin[at(joint)]},
            {"q0", one_number ? model.q0[at(q)] : 0.0}};
}

Json write_model(const Model& model)
{
    const Bodies& bodies = model.bodies;
    Json list = Json::array();
    for (int b = 0; b < model.body_count(); ++b)
    {
        Json joints = Json::array();
        for (int i = bodies.joint_begin[at(b)]; i < bodies.joint_begin[at(b + 1)]; ++i)
        {
            const int joint = bodies.joints_of_body[at(i)];
            if (model.joints.type[at(joint)] != JointType::fixed) joints.push_back(write_joint(model, joint));
        }
        list.push_back({{"parent", bodies.parent[at(b)]},
                        {"pose", write(bodies.pose[at(b)])},
                        {"mass", bodies.mass[at(b)]},
                        {"inertia", write(bodies.inertia[at(b)])},
                        {"inertial_pose", write(bodies.inertial_pose[at(b)])},
                        {"joints", std::move(joints)}});
    }
    return {{"gravity", write(model.settings.gravity)}, {"bodies", std::move(list)}};
}

PinocchioAnswer read_answer(const Json& json)
{
    PinocchioAnswer answer{.value = json.at("value").get<std::vector<double>>()};
    const auto n = static_cast<int>(answer.value.size());
    const auto read = [&](const char* name)
    {
        DenseMatrix matrix(n, n);
        matrix.values = json.at(name).get<std::vector<double>>();
        return matrix;
    };
    answer.derivatives = {.by_q = read("by_q"), .by_v = read("by_v"), .by_input = read("by_input")};
    return answer;
}

}  // namespace

std::optional<Error> find_pinocchio_absence()
{
    if (std::filesystem::exists(RATTLEBACK_PINOCCHIO "/installed")) return std::nullopt;
    return make_error("Pinocchio is not installed");
}

Result<PinocchioOracle> PinocchioOracle::load(const Model& model)
{
    if (const std::optional<Error> absence = find_pinocchio_absence()) return *absence;
    for (const BodyKind kind : model.bodies.kind)
        if (kind == BodyKind::kinematic) return make_error("kinematic bodies are not carried over");
    for (const double armature : model.tendons.armature)
        if (armature != 0) return make_error("armature of tendons is not carried over");
    Result<LineProcess> process = LineProcess::start({RATTLEBACK_PINOCCHIO "/bin/python", RATTLEBACK_PINOCCHIO_ORACLE});
    if (!process.ok()) return process.errors();
    PinocchioOracle oracle(std::move(process).value(), model.dofs.armature);
    const Result<Json> answer = ask(oracle.process_, write_model(model));
    if (!answer.ok()) return answer.errors();
    return oracle;
}

Result<PinocchioOracle::Answers> PinocchioOracle::find_derivatives(std::span<const double> q, std::span<const double> v,
                                                                   std::span<const double> acceleration,
                                                                   std::span<const double> force)
{
    const auto list = [](std::span<const double> values) { return std::vector<double>(values.begin(), values.end()); };
    const Result<Json> answer = ask(process_, {{"q", list(q)},
                                               {"v", list(v)},
                                               {"acceleration", list(acceleration)},
                                               {"force", list(force)},
                                               {"armature", armature_}});
    if (!answer.ok()) return answer.errors();
    return Answers{read_answer(answer->at("inverse")), read_answer(answer->at("forward"))};
}

}  // namespace rattleback::lab
