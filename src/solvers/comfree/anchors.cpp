// Anchors: how far apart the points are that stuck, and where new ones of their pair begin.
#include "solvers/comfree/anchors.h"

#include "base/index.h"
#include "solvers/shared/joined_slide.h"

namespace rattleback::comfree
{

namespace
{

Vec3 anchor_place(const Workspace<double>& w, int body, const Vec3& point)
{
    return w.position[body] + rotate(w.rotation[body], point);
}

}  // namespace

Vec3 Anchors::find_slide(const Workspace<double>& w, const Contact& contact, const Anchor& anchor)
{
    Vec3 slide = anchor.slide;
    if (anchor.follows != 0)
    {
        slide = anchor_place(w, contact.second_body.index, anchor.second_point) -
                anchor_place(w, contact.first_body.index, anchor.first_point);
    }
    const Vec3 normal = contact.normal();
    return slide - dot(slide, normal) * normal;
}

std::optional<Vec3> Anchors::join(const Workspace<double>& w, const Contact& contact) const
{
    const std::pair wanted(contact.first_shape.index, contact.second_shape.index);
    const auto visit = [&](auto&& use)
    {
        for (auto a = find_first_of_pair(anchors_, wanted); a != anchors_.end(); ++a)
        {
            if (std::pair(a->first_shape, a->second_shape) != wanted) return;
            if (a->follows == 0) continue;
            use(anchor_place(w, contact.second_body.index, a->second_point), find_slide(w, contact, *a));
        }
    };
    return join_slides(contact.normal(), contact.point, visit);
}

std::array<double, 2> Anchors::find_displacement(const Workspace<double>& w, const Contact& contact)
{
    // Anchors and contacts are sorted alike: one walk.
    while (next_ < anchors_.size() && key(anchors_[next_]) < key(contact)) ++next_;
    const bool known = next_ < anchors_.size() && key(anchors_[next_]) == key(contact);
    known_ = known ? &anchors_[next_] : nullptr;
    Vec3 slide;
    if (known && anchors_[next_].follows != 0)
        slide = find_slide(w, contact, anchors_[next_]);
    else if (const std::optional<Vec3> joined = join(w, contact))
        slide = *joined;
    else if (known)
        slide = find_slide(w, contact, anchors_[next_]);
    return {dot(slide, contact.frame.column(1)), dot(slide, contact.frame.column(2))};
}

}  // namespace rattleback::comfree
