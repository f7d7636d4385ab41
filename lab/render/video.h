// Frames into a video file, through the program ffmpeg.
#pragma once

#include "lab/render/image.h"

#include <rattleback/error.h>

#include <filesystem>

namespace rattleback::lab
{

/// An MP4 file (H.264) that grows frame by frame beside its place and takes it in finish(). Without that nothing
/// remains.
class VideoWriter
{
public:
    /// Width and height must be even. A machine without ffmpeg is an error that says so.
    static Result<VideoWriter> start(const std::filesystem::path& path, int width, int height, double fps);
    VideoWriter(VideoWriter&& other) noexcept;
    VideoWriter& operator=(VideoWriter&&) = delete;
    ~VideoWriter();

    Status add(const Image& frame);
    Status finish();

private:
    VideoWriter(std::filesystem::path path, std::filesystem::path temporary, int child, int socket);
    /// Closes the pipe and waits; true when ffmpeg ended well.
    bool wait();

    std::filesystem::path path_, temporary_;
    int child_ = -1, socket_ = -1;
};

}  // namespace rattleback::lab
