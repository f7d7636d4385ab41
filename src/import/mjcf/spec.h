// Spec: a model as a tree of plain elements: defaults applied, replicas and attached models in place.
#pragma once

#include <map>

#include "import/mjcf/reader.h"

namespace rattleback::mjcf
{

/// Values of a keyframe for one element, found by Element::id: they survive attaching and renaming.
struct KeyValues
{
    std::vector<double> q, v, ctrl, act, pos, quat;
};

/// A keyframe: of the model itself (lists that fit the whole), or of an attached one (values per element).
struct Key
{
    Element element;
    std::string name;
    bool attached = false;
    std::map<int, KeyValues> values;  ///< attached only, by id of joint, actuator or mocap body
};

struct Spec
{
    std::string name;
    Element world;  ///< with bodies, frames, joints, geoms, sites, inertials
    std::vector<Element> options, assets, contacts, equalities, tendons, actuators, sensors, custom, visual;
    std::vector<Key> keys;
    int least_keys = 0;  ///< keyframes that `size` asks for; those that nobody describes are at the reference

    /// The lists that refer to the tree or to each other, in an order in which references come before users.
    std::vector<std::vector<Element>*> lists() { return {&contacts, &tendons, &equalities, &actuators, &sensors}; }
};

/// Makes the spec of a root element and of the models that it attaches.
Spec make_spec(Element root, Source& source, Log& log);

/// Coordinates of a joint element: q, v.
int count_q(const Element& joint);
int count_v(const Element& joint);
/// Activations and inputs of an actuator element.
int count_act(const Element& actuator);
int count_ctrl(const Element& actuator);

/// Calls visit(element) for the joints and bodies below a body, in MuJoCo's order of coordinates.
template <class Visit>
void visit_tree(const Element& body, const Visit& visit)
{
    const auto own = [&](const auto& self, const Element& parent) -> void
    {
        for (const Element& child : parent.children)
        {
            if (child.is("joint") || child.is("freejoint")) visit(child);
            if (child.is("frame")) self(self, child);
        }
    };
    const auto bodies = [&](const auto& self, const Element& parent) -> void
    {
        for (const Element& child : parent.children)
        {
            if (child.is("frame")) self(self, child);
            if (!child.is("body")) continue;
            visit(child);
            visit_tree(child, visit);
        }
    };
    own(own, body);
    bodies(bodies, body);
}

}  // namespace rattleback::mjcf
