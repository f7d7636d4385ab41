// ContactSum: what add_contact() adds for many points, with the products that points share made once.
#pragma once

#include "solvers/avbd/contact_row.h"

namespace rattleback::avbd
{

/// The blocks of add_contact(), added up in another order. Points of a manifold have one normal n:
/// sum of k_e n nᵀ = (sum k_e) n nᵀ, and so with r x n; the isotropic part needs the sums of k_s, k_s r and k_s r rᵀ.
template <class T>
class ContactSum
{
public:
    [[gnu::always_inline]] void add(const HalfContact<T>& half, const ContactForce<T>& contact)
    {
        const Vector3<T>& n = half.normal;
        const Vector3<T>& r = half.arm;
        const Vector3<T> f = contact.normal * n + contact.tangent;
        force_ += f;
        torque_ += cross(r, f);

        const T shear = contact.shear, extra = contact.stiffness - contact.shear;
        const Vector3<T> rn = cross(r, n), ern = extra * rn, sr = shear * r;
        extra_ += extra;
        turned_ += ern;
        shear_ += shear;
        arm_ += sr;
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
        add_outer(system.linear, extra_, n);
        T* c = system.coupling.m;
        c[0] += turned_.x * n.x;
        c[1] += turned_.x * n.y;
        c[2] += turned_.x * n.z;
        c[3] += turned_.y * n.x;
        c[4] += turned_.y * n.y;
        c[5] += turned_.y * n.z;
        c[6] += turned_.z * n.x;
        c[7] += turned_.z * n.y;
        c[8] += turned_.z * n.z;
        extra_ = T(0.0);
        turned_ = {};
    }

    /// After the last manifold of the body.
    void finish(BodySystem<T>& system) const
    {
        system.force += force_;
        system.torque += torque_;
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
    T shear_{};
    Vector3<T> arm_;  ///< times shear
    Symmetric3<T> angular_;
    T extra_{};          ///< of the manifold: normal stiffness less shear
    Vector3<T> turned_;  ///< of the manifold: extra times r x n
};

}  // namespace rattleback::avbd
