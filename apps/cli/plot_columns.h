// PlotColumns: the numbers of a frame that the viewer can plot by name.
#pragma once

#include "view_pack.h"

namespace rattleback::cli
{

/// Coordinates, speeds, inputs, activations and sensors of a model, each with a name and a unit. Positions of free
/// bodies are left out: poses hold them. Beyond kMostSpeeds coordinates so are the speeds of free bodies.
class PlotColumns
{
public:
    static constexpr int kMostSpeeds = 1000;

    explicit PlotColumns(const RecordedModel& model);

    /// [{kind: q, v, input, act or sensor; name; unit}], in the order of the columns.
    nlohmann::json about() const;
    std::size_t size() const { return columns_.size(); }
    /// One float per column; NaN for what the frame does not hold.
    void append(const RecordedFrame& frame, std::vector<float>& values) const;

private:
    enum class Kind
    {
        q,
        v,
        input,
        act,
        sensor,
    };
    struct Column
    {
        Kind kind = Kind::q;
        std::size_t index = 0;  ///< into the frame's numbers of that kind
        std::string name, unit;
    };
    void add_joint(const RecordedJoint& joint, bool free_speeds);
    void add(Kind kind, int index, std::string name, const char* unit)
    {
        columns_.push_back({kind, static_cast<std::size_t>(index), std::move(name), unit});
    }

    std::vector<Column> columns_;
};

}  // namespace rattleback::cli
