// Merges the reports of several steps or worlds into one.
#include <rattleback/report.h>

#include <algorithm>
#include <limits>

namespace rattleback
{

namespace
{

/// Sums over long runs stay at the largest int instead of overflowing.
int add_counts(int a, int b)
{
    const long long sum = static_cast<long long>(a) + b;
    return static_cast<int>(std::min<long long>(sum, std::numeric_limits<int>::max()));
}

}  // namespace

StepReport merge(const StepReport& first, const StepReport& second)
{
    StepReport both;
    both.status = std::max(first.status, second.status);  // the enumerators are in order of severity
    both.iterations = add_counts(first.iterations, second.iterations);
    both.residual = std::max(first.residual, second.residual);
    both.contact_count = add_counts(first.contact_count, second.contact_count);
    both.deepest_penetration = std::max(first.deepest_penetration, second.deepest_penetration);
    // The first culprit is the cause: later ones follow from it.
    const StepReport& astray = first.culprit_body.valid() || !first.culprit_array.empty() ? first : second;
    both.culprit_dof = astray.culprit_dof;
    both.culprit_body = astray.culprit_body;
    both.culprit_speed = astray.culprit_speed;
    both.culprit_spin = astray.culprit_spin;
    both.culprit_distance = astray.culprit_distance;
    both.culprit_array = astray.culprit_array;
    both.culprit_index = astray.culprit_index;
    const StepReport& deepest = first.culprit_depth > second.culprit_depth ? first : second;
    both.culprit_shapes = deepest.culprit_shapes;
    both.culprit_depth = deepest.culprit_depth;
    both.mean_acceleration = first.mean_acceleration || second.mean_acceleration;
    both.needed_capacity = std::max(first.needed_capacity, second.needed_capacity);
    both.substeps = std::max(first.substeps, second.substeps);
    both.unconverged_steps = add_counts(first.unconverged_steps, second.unconverged_steps);
    both.frozen_steps = add_counts(first.frozen_steps, second.frozen_steps);
    both.removed_energy = first.removed_energy + second.removed_energy;
    for (std::size_t i = 0; i < both.seconds.size(); ++i) both.seconds[i] = first.seconds[i] + second.seconds[i];
    return both;
}

}  // namespace rattleback
