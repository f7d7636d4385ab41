// Finds the keyframe, reads the table, and makes noise from counted random numbers.
#include "drive.h"

#include "lab/base.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace rattleback::cli
{

namespace
{

Error drive_error(std::string where, std::string message, std::string hint = {},
                  ErrorCode code = ErrorCode::invalid_value)
{
    return {.code = code, .where = std::move(where), .message = std::move(message), .hint = std::move(hint)};
}

/// By name, or by number from 0.
Result<int> find_key(const Model& model, const std::string& word)
{
    const int count = static_cast<int>(model.keyframes.size());
    if (count == 0) return drive_error("--key", "this model has no keyframes");
    if (const auto id = model.find_keyframe(word)) return id->index;
    int number = 0;
    const auto [end, failure] = std::from_chars(word.data(), word.data() + word.size(), number);
    if (failure == std::errc() && end == word.data() + word.size())
    {
        if (number >= 0 && number < count) return number;
        return drive_error("--key", fmt::format("there is no keyframe {}", number),
                           fmt::format("there are {}, the first is 0", count));
    }
    std::vector<std::string_view> names;
    for (const Keyframe& key : model.keyframes) names.push_back(key.name);
    return drive_error("--key", fmt::format("there is no keyframe '{}'", word), make_name_hint(word, names),
                       ErrorCode::unknown_name);
}

/// Bits that depend on a counter alone.
std::uint64_t scramble(std::uint64_t counter) { return Random(counter).bits(); }

/// A normal number of mean 0 and deviation 1 that depends on these four alone, with the same bits everywhere.
double draw_normal(std::uint64_t seed, int world, std::int64_t step, std::size_t actuator)
{
    std::uint64_t key = scramble(seed);
    for (const std::uint64_t part :
         {static_cast<std::uint64_t>(world), static_cast<std::uint64_t>(step), static_cast<std::uint64_t>(actuator)})
        key = scramble(key + part);
    constexpr double kUnit = 0x1p-53;
    const double first = (static_cast<double>(scramble(key) >> 11) + 1) * kUnit;                     // (0, 1]
    const double second = static_cast<double>(scramble(key ^ 0xA5A5A5A5A5A5A5A5ULL) >> 11) * kUnit;  // [0, 1)
    double sine = 0, cosine = 1;
    sincos(2 * kPi * second, sine, cosine);
    return std::sqrt(-2 * natural_logarithm(first)) * cosine;  // Box and Muller 1958
}

}  // namespace

Result<Drive> Drive::make(std::shared_ptr<const Model> model, const RunCommand& command, double dt)
{
    Drive drive;
    std::vector<Error> errors;
    drive.seed_ = command.seed.value_or(0);
    drive.slack_ = 1e-6 * dt;
    const auto has_actuators = [&](const char* option)
    {
        if (model->actuator_count() > 0) return true;
        errors.push_back(drive_error(option, "this model has no actuators"));
        return false;
    };
    if (!command.key.empty())
    {
        if (!command.from.empty())
            errors.push_back(drive_error("--key", "a run starts from a keyframe or --from a snapshot"));
        const Result<int> key = find_key(*model, command.key);
        if (key.ok())
            drive.key_ = key.value();
        else
            errors.insert(errors.end(), key.errors().begin(), key.errors().end());
    }
    if (command.noise)
    {
        if (!std::isfinite(*command.noise) || *command.noise < 0)
            errors.push_back(drive_error("--noise", "must be finite and not negative"));
        else if (has_actuators("--noise"))
            drive.noise_ = *command.noise;
    }
    if (command.seed && !command.noise) errors.push_back(drive_error("--seed", "belongs to --noise"));
    if (!command.control.empty() && has_actuators("--control"))
    {
        Result<ControlTable> table = load_control(command.control, *model);
        if (table.ok())
            drive.table_ = std::move(table).value();
        else
            errors.insert(errors.end(), table.errors().begin(), table.errors().end());
    }
    if (!errors.empty()) return errors;

    const Keyframe* key = drive.key_ ? &model->keyframes[at(*drive.key_)] : nullptr;
    for (std::size_t i = 0; i < model->actuators.input_range.size(); ++i)
    {
        const Range& range = model->actuators.input_range[i];
        const bool centred = range.limited && drive.noise_ > 0 && !drive.table_;
        drive.base_.push_back(key && !key->ctrl.empty() ? key->ctrl[i]
                              : centred                 ? 0.5 * (range.lower + range.upper)
                                                        : 0);
        drive.scale_.push_back(range.limited ? 0.5 * (range.upper - range.lower) : 1);
    }
    drive.model_ = std::move(model);
    return drive;
}

std::string Drive::key_name() const
{
    if (!key_) return {};
    const std::string& name = model_->keyframes[at(*key_)].name;
    return name.empty() ? std::to_string(*key_) : name;
}

void Drive::start(Simulation& simulation) const
{
    if (key_) simulation.reset(KeyframeId{*key_});
}

void Drive::start(Batch& batch) const
{
    if (!key_) return;
    const Keyframe& key = model_->keyframes[at(*key_)];
    const auto take = [&](const auto& from, auto& to)
    {
        for (std::size_t i = 0; i < to.size() && !from.empty(); ++i) to[i] = from[i % from.size()];
    };
    State& state = batch.state();
    std::ranges::fill(state.time, key.time);
    take(key.q, state.q);
    take(key.v, state.v);
    take(key.act, state.act);
    take(key.ctrl, batch.control().input);
    take(key.targets, batch.control().target);
    const std::vector<int>& row_of = model_->bodies.kinematic_index;
    for (std::size_t i = 0; i < state.body_pose.size() && !key.targets.empty(); ++i)
    {
        const int row = row_of[i % row_of.size()];
        if (row >= 0) state.body_pose[i] = key.targets[at(row)];
    }
    batch.refresh();
}

void Drive::write(int world, double time, std::int64_t step, std::span<double> input) const
{
    const std::int64_t row = table_ ? table_->find_row(time, step, slack_) : -1;
    for (std::size_t i = 0; i < input.size(); ++i)
    {
        const double base = row >= 0 ? table_->input[static_cast<std::size_t>(row) * input.size() + i] : base_[i];
        if (!(noise_ > 0))
        {
            input[i] = base;
            continue;
        }
        const Range& range = model_->actuators.input_range[i];
        const double noisy = base + noise_ * scale_[i] * draw_normal(seed_, world, step, i);
        input[i] = range.limited ? std::clamp(noisy, range.lower, range.upper) : noisy;
    }
}

void Drive::apply(Simulation& simulation) const
{
    write(0, simulation.time(), simulation.state().step[0], simulation.control().input);
}

void Drive::apply(Batch& batch) const
{
    const std::size_t width = at(model_->actuator_count());
    for (int w = 0; w < batch.world_count(); ++w)
        write(w, batch.state().time[at(w)], batch.state().step[at(w)],
              std::span(batch.control().input).subspan(at(w) * width, width));
}

}  // namespace rattleback::cli
