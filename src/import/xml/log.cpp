// Collects and sorts what is wrong.
#include "import/xml/log.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "base/nearest_match.h"

namespace rattleback
{

namespace
{

constexpr std::size_t kMaxProblems = 1000;

}  // namespace

std::string SourceLocation::text() const
{
    if (!file) return {};
    if (line == 0) return *file;
    return *file + ":" + std::to_string(line) + ":" + std::to_string(column);
}

void Log::fail(const SourceLocation& location, std::string message, std::string hint, ErrorCode code)
{
    cut_off_ = cut_off_ || code == ErrorCode::limit;
    overflows_ = overflows_ || errors_.size() == kMaxProblems;
    if (!overflows_) errors_.push_back({location, {code, location.text(), std::move(message), std::move(hint)}});
}

std::string Log::name_hint(std::string_view name, std::span<const std::string_view> candidates) const
{
    return takes_hint() ? make_name_hint(name, candidates) : std::string();
}

bool Log::excuse(const std::string& name, const SourceLocation& location)
{
    if (!lost_part_ && !lost_names_.contains(name)) return false;
    excused_.insert(location.text());
    return true;
}

std::set<std::string> Log::places() const
{
    std::set<std::string> places = excused_;
    for (const Entry& entry : errors_) places.insert(entry.error.where);
    return places;
}

std::vector<Error> Log::take_errors()
{
    std::map<std::string, std::size_t> files;
    const auto key = [&](const Entry& entry)
    {
        const std::string file = entry.location.file ? *entry.location.file : std::string();
        return std::tuple(files.emplace(file, files.size()).first->second, entry.location.line, entry.location.column);
    };
    for (const Entry& entry : errors_) key(entry);  // files in the order of their first error
    std::stable_sort(errors_.begin(), errors_.end(), [&](const Entry& a, const Entry& b) { return key(a) < key(b); });
    std::vector<Error> errors;
    for (Entry& entry : errors_) errors.push_back(std::move(entry.error));
    if (overflows_)
        errors.push_back({ErrorCode::limit, errors.back().where,
                          "more than " + std::to_string(kMaxProblems) + " errors; the rest is left out", ""});
    return errors;
}

void Log::warn(const SourceLocation& location, std::string message, std::string hint, ErrorCode code)
{
    if (warnings_.size() < kMaxProblems)
        warnings_.push_back({code, location.text(), std::move(message), std::move(hint)});
}

void Log::append(const SourceLocation& location, const std::vector<Error>& errors)
{
    for (const Error& error : errors)
    {
        const bool said = error.where.empty() || error.where == location.text();
        const std::string subject = said ? "" : error.where + ": ";
        fail(location, subject + error.message, error.hint, error.code);
    }
}

}  // namespace rattleback
