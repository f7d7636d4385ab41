// What the broad phase knows of a model before any pose: what moves together, what never moves, what to leave out.
#pragma once

#include "collide/filter.h"

namespace rattleback
{

/// A body with its shapes that matter: those that collide by their masks or in an explicit pair.
struct Carrier
{
    int body = -1;
    /// Into BroadLayout::shapes: bounded shapes with masks up to `middle`, then planes and shapes of explicit pairs
    /// only.
    int begin = 0, middle = 0, end = 0;
    int proxy = -1;     ///< that stands for all bounded shapes; -1: there are none, or the body never moves
    int compound = -1;  ///< index of its tree, where it has many bounded shapes
};

/// What the search for pairs treats as one box: a moving body, or one shape that never moves.
struct Proxy
{
    int body = -1;
    int shape = -1;                        ///< the only one; -1: see `carrier`
    int carrier = -1;                      ///< among the moving ones; -1: it never moves
    std::uint32_t category = 0, mask = 0;  ///< of all its shapes together
    BodyFilter filter;                     ///< of the body
    bool excluded = false;                 ///< the body is in some exclusion
    bool is_explicit = false;              ///< the only shape is in an explicit pair
    bool is_ground = false;                ///< the only shape is a height field
};

/// Lists in which the order of proxies is that of their lowest shape.
struct BroadLayout
{
    explicit BroadLayout(const Model& model_of_shapes);

    const Model& model;
    std::vector<int> shapes;             ///< by carrier
    std::vector<Carrier> moving, fixed;  ///< in the order of bodies
    std::vector<Proxy> proxies;
    std::vector<int> shape_of_proxy;  ///< Proxy::shape once more: the lists above are long
    std::vector<int> moving_proxies, fixed_proxies;
    std::vector<int> planes;                ///< shapes, increasing
    std::vector<ShapePair> explicit_pairs;  ///< first < second, sorted, each pair once, none that can never touch
    std::vector<char> is_explicit;          ///< [shape]: it is in an explicit pair
    int compound_count = 0;

    std::span<const int> bounded_shapes(const Carrier& carrier) const;
    std::span<const int> other_shapes(const Carrier& carrier) const;
    /// The explicit pair of two shapes, in any order, or null.
    const ShapePair* find_explicit(int first_shape, int second_shape) const;
    /// True if masks and types let two shapes of bodies that may collide meet, and no explicit pair speaks for them.
    bool may_meet(int first_shape, int second_shape) const;
    /// True if some shapes of two proxies may meet, whatever their poses. Reads little beside the two.
    bool may_meet(const Proxy& first, const Proxy& second) const;

private:
    void list_explicit_pairs();
    void list_shapes();
    void list_proxies();
};

}  // namespace rattleback
