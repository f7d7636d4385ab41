// Turns of all hinges: sines and cosines of one world are found four at a time.
#pragma once

#include "dynamics/joint_frame.h"

namespace rattleback
{

#if !defined(__CUDACC__)
/// hinge_turn() of the hinges of one world, in the order in which the tree lists them.
class HingeTurns
{
public:
    HingeTurns(const TreeView& tree, const double* q) : tree_(tree), q_(q) {}

    /// Of the next hinge.
    const Quat& take()
    {
        if (next_ % kWidth == 0) turn();
        return turns_[next_++ % kWidth];
    }

private:
    static constexpr std::size_t kWidth = kLaneCount<Pack4>;

    const TreeJoint& joint(std::size_t k) const
    {
        return tree_.joints[static_cast<std::size_t>(tree_.hinges[next_ + k])];
    }

    /// The next four: they are the lanes of a pack, with the bits that each would have alone.
    void turn()
    {
        const std::size_t left = tree_.hinges.size() - next_, count = left < kWidth ? left : kWidth;
        Pack4 angle, sine, cosine;
        for (std::size_t k = 0; k < count; ++k) angle.lanes[k] = q_[joint(k).q] - joint(k).q0;
        sincos(Pack4(0.5) * angle, sine, cosine);
        for (std::size_t k = 0; k < count; ++k)
        {
            const Vec3& axis = joint(k).axis;
            const double s = sine.lanes[k];
            turns_[k] = {cosine.lanes[k], s * axis.x, s * axis.y, s * axis.z};
        }
    }

    const TreeView& tree_;
    const double* q_;
    std::size_t next_ = 0;
    Quat turns_[kWidth];
};
#endif

/// turned[j] = hinge_turn() of every hinge j of the tree.
template <class T>
RB_HD void turn_hinges(const TreeView& tree, const T* q, Quaternion<T>* turned)
{
    const TreeJoint* joints = tree.joints.data();
    for (const int j : tree.hinges) turned[j] = hinge_turn(joints[j], q[joints[j].q]);
}

#if !defined(__CUDACC__)
template <>
inline void turn_hinges<double>(const TreeView& tree, const double* q, Quat* turned)
{
    HingeTurns turns(tree, q);
    for (const int j : tree.hinges) turned[j] = turns.take();
}
#endif

}  // namespace rattleback
