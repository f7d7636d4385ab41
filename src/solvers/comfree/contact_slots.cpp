// Slots of contacts for the scalars in use.
#include "solvers/comfree/contact_slots_code.h"

namespace rattleback::comfree
{

template class ContactSlots<double>;
template class ContactSlots<Pack4>;
template class ContactSlots<Pack8>;

}  // namespace rattleback::comfree
