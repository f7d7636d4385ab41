// ContactSum: what add_contact() adds for many points, with the products that points share made once.
#pragma once

#include "solvers/avbd/contact_row.h"

namespace rattleback::avbd
{

/// The blocks of add_contact(), added up in another order. Points of a manifold have one normal n:
/// sum of (k_n - k_t) n nᵀ = (sum of k_n - k_t) n nᵀ, and so with r x n; the isotropic part needs the sums of k_t,
/// k_t r and k_t r rᵀ.
template <class T>
class ContactSum
{
public:
    [[gnu::always_inline]] void add(const HalfContact<T>& half, const ContactForce<T>& contact)
    {
        // f += Jᵀ lambda+ ([AVBD] Eq. 13)
        const Vector3<T>& n = half.normal;
        const Vector3<T>& r = half.arm;
        const Vector3<T> f = contact.normal * n + contact.tangent;
        force_ += f;
        torque_ += cross(r, f);

        // H += Jᵀ k J ([AVBD] Eq. 17): what is linear in n waits for close(), what is linear in r for finish()
        const T shear = contact.tangent_stiffness, extra = contact.normal_stiffness - contact.tangent_stiffness;
        const Vector3<T> rn = cross(r, n), ern = extra * rn, sr = shear * r;
        extra_ += extra;
        extra_rn_ += ern;
        shear_ += shear;
        arm_ += sr;
        // (k_n - k_t) (r x n) (r x n)ᵀ + k_t (|r|^2 I - r rᵀ)
        const T xx = sr.x * r.x, yy = sr.y * r.y, zz = sr.z * r.z;
        angular_.m[0] += ern.x * rn.x + (yy + zz);
        angular_.m[1] += ern.y * rn.x - sr.y * r.x;
        angular_.m[2] += ern.y * rn.y + (xx + zz);
        angular_.m[3] += ern.z * rn.x - sr.z * r.x;
        angular_.m[4] += ern.z * rn.y - sr.z * r.y;
        angular_.m[5] += ern.z * rn.z + (xx + yy);
    }

    /// After the last point of a manifold with normal `n`.
    [[gnu::always_inline]] void close(const Vector3<T>& n, BodySystem<T>& system)
    {
        // linear += (k_n - k_t) n nᵀ, coupling += (k_n - k_t) (r x n) nᵀ
        add_outer(system.linear, extra_, n);
        T* c = system.coupling.m;
        c[0] += extra_rn_.x * n.x;
        c[1] += extra_rn_.x * n.y;
        c[2] += extra_rn_.x * n.z;
        c[3] += extra_rn_.y * n.x;
        c[4] += extra_rn_.y * n.y;
        c[5] += extra_rn_.y * n.z;
        c[6] += extra_rn_.z * n.x;
        c[7] += extra_rn_.z * n.y;
        c[8] += extra_rn_.z * n.z;
        extra_ = T(0.0);
        extra_rn_ = {};
    }

    /// After the last manifold of the body.
    void finish(BodySystem<T>& system) const
    {
        system.force += force_;
        system.torque += torque_;
        // linear += k_t I, coupling += k_t [r]
        add_diagonal(system.linear, shear_);
        system.angular += angular_;
        T* c = system.coupling.m;
        c[1] -= arm_.z;
        c[2] += arm_.y;
        c[3] += arm_.z;
        c[5] -= arm_.x;
        c[6] -= arm_.y;
        c[7] += arm_.x;
    }

private:
    Vector3<T> force_, torque_;
    T shear_{};       ///< k_t
    Vector3<T> arm_;  ///< k_t r
    Symmetric3<T> angular_;
    T extra_{};            ///< of the manifold: k_n - k_t
    Vector3<T> extra_rn_;  ///< of the manifold: (k_n - k_t) r x n
};

}  // namespace rattleback::avbd
