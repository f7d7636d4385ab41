// clear_json: empties a tree of nlohmann::json from its leaves.
#pragma once

#include <nlohmann/json.hpp>

namespace rattleback
{

/// The destructor of json takes memory for a list of what it frees, and ends the process where there is none; of what
/// is empty it takes none. By recursion: the depth must be bounded.
inline void clear_json(nlohmann::json& value)
{
    using nlohmann::json;
    if (value.is_array())
    {
        for (json& item : value.get_ref<json::array_t&>()) clear_json(item);
    }
    if (value.is_object())
    {
        for (auto& [key, item] : value.get_ref<json::object_t&>()) clear_json(item);
    }
    if (value.is_structured()) value.clear();
}

/// Clears a tree where the scope ends.
struct JsonClearer
{
    explicit JsonClearer(nlohmann::json& given) : value(given) {}
    ~JsonClearer() { clear_json(value); }
    JsonClearer(const JsonClearer&) = delete;
    JsonClearer& operator=(const JsonClearer&) = delete;

    nlohmann::json& value;
};

}  // namespace rattleback
