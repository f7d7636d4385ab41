// How two materials meet, and the frame of a contact.
#include <rattleback/contacts.h>

#include "model/contact_frame.h"

#include <algorithm>

namespace rattleback
{

namespace
{

/// Weight of the first of two impedances; a solmix of zero gives way to the other (MuJoCo's rule).
double mix_weight(double first, double second)
{
    constexpr double kTiny = 1e-15;
    if (first >= kTiny && second >= kTiny) return first / (first + second);
    if (first < kTiny && second < kTiny) return 0.5;
    return first < kTiny ? 0 : 1;
}

Impedance combine(const Impedance& first, const Impedance& second, double weight)
{
    const auto mean = [&](double a, double b) { return weight * a + (1 - weight) * b; };
    // Stiffness and damping given directly (not positive) cannot be averaged with time constants.
    const bool direct = first.solref[0] <= 0 || second.solref[0] <= 0;
    Impedance both;
    for (std::size_t i = 0; i < both.solref.size(); ++i)
    {
        const double a = first.solref[i], b = second.solref[i];
        both.solref[i] = direct ? std::min(a, b) : mean(a, b);
    }
    for (std::size_t i = 0; i < both.solimp.size(); ++i) both.solimp[i] = mean(first.solimp[i], second.solimp[i]);
    return both;
}

/// Of two springs or dampers one behind the other.
double in_series(double first, double second)
{
    const double sum = first + second;
    return sum > 0 ? first * second / sum : 0;
}

int softness_rank(const Softness& softness)
{
    if (std::holds_alternative<Spring>(softness)) return 2;
    return std::holds_alternative<Impedance>(softness) ? 1 : 0;
}

Softness combine_softness(const MaterialOptions& first, const MaterialOptions& second)
{
    const int rank = softness_rank(first.softness);
    const int second_rank = softness_rank(second.softness);
    // The softer kind wins: a spring over an impedance, an impedance over rigid.
    if (rank != second_rank) return rank > second_rank ? first.softness : second.softness;

    if (const auto* a = std::get_if<Spring>(&first.softness))
    {
        const auto& b = std::get<Spring>(second.softness);
        // Two springs that meet are compressed one behind the other.
        return Spring{in_series(a->stiffness, b.stiffness), in_series(a->damping, b.damping)};
    }
    if (const auto* a = std::get_if<Impedance>(&first.softness))
        return combine(*a, std::get<Impedance>(second.softness), mix_weight(first.solmix, second.solmix));
    return Rigid{};
}

}  // namespace

MaterialOptions combine(const MaterialOptions& first, const MaterialOptions& second)
{
    // Higher priority decides alone; among equals the larger number counts, as in MuJoCo.
    if (first.priority != second.priority) return first.priority > second.priority ? first : second;

    MaterialOptions both;
    both.friction = std::max(first.friction, second.friction);
    both.spinning_friction = std::max(first.spinning_friction, second.spinning_friction);
    both.rolling_friction = std::max(first.rolling_friction, second.rolling_friction);
    both.dimension = std::max(first.dimension, second.dimension);
    both.restitution = std::max(first.restitution, second.restitution);
    both.softness = combine_softness(first, second);
    both.solmix = std::max(first.solmix, second.solmix);
    both.priority = first.priority;
    both.adhesion = first.adhesion + second.adhesion;
    return both;
}

Mat3 make_contact_frame(const Vec3& normal) { return make_contact_frame(normal, Vec3{}); }

Mat3 make_contact_frame(const Vec3& normal, const Vec3& tangent) { return find_contact_frame(normal, tangent); }

void Contacts::replace(const Contacts& other)
{
    if (this != &other) items.assign(other.items.begin(), other.items.end());
}

}  // namespace rattleback
