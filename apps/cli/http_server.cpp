// The loop over connections, the request's text and the answer's bytes.
#include "http_server.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <new>
#include <optional>
#include <set>

namespace rattleback::cli
{

namespace
{

constexpr std::size_t kPiece = std::size_t{64} << 10;  // bytes that one connection moves before the next has its turn
constexpr double kFarewellSeconds = 1;                 // for a client to read the end before the connection is torn

double read_clock()
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

const char* name_of(int status)
{
    switch (status)
    {
        case 200:
            return "OK";
        case 204:
            return "No Content";
        case 400:
            return "Bad Request";
        case 403:
            return "Forbidden";
        case 404:
            return "Not Found";
        case 405:
            return "Method Not Allowed";
        case 409:
            return "Conflict";
        case 431:
            return "Request Header Fields Too Large";
        default:
            return "Service Unavailable";
    }
}

HttpResponse make_refusal(int status, const char* text)
{
    return {.status = status, .body = std::make_shared<const std::string>(std::string(text) + "\n")};
}

std::string_view strip_blanks(std::string_view text)
{
    const std::size_t begin = std::min(text.find_first_not_of(" \t"), text.size());
    text.remove_prefix(begin);
    return text.substr(0, text.find_last_not_of(" \t") + 1);
}

/// "%20" and the like.
std::string decode(std::string_view text)
{
    const auto digit = [](char c)
    {
        return c >= '0' && c <= '9' ? c - '0' : (c | 32) >= 'a' && (c | 32) <= 'f' ? (c | 32) - 'a' + 10 : -1;
    };
    std::string decoded;
    for (std::size_t i = 0; i < text.size(); ++i)
    {
        const bool code = text[i] == '%' && i + 2 < text.size() && digit(text[i + 1]) >= 0 && digit(text[i + 2]) >= 0;
        decoded += code ? static_cast<char>(16 * digit(text[i + 1]) + digit(text[i + 2])) : text[i];
        if (code) i += 2;
    }
    return decoded;
}

std::map<std::string, std::string> parse_query(std::string_view text)
{
    std::map<std::string, std::string> query;
    while (!text.empty())
    {
        const std::size_t end = std::min(text.find('&'), text.size());
        const std::string_view pair = text.substr(0, end);
        const std::size_t equals = std::min(pair.find('='), pair.size());
        query.emplace(decode(pair.substr(0, equals)), decode(pair.substr(std::min(equals + 1, pair.size()))));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return query;
}

/// The request of a whole header; nothing where it is none.
std::optional<HttpRequest> parse_request(std::string_view text)
{
    HttpRequest request;
    bool first = true;
    while (!text.empty())
    {
        const std::size_t end = std::min(text.find("\r\n"), text.size());
        const std::string_view line = text.substr(0, end);
        text.remove_prefix(std::min(end + 2, text.size()));
        if (first)
        {
            const std::size_t space = line.find(' '), last = line.rfind(' ');
            if (space == line.npos || last == space || !line.substr(last + 1).starts_with("HTTP/1.")) return {};
            request.method = line.substr(0, space);
            const std::string_view target = line.substr(space + 1, last - space - 1);
            if (!target.starts_with("/")) return {};
            const std::size_t mark = std::min(target.find('?'), target.size());
            request.path = target.substr(0, mark);
            request.query = parse_query(target.substr(std::min(mark + 1, target.size())));
            first = false;
            continue;
        }
        const std::size_t colon = line.find(':');
        if (colon == line.npos || colon == 0) return {};
        std::string name(line.substr(0, colon));
        std::transform(name.begin(), name.end(), name.begin(),
                       [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
        request.headers.emplace_back(std::move(name), strip_blanks(line.substr(colon + 1)));
    }
    return first ? std::nullopt : std::optional(std::move(request));
}

}  // namespace

std::string HttpRequest::header(std::string_view name) const
{
    const auto found =
        std::find_if(headers.begin(), headers.end(), [&](const auto& pair) { return pair.first == name; });
    return found == headers.end() ? std::string() : found->second;
}

std::size_t HttpRequest::count(std::string_view name) const
{
    return static_cast<std::size_t>(
        std::count_if(headers.begin(), headers.end(), [&](const auto& pair) { return pair.first == name; }));
}

struct HttpServer::Connection
{
    enum class Phase
    {
        asking,
        answered,
        leaving,  ///< all was sent: what still comes is thrown away, so that the client reads the end
        gone,
    };

    Connection(int from, double now) : socket(from), deadline(now) {}
    ~Connection() { ::close(socket); }
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;

    int socket;
    Phase phase = Phase::asking;
    double deadline;              ///< of this phase
    double moved = 0;             ///< when the client last took something
    std::string request, header;  ///< what came; what goes before the body
    std::shared_ptr<const std::string> body;
    std::size_t sent = 0;    ///< of header and body
    std::size_t thrown = 0;  ///< away, of what came after the answer
};

HttpServer::HttpServer(std::vector<std::pair<std::string, std::string>> headers, Answer answer, HttpLimits limits)
    : headers_(std::move(headers)), answer_(std::move(answer)), limits_(limits)
{
}

HttpServer::~HttpServer()
{
    if (listener_ >= 0) ::close(listener_);
}

int HttpServer::bind(int port)
{
    listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (listener_ < 0) return -1;
    const int yes = 1;
    ::setsockopt(listener_, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto* const any = reinterpret_cast<sockaddr*>(&address);
    if (::bind(listener_, any, size) != 0 || ::listen(listener_, 64) != 0) return -1;
    return ::getsockname(listener_, any, &size) == 0 ? static_cast<int>(ntohs(address.sin_port)) : -1;
}

void HttpServer::run()
{
    std::vector<pollfd> polled;
    while (true)
    {
        polled.assign(1, {listener_, POLLIN, 0});
        for (const auto& connection : connections_)
        {
            const bool writes = connection->phase == Connection::Phase::answered;
            polled.push_back({connection->socket, static_cast<short>(writes ? POLLOUT : POLLIN), 0});
        }
        const int count = ::poll(polled.data(), polled.size(), connections_.empty() ? -1 : 200);
        if (count < 0 && errno != EINTR) return;
        for (std::size_t i = 1; count > 0 && i < polled.size(); ++i)
        {
            Connection& connection = *connections_[i - 1];
            if (polled[i].revents == 0) continue;
            const double now = read_clock() - answered_;
            connection.phase == Connection::Phase::answered ? write_to(connection, now) : read_from(connection, now);
        }
        const double now = read_clock() - answered_;
        drop_slow(now);
        if (count > 0 && polled[0].revents != 0) accept_all(now);
    }
}

void HttpServer::accept_all(double now)
{
    for (int taken = 0; taken < 16; ++taken)
    {
        const int socket = ::accept4(listener_, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (socket < 0) return;
        // Whoever waits longest without having asked makes room; then whoever has been sent to for longest.
        if (connections_.size() >= limits_.connections)
        {
            const auto asks = [](const auto& connection) { return connection->phase == Connection::Phase::asking; };
            const auto slowest = std::find_if(connections_.begin(), connections_.end(), asks);
            connections_.erase(slowest == connections_.end() ? connections_.begin() : slowest);
        }
        connections_.push_back(std::make_unique<Connection>(socket, now + limits_.request_seconds));
    }
}

void HttpServer::drop_slow(double now)
{
    std::erase_if(connections_,
                  [&](const auto& connection)
                  {
                      const bool idle = connection->phase == Connection::Phase::answered &&
                                        now - connection->moved > limits_.idle_seconds;
                      return connection->phase == Connection::Phase::gone || now > connection->deadline || idle;
                  });
}

void HttpServer::read_from(Connection& connection, double now)
{
    char piece[4096];
    const ssize_t count = ::recv(connection.socket, piece, sizeof piece, 0);
    if (count < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (count <= 0)
    {
        connection.phase = Connection::Phase::gone;
        return;
    }
    if (connection.phase == Connection::Phase::leaving)
    {
        connection.thrown += static_cast<std::size_t>(count);
        if (connection.thrown > limits_.header) connection.phase = Connection::Phase::gone;
        return;
    }
    connection.request.append(piece, static_cast<std::size_t>(count));
    const bool whole = connection.request.find("\r\n\r\n") != std::string::npos;
    if (whole || connection.request.size() > limits_.header) begin_answer(connection, now);
}

std::size_t HttpServer::count_pending() const
{
    std::set<const std::string*> bodies;
    std::size_t bytes = 0;
    for (const auto& connection : connections_)
    {
        const std::string* body = connection->body.get();
        if (body != nullptr && bodies.insert(body).second) bytes += body->size();
    }
    return bytes;
}

void HttpServer::begin_answer(Connection& connection, double now)
{
    const std::size_t end = connection.request.find("\r\n\r\n");
    const bool fits = end != std::string::npos && end <= limits_.header;
    const std::optional<HttpRequest> request =
        fits ? parse_request(std::string_view(connection.request).substr(0, end)) : std::nullopt;
    HttpResponse response;
    if (!fits)
        response = make_refusal(431, "The request is too long.");
    else if (!request)
        response = make_refusal(400, "This is no request.");
    else if (count_pending() > limits_.pending)
        response = make_refusal(503, "Too much is being sent already.");
    else
    {
        const double start = read_clock();
        try
        {
            response = answer_(*request);
        }
        catch (const std::bad_alloc&)
        {
            response = make_refusal(503, "There is not enough memory for it.");
        }
        answered_ += read_clock() - start;
    }
    connection.header = fmt::format("HTTP/1.1 {} {}\r\nConnection: close\r\nAccept-Ranges: none\r\n", response.status,
                                    name_of(response.status));
    for (const auto& [name, value] : headers_) connection.header += fmt::format("{}: {}\r\n", name, value);
    if (response.body)
        connection.header +=
            fmt::format("Content-Type: {}\r\nContent-Length: {}\r\n", response.type, response.body->size());
    connection.header += "\r\n";
    if (!request || request->method != "HEAD") connection.body = response.body;
    connection.request.clear();
    connection.phase = Connection::Phase::answered;
    connection.moved = now;
    connection.deadline = now + limits_.answer_seconds;
}

void HttpServer::write_to(Connection& connection, double now)
{
    const std::size_t head = connection.header.size();
    const std::string_view rest = connection.sent < head ? std::string_view(connection.header).substr(connection.sent)
                                  : connection.body
                                      ? std::string_view(*connection.body).substr(connection.sent - head, kPiece)
                                      : std::string_view();
    if (!rest.empty())
    {
        const ssize_t count = ::send(connection.socket, rest.data(), rest.size(), MSG_NOSIGNAL);
        if (count < 0 && (errno == EAGAIN || errno == EINTR)) return;
        if (count < 0)
        {
            connection.phase = Connection::Phase::gone;
            return;
        }
        connection.sent += static_cast<std::size_t>(count);
        connection.moved = now;
    }
    if (connection.sent < head + (connection.body ? connection.body->size() : 0)) return;
    ::shutdown(connection.socket, SHUT_WR);
    connection.body.reset();
    connection.phase = Connection::Phase::leaving;
    connection.deadline = now + kFarewellSeconds;
}

}  // namespace rattleback::cli
