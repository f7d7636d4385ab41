// The table of peers, and the survey of those that are present.
#include "lab/peers/mujoco/mujoco.h"
#include "lab/peers/peer.h"

#include <array>

namespace rattleback::lab
{

namespace
{

// A new peer is one folder in lab/peers and one line here.
constexpr std::array kPeers = {
    PeerInfo{"mujoco", "double", &find_mujoco},
};

void append_count(int count, const char* what, std::string& text)
{
    if (count == 0) return;
    text += (text.empty() ? "" : ", ") + std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

}  // namespace

std::span<const PeerInfo> all_peers() { return kPeers; }

std::string PeerTrouble::text() const
{
    std::string text;
    append_count(resets, "reset", text);
    append_count(overflows, "overflow", text);
    append_count(singular_inertias, "mended inertia", text);
    return text.empty() ? "none" : text;
}

PeerSurvey survey_peers()
{
    PeerSurvey survey;
    for (const PeerInfo& info : all_peers())
    {
        const auto peer = info.find();
        if (peer.ok())
        {
            survey.found.push_back(peer.value()->name());
        }
        else
        {
            survey.skipped.push_back(std::string(info.name) + ": " + to_text(peer.errors()));
        }
    }
    return survey;
}

}  // namespace rattleback::lab
