// Names of kept lists.
#include "solvers/ipc/kept_pairs.h"

#include "base/index.h"

namespace rattleback::ipc
{

void KeptPairs::reserve(std::size_t count, std::size_t room)
{
    room_ = room;
    pairs_.reserve(count);
    free_.reserve(count);
    names_.reserve(count);
    added_.reserve(count);
}

void KeptPairs::fill(std::size_t count)
{
    for (std::size_t i = 0; i < count; ++i)
    {
        free_.push_back(static_cast<int>(pairs_.size()));
        pairs_.emplace_back().items.reserve(room_);
    }
}

void KeptPairs::begin()
{
    constexpr int kMostIdle = 8;
    names_.insert(names_.end(), added_.begin(), added_.end());
    std::sort(names_.begin(), names_.end());
    added_.clear();
    std::erase_if(names_,
                  [&](const std::pair<std::int64_t, int>& entry)
                  {
                      KeptPair& pair = pairs_[at(entry.second)];
                      if (++pair.idle <= kMostIdle) return false;
                      free_.push_back(entry.second);
                      return true;
                  });
}

int KeptPairs::find(std::int64_t name)
{
    const auto found = std::lower_bound(names_.begin(), names_.end(), std::pair(name, -1));
    int place = found != names_.end() && found->first == name ? found->second : -1;
    if (place < 0)
    {
        if (free_.empty()) fill(1);
        place = free_.back();
        free_.pop_back();
        pairs_[at(place)].cover = -1;
        added_.emplace_back(name, place);
    }
    pairs_[at(place)].idle = 0;
    return place;
}

}  // namespace rattleback::ipc
