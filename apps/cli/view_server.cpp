// The viewer's server: the page and its new frames.
#include "view_server.h"

#include "http_server.h"
#include "terminal.h"
#include "viewer_bundle.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <charconv>
#include <cstring>

namespace rattleback::cli
{

namespace
{

constexpr const char* kHost = "127.0.0.1";

/// What tells a file from another one, or from itself after it was written to.
struct FileMark
{
    dev_t device = 0;
    ino_t inode = 0;
    off_t size = -1;
    std::int64_t changed = 0;  ///< [ns]

    std::string identity() const { return fmt::format("{:x}-{:x}", device, inode); }
    friend bool operator==(const FileMark&, const FileMark&) = default;
};

FileMark mark_of(const std::string& path)
{
    struct stat about = {};
    if (stat(path.c_str(), &about) != 0) return {};
    return {about.st_dev, about.st_ino, about.st_size, about.st_mtim.tv_sec * 1'000'000'000 + about.st_mtim.tv_nsec};
}

/// A recording that may grow. Read again only when the file changed.
class Served
{
public:
    Served(std::string path, std::string label, std::int64_t stride)
        : path_(std::move(path)), label_(std::move(label)), stride_(stride)
    {
    }

    Result<ViewRun> make_run(std::uint64_t budget)
    {
        const std::vector<Error> errors = refresh();
        if (!errors.empty()) return errors;
        Result<ViewRun> run =
            make_view_run(*recording_, {.label = label_, .stride = stride_, .budget = budget, .live = true});
        if (!run.ok()) return run;
        ViewRun value = std::move(run).value();
        value.about["file"] = mark_.identity();
        shown_stride_ = value.about["stride"];
        return value;
    }

    /// Frames from `begin` on; a pack without frames when there are none yet.
    Result<FramePack> make_frames(std::int64_t begin, const std::string& identity)
    {
        const std::vector<Error> errors = refresh();
        if (!errors.empty()) return errors;
        if (identity != mark_.identity() || begin > recording_->frame_count())
        {
            return Error{.code = ErrorCode::io, .where = label_, .message = "this file was replaced by another one."};
        }
        return pack_frames(*recording_, {.begin = begin, .stride = shown_stride_, .in_pieces = true});
    }

    FileMark mark() const { return mark_of(path_); }

    std::vector<Error> refresh()
    {
        const FileMark now = mark_of(path_);
        if (recording_ && now == mark_) return {};
        Result<Recording> opened = load_recording(path_);
        if (!opened.ok()) return opened.errors();
        recording_ = std::move(opened).value();
        mark_ = now;
        return {};
    }

private:
    std::string path_, label_;
    std::int64_t stride_, shown_stride_ = 1;
    std::optional<Recording> recording_;
    FileMark mark_;
};

/// The content policy that the page itself carries, for the header.
std::string find_policy()
{
    std::string page(viewer_bundle().page.substr(0, 4096));
    const std::string_view before = "Content-Security-Policy\" content=\"";
    const std::size_t begin = page.find(before) + before.size();
    std::string policy = page.substr(begin, page.find('"', begin) - begin);
    const std::string_view mark = "{{connect}}";
    policy.replace(policy.find(mark), mark.size(), "'self'");
    return policy + "; frame-ancestors 'none'";
}

std::optional<std::int64_t> parse_count(const std::string& text)
{
    std::int64_t value = 0;
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (failure != std::errc() || end != text.data() + text.size() || value < 0) return std::nullopt;
    return value;
}

/// Length of the JSON, 4 bytes of nothing, the JSON padded to 8 bytes, the numbers.
std::string to_message(const FramePack& frames)
{
    std::string json = frames.pack.about.dump();
    const auto size = static_cast<std::uint32_t>(json.size());
    json.resize((json.size() + 7) / 8 * 8, ' ');
    std::string message(8, '\0');
    std::memcpy(message.data(), &size, sizeof size);
    message += json;
    message.append(reinterpret_cast<const char*>(frames.pack.bytes.data()), frames.pack.bytes.size());
    return message;
}

class ViewServer
{
public:
    explicit ViewServer(const ServeOptions& options)
    {
        for (std::size_t i = 0; i < options.files.size(); ++i)
            recordings_.emplace_back(options.files[i], options.labels[i], options.stride);
        title_ = options.labels.front();
    }

    std::vector<Error> check()
    {
        std::vector<Error> errors;
        for (Served& served : recordings_)
        {
            const std::vector<Error> found = served.refresh();
            errors.insert(errors.end(), found.begin(), found.end());
        }
        return errors;
    }

    std::vector<Error> listen(int port)
    {
        HttpServer server({{"Content-Security-Policy", find_policy()},
                           {"X-Content-Type-Options", "nosniff"},
                           {"X-Frame-Options", "DENY"},
                           {"Referrer-Policy", "no-referrer"},
                           {"Cross-Origin-Resource-Policy", "same-origin"},
                           {"Cross-Origin-Opener-Policy", "same-origin"},
                           {"Cache-Control", "no-store"}},
                          [this](const HttpRequest& request) { return answer(request); });
        port_ = server.bind(port);
        if (port_ < 0)
        {
            return {{.code = ErrorCode::io,
                     .where = "--port",
                     .message = fmt::format("port {} cannot be used", port),
                     .hint = "leave --port out to take any that is free"}};
        }
        say("serving {} at http://{}:{}/ for this machine only; Ctrl-C ends it\n", title_, kHost, port_);
        std::fflush(stdout);
        server.run();
        return {};
    }

private:
    /// Whoever asks must be a page of this server, or a person who typed its address: other sites reach loopback
    /// addresses too, by scripts or by names that point here.
    bool is_welcome(const HttpRequest& request) const
    {
        const std::string host = request.header("host");
        if (request.count("host") != 1) return false;
        if (host != fmt::format("{}:{}", kHost, port_) && host != fmt::format("localhost:{}", port_)) return false;
        if (request.count("origin") > 0 && request.header("origin") != "http://" + host) return false;
        const std::string site = request.header("sec-fetch-site");
        const bool navigates = request.header("sec-fetch-mode") == "navigate";
        return site.empty() || site == "same-origin" || site == "none" || navigates;
    }

    HttpResponse answer(const HttpRequest& request)
    {
        if (!is_welcome(request)) return refuse(403, "This server answers its own page only.");
        if (request.method != "GET") return refuse(405, "Only GET is understood.");
        if (request.path == "/") return send_page();
        if (request.path == "/frames") return send_frames(request);
        return refuse(404, "There is nothing here.");
    }

    static HttpResponse refuse(int status, const std::string& text)
    {
        return {.status = status, .body = std::make_shared<const std::string>(text + "\n")};
    }

    /// The page is made once for as long as the files are the same, however many ask for it.
    HttpResponse send_page()
    {
        std::vector<FileMark> marks;
        for (const Served& served : recordings_) marks.push_back(served.mark());
        if (!page_ || marks != page_marks_)
        {
            constexpr std::uint64_t kBudget = std::uint64_t{64} << 20;
            ViewPage page{.title = title_, .live = true};
            page.scenes.push_back({.name = title_});
            for (Served& served : recordings_)
            {
                Result<ViewRun> run = served.make_run(kBudget / recordings_.size());
                if (!run.ok()) return refuse(503, to_text(run.errors()));
                page.scenes[0].runs.push_back(std::move(run).value());
            }
            page.scenes[0].notices = find_view_notices(page.scenes[0].runs);
            page_ = std::make_shared<const std::string>(make_html(page));
            page_marks_ = marks;
        }
        return {.type = "text/html; charset=utf-8", .body = page_};
    }

    HttpResponse send_frames(const HttpRequest& request)
    {
        const auto word = [&](const char* name)
        {
            const auto found = request.query.find(name);
            return found == request.query.end() ? std::string() : found->second;
        };
        const auto run = parse_count(word("run")), from = parse_count(word("from"));
        if (!run || !from || *run >= std::ssize(recordings_))
            return refuse(400, "Which frames? /frames?run=0&from=0&file=… asks for them.");
        const Result<FramePack> frames = recordings_[static_cast<std::size_t>(*run)].make_frames(*from, word("file"));
        if (!frames.ok()) return refuse(409, to_text(frames.errors()));
        if (frames.value().next_frame == *from && !frames.value().usable)
            return refuse(409, frames.value().notices.front() + ".");
        if (frames.value().next_frame == *from) return {.status = 204, .body = nullptr};
        return {.type = "application/octet-stream",
                .body = std::make_shared<const std::string>(to_message(frames.value()))};
    }

    std::vector<Served> recordings_;
    std::shared_ptr<const std::string> page_;
    std::vector<FileMark> page_marks_;  ///< of the files that the page shows
    std::string title_;
    int port_ = -1;
};

}  // namespace

std::vector<Error> serve(const ServeOptions& options)
{
    ViewServer server(options);
    const std::vector<Error> errors = server.check();
    return errors.empty() ? server.listen(options.port) : errors;
}

}  // namespace rattleback::cli
