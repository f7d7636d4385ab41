// From options to files: checks first, then the survey, then one picture after the other.
#include "lab/render/film.h"

#include "base/file.h"
#include "base/index.h"
#include "lab/measure/measure.h"
#include "lab/render/picture.h"
#include "lab/render/png.h"
#include "lab/render/svg.h"
#include "lab/render/video.h"

#include <fmt/format.h>

#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <memory>
#include <span>
#include <variant>

namespace rattleback::lab
{

namespace
{

namespace fs = std::filesystem;

Error bad(std::string where, std::string message, std::string hint = "")
{
    return {.code = ErrorCode::invalid_value,
            .where = std::move(where),
            .message = std::move(message),
            .hint = std::move(hint)};
}

std::vector<Error> check(const FilmOptions& options, FilmFormat format)
{
    std::vector<Error> errors;
    const FramingOptions& camera = options.camera;
    const bool film = format == FilmFormat::mp4 || format == FilmFormat::folder;
    if (camera.width < 16 || camera.height < 16 || camera.width > kLargestSide || camera.height > kLargestSide ||
        std::int64_t{camera.width} * camera.height > kLargestPicture)
    {
        errors.push_back(
            bad("--size", fmt::format("{}x{} is out of range", camera.width, camera.height),
                fmt::format("16 to {} on a side, at most {} million pixels", kLargestSide, kLargestPicture / 1000000)));
    }
    if (format == FilmFormat::mp4 && (camera.width % 2 != 0 || camera.height % 2 != 0))
        errors.push_back(bad("--size", "videos need an even width and height"));
    if (!(options.fps >= 0.01 && options.fps <= 1000)) errors.push_back(bad("--fps", "must be between 0.01 and 1000"));
    if (film && options.time) errors.push_back(bad("--time", "is for a single picture (.png, .svg or .npy)"));
    if (!(std::abs(camera.pitch) < 90) || !(std::abs(camera.yaw) <= 3600))
        errors.push_back(bad("--camera", "pitch must be between -90 and 90 degrees, yaw between -3600 and 3600"));
    if (camera.distance && !(*camera.distance > 0 && *camera.distance < 1e9))
        errors.push_back(bad("--camera", "the distance must be above 0 and below 1e9 m"));
    const auto sane = [](double x) { return std::abs(x) < 1e9; };
    if (camera.target && !(sane(camera.target->x) && sane(camera.target->y) && sane(camera.target->z)))
        errors.push_back(bad("--camera", "the target must be finite and within 1e9 m"));
    const bool array = options.layer != Layer::picture;
    if (array && format != FilmFormat::numpy && format != FilmFormat::folder)
        errors.push_back(bad("--layer", "colour, depth and segmentation are arrays", "use .npy, or a folder: frames/"));
    if (!array && format == FilmFormat::numpy)
        errors.push_back(bad("--layer", "an array of what?", "--layer colour, depth or segmentation"));
    if (array && options.layer != Layer::colour && options.contacts)
        errors.push_back(bad("--contacts", "points and arrows have neither depth nor shape", "leave it out"));
    if (options.threads < 0 || options.threads > 1024) errors.push_back(bad("--threads", "must be between 0 and 1024"));
    return errors;
}

using Drawing = std::variant<Image, Surfaces>;

/// Draws moments of one recording.
class Painter
{
public:
    /// `model_camera`: -1: the survey's.
    Painter(Recording& recording, const Survey& survey, const FilmOptions& options, int sky_count, int model_camera)
        : recording_(recording),
          survey_(survey),
          options_(options),
          sky_count_(sky_count),
          model_camera_(model_camera),
          pool_(options.threads)
    {
        if (!recording.model().appearance.empty()) looks_ = std::make_unique<Looks>(recording.model());
        for (int i = 0; i < pool_.worker_count(); ++i)
        {
            makers_.push_back(
                std::make_unique<SceneMaker>(recording.model(), SceneOptions{.every_group = options.every_group,
                                                                             .extent = survey.framing.radius(),
                                                                             .largest_force = survey.largest_force,
                                                                             .looks = looks_.get()}));
        }
    }

    /// All threads at one picture.
    Result<Drawing> draw(double time)
    {
        const Result<Moment> moment = read_moment(recording_, survey_, time, options_.contacts);
        if (!moment.ok()) return moment.errors();
        const double start = wall_seconds(), cpu_start = process_seconds();
        Drawing drawing = draw(moment.value(), *makers_[0], pool_);
        seconds += wall_seconds() - start;
        cpu_seconds += process_seconds() - cpu_start;
        return drawing;
    }

    /// A thread at each picture: nobody waits for the parts of the work that cannot be shared.
    std::size_t batch_size() const { return makers_.size(); }
    Result<std::vector<Drawing>> draw(std::span<const double> times)
    {
        std::vector<Moment> moments;
        for (const double time : times)
        {
            Result<Moment> moment = read_moment(recording_, survey_, time, options_.contacts);
            if (!moment.ok()) return moment.errors();
            moments.push_back(std::move(moment).value());
        }
        const double start = wall_seconds(), cpu_start = process_seconds();
        std::vector<Drawing> drawings(times.size());
        pool_.run(static_cast<int>(times.size()),
                  [&](int task, int worker)
                  {
                      ThreadPool alone(1);
                      drawings[at(task)] = draw(moments[at(task)], *makers_[at(worker)], alone);
                  });
        seconds += wall_seconds() - start;
        cpu_seconds += process_seconds() - cpu_start;
        return drawings;
    }

    Result<std::string> draw_vectors(double time)
    {
        const Result<Moment> moment = read_moment(recording_, survey_, time, options_.contacts);
        if (!moment.ok()) return moment.errors();
        const double start = wall_seconds(), cpu_start = process_seconds();
        const Camera camera = make_camera(moment.value());
        const DrawnScene scene = makers_[0]->make(moment.value(), camera, pool_);
        std::string text = draw_svg(scene, recording_.model(), camera, make_options(moment.value()));
        seconds += wall_seconds() - start;
        cpu_seconds += process_seconds() - cpu_start;
        return text;
    }

    /// Textures that could not be shown.
    std::vector<Error> notes() const { return looks_ ? looks_->notes() : std::vector<Error>(); }

    double seconds = 0, cpu_seconds = 0;

private:
    Camera make_camera(const Moment& moment) const
    {
        if (model_camera_ < 0) return survey_.make_camera(moment);
        return make_model_camera(recording_.model(), model_camera_, moment.pose, options_.camera.width,
                                 options_.camera.height, survey_.framing.radius());
    }

    Drawing draw(const Moment& moment, SceneMaker& maker, ThreadPool& pool) const
    {
        const Camera camera = make_camera(moment);
        if (options_.layer == Layer::depth || options_.layer == Layer::segmentation)
        {
            // Facets that shading hides are seen in depths: round shapes as fine as for a picture of eight times the
            // size.
            Camera fine = camera;
            fine.focal *= 8;
            return draw_surfaces(maker.make(moment, fine, pool), camera, pool);
        }
        return draw_picture(maker.make(moment, camera, pool), camera, make_options(moment), pool);
    }

    PictureOptions make_options(const Moment& moment) const
    {
        return {.up = survey_.up,
                .extent = survey_.framing.radius(),
                .focus = (survey_.framing.empty() ? Vec3{} : survey_.framing.middle()) + survey_.find_shift(moment),
                .sky_count = sky_count_};
    }

    Recording& recording_;
    const Survey& survey_;
    const FilmOptions& options_;
    int sky_count_;
    int model_camera_;
    ThreadPool pool_;
    std::unique_ptr<Looks> looks_;
    std::vector<std::unique_ptr<SceneMaker>> makers_;  // [worker]
};

/// The camera of that name, -1 for none; an error that lists those there are.
Result<int> find_camera(const RecordedModel& model, const std::string& name)
{
    const std::vector<CameraOptions>& cameras = model.appearance.cameras;
    if (name.empty()) return -1;
    std::string list;
    for (std::size_t i = 0; i < cameras.size(); ++i)
    {
        if (cameras[i].name == name) return static_cast<int>(i);
        list += (list.empty() ? "" : ", ") + cameras[i].name;
    }
    return Error{
        .code = ErrorCode::unknown_name,
        .where = "--camera",
        .message = "the recording has no camera '" + name + "'",
        .hint = cameras.empty() ? "its model has no cameras; yaw,pitch or yaw,pitch,distance" : "it has " + list};
}

/// Times of the pictures of a video: from the first frame to the last at `fps`.
Result<std::vector<double>> choose_times(const Survey& survey, double fps)
{
    const double length = survey.time.back() - survey.time.front();
    const double count = std::floor(length * fps + 1e-6) + 1;
    if (!(count <= static_cast<double>(kMostFrames)))
    {
        return Error{
            .code = ErrorCode::limit,
            .where = "--fps",
            .message = fmt::format("{:g} s at {:g} pictures per second would be {:.0f} pictures", length, fps, count),
            .hint = fmt::format("at most {}", kMostFrames)};
    }
    std::vector<double> times;
    for (std::int64_t i = 0; i < static_cast<std::int64_t>(count); ++i)
        times.push_back(std::min(survey.time.front() + static_cast<double>(i) / fps, survey.time.back()));
    return times;
}

Result<double> choose_time(const Survey& survey, const std::optional<double>& wanted)
{
    const double first = survey.time.front(), last = survey.time.back();
    if (!wanted) return last;
    const double slack = 1e-9 * std::max({1.0, std::abs(first), std::abs(last)});
    if (!(*wanted >= first - slack && *wanted <= last + slack))
    {
        return bad("--time", fmt::format("{:g} s is outside the recording", *wanted),
                   fmt::format("it goes from {:g} to {:g} s", first, last));
    }
    return std::clamp(*wanted, first, last);
}

Status write_text(const std::string& text, const fs::path& path)
{
    Result<NewFile> opened = NewFile::open(path);
    if (!opened.ok()) return opened.errors();
    NewFile file = std::move(opened).value();
    const Status written = file.write(text);
    return written.ok() ? file.finish() : written;
}

/// A folder that is filled beside its place and takes it in finish(). Without that nothing remains of it.
class NewFolder
{
public:
    static Result<std::unique_ptr<NewFolder>> open(fs::path path)
    {
        if (!path.has_filename()) path = path.parent_path();  // "frames/" is "frames"
        std::error_code code;
        if (fs::exists(path, code) && !fs::is_empty(path, code))
            return Error{.code = ErrorCode::io, .where = path.string(), .message = "the folder is not empty"};
        fs::path temporary = make_temporary_path(path);
        fs::create_directory(temporary, code);
        if (code) return io_error(path, "cannot be created", code.value());
        return std::unique_ptr<NewFolder>(new NewFolder(std::move(path), std::move(temporary)));
    }
    ~NewFolder()
    {
        std::error_code ignored;
        if (!temporary_.empty()) fs::remove_all(temporary_, ignored);
    }
    NewFolder(const NewFolder&) = delete;
    NewFolder& operator=(const NewFolder&) = delete;

    const fs::path& place() const { return temporary_; }
    Status finish()
    {
        const Status replaced = replace(path_, temporary_);  // an empty folder, too
        if (replaced.ok()) temporary_.clear();
        return replaced;
    }

private:
    NewFolder(fs::path path, fs::path temporary) : path_(std::move(path)), temporary_(std::move(temporary)) {}

    fs::path path_, temporary_;
};

using Sink = std::function<Status(const Drawing&, std::size_t number)>;

Status draw_all(Painter& painter, const std::vector<double>& times, const FilmOptions& options, const Sink& sink)
{
    for (std::size_t done = 0; done < times.size();)
    {
        const std::size_t count = std::min(painter.batch_size(), times.size() - done);
        const Result<std::vector<Drawing>> drawings = painter.draw(std::span(times).subspan(done, count));
        if (!drawings.ok()) return drawings.errors();
        for (const Drawing& drawing : drawings.value())
        {
            Status taken = sink(drawing, done);
            if (!taken.ok()) return taken;
            ++done;
            if (options.progress)
                options.progress(static_cast<std::int64_t>(done), static_cast<std::int64_t>(times.size()));
        }
    }
    return {};
}

/// As the layer asks for.
Status write_drawing(const Drawing& drawing, Layer layer, const fs::path& path)
{
    if (const auto* surfaces = std::get_if<Surfaces>(&drawing)) return write_numpy(*surfaces, layer, path);
    const Image& image = std::get<Image>(drawing);
    return layer == Layer::colour ? write_numpy(image, path) : write_png(image, path);
}

Status write_folder(Painter& painter, const std::vector<double>& times, const fs::path& path,
                    const FilmOptions& options)
{
    const Result<std::unique_ptr<NewFolder>> folder = NewFolder::open(path);
    if (!folder.ok()) return folder.errors();
    const char* ending = options.layer == Layer::picture ? "png" : "npy";
    const Status drawn = draw_all(painter, times, options,
                                  [&](const Drawing& drawing, std::size_t number)
                                  {
                                      const std::string name = fmt::format("frame_{:05}.{}", number, ending);
                                      return write_drawing(drawing, options.layer, folder.value()->place() / name);
                                  });
    return drawn.ok() ? folder.value()->finish() : drawn;
}

Status write_video(Painter& painter, const std::vector<double>& times, const fs::path& path, const FilmOptions& options)
{
    Result<VideoWriter> started = VideoWriter::start(path, options.camera.width, options.camera.height, options.fps);
    if (!started.ok()) return started.errors();
    VideoWriter video = std::move(started).value();
    const Status drawn = draw_all(painter, times, options, [&](const Drawing& drawing, std::size_t)
                                  { return video.add(std::get<Image>(drawing)); });
    return drawn.ok() ? video.finish() : drawn;
}

Status write_picture(Painter& painter, double time, const fs::path& path, FilmFormat format, Layer layer)
{
    if (format == FilmFormat::svg)
    {
        const Result<std::string> text = painter.draw_vectors(time);
        return text.ok() ? write_text(text.value(), path) : Status(text.errors());
    }
    const Result<Drawing> drawing = painter.draw(time);
    return drawing.ok() ? write_drawing(drawing.value(), layer, path) : Status(drawing.errors());
}

}  // namespace

Result<FilmFormat> find_format(const fs::path& path)
{
    std::error_code ignored;
    const std::string ending = path.extension().string();
    if (!path.empty() && (!path.has_filename() || fs::is_directory(path, ignored))) return FilmFormat::folder;
    if (ending == ".png") return FilmFormat::png;
    if (ending == ".svg") return FilmFormat::svg;
    if (ending == ".mp4") return FilmFormat::mp4;
    if (ending == ".npy") return FilmFormat::numpy;
    return Error{.code = ErrorCode::unsupported,
                 .where = path.string(),
                 .message = ending.empty() ? "which kind of picture?" : "no pictures as '" + ending + "'",
                 .hint = "use .png, .svg, .mp4, .npy (with --layer), or a folder: frames/"};
}

Result<FilmReport> film(Recording& recording, const fs::path& path, const FilmOptions& options)
{
    const Result<FilmFormat> found = find_format(path);
    if (!found.ok()) return found.errors();
    const FilmFormat format = found.value();
    std::vector<Error> errors = check(options, format);
    if (!errors.empty()) return errors;
    const Result<Survey> surveyed = survey(recording, {.camera = options.camera,
                                                       .follow = options.follow,
                                                       .every_group = options.every_group,
                                                       .contacts = options.contacts});
    if (!surveyed.ok()) return surveyed.errors();

    const Result<int> camera = find_camera(recording.model(), options.model_camera);
    if (!camera.ok()) return camera.errors();

    FilmReport report;
    if (options.contacts && !recording.model().contacts)
        report.notes.push_back(
            bad("--contacts", "the recording has no contacts", "rattleback run --record --contacts"));
    constexpr int kStillSky = 64, kVideoSky = 24;  // in motion nobody sees the difference
    Painter painter(recording, surveyed.value(), options,
                    options.draft               ? 0
                    : format == FilmFormat::mp4 ? kVideoSky
                                                : kStillSky,
                    camera.value());
    for (const Error& note : painter.notes()) report.notes.push_back(note);
    const bool many = format == FilmFormat::mp4 || format == FilmFormat::folder;
    std::vector<double> times;
    if (many)
    {
        Result<std::vector<double>> chosen = choose_times(surveyed.value(), options.fps);
        if (!chosen.ok()) return chosen.errors();
        times = std::move(chosen).value();
    }
    else
    {
        const Result<double> chosen = choose_time(surveyed.value(), options.time);
        if (!chosen.ok()) return chosen.errors();
        times.push_back(chosen.value());
    }
    const Status written = format == FilmFormat::mp4 ? write_video(painter, times, path, options)
                           : format == FilmFormat::folder
                               ? write_folder(painter, times, path, options)
                               : write_picture(painter, times[0], path, format, options.layer);
    if (!written.ok()) return written.errors();
    report.pictures = static_cast<std::int64_t>(times.size());
    report.first = times.front();
    report.last = times.back();
    report.seconds = painter.seconds;
    report.cpu_seconds = painter.cpu_seconds;
    return report;
}

}  // namespace rattleback::lab
