// Cylinders and ellipsoids, by the errors of their surfaces.
#include "solvers/ipc/tessellated.h"

#include "base/decimal.h"
#include "base/index.h"
#include "solvers/ipc/layout.h"

namespace rattleback::ipc
{

namespace
{

std::string count_others(int count)
{
    if (count == 0) return "";
    return "; " + std::to_string(count) + (count == 1 ? " other shape is" : " other shapes are") +
           " as much or less off";
}

}  // namespace

std::vector<Error> find_tessellated(const Model& model, const Parameters& parameters)
{
    const Settings settings(parameters);
    if (settings.corners % 4 != 0) return {};  // refused by name
    const Shapes& shapes = model.shapes;
    int worst = -1, count = 0;
    double error = 0;
    for (int s = 0; s < model.shape_count(); ++s)
    {
        const ShapeType type = shapes.type[at(s)];
        const bool meets = shapes.category[at(s)] != 0 || shapes.mask[at(s)] != 0;
        if (!meets || (type != ShapeType::cylinder && type != ShapeType::ellipsoid)) continue;
        const double own = build_surface(model, s, settings.corners, settings.inset).error;
        if (own <= 0) continue;
        ++count;
        if (own <= error) continue;
        worst = s;
        error = own;
    }
    if (worst < 0) return {};
    const std::string inset = settings.inset > 0 ? ", less the inset of " + to_shortest(settings.inset) + " m" : "";
    return {{.code = ErrorCode::invalid_value,
             .where = "shape '" + shapes.name[at(worst)] + "'",
             .message = std::string("collides in solver 'ipc' as a mesh around the ") +
                        to_string(shapes.type[at(worst)]) + ", up to " + to_digits(error, 3) + " m beyond it" + inset +
                        count_others(count - 1),
             .hint = "set corners above " + std::to_string(settings.corners) +
                     ": twice as many leave a quarter; spheres, capsules and boxes are exact"}};
}

}  // namespace rattleback::ipc
