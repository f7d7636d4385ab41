// `rattleback render`: pictures and videos of a recording, without a browser.
#include "commands.h"
#include "lab/render/film.h"
#include "progress.h"
#include "terminal.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <charconv>
#include <memory>

namespace rattleback::cli
{

namespace
{

Error bad_word(const char* option, const std::string& word, const char* hint)
{
    return {.code = ErrorCode::syntax, .where = option, .message = "'" + word + "' is not understood", .hint = hint};
}

/// Numbers with `separator` between them; nothing where the text is anything else.
template <class Number>
std::optional<std::vector<Number>> parse_numbers(const std::string& text, char separator)
{
    std::vector<Number> numbers;
    const char *at = text.data(), *end = at + text.size();
    while (true)
    {
        Number number{};
        const auto [stop, error] = std::from_chars(at, end, number);
        if (error != std::errc{}) return std::nullopt;
        numbers.push_back(number);
        if (stop == end) return numbers;
        if (*stop != separator) return std::nullopt;
        at = stop + 1;
    }
}

std::vector<Error> read_size(const std::string& text, lab::FramingOptions& camera)
{
    const auto size = parse_numbers<int>(text, 'x');
    if (!size || size->size() != 2) return {bad_word("--size", text, "WIDTHxHEIGHT, for example 1280x720")};
    camera.width = (*size)[0];
    camera.height = (*size)[1];
    return {};
}

/// Numbers, or the name of a camera of the model.
std::vector<Error> read_camera(const std::string& text, lab::FilmOptions& options)
{
    if (text.empty()) return {};
    lab::FramingOptions& camera = options.camera;
    const auto numbers = parse_numbers<double>(text, ',');
    if (!numbers)
    {
        options.model_camera = text;
        return {};
    }
    if ((numbers->size() != 2 && numbers->size() != 3 && numbers->size() != 6))
        return {bad_word("--camera", text, "yaw,pitch or yaw,pitch,distance or yaw,pitch,distance,x,y,z")};
    camera.yaw = (*numbers)[0];
    camera.pitch = (*numbers)[1];
    if (numbers->size() >= 3) camera.distance = (*numbers)[2];
    if (numbers->size() == 6) camera.target = Vec3{(*numbers)[3], (*numbers)[4], (*numbers)[5]};
    return {};
}

std::vector<Error> read_layer(const std::string& text, lab::FilmOptions& options)
{
    using lab::Layer;
    for (const auto& [name, layer] : {std::pair("picture", Layer::picture), std::pair("colour", Layer::colour),
                                      std::pair("depth", Layer::depth), std::pair("segmentation", Layer::segmentation)})
    {
        if (text != name) continue;
        options.layer = layer;
        return {};
    }
    return {bad_word("--layer", text, "picture, colour, depth or segmentation")};
}

}  // namespace

int render(const RenderCommand& command)
{
    lab::FilmOptions options{.follow = command.follow,
                             .time = command.time,
                             .fps = command.fps,
                             .contacts = command.contacts,
                             .every_group = command.every_group,
                             .draft = command.draft,
                             .threads = command.threads};
    std::vector<Error> errors = read_size(command.size, options.camera);
    for (const Error& error : read_camera(command.camera, options)) errors.push_back(error);
    for (const Error& error : read_layer(command.layer, options)) errors.push_back(error);
    Result<Recording> opened = load_recording(command.recording);
    for (const Error& error : opened.errors()) errors.push_back(error);
    if (!errors.empty()) return report_errors(errors, command.json);
    Recording recording = std::move(opened).value();
    for (const Error& warning : recording.warnings()) say(stderr, "warning: {}\n", warning.text());

    std::unique_ptr<Progress> progress;
    options.progress = [&](std::int64_t done, std::int64_t total)
    {
        if (!progress) progress = std::make_unique<Progress>(command.output, total, command.json, " pictures");
        progress->update(done);
    };
    const Result<lab::FilmReport> rendered = lab::film(recording, command.output, options);
    progress.reset();
    if (!rendered.ok()) return report_errors(rendered.errors(), command.json);
    const lab::FilmReport& report = rendered.value();
    for (const Error& note : report.notes) say(stderr, "warning: {}\n", note.text());
    const double each = report.seconds / static_cast<double>(report.pictures);
    const double cpu = report.cpu_seconds / static_cast<double>(report.pictures);
    if (command.json)
    {
        print_json({{"file", command.output},
                    {"pictures", report.pictures},
                    {"first", report.first},
                    {"last", report.last},
                    {"seconds_per_picture", each},
                    {"cpu_seconds_per_picture", cpu}});
    }
    else if (report.pictures == 1)
    {
        say("{}: t = {:g} s, drawn in {:.2f} s (CPU {:.2f} s)\n", command.output, report.first, each, cpu);
    }
    else
    {
        say("{}: {} pictures from {:g} to {:g} s, {:.2f} s each (CPU {:.2f} s)\n", command.output, report.pictures,
            report.first, report.last, each, cpu);
    }
    return 0;
}

}  // namespace rattleback::cli
