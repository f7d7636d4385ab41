// Finds the order of MuJoCo's elements by their names.
#include "lab/peers/mujoco/order.h"

#include "base/index.h"

#include <algorithm>
#include <numeric>

namespace rattleback::lab
{

namespace
{

std::vector<int> count_up(int count)
{
    std::vector<int> numbers(at(count));
    std::iota(numbers.begin(), numbers.end(), 0);
    return numbers;
}

/// Places of `ours` among `theirs`, from element `first` on; false when one is missing.
bool find_places(const std::vector<std::string>& ours, const std::vector<std::string>& theirs, std::size_t first,
                 std::vector<int>& places)
{
    for (std::size_t i = first; i < ours.size(); ++i)
    {
        const auto found = std::ranges::find(theirs, ours[i]);
        if (found == theirs.end()) return false;
        places[i] = static_cast<int>(found - theirs.begin());
    }
    return true;
}

}  // namespace

Order Order::same(const Model& model)
{
    return {count_up(model.body_count()), count_up(model.joint_count()), count_up(model.q_count()),
            count_up(model.v_count())};
}

Result<Order> Order::find(const Model& model, const Oracle& oracle)
{
    Order order = same(model);
    if (oracle.size("nq") != model.q_count() || oracle.size("nv") != model.v_count() ||
        !find_places(model.bodies.name, oracle.names("body"), 1, order.body) ||
        !find_places(model.joints.name, oracle.names("joint"), 0, order.joint))
    {
        return Error{ErrorCode::unknown_name, model.name, "MuJoCo has other bodies or joints", ""};
    }
    const std::vector<double> q_begin = oracle.field("jnt_qposadr").value();
    const std::vector<double> v_begin = oracle.field("jnt_dofadr").value();
    for (std::size_t j = 0; j < order.joint.size(); ++j)
    {
        const std::size_t other = at(order.joint[j]);
        for (int k = 0; k < q_count(model.joints.type[j]); ++k)
            order.q[at(model.joints.q_begin[j] + k)] = static_cast<int>(q_begin[other]) + k;
        for (int k = 0; k < v_count(model.joints.type[j]); ++k)
            order.v[at(model.joints.v_begin[j] + k)] = static_cast<int>(v_begin[other]) + k;
    }
    return order;
}

std::vector<double> arrange(std::span<const double> ours, std::span<const int> places, std::size_t width)
{
    std::vector<double> theirs(ours.size());
    for (std::size_t i = 0; i < ours.size(); ++i) theirs[at(places[i / width]) * width + i % width] = ours[i];
    return theirs;
}

}  // namespace rattleback::lab
