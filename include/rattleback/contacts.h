// Contacts: what touches or nearly does, found from the poses alone.
#pragma once

#include <rattleback/api.h>
#include <rattleback/model.h>

namespace rattleback RATTLEBACK_API
{

/// One point at which two shapes touch or come within the margin.
struct Contact
{
    BodyId first_body, second_body;
    ShapeId first_shape, second_shape;
    Vec3 point;           ///< half way between the two surfaces, world [m]
    Mat3 frame;           ///< columns: normal from first to second body, two tangents (MuJoCo's rule); world
    double distance = 0;  ///< between the surfaces [m]; negative: penetration
    double margin = 0;    ///< contacts act below this distance [m]
    int dimension = 3;    ///< 1, 3, 4 or 6, see MaterialOptions
    Vec3 friction;        ///< sliding [-], spinning [m], rolling [m]
    Softness softness;
    double restitution = 0;
    double adhesion = 0;        ///< pull that it bears [N]; with one, contacts act up to margin + gap
    std::uint64_t feature = 0;  ///< which parts of the two shapes touch; the same from step to step while they do

    Vec3 normal() const { return frame.column(0); }
};

/// The contacts of one world, sorted by first shape, second shape and feature, which together are unique.
struct Contacts
{
    std::vector<Contact> items;

    int count() const { return static_cast<int>(items.size()); }
    void clear() { items.clear(); }

    /// Of the contacts of a Simulation or Batch: another number whenever what they hold, or where it lies, has changed.
    /// A view that remembers the number can tell whether it is still good.
    std::uint64_t generation() const { return generation_; }
    /// A new generation: the items are those of the past until somebody replaces them.
    void outdate() { ++generation_; }
    /// Takes over the items of `other`, in the same storage as long as they fit into it.
    void replace(const Contacts& other);

private:
    std::uint64_t generation_ = 0;
};

/// Forces of one step, in the order of its Contacts: on the second body at the contact point [N, N m], world axes.
struct ContactForces
{
    std::vector<Wrench> items;
};

/// Contact parameters of two materials: higher priority wins; otherwise friction, dimension and restitution by
/// maximum, impedances by solmix, springs in series, and of unlike kinds the softer (spring, impedance, rigid);
/// adhesion by sum.
MaterialOptions combine(const MaterialOptions& first, const MaterialOptions& second);

/// The frame whose first column is the unit `normal`, with MuJoCo's tangents: the second column is the y axis (or z
/// where the normal is near y) made orthogonal to the normal.
Mat3 make_contact_frame(const Vec3& normal);
/// The same with another direction for the second column, made orthogonal to the normal; where it is zero or (nearly)
/// along the normal, MuJoCo's tangents.
Mat3 make_contact_frame(const Vec3& normal, const Vec3& tangent);

}  // namespace rattleback
