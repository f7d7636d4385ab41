// A small HTTP server on the loopback address: it answers GET, closes every connection, and bounds all that a client
// chooses.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace rattleback::cli
{

struct HttpLimits
{
    std::size_t connections = 64;                  ///< open at once; a further one ends the one that waits longest
    std::size_t header = std::size_t{16} << 10;    ///< request line and headers [bytes]
    std::size_t pending = std::size_t{256} << 20;  ///< of bodies that are on their way [bytes]; beyond it 503
    double request_seconds = 5;                    ///< for a client to say all of its request
    double idle_seconds = 5;                       ///< without a byte taken by a client that is answered
    double answer_seconds = 300;                   ///< for a client to take all of an answer
};

struct HttpRequest
{
    std::string method, path;
    std::map<std::string, std::string> query;
    std::vector<std::pair<std::string, std::string>> headers;  ///< names in lower case

    /// The header of that name, in lower case; empty: none. `count`: how often it is there.
    std::string header(std::string_view name) const;
    std::size_t count(std::string_view name) const;
};

struct HttpResponse
{
    int status = 200;
    std::string type = "text/plain; charset=utf-8";
    std::shared_ptr<const std::string> body;  ///< shared: several connections may be sent the same
};

/// One thread, one loop over all connections; `answer` is called between two reads. What a request asks for beyond that
/// (ranges, other methods, a second request on the connection) is not done: a whole answer, then the end.
class HttpServer
{
public:
    using Answer = std::function<HttpResponse(const HttpRequest&)>;
    HttpServer(std::vector<std::pair<std::string, std::string>> headers, Answer answer, HttpLimits limits = {});
    ~HttpServer();
    HttpServer(const HttpServer&) = delete;
    HttpServer& operator=(const HttpServer&) = delete;

    /// Listens on 127.0.0.1; 0: any port that is free. The port, or -1: it cannot be used.
    int bind(int port);
    /// Serves until the process is ended.
    void run();

private:
    struct Connection;
    void accept_all(double now);
    void drop_slow(double now);
    void read_from(Connection& connection, double now);
    void write_to(Connection& connection, double now);
    void begin_answer(Connection& connection, double now);
    std::size_t count_pending() const;

    std::vector<std::pair<std::string, std::string>> headers_;
    Answer answer_;
    HttpLimits limits_;
    int listener_ = -1;
    std::vector<std::unique_ptr<Connection>> connections_;  ///< the oldest first
    double answered_ = 0;  ///< time that answers took; the clock of the connections stands meanwhile [s]
};

}  // namespace rattleback::cli
