// Builds the tree from the events of nlohmann's parser, counting the characters that it takes.
#include "import/json/json_text.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <iterator>

namespace rattleback
{

namespace
{

constexpr std::size_t kMostKeys = 256;  // of one object: each new one is compared with those before

/// Tells how far the parser has read: its events carry no places.
struct CountingIterator
{
    using iterator_category = std::input_iterator_tag;
    using value_type = char;
    using difference_type = std::ptrdiff_t;
    using pointer = const char*;
    using reference = const char&;

    const char* at = nullptr;
    const char** farthest = nullptr;

    reference operator*() const { return *at; }
    CountingIterator& operator++()
    {
        *farthest = ++at;
        return *this;
    }
    CountingIterator operator++(int)
    {
        const CountingIterator old = *this;
        ++*this;
        return old;
    }
    friend bool operator==(const CountingIterator& a, const CountingIterator& b) { return a.at == b.at; }
    friend bool operator!=(const CountingIterator& a, const CountingIterator& b) { return a.at != b.at; }
};

/// The library's words without its prefix "[json.exception...] parse error at line 1, column 2: ".
std::string strip_prefix(std::string text)
{
    if (const std::size_t end = text.find("] "); end != text.npos) text.erase(0, end + 2);
    if (text.starts_with("parse error at"))
    {
        if (const std::size_t end = text.find(": "); end != text.npos) text.erase(0, end + 2);
    }
    return text;
}

class TreeBuilder : public nlohmann::json_sax<nlohmann::json>
{
public:
    TreeBuilder(const JsonText& file, std::string_view text, const ImportLimits& limits, JsonValue& root, Log& log)
        : file_(file), text_(text), limits_(limits), root_(root), log_(log), farthest_(text.data())
    {
    }

    bool read()
    {
        const CountingIterator begin{text_.data(), &farthest_}, end{text_.data() + text_.size(), &farthest_};
        return nlohmann::json::sax_parse(begin, end, this) && log_.good();
    }

    bool null() override { return add({.kind = JsonKind::null}); }
    bool boolean(bool value) override { return add({.kind = JsonKind::boolean, .flag = value}); }
    bool number_integer(number_integer_t value) override { return add_number(static_cast<double>(value)); }
    bool number_unsigned(number_unsigned_t value) override { return add_number(static_cast<double>(value)); }
    bool number_float(number_float_t value, const string_t& /*text*/) override { return add_number(value); }
    bool string(string_t& value) override
    {
        return check_length(value) && add({.kind = JsonKind::string, .text = std::move(value)});
    }
    bool binary(binary_t& /*value*/) override { return false; }
    bool start_object(std::size_t /*size*/) override { return open(JsonKind::object); }
    bool start_array(std::size_t /*size*/) override { return open(JsonKind::array); }
    bool end_object() override { return close(); }
    bool end_array() override { return close(); }

    bool key(string_t& value) override
    {
        if (!check_length(value)) return false;
        const std::size_t offset = find_start();
        const auto& members = open_.back()->items;
        if (members.size() >= kMostKeys) return stop("more than " + std::to_string(kMostKeys) + " keys in one object");
        const bool repeated =
            std::any_of(members.begin(), members.end(), [&](const JsonValue& member) { return member.key == value; });
        if (repeated) log_.fail(file_.locate(offset), "the key '" + value + "' stands here a second time");
        key_ = std::move(value);
        key_offset_ = offset;
        mark_end();
        return true;
    }

    bool parse_error(std::size_t /*position*/, const std::string& /*token*/,
                     const nlohmann::detail::exception& error) override
    {
        const auto read = static_cast<std::size_t>(farthest_ - text_.data());
        log_.fail(file_.locate(read == 0 ? 0 : read - 1), "not JSON: " + strip_prefix(error.what()));
        return false;
    }

private:
    /// The first character of the token that was read last: between it and the one before stand only these.
    std::size_t find_start() const
    {
        const std::size_t start = text_.find_first_not_of(" \t\r\n,:\xEF\xBB\xBF", end_);
        return std::min(start, text_.size());
    }
    void mark_end() { end_ = static_cast<std::size_t>(farthest_ - text_.data()); }

    bool stop(const std::string& message)
    {
        log_.fail(file_.locate(find_start()), message, "", ErrorCode::limit);
        return false;
    }
    bool check_length(const std::string& text)
    {
        if (text.size() <= limits_.string_length) return true;
        return stop("a text of more than " + std::to_string(limits_.string_length) + " bytes");
    }
    bool add_number(double value) { return add({.kind = JsonKind::number, .number = value}); }

    bool add(JsonValue value)
    {
        if (++count_ > limits_.elements) return stop("more than " + std::to_string(limits_.elements) + " values");
        value.offset = find_start();
        // A number ends where the next character was read; that one separates, so nothing is lost.
        mark_end();
        if (open_.empty())
        {
            root_ = std::move(value);
            newest_ = &root_;
            return true;
        }
        if (open_.back()->kind == JsonKind::object)
        {
            value.key = std::move(key_);
            value.offset = key_offset_;
        }
        newest_ = &open_.back()->items.emplace_back(std::move(value));
        return true;
    }
    bool open(JsonKind kind)
    {
        if (static_cast<int>(open_.size()) >= limits_.depth)
            return stop("nested more than " + std::to_string(limits_.depth) + " deep");
        if (!add({.kind = kind})) return false;
        open_.push_back(newest_);
        return true;
    }
    bool close()
    {
        open_.pop_back();
        mark_end();
        return true;
    }

    const JsonText& file_;
    std::string_view text_;
    const ImportLimits& limits_;
    JsonValue& root_;
    Log& log_;
    const char* farthest_;
    std::size_t end_ = 0;  ///< of the token before
    int count_ = 0;
    std::vector<JsonValue*> open_;  ///< objects and arrays around the next value; what is below the last moves no more
    JsonValue* newest_ = nullptr;
    std::string key_;
    std::size_t key_offset_ = 0;
};

}  // namespace

const char* describe(JsonKind kind)
{
    constexpr std::array<const char*, 6> kWords{"null", "true or false", "a number", "a text", "a list", "an object"};
    return kWords[static_cast<std::size_t>(kind)];
}

bool JsonText::parse(std::string_view text, const std::string& name, const ImportLimits& limits, Log& log)
{
    name_ = std::make_shared<const std::string>(name);
    starts_ = {0};
    for (std::size_t i = 0; i < text.size(); ++i)
    {
        if (text[i] == '\n') starts_.push_back(i + 1);
    }
    if (text.size() > limits.bytes)
    {
        log.fail({name_, 0, 0}, "the text is too long", "at most " + std::to_string(limits.bytes) + " bytes",
                 ErrorCode::limit);
        return false;
    }
    return TreeBuilder(*this, text, limits, root_, log).read();
}

SourceLocation JsonText::locate(std::size_t offset) const
{
    const auto next = std::upper_bound(starts_.begin(), starts_.end(), offset);
    return {name_, static_cast<int>(next - starts_.begin()), static_cast<int>(offset - *(next - 1)) + 1};
}

}  // namespace rattleback
