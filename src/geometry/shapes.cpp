// The names of the kinds of shapes.
#include <rattleback/shapes.h>

namespace rattleback
{

const char* to_string(ShapeType type)
{
    // the words of files, errors and bindings
    switch (type)
    {
        case ShapeType::plane:
            return "plane";
        case ShapeType::sphere:
            return "sphere";
        case ShapeType::capsule:
            return "capsule";
        case ShapeType::box:
            return "box";
        case ShapeType::cylinder:
            return "cylinder";
        case ShapeType::ellipsoid:
            return "ellipsoid";
        case ShapeType::hull:
            return "hull";
        case ShapeType::mesh:
            return "mesh";
        case ShapeType::height_field:
            return "height_field";
        case ShapeType::points:
            return "points";
        case ShapeType::segments:
            return "segments";
        case ShapeType::surface:
            return "surface";
    }
    return "unknown";
}

}  // namespace rattleback
