// Collider: pairs from the broad phase, points from one function per pair of types, and their assembly to contacts.
#include "base/thread_pool.h"
#include "collide/broad_phase.h"
#include "collide/manifold.h"
#include "collide/material_table.h"

#include <algorithm>

namespace rattleback
{

namespace
{

constexpr int kPairsPerTask = 128;

std::size_t at(int index) { return static_cast<std::size_t>(index); }

/// A list of contacts that is written anew in place: only growth beyond the last length costs more than the writing.
class ContactWriter
{
public:
    explicit ContactWriter(std::vector<Contact>& items) : items_(items) {}

    Contact& next()
    {
        if (count_ == items_.size()) items_.resize(std::max<std::size_t>(16, 2 * count_));
        return items_[count_++];
    }
    void finish() { items_.resize(count_); }

private:
    std::vector<Contact>& items_;
    std::size_t count_ = 0;
};

std::unique_ptr<ThreadPool> make_pool(int thread_count)
{
    return thread_count == 1 ? nullptr : std::make_unique<ThreadPool>(thread_count);
}

/// True for meshes whose triangles collide: contact functions know only their hulls.
bool lacks_hull(const PlacedShape& shape)
{
    return shape.hull == nullptr && (shape.type == ShapeType::hull || shape.type == ShapeType::mesh);
}

void set_surface(const ContactSurface& surface, Contact& contact)
{
    contact.dimension = surface.dimension;
    contact.friction = surface.friction;
    contact.softness = surface.softness;
    contact.restitution = surface.restitution;
}

}  // namespace

ColliderMemory::ColliderMemory() = default;
ColliderMemory::~ColliderMemory() = default;
ColliderMemory::ColliderMemory(const ColliderMemory& other)
    : kept_(other.kept_ ? std::make_unique<BroadMemory>(*other.kept_) : nullptr)
{
}
ColliderMemory& ColliderMemory::operator=(const ColliderMemory& other)
{
    if (this != &other) *this = ColliderMemory(other);
    return *this;
}
ColliderMemory::ColliderMemory(ColliderMemory&&) noexcept = default;
ColliderMemory& ColliderMemory::operator=(ColliderMemory&&) noexcept = default;
void ColliderMemory::reset()
{
    if (kept_) kept_->fat_boxes.clear();  // too few boxes for any world: all else is made anew, in the same storage
}

struct Collider::Scratch
{
    Scratch(const Model& its_model, const ColliderOptions& its_options);

    std::span<const PairCandidate> find_pairs(const WorldView& world, const Reach& reach, PairOrder order,
                                              ColliderMemory& memory);
    void find_all_contacts(std::span<const PairCandidate> found_pairs, double margin, Contacts& found);
    bool add_contacts(const PairCandidate& pair, double margin, int worker, Manifold& manifold, ContactWriter& writer);

    const Model& model;
    ColliderOptions options;
    std::unique_ptr<ThreadPool> pool;  ///< null: one thread
    BroadPhase broad;
    MaterialTable materials;
    ColliderMemory own_memory;
    Contacts contacts;
    std::vector<std::vector<Contact>> parts;  ///< of several threads, [task]
    std::vector<int> refused;                 ///< the first pair without a contact function, or -1, [task]
};

Collider::Scratch::Scratch(const Model& its_model, const ColliderOptions& its_options)
    : model(its_model),
      options(its_options),
      pool(make_pool(its_options.thread_count)),
      broad(its_model),
      materials(its_model, pool ? pool->worker_count() : 1)
{
}

std::span<const PairCandidate> Collider::Scratch::find_pairs(const WorldView& world, const Reach& reach,
                                                             PairOrder order, ColliderMemory& memory)
{
    const std::size_t bodies = at(model.body_count());
    RB_CHECK(world.body_pose.size() == bodies, "Collider: the world is of another model");
    RB_CHECK(reach.motion == 0 || world.body_velocity.size() == bodies, "Collider: motion needs the velocities");
    RB_CHECK(reach.margin >= 0 && reach.margin < HUGE_VAL && reach.motion >= 0 && reach.motion < HUGE_VAL,
             "Collider: margin and motion must be finite and not negative");
    if (!memory.kept_) memory.kept_ = std::make_unique<BroadMemory>();
    return broad.find_pairs(world, reach, order, *memory.kept_, pool.get());
}

/// False when no function knows these two types. `manifold` is scratch.
bool Collider::Scratch::add_contacts(const PairCandidate& pair, double margin, int worker, Manifold& manifold,
                                     ContactWriter& writer)
{
    const Shapes& shapes = model.shapes;
    const std::size_t first = at(pair.first), second = at(pair.second);
    const std::vector<PlacedShape>& placed = broad.placement().shapes;
    const ManifoldFunction find_points = find_manifold_function(placed[first].type, placed[second].type);
    if (find_points == nullptr || lacks_hull(placed[first]) || lacks_hull(placed[second])) return false;

    const ShapePair* own = broad.layout().find_explicit(pair.first, pair.second);
    const double pair_margin = own != nullptr ? own->margin : shapes.margin[first] + shapes.margin[second];
    const double gap = own != nullptr ? own->gap : shapes.gap[first] + shapes.gap[second];
    manifold.count = 0;
    find_points(placed[first], placed[second], pair_margin + gap + margin, manifold);
    if (manifold.count == 0) return true;
    if (manifold.count > options.max_points) reduce_manifold(manifold, options.max_points);

    const ContactSurface& surface = own != nullptr && own->material >= 0
                                        ? materials.find(own->material)
                                        : materials.find(shapes.material[first], shapes.material[second], worker);
    Mat3 frame;
    for (int i = 0; i < manifold.count; ++i)
    {
        const ManifoldPoint& point = manifold.points[at(i)];
        const ManifoldPoint& last = manifold.points[at(std::max(i - 1, 0))];
        RB_ASSERT(i == 0 || last.feature < point.feature);
        const bool same_frame = i > 0 && point.normal == last.normal && point.tangent == last.tangent;
        if (!same_frame) frame = make_contact_frame(point.normal, point.tangent);
        Contact& contact = writer.next();
        contact.first_body = shapes.body[first];
        contact.second_body = shapes.body[second];
        contact.first_shape = pair.first;
        contact.second_shape = pair.second;
        contact.point = point.point;
        contact.frame = frame;
        contact.distance = point.distance;
        contact.margin = pair_margin;
        contact.feature = point.feature;
        set_surface(surface, contact);
    }
    return true;
}

/// Contacts follow the order of the pairs, and within a pair that of the features.
void Collider::Scratch::find_all_contacts(std::span<const PairCandidate> found_pairs, double margin, Contacts& found)
{
    const auto find_some = [&](std::size_t begin, std::size_t end, int worker, std::vector<Contact>& items)
    {
        int without_function = -1;
        Manifold manifold;
        ContactWriter writer(items);
        for (std::size_t i = begin; i < end; ++i)
        {
            if (!add_contacts(found_pairs[i], margin, worker, manifold, writer)) without_function = static_cast<int>(i);
        }
        writer.finish();
        return without_function;
    };
    const std::size_t count = found_pairs.size();
    const int tasks = static_cast<int>((count + kPairsPerTask - 1) / kPairsPerTask);
    if (!pool || tasks <= 1)
    {
        refused.assign(1, find_some(0, count, 0, found.items));
    }
    else
    {
        refused.assign(at(tasks), -1);
        if (parts.size() < at(tasks)) parts.resize(at(tasks));
        pool->run(tasks,
                  [&](int task, int worker)
                  {
                      const std::size_t begin = at(task) * kPairsPerTask;
                      refused[at(task)] =
                          find_some(begin, std::min(count, begin + kPairsPerTask), worker, parts[at(task)]);
                  });
        std::size_t total = 0;
        for (int task = 0; task < tasks; ++task) total += parts[at(task)].size();
        found.items.resize(total);
        auto to = found.items.begin();
        for (int task = 0; task < tasks; ++task) to = std::copy(parts[at(task)].begin(), parts[at(task)].end(), to);
    }
    for (const int pair : refused)
    {
        if (pair < 0) continue;
        const auto name = [&](int shape) { return std::string(to_string(model.shapes.type[at(shape)])); };
        RB_CHECK(pair < 0, "no contact between " + name(found_pairs[at(pair)].first) + " and " +
                               name(found_pairs[at(pair)].second) + ": the solver must refuse such a model");
    }
}

Collider::Collider(const Model& model, const ColliderOptions& options)
{
    RB_CHECK(options.thread_count >= 0, "Collider: a negative number of threads");
    RB_CHECK(options.max_points >= 4 && options.max_points <= kMaxManifold, "Collider: max_points is 4 to 8");
    scratch_ = std::make_unique<Scratch>(model, options);
}
Collider::~Collider() = default;
Collider::Collider(Collider&&) noexcept = default;

const Contacts& Collider::find_contacts(const WorldView& world, double margin, ColliderMemory& memory)
{
    find_contacts(world, margin, memory, scratch_->contacts);
    return scratch_->contacts;
}

void Collider::find_contacts(const WorldView& world, double margin, ColliderMemory& memory, Contacts& contacts)
{
    const Reach reach{.margin = margin, .own = true};
    scratch_->find_all_contacts(scratch_->find_pairs(world, reach, PairOrder::by_type, memory), margin, contacts);
}

std::span<const PairCandidate> Collider::find_pairs(const WorldView& world, double margin, double motion,
                                                    ColliderMemory* memory)
{
    const Reach reach{.margin = margin, .motion = motion};
    return scratch_->find_pairs(world, reach, PairOrder::by_index, memory ? *memory : scratch_->own_memory);
}

}  // namespace rattleback
