// The families of scenes for `ipc` in one list.
#include "lab/scenes/ipc/ipc_scenes.h"

#include "lab/scenes/ipc/families.h"
#include "lab/scenes/ipc/unit_scenes.h"

namespace rattleback::lab
{

std::span<const IpcScene> all_ipc_scenes()
{
    static const std::vector<IpcScene> kAll = []
    {
        std::vector<IpcScene> all;
        for (const auto& family :
             {unit_scenes(), erleben_scenes(), linked_scenes(), friction_scenes(), machine_scenes(), linkage_scenes(),
              bicycle_scenes(), lock_box_scenes(), cube_scenes(), arm_scenes()})
            all.insert(all.end(), family.begin(), family.end());
        return all;
    }();
    return kAll;
}

}  // namespace rattleback::lab
