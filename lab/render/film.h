// Recordings as pictures, arrays, videos or folders of pictures.
#pragma once

#include "lab/render/layers.h"
#include "lab/render/survey.h"

#include <functional>

namespace rattleback::lab
{

inline constexpr int kLargestSide = 8192;                 ///< of a picture [pixels]
inline constexpr std::int64_t kLargestPicture = 1 << 25;  ///< [pixels]
inline constexpr std::int64_t kMostFrames = 100000;       ///< of a video

struct FilmOptions
{
    FramingOptions camera;                      ///< with the size of the picture
    std::string model_camera;                   ///< camera of the model that takes the pictures; "": `camera`
    std::string follow;                         ///< body that the camera moves with; "": none
    std::optional<double> time = std::nullopt;  ///< of a single picture [s]; none: the last frame
    double fps = 30;                            ///< pictures per second of a video or folder
    bool contacts = false;                      ///< draw contact points and force arrows
    bool every_group = false;                   ///< draw shapes of groups 3 and above too
    bool draft = false;                         ///< faster, plainer light
    Layer layer = Layer::picture;               ///< arrays are for .npy files and folders
    int threads = 0;                            ///< 0: one per core
    std::function<void(std::int64_t done, std::int64_t total)> progress = {};
};

struct FilmReport
{
    std::int64_t pictures = 0;
    double first = 0, last = 0;  ///< times [s]
    double seconds = 0;          ///< of wall time for drawing, without reading and writing
    double cpu_seconds = 0;      ///< the same on all cores together
    std::vector<Error> notes;    ///< odd yet harmless, for example --contacts without contacts in the recording
};

/// What the ending of a path asks for.
enum class FilmFormat
{
    png,
    svg,
    mp4,
    numpy,   ///< .npy: a layer as an array
    folder,  ///< ends in a slash, or is a folder: frame_00000.png (or .npy) and so on; it must be empty
};
Result<FilmFormat> find_format(const std::filesystem::path& path);

/// Renders a recording to `path`. Outputs are written beside their place and renamed: on an error nothing remains. The
/// same recording and options give the same bytes, for any number of threads (videos: with the same ffmpeg).
Result<FilmReport> film(Recording& recording, const std::filesystem::path& path, const FilmOptions& options);

}  // namespace rattleback::lab
