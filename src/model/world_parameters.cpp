// Names and sizes of world parameters.
#include <rattleback/world_parameters.h>

namespace rattleback
{

const char* to_string(WorldParameter parameter)
{
    constexpr const char* kNames[kWorldParameterCount] = {"gravity", "friction",  "mass",
                                                          "gain",    "stiffness", "damping"};
    return kNames[static_cast<int>(parameter)];
}

int count_items(const Model& model, WorldParameter parameter)
{
    if (parameter == WorldParameter::gravity) return 3;
    if (parameter == WorldParameter::stiffness || parameter == WorldParameter::damping) return 1;
    if (parameter == WorldParameter::mass) return model.body_count();
    return parameter == WorldParameter::friction ? model.shape_count() : 6 * model.actuator_count();
}

}  // namespace rattleback
