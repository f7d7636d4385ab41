// Layout: which joints belong to which body, and how many numbers a state has.
#pragma once

#include "base/index.h"
#include "build/authored.h"

namespace rattleback
{

inline constexpr int kMostSamples = 100'000;  ///< of a delayed actuator

/// Found before anything is checked: elements with impossible ids are left out.
struct Layout
{
    std::vector<int> joint_begin;     ///< [body_count + 1] into joints_of_body
    std::vector<int> joints_of_body;  ///< authored joints in the order added; then automatic ones
    std::vector<int> free_bodies;  ///< bodies that get an automatic free joint, the i-th with index joints.size() + i
    int q_count = 0, v_count = 0, kinematic_count = 0;
    int act_count = 0;      ///< activations
    int history_count = 0;  ///< numbers behind them that delayed actuators remember

    std::span<const int> joints(int body) const
    {
        const auto begin = static_cast<std::size_t>(joint_begin[static_cast<std::size_t>(body)]);
        const auto end = static_cast<std::size_t>(joint_begin[static_cast<std::size_t>(body) + 1]);
        return std::span(joints_of_body).subspan(begin, end - begin);
    }
};

Layout find_layout(const Authored& authored);

/// Activations of an actuator.
int count_activations(const ActuatorOptions& options);
/// Numbers that all delayed actuators together may remember.
inline constexpr int kMostRemembered = 1 << 24;
/// Numbers that an actuator with a delay remembers: inputs and their ages.
int count_history(const ActuatorOptions& options);

/// Options of a joint, automatic free joints included.
const JointOptions& joint_options(const Authored& authored, int joint);

/// Is 0 <= index < items.size()?
template <class T>
bool in_range(int index, const std::vector<T>& items)
{
    return index >= 0 && static_cast<std::size_t>(index) < items.size();
}

/// An int as an index into a vector.

}  // namespace rattleback
