// [PBD-R] Figs. 2 and 8: the seven tests, and the bunny that tumbles, as pictures of our own renderer.
#include "lab/bench/accuracy_figures.h"

#include "base/index.h"
#include "base/text.h"
#include "lab/render/film.h"
#include "lab/scenes/parts.h"
#include "lab/scenes/rabbit.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cmath>
#include <fstream>

namespace rattleback::lab
{

namespace
{

/// The picture of a model at its start as a PNG file, by way of a recording of one frame.
Result<std::string> take_picture(const std::shared_ptr<const Model>& model, const FramingOptions& camera)
{
    namespace fs = std::filesystem;
    const fs::path stem = fs::temp_directory_path() / fmt::format("rattleback-figure-{}", getpid());
    const fs::path record = stem.string() + ".rec", picture = stem.string() + ".png";
    const auto take = [&]() -> Status
    {
        Result<Recorder> opened = Recorder::open(record, model, {.solver = "pbdr", .dt = kCaseDt});
        if (!opened.ok()) return opened.errors();
        Recorder recorder = std::move(opened).value();
        const State state(*model);
        const Control control(*model);
        Status done = recorder.append({.time = 0, .step = 0, .world = state.world(), .control = control.world()});
        if (done.ok()) done = recorder.close();
        if (!done.ok()) return done;
        Result<Recording> loaded = load_recording(record);
        if (!loaded.ok()) return loaded.errors();
        Recording recording = std::move(loaded).value();
        FilmOptions options;
        options.camera = camera;
        const Result<FilmReport> filmed = film(recording, picture, options);
        return filmed.ok() ? Status{} : Status(filmed.errors());
    };
    const Status taken = take();
    std::ifstream file(picture, std::ios::binary);
    std::string bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    std::error_code ignored;
    for (const fs::path& path : {record, picture}) fs::remove(path, ignored);
    if (!taken.ok()) return taken.errors();
    return bytes;
}

std::string place_picture(const std::string& png, const Panel& panel, const std::string& about)
{
    const std::string data = to_base64(std::as_bytes(std::span(png)));
    return fmt::format(
        "<image x=\"{:.0f}\" y=\"{:.0f}\" width=\"{:.0f}\" height=\"{:.0f}\" "
        "href=\"data:image/png;base64,{}\"><title>{}</title></image>\n",
        panel.x, panel.y, panel.width, panel.height, data, escape_markup(about));
}

std::string write_words(double x, double y, const std::string& words, const char* anchor = "middle")
{
    return fmt::format("<text text-anchor=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", anchor, x, y,
                       escape_markup(words));
}

/// Angle between its own vertical and that of the world [degrees].
double find_tilt(const AccuracySample& sample)
{
    return std::acos(std::clamp(rotate(sample.place.rotation, Vec3{0, 0, 1}).z, -1.0, 1.0)) / kDegree;
}

constexpr double kRowWidth = 1080, kRowHeight = 220, kColumn = 0.34, kRowDistance = 3.1, kRowView = 8;

/// The solid at some moments, beside each other: height and rotation are true.
Result<std::string> draw_moments(const MeshOptions& mesh, const std::vector<AccuracySample>& moments,
                                 const Colour& colour, double top)
{
    ModelBuilder builder("moments");
    builder.add_ground({.name = "floor", .colour = kFloor});
    const MeshId id = builder.add_mesh(mesh);
    const double middle = 0.5 * static_cast<double>(moments.size() - 1);
    for (std::size_t i = 0; i < moments.size(); ++i)
        builder.add_shape(kWorld, Mesh{.mesh = id},
                          {.name = fmt::format("moment {}", i),
                           .position = {kColumn * (static_cast<double>(i) - middle), 0, moments[i].place.position.z},
                           .rotation = moments[i].place.rotation,
                           .colour = colour});
    Result<Model> built = builder.build();
    if (!built.ok()) return built.errors();
    const auto model = std::make_shared<const Model>(std::move(built).value());
    const FramingOptions camera{.yaw = -90,
                                .pitch = 12,
                                .distance = kRowDistance,
                                .target = Vec3{0, 0, 0.09},
                                .field_of_view = kRowView,
                                .width = static_cast<int>(kRowWidth),
                                .height = static_cast<int>(kRowHeight)};
    const Result<std::string> png = take_picture(model, camera);
    if (!png.ok()) return png.errors();
    std::string text = place_picture(png.value(), {0, top, kRowWidth, kRowHeight}, "the solid at several moments");
    const double focal = 0.5 * kRowHeight / std::tan(0.5 * kRowView * kDegree);
    for (std::size_t i = 0; i < moments.size(); ++i)
    {
        const double x = 0.5 * kRowWidth + focal * kColumn * (static_cast<double>(i) - middle) / kRowDistance;
        text += write_words(x, top + kRowHeight - 8,
                            fmt::format("{:.1f} s, tilt {:.1f}°", moments[i].time, find_tilt(moments[i])));
    }
    return text;
}

}  // namespace

Result<PaperFigure> draw_seven_scenes(const FigureDesk& desk)
{
    constexpr double kWide = 280, kHigh = 200, kLine = 22;
    PaperFigure figure{.id = "fig2",
                       .title = "Fig. 2: the seven tests",
                       .caption =
                           "Each at its start, with Table I’s answer. Our own lopsided solid stands for the bunny "
                           "(same bounds, mass and inertia); --mesh takes any other.",
                       .width = 4 * kWide,
                       .height = 2 * (kHigh + kLine),
                       .content = {}};
    FigureTable table{
        .title = "Tables I and II as they were run",
        .head = {"test", "answer", "mass [kg]", "friction", "force or torque", "acceleration [m/s² or rad/s²]"},
        .rows = {}};
    constexpr const char* kAnswers[] = {"x = ½ (F − µ M g)/M t²", "θ = ½ τ/λ t²",    "x = ½ (g sin θ − µ g cos θ) t²",
                                        "x = ½ (F − µ M g)/M t²", "θ = ½ τ/I_zz t²", "x = ½ (g sin θ − µ g cos θ) t²",
                                        "quasi-static pushing"};
    for (int number = 1; number <= kCaseCount; ++number)
    {
        if (!desk.wants(number)) continue;
        const Result<AccuracyCase> test = desk.setup().make(number, make_subject("pbdr"));
        if (!test.ok()) return test.errors();
        const State state(*test.value().model);
        const Vec3 target = state.pose(test.value().object).position;
        const FramingOptions camera{.yaw = -35,
                                    .pitch = 22,
                                    .distance = number == 7 ? 1.3 : 1.0,
                                    .target = target,
                                    .width = static_cast<int>(kWide),
                                    .height = static_cast<int>(kHigh)};
        const Result<std::string> png = take_picture(test.value().model, camera);
        if (!png.ok()) return png.errors();
        const Panel panel{kWide * ((number - 1) % 4), (kHigh + kLine) * ((number - 1) / 4), kWide - 6, kHigh};
        figure.content += place_picture(png.value(), panel, test.value().name);
        figure.content +=
            write_words(panel.x + 4, panel.y + kHigh + 14,
                        fmt::format("{} {}: {}", number, test.value().name, kAnswers[number - 1]), "start");
        const bool turns = test.value().turn > 0;
        const Wrench& wrench = test.value().wrench;
        table.rows.push_back(
            {fmt::format("{} {}", number, test.value().name), kAnswers[number - 1], to_cell(test.value().mass),
             turns ? "0" : "0.4",
             turns                ? fmt::format("{} N m", to_cell(wrench.torque.z))
             : wrench.force.x > 0 ? fmt::format("{} N", to_cell(wrench.force.x))
             : number == 7        ? "0.1 N on a rod of 2 kg"
                                  : "weight, slope π/8",
             number == 7 ? "0.05 (rod)" : to_cell(turns ? test.value().turn : test.value().acceleration)});
    }
    figure.tables = {std::move(table)};
    return figure;
}

Result<PaperFigure> draw_tumbling(const FigureDesk& desk)
{
    const Contestant* mujoco = desk.find(kPaperMujoco);
    if (!desk.wants(4)) return PaperFigure{};
    std::vector<Contestant> subjects = {make_subject("pbdr")};
    if (mujoco != nullptr) subjects.push_back(*mujoco);
    std::vector<Trial> trials;
    for (const Contestant& who : subjects) trials.push_back({.test = 4, .who = who, .keep = 10});
    const Result<std::vector<TrialOutcome>> outcomes = desk.run(trials);
    if (!outcomes.ok()) return outcomes.errors();
    PaperFigure figure{
        .id = "fig8",
        .title = "Fig. 8: the bunny tumbles in MuJoCo",
        .caption =
            "Test 4 (10 N, friction 0.4), our rabbit for the bunny: above MuJoCo at the paper’s settings, below PBD-R. "
            "The solids are set beside each other; height and rotation are those of the runs.",
        .width = kRowWidth,
        .height = 2 * kRowHeight,
        .content = {}};
    const MeshOptions mesh = desk.setup().mesh ? *desk.setup().mesh : make_rabbit();
    double top = 0, tumbled = std::nan(""), stood = 0;
    std::string first = "–";
    for (std::size_t i = subjects.size(); i-- > 0;)
    {
        const TrialOutcome& outcome = outcomes.value()[i];
        std::vector<AccuracySample> moments;
        double largest = 0;
        for (std::size_t k = 0; k < outcome.samples.size(); ++k)
        {
            if (k % 20 == 0) moments.push_back(outcome.samples[k]);
            const double tilt = find_tilt(outcome.samples[k]);
            if (tilt > 10 && largest <= 10 && i == 1) first = fmt::format("{:.1f} s", outcome.samples[k].time);
            largest = std::max(largest, tilt);
        }
        (i == 0 ? stood : tumbled) = largest;
        if (moments.empty()) continue;
        const Result<std::string> row = draw_moments(mesh, moments, i == 0 ? kTeal : kRust, top);
        if (!row.ok()) return row.errors();
        figure.content +=
            row.value() + write_words(8, top + 16, i == 0 ? "PBD-R" : "MuJoCo, paper’s settings", "start");
        top += kRowHeight;
    }
    figure.height = top;
    figure.claims = {
        {"the pushed bunny tumbles in MuJoCo: largest tilt, and when it is beyond 10°", "it tumbles (picture)",
         fmt::format("{}°, {}", to_cell(tumbled), first), judge(!std::isnan(tumbled), tumbled > 45, tumbled > 10)},
        {"it does not in PBD-R: largest tilt", "it does not", to_cell(stood) + "°", judge(true, stood < 2)}};
    return figure;
}

}  // namespace rattleback::lab
