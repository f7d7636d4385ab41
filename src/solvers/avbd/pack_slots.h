// What the sweep in packs reads: bodies, manifolds and contact points with one body per lane, filled from records.
#pragma once

#include "base/index.h"
#include "solvers/avbd/contact_rows.h"
#include "solvers/avbd/row8.h"

namespace rattleback::avbd
{

template <class T>
void set_lane(Vector3<T>& to, int lane, const Vec3& from)
{
    set_lane(to.x, lane, from.x);
    set_lane(to.y, lane, from.y);
    set_lane(to.z, lane, from.z);
}
template <class T>
Vec3 lane(const Vector3<T>& from, int index)
{
    return {lane(from.x, index), lane(from.y, index), lane(from.z, index)};
}

/// Inertia of the bodies of a batch.
template <class T>
struct InertiaLanes
{
    T mass;                 ///< over h^2
    Symmetric3<T> inertia;  ///< over h^2
    Vector3<T> target;      ///< y - x_t of the centre of mass
    Vector3<T> momentum;    ///< Body::momentum over h^2
    T pivot;                ///< Body::pivot
};

/// One lane; without a body it rests.
template <class T>
void set_body(const Body* body, double inverse_h2, int lane, InertiaLanes<T>& to)
{
    // unit inertia: the lane's system stays solvable
    if (body == nullptr)
    {
        set_lane(to.mass, lane, 1);
        set_lane(to.pivot, lane, 1);
        for (int i = 0; i < 6; ++i) set_lane(to.inertia.m[i], lane, i == 0 || i == 2 || i == 5 ? 1 : 0);
        for (Vector3<T>* value : {&to.target, &to.momentum}) set_lane(*value, lane, {});
        return;
    }
    // M / h^2 ([AVBD] Eq. 6), and y - x_t (Eq. 2) with the angular momentum that stands for it in rotations
    set_lane(to.mass, lane, inverse_h2 * body->mass);
    const Symmetric3<double> inertia = to_symmetric(body->inertia);
    for (int i = 0; i < 6; ++i) set_lane(to.inertia.m[i], lane, inverse_h2 * inertia.m[i]);
    set_lane(to.target, lane, body->target.linear);
    set_lane(to.momentum, lane, inverse_h2 * body->momentum);
    set_lane(to.pivot, lane, body->pivot);
}

/// What the points of a manifold share; lanes without one push nothing.
template <class T>
struct ManifoldLanes
{
    Vector3<T> normal;
    T friction, beta, max_penalty;  ///< see update_dual()
    int other[T::kWidth];           ///< group
};

/// One lane: the manifold as its second body sees it, or its first; none: null.
template <class T>
void set_manifold(const Manifold* manifold, bool second, double ramp, double inverse_h2, int lane, ManifoldLanes<T>& to)
{
    // penalties and their growth are counted in effective mass / h^2 (and per body size): the same at any density
    const double sign = second ? 1 : -1, unit = manifold == nullptr ? 0 : manifold->mass * inverse_h2;
    set_lane(to.normal, lane, manifold == nullptr ? Vec3{} : sign * manifold->normal);
    set_lane(to.friction, lane, manifold == nullptr ? 0 : manifold->friction);
    set_lane(to.beta, lane, manifold == nullptr ? 0 : ramp * unit / manifold->size);
    set_lane(to.max_penalty, lane, kMaxPenalty * unit);
    to.other[lane] = manifold == nullptr ? 0 : second ? manifold->first : manifold->second;
}

/// One contact of each body of a batch, see HalfContact. One penalty for all three rows, as update_dual() leaves it.
template <class T>
struct PointLanes
{
    Vector3<T> arm, other_arm;
    T gap, penalty, normal_lambda, active;
    Vector3<T> tangent_lambda;
};

/// What only some sweeps look at.
template <class T>
struct PointExtras
{
    T correction_gap;  ///< what counts of the gap in the sweep of positions alone
    Vector3<T> slip;   ///< all of it
    T compliance;
};

/// The rows of a step as short records in the precision of the sweep, two of eight numbers each; record 0 pushes
/// nothing.
template <class T>
class ContactRecords
{
    using Scalar = typename T::Scalar;
    static constexpr int kWidth = T::kWidth;

public:
    void resize(std::size_t row_count)
    {
        // record 0 has neither gap nor penalty: lanes without a point read it
        records_.resize(2 * row_count + 2);
        compliances_.resize(row_count + 1);
        for (std::size_t k : {0, 1}) records_[k] = {};
        compliances_[0] = 0;
    }

    static int record_of(int row) { return row + 1; }

    /// Records of some rows: `error_fraction` of overlaps counts at first, `correction` in the sweep of positions
    /// alone.
    void load(const std::vector<ContactRow>& rows, Piece range, double error_fraction, double correction)
    {
        for (int r = range.begin; r < range.end; ++r)
        {
            const ContactRow& row = rows[at(r)];
            Scalar* to = records_[2 * at(record_of(r))].value;
            const auto put_vector = [&](int k, const Vec3& from)
            {
                for (int c = 0; c < 3; ++c) to[k + c] = static_cast<Scalar>(from[c]);
            };
            // first record: arms of the contact point, gaps of the two kinds of sweep
            put_vector(0, row.first_arm);
            to[3] = static_cast<Scalar>(regularised_gap(row, error_fraction));
            put_vector(4, row.second_arm);
            to[7] = static_cast<Scalar>(regularised_gap(row, correction));
            // second record: lambda, k (its sign says whether the row is active), slip
            put_vector(8, row.tangent_lambda);
            to[11] = static_cast<Scalar>(row.is_active ? row.penalty : -row.penalty);
            put_vector(12, row.slip);
            to[15] = static_cast<Scalar>(row.normal_lambda);
            compliances_[at(record_of(r))] = static_cast<Scalar>(row.compliance);
        }
    }

    /// The records of one row per lane. In lanes where `second` is zero the first body sees them from the other side.
    void set_point(const int* records, const T& second, PointLanes<T>& point, PointExtras<T>& extras) const
    {
        // which two records each lane reads
        int front[kWidth], back[kWidth];
        for (int lane = 0; lane < kWidth; ++lane)
        {
            front[lane] = 2 * records[lane];
            back[lane] = 2 * records[lane] + 1;
            set_lane(extras.compliance, lane, static_cast<double>(compliances_[at(records[lane])]));
        }
        // eight numbers of each lane's row become eight packs
        T a[8], b[8];
        load_rows<8>(records_.data(), front, a);
        load_rows<8>(records_.data(), back, b);
        // tangential vectors act on the second body: the first one sees them reversed, and the arms exchanged
        const auto is_second = second > T(0.0);
        const T sign = select(is_second, T(1.0), T(-1.0));
        point.arm = {select(is_second, a[4], a[0]), select(is_second, a[5], a[1]), select(is_second, a[6], a[2])};
        point.other_arm = {select(is_second, a[0], a[4]), select(is_second, a[1], a[5]), select(is_second, a[2], a[6])};
        // C_n(x_t) and what remains of the row, whose signs do not depend on the side
        point.gap = a[3];
        extras.correction_gap = a[7];
        point.tangent_lambda = {sign * b[0], sign * b[1], sign * b[2]};
        point.penalty = absolute(b[3]);
        point.active = select(b[3] > T(0.0), T(1.0), T(0.0));
        extras.slip = {sign * b[4], sign * b[5], sign * b[6]};
        point.normal_lambda = b[7];
    }

private:
    std::vector<Row8<Scalar>> records_;
    std::vector<Scalar> compliances_;  ///< [record]
};

}  // namespace rattleback::avbd
