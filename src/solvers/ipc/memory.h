// What a world of the solver `ipc` keeps from step to step.
#pragma once

#include "base/bytes.h"
#include "solvers/ipc/anchors.h"
#include "solvers/ipc/integrator.h"
#include "solvers/ipc/own_insets.h"
#include "solvers/ipc/restitution.h"
#include "solvers/ipc/sleep.h"
#include "solvers/shared/kept_over_writes.h"

#include <rattleback/solver.h>

#include <algorithm>
#include <cmath>

namespace rattleback::ipc
{

struct IpcMemory final : Memory, KeptOverWrites
{
    /// `shared`: pieces as they are without insets of their own.
    IpcMemory(std::shared_ptr<const Layout> shared, bool bounces, bool sleeps, bool anchors_friction)
        : multipliers(shared->joints.multiplier_count()),
          layout_(std::move(shared)),
          bounces_(bounces),
          sleeps_(sleeps),
          anchors_friction_(anchors_friction)
    {
    }

    void reset() override
    {
        Memory::reset();
        stiffness = 1;
        rest_stiffness = 1;
        least_gap = HUGE_VAL;
        is_checked = 0;
        std::fill(multipliers.begin(), multipliers.end(), 0.0);
        anchors.clear();
        impacts.clear();
        impact_energy = 0;
        history = {};
        sleep = {};
        insets.clear();
    }
    /// Insets stay: what rests on them would sink a little with each write, if they were found again.
    void forget_motion() override
    {
        std::vector<OwnInset> kept;
        kept.swap(insets);
        reset();
        insets.swap(kept);
    }
    void save(std::vector<std::byte>& bytes) const override
    {
        Memory::save(bytes);
        append(bytes, stiffness);
        append(bytes, rest_stiffness);
        append(bytes, least_gap);
        append(bytes, is_checked + (insets.empty() ? 0 : kHasInsets));
        for (const double value : multipliers) append(bytes, value);
        append(bytes, history.past);
        append(bytes, history.dt);
        if (sleeps_)
        {
            append(bytes, sleep.island);
            append(bytes, sleep.quiet);
            append(bytes, sleep.pose);
            append(bytes, sleep.gravity);
            append(bytes, sleep.friction);
        }
        if (anchors_friction_)
        {
            append(bytes, static_cast<std::uint64_t>(anchors.size()));
            for (const Anchor& anchor : anchors) append(bytes, anchor);
        }
        if (bounces_)
        {
            append(bytes, static_cast<std::uint64_t>(impacts.size()));
            for (const Impact& impact : impacts) append(bytes, impact);
            append(bytes, impact_energy);
        }
        if (insets.empty()) return;
        append(bytes, static_cast<std::uint64_t>(insets.size()));
        for (const OwnInset& own : insets)
        {
            append(bytes, own.piece);
            append(bytes, own.inset);
        }
    }
    bool load(std::span<const std::byte>& bytes) override
    {
        bool complete = Memory::load(bytes) && read(bytes, stiffness) && read(bytes, rest_stiffness) &&
                        read(bytes, least_gap) && !std::isnan(least_gap) && read(bytes, is_checked) && stiffness > 0 &&
                        stiffness <= 1e300 && rest_stiffness > 0 && rest_stiffness <= stiffness;
        for (double& value : multipliers) complete = complete && read(bytes, value) && std::isfinite(value);
        complete = complete && read(bytes, history.past) && read(bytes, history.dt) &&
                   (!sleeps_ || load_sleep(bytes)) && (!anchors_friction_ || load_anchors(bytes)) &&
                   (!bounces_ || load_impacts(bytes));
        insets.clear();
        if (complete && is_checked >= kHasInsets)
        {
            is_checked -= kHasInsets;
            complete = load_insets(bytes);
        }
        if (!complete) reset();
        return complete;
    }

    double stiffness = 1;             ///< adapted factor upon the barrier's
    double rest_stiffness = 1;        ///< what it relaxes to: the one that balanced the start of the run
    double least_gap = HUGE_VAL;      ///< after the last step that was whole, over d̂
    std::vector<double> multipliers;  ///< forces of joints and limits at the end of the last step [N, N m]
    std::vector<Anchor> anchors;      ///< of friction, sorted by key; empty without
    std::vector<Impact> impacts;      ///< that are not over
    double impact_energy = 0;         ///< when they began [J]
    History history;                  ///< of integrators that look back
    GroupSleepState sleep;            ///< empty without
    std::vector<OwnInset> insets;     ///< by piece, of those that began in touch
    int is_checked = 0;               ///< 1: the state comes from a step of this solver, no edge passes through a face

private:
    static constexpr int kHasInsets = 2;  ///< added to `is_checked` where insets follow

    bool load_insets(std::span<const std::byte>& bytes)
    {
        std::uint64_t count = 0;
        if (!read(bytes, count) || count > layout_->pieces.size()) return false;
        for (std::uint64_t i = 0; i < count; ++i)
        {
            OwnInset own;
            if (!read(bytes, own.piece) || !read(bytes, own.inset)) return false;
            const bool is_next = own.piece > (insets.empty() ? -1 : insets.back().piece);
            if (!is_next || own.piece >= static_cast<int>(layout_->pieces.size())) return false;
            if (!(own.inset > 0) || !(own.inset <= layout_->pieces[static_cast<std::size_t>(own.piece)].radius +
                                                       layout_->pieces[static_cast<std::size_t>(own.piece)].round))
                return false;
            insets.push_back(own);
        }
        return true;
    }
    bool load_sleep(std::span<const std::byte>& bytes)
    {
        return read(bytes, sleep.island) && read(bytes, sleep.quiet) && read(bytes, sleep.pose) &&
               read(bytes, sleep.gravity) && read(bytes, sleep.friction) && sleep.is_sound();
    }
    bool load_anchors(std::span<const std::byte>& bytes)
    {
        std::uint64_t count = 0;
        if (!read(bytes, count) || count > bytes.size() / sizeof(Anchor)) return false;
        anchors.resize(static_cast<std::size_t>(count));
        for (std::size_t i = 0; i < anchors.size(); ++i)
        {
            if (!read(bytes, anchors[i]) || !std::isfinite(norm(anchors[i].slip))) return false;
            if (i > 0 && anchors[i].key < anchors[i - 1].key) return false;
        }
        return true;
    }
    bool load_impacts(std::span<const std::byte>& bytes)
    {
        std::uint64_t count = 0;
        if (!read(bytes, count) || count > bytes.size() / sizeof(Impact)) return false;
        impacts.resize(static_cast<std::size_t>(count));
        for (Impact& impact : impacts)
        {
            if (!read(bytes, impact) || !(impact.speed >= 0)) return false;
        }
        return read(bytes, impact_energy) && std::isfinite(impact_energy);
    }

    std::shared_ptr<const Layout> layout_;
    bool bounces_;  ///< some material has restitution
    bool sleeps_;
    bool anchors_friction_;
};

}  // namespace rattleback::ipc
