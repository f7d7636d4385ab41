// MaterialTable: the surface that two materials make together, looked up instead of computed.
#pragma once

#include <rattleback/contacts.h>

namespace rattleback
{

/// What a contact takes from its materials.
struct ContactSurface
{
    int dimension = 3;
    Vec3 friction;  ///< sliding [-], spinning [m], rolling [m]
    double restitution = 0;
    Softness softness;
    double adhesion = 0;  ///< [N]
};

/// All pairs of few materials; of many, those met lately by each worker.
class MaterialTable
{
public:
    MaterialTable(const Model& model, int worker_count);

    /// combine() of two materials by index. Valid until the worker's next call.
    const ContactSurface& find(int first, int second, int worker);
    /// One material alone.
    const ContactSurface& find(int material) const { return alone_[static_cast<std::size_t>(material)]; }

private:
    struct Slot
    {
        int first = -1, second = -1;
        ContactSurface surface;
    };

    std::vector<MaterialOptions> materials_;  ///< without their names, so that copies do not allocate
    std::vector<ContactSurface> alone_;       ///< [material]
    std::vector<ContactSurface> table_;       ///< [material][material], or empty: too many
    std::vector<std::vector<Slot>> slots_;    ///< [worker][slot]
};

}  // namespace rattleback
