// `rattleback certify`: audits a recording for what passed through what.
#include "commands.h"
#include "lab/certify/certificate.h"
#include "subject.h"
#include "terminal.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace rattleback::cli
{

namespace
{

constexpr std::size_t kShown = 10;  // findings in text; JSON has them all
constexpr int kFound = 1, kUnproven = 3;

/// Of a finding or a doubt.
template <class Pair>
std::string describe_pair(const RecordedModel& model, const Pair& pair)
{
    const auto name = [&](int shape)
    {
        const RecordedShape& row = model.shapes[static_cast<std::size_t>(shape)];
        return fmt::format("'{}' of '{}'", row.name, model.bodies[static_cast<std::size_t>(row.body)].name);
    };
    return name(pair.first_shape) + " and " + name(pair.second_shape);
}

nlohmann::json audit_json(const RecordedModel& model, const lab::AuditReport& report)
{
    nlohmann::json findings = nlohmann::json::array();
    for (const lab::AuditFinding& finding : report.findings)
    {
        findings.push_back({{"first_shape", model.shapes[static_cast<std::size_t>(finding.first_shape)].name},
                            {"second_shape", model.shapes[static_cast<std::size_t>(finding.second_shape)].name},
                            {"first_time", finding.first_time},
                            {"deepest", finding.deepest},
                            {"deepest_time", finding.deepest_time},
                            {"size", finding.size},
                            {"class", to_string(finding.kind)}});
    }
    nlohmann::json doubt, least;
    if (report.undecided > 0)
        doubt = {{"first_shape", model.shapes[static_cast<std::size_t>(report.doubt.first_shape)].name},
                 {"second_shape", model.shapes[static_cast<std::size_t>(report.doubt.second_shape)].name},
                 {"time", report.doubt.time}};
    if (const lab::ProvenDistance* const bound = report.least_distance())
        least = {{"first_shape", model.shapes[static_cast<std::size_t>(bound->first_shape)].name},
                 {"second_shape", model.shapes[static_cast<std::size_t>(bound->second_shape)].name},
                 {"step", bound->step},
                 {"distance", bound->distance}};
    return {{"frames", report.frames},
            {"pairs", report.pairs},
            {"queries", report.queries},
            {"undecided", report.undecided},
            {"doubt", doubt},
            {"least_distance", least},
            {"tessellation_error", report.tessellation_error},
            {"class", to_string(report.worst())},
            {"findings", findings}};
}

void print_text(const RecordedModel& model, const CertifyCommand& command, const lab::AuditReport& report)
{
    for (std::size_t i = 0; i < std::min(kShown, report.findings.size()); ++i)
    {
        const lab::AuditFinding& finding = report.findings[i];
        say("{}: from {:.6g} s, deepest {:.3g} m at {:.6g} s ({:.2g} of the size): {}\n", describe_pair(model, finding),
            finding.first_time, finding.deepest, finding.deepest_time,
            finding.size > 0 ? finding.deepest / finding.size : 0, to_string(finding.kind));
    }
    if (report.findings.size() > kShown) say("and {} pairs more\n", report.findings.size() - kShown);
    if (report.tessellation_error > 0)
        say("cylinders and ellipsoids: overlaps below {:.2g} m are not seen\n", report.tessellation_error);
    const char* const scope = command.states ? "states" : "states and ways between them";
    if (report.undecided > 0)
        say("{} times two shapes came too close to prove that they stayed apart; the first: {} at {:.6g} s\n",
            report.undecided, describe_pair(model, report.doubt), report.doubt.time);
    if (const lab::ProvenDistance* const bound = report.least_distance())
        say("least proven distance {:.3g} m: {}, step {}\n", bound->distance, describe_pair(model, *bound),
            bound->step);
    const std::string verdict =
        !report.findings.empty()
            ? fmt::format("{} pairs intersect, worst class: {}", report.findings.size(), to_string(report.worst()))
        : report.undecided > 0 ? "no intersection seen, not proven"
                               : "no intersection";
    say("{} frames, {}, {} pairs looked at, {} queries: {}\n", report.frames, scope, report.pairs, report.queries,
        paint(verdict, report.clean() ? Style::good : Style::bad));
}

}  // namespace

int certify(const CertifyCommand& command)
{
    if (command.threads < 0 || command.threads > 1024)
        return report_errors({{ErrorCode::invalid_value, "--threads", "must be 0 to 1024", ""}}, command.json);
    Result<Recording> opened = load_recording(command.recording);
    if (!opened.ok()) return report_errors(opened.errors(), command.json);
    Recording recording = std::move(opened).value();
    for (const Error& warning : recording.warnings()) say(stderr, "warning: {}\n", warning.text());
    lab::AuditOptions options{
        .states_only = command.states, .distances = !command.certificate.empty(), .threads = command.threads};
    std::shared_ptr<const Model> model;
    if (!command.model.empty())
    {
        const Result<Subject> subject = open_subject(command.model, command.import);
        if (!subject.ok()) return report_errors(subject.errors(), command.json);
        model = subject.value().model;
        if (fingerprint(*model) != recording.model().fingerprint)
            say(stderr, "warning: the recording was made with another version of this model\n");
        options.model = model.get();
    }
    const Result<lab::AuditReport> report = lab::audit(recording, options);
    if (!report.ok()) return report_errors(report.errors(), command.json);
    if (!command.certificate.empty())
    {
        const Status written = lab::write_certificate(recording, options, *report, command.certificate);
        if (!written.ok()) return report_errors(written.errors(), command.json);
    }
    if (command.json)
        print_json(audit_json(recording.model(), *report));
    else
        print_text(recording.model(), command, *report);
    if (!report->findings.empty()) return kFound;
    return report->undecided > 0 ? kUnproven : 0;
}

}  // namespace rattleback::cli
