// Contacts in lanes for the scalars in use.
#include "collide/lane_contacts_code.h"

namespace rattleback
{

template class LaneContacts<double>;
template class LaneContacts<Pack4>;
template class LaneContacts<Pack8>;

}  // namespace rattleback
