// Collider: pairs from the broad phase, points from one function per pair of types, and their assembly to contacts.
#include "base/index.h"
#include "base/thread_pool.h"
#include "collide/broad_phase.h"
#include "collide/manifold.h"
#include "collide/material_table.h"
#include "collide/pair_contacts.h"
#include "collide/recycle.h"
#include "collide/surface/touch_surface.h"

#include <algorithm>
#include <iterator>

namespace rattleback
{

namespace
{

constexpr std::size_t kPairsPerWorker = 128;  // at least

/// A list of contacts that is written anew in place: only growth beyond the last length costs more than the writing.
class ContactWriter
{
public:
    explicit ContactWriter(std::vector<Contact>& items) : items_(items) {}

    Contact& next()
    {
        // items of the last call are overwritten: neither constructed nor destroyed
        if (count_ == items_.size()) grow();
        return items_[count_++];
    }
    /// What lies beyond is of an earlier time.
    std::size_t count() const { return count_; }

private:
    /// Into what is reserved as long as there is some, by an eighth: new items are written twice.
    void grow()
    {
        // capacity doubles, length follows in small pieces: what is never used is never touched
        if (count_ == items_.capacity()) items_.reserve(std::max<std::size_t>(16, 2 * count_));
        items_.resize(std::min(items_.capacity(), count_ + count_ / 8 + 16));
    }

    std::vector<Contact>& items_;
    std::size_t count_ = 0;
};

std::unique_ptr<ThreadPool> make_pool(int thread_count)
{
    // one thread needs no pool, and its calls no locks
    return thread_count == 1 ? nullptr : std::make_unique<ThreadPool>(thread_count);
}

/// True for meshes of a hand-made model that has no hull for them.
bool lacks_hull(const PlacedShape& shape)
{
    return shape.hull == nullptr && (shape.type == ShapeType::hull || shape.type == ShapeType::mesh);
}

void set_surface(const ContactSurface& surface, Contact& contact)
{
    // what two materials together make of a contact, copied once per point
    contact.dimension = surface.dimension;
    contact.friction = surface.friction;
    contact.softness = surface.softness;
    contact.restitution = surface.restitution;
    contact.adhesion = surface.adhesion;
}

/// What one task recycles: old manifolds from where it is on, and where the new ones go.
class Recycling
{
public:
    Recycling() = default;
    Recycling(const KeptManifolds& kept, const PairCandidate& from, KeptManifolds& next)
        : kept_(&kept),
          // both lists are sorted by pairs: the task starts where its first pair would stand
          old_(std::lower_bound(kept.manifolds.begin(), kept.manifolds.end(), from, is_before)),
          next_(&next)
    {
    }

    bool on() const { return kept_ != nullptr; }
    const std::vector<KeptPoint>& points() const { return kept_->points; }
    KeptManifolds& next() { return *next_; }
    /// The old manifold of a pair or null; pairs come in their order.
    const KeptManifold* find(const PairCandidate& pair)
    {
        // pairs come in order: the old list is walked along, never searched
        while (old_ != kept_->manifolds.end() && is_before(*old_, pair)) ++old_;
        return old_ != kept_->manifolds.end() && old_->first == pair.first && old_->second == pair.second ? &*old_
                                                                                                          : nullptr;
    }

private:
    static bool is_before(const KeptManifold& a, const PairCandidate& b)
    {
        return PairCandidate{a.first, a.second} < b;
    }

    const KeptManifolds* kept_ = nullptr;
    std::vector<KeptManifold>::const_iterator old_;
    KeptManifolds* next_ = nullptr;
};

void append(const KeptManifolds& from, KeptManifolds& to)
{
    // points are numbered from the front of their own list
    const auto shift = static_cast<int>(to.points.size());
    const std::size_t first = to.manifolds.size();
    to.manifolds.insert(to.manifolds.end(), from.manifolds.begin(), from.manifolds.end());
    for (std::size_t m = first; m < to.manifolds.size(); ++m) to.manifolds[m].begin += shift;
    to.points.insert(to.points.end(), from.points.begin(), from.points.end());
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
    // the storage stays: a reset in a loop allocates nothing
    if (kept_) kept_->fat_boxes.clear();  // too few boxes for any world: all else is made anew, in the same storage
}

/// The points of one pair, on their way to contacts.
struct PairScratch
{
    Manifold manifold;
    SurfaceScratch surface;
};

struct Collider::Scratch
{
    Scratch(const Model& its_model, const ColliderOptions& its_options);

    std::span<const PairCandidate> find_pairs(const ConstWorldView& world, const Reach& reach, PairOrder order,
                                              ColliderMemory& memory);
    void find_all_contacts(std::span<const PairCandidate> found_pairs, double margin, const KeptManifolds* kept,
                           KeptManifolds* next, Contacts& found);
    bool find_points(const PairCandidate& pair, double reach, Recycling& recycling, Manifold& manifold) const;
    bool add_contacts(const PairCandidate& pair, double margin, int worker, Recycling& recycling, PairScratch& found,
                      ContactWriter& writer);
    void join_pieces(std::size_t workers, KeptManifolds* next, Contacts& found);

    /// What one worker finds; the first one's contacts and manifolds are where the caller wants them.
    struct Piece
    {
        std::vector<Contact> contacts;
        std::size_t count = 0;  ///< of them that are of this call
        KeptManifolds kept;
        PairScratch pair;
        int refused = -1;  ///< the first pair without a contact function, or -1
    };

    const Model& model;
    ColliderOptions options;
    std::unique_ptr<ThreadPool> pool;  ///< null: one thread
    BroadPhase broad;
    MaterialTable materials;
    ColliderMemory own_memory;
    Contacts contacts;
    ContactFilter filter;
    std::vector<PairCandidate> allowed;  ///< pairs that the filter lets through; unused without one
    std::vector<PairCandidate> named;    ///< the same of find_pair_contacts()
    std::vector<Piece> pieces;           ///< [worker]
};

Collider::Scratch::Scratch(const Model& its_model, const ColliderOptions& its_options)
    : model(its_model),
      options(its_options),
      pool(make_pool(its_options.thread_count)),
      broad(its_model),
      materials(its_model, pool ? pool->worker_count() : 1)
{
}

std::span<const PairCandidate> Collider::Scratch::find_pairs(const ConstWorldView& world, const Reach& reach,
                                                             PairOrder order, ColliderMemory& memory)
{
    const std::size_t bodies = at(model.body_count());
    RB_CHECK(world.body_pose.size() == bodies, "Collider: the world is of another model");
    RB_CHECK(reach.motion == 0 || world.body_velocity.size() == bodies, "Collider: motion needs the velocities");
    RB_CHECK(reach.margin >= 0 && reach.margin < HUGE_VAL && reach.motion >= 0 && reach.motion < HUGE_VAL,
             "Collider: margin and motion must be finite and not negative");
    // made at its first use
    if (!memory.kept_) memory.kept_ = std::make_unique<BroadMemory>();
    const std::span<const PairCandidate> found = broad.find_pairs(world, reach, order, *memory.kept_, pool.get());
    if (!filter) return found;
    // One after the other, on the caller's thread: who is asked need not know how many threads there are.
    allowed.clear();
    std::copy_if(found.begin(), found.end(), std::back_inserter(allowed),
                 [&](const PairCandidate& pair) { return filter(pair.first, pair.second); });
    return allowed;
}

/// The points of a pair nearer than `reach`, old or new; false when no function knows these two types.
bool Collider::Scratch::find_points(const PairCandidate& pair, double reach, Recycling& recycling,
                                    Manifold& manifold) const
{
    const PlacedShape& first = broad.placement().shapes[at(pair.first)];
    const PlacedShape& second = broad.placement().shapes[at(pair.second)];
    // one function per pair of types; none means that the solver should have refused the model
    const ManifoldFunction function = find_manifold_function(first.type, second.type);
    if (function == nullptr || lacks_hull(first) || lacks_hull(second)) return false;
    manifold.count = 0;
    // flat shapes alone: lagging points would brake rolling (recycle.h)
    const bool recycles = recycling.on() && may_recycle(first.type, second.type);
    const double second_radius = model.shapes.bounding_radius[at(pair.second)];
    const double limit =
        recycles ? find_recycling_limit(model.shapes.bounding_radius[at(pair.first)], second_radius) : 0;
    // an old manifold is replayed while its shapes have moved by less than the limit
    const KeptManifold* old = recycles ? recycling.find(pair) : nullptr;
    if (old != nullptr && replay(*old, recycling.points(), first, second, second_radius, reach, manifold))
    {
        // it lives on as it was: its limit counts from when it was found
        keep_again(*old, recycling.points(), recycling.next());
        return true;
    }
    // wider by what they may move until they are looked at again: no point within reach is missed
    const double wide = reach + 2 * limit;  // so that nothing is missed until they have moved, or reach has grown
    function(first, second, wide, manifold);
    // a face against a face may have eight corners; a few of them hold as well
    if (manifold.count > options.max_points) reduce_manifold(manifold, options.max_points);
    if (recycles && manifold.count > 0) keep_manifold(pair, first, second, wide, limit, manifold, recycling.next());
    return true;
}

/// False when no function knows these two types.
bool Collider::Scratch::add_contacts(const PairCandidate& pair, double margin, int worker, Recycling& recycling,
                                     PairScratch& found, ContactWriter& writer)
{
    const Shapes& shapes = model.shapes;
    const std::size_t first = at(pair.first), second = at(pair.second);
    // an explicit pair has margin, gap and material of its own (MuJoCo's contact pairs)
    const ShapePair* own = broad.layout().find_explicit(pair.first.index, pair.second.index);
    const double pair_margin = own != nullptr ? own->margin : shapes.margin[first] + shapes.margin[second];
    const double gap = own != nullptr ? own->gap : shapes.gap[first] + shapes.gap[second];
    // Negative margins leave out what does not lie deep enough, below.
    const double farthest = pair_margin + gap + margin, reach = std::max(0.0, farthest);
    std::span<const ManifoldPoint> points;
    const PlacedShape& first_shape = broad.placement().shapes[first];
    const PlacedShape& second_shape = broad.placement().shapes[second];
    // triangles have a path of their own: any number of points, chosen afterwards
    if (is_surface(first_shape) || is_surface(second_shape))
    {
        const auto is_usable = [](const PlacedShape& shape) { return is_surface(shape) || !lacks_hull(shape); };
        if (!can_touch_surface(first_shape, second_shape) || !is_usable(first_shape) || !is_usable(second_shape))
            return false;
        touch_surface(first_shape, second_shape, reach, options.max_points, found.surface);
        points = found.surface.points;
    }
    else
    {
        if (!find_points(pair, reach, recycling, found.manifold)) return false;
        points = std::span(found.manifold.points).first(at(found.manifold.count));
    }
    if (points.empty()) return true;

    // materials combine the same way for all pairs of them: a table
    const ContactSurface& surface = own != nullptr && own->material >= 0
                                        ? materials.find(own->material)
                                        : materials.find(shapes.material[first], shapes.material[second], worker);
    Mat3 frame;
    bool framed = false;  // `frame` is that of the point before
    for (std::size_t i = 0; i < points.size(); ++i)
    {
        // features increase within a pair: warm starts find their point by comparing numbers
        const ManifoldPoint& point = points[i];
        // compared with its neighbour only: points of one normal follow each other
        const ManifoldPoint& last = points[i == 0 ? 0 : i - 1];
        RB_ASSERT(i == 0 || last.feature < point.feature);
        if (farthest < 0 && !(point.distance < farthest)) continue;
        const bool same_frame = framed && point.normal == last.normal && point.tangent == last.tangent;
        if (!same_frame) frame = make_contact_frame(point.normal, point.tangent);
        framed = true;
        Contact& contact = writer.next();
        // the pair in the order of its shapes; normals point from the first to the second
        contact.first_body = BodyId{shapes.body[first]};
        contact.second_body = BodyId{shapes.body[second]};
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

/// Contacts follow the order of the pairs, and within a pair that of the features. Manifolds are recycled where `kept`
/// and `next` are given. The first worker writes where the answer is wanted, the others beside it.
void Collider::Scratch::find_all_contacts(std::span<const PairCandidate> found_pairs, double margin,
                                          const KeptManifolds* kept, KeptManifolds* next, Contacts& found)
{
    const std::size_t count = found_pairs.size();
    // tasks of at least so many pairs: less is not worth a thread
    const std::size_t workers =
        pool ? std::clamp(count / kPairsPerWorker, std::size_t{1}, at(pool->worker_count())) : 1;
    if (pieces.size() < workers) pieces.resize(workers);
    const auto find_some = [&](int index, int worker)
    {
        Piece& piece = pieces[at(index)];
        // ranges of the sorted pairs: put one behind the other they are sorted again
        const std::size_t begin = count * at(index) / workers, end = count * at(index + 1) / workers;
        KeptManifolds* kept_here = index == 0 ? next : &piece.kept;
        // the first task writes where the answer is wanted, so that one thread copies nothing
        if (kept_here != nullptr) kept_here->clear();
        Recycling recycling;
        if (kept != nullptr && begin < end) recycling = Recycling(*kept, found_pairs[begin], *kept_here);
        ContactWriter writer(index == 0 ? found.items : piece.contacts);
        piece.refused = -1;
        for (std::size_t i = begin; i < end; ++i)
        {
            // all pairs are looked at, the first failure is remembered: which one it is does not depend on threads
            if (!add_contacts(found_pairs[i], margin, worker, recycling, piece.pair, writer) && piece.refused < 0)
                piece.refused = static_cast<int>(i);
        }
        piece.count = writer.count();
    };
    if (workers > 1)
        // each task has a list of its own: nothing is shared while they run
        pool->run(static_cast<int>(workers), find_some);
    else
        find_some(0, 0);
    join_pieces(workers, next, found);
    // an error of the program, not of the scene: the features of solvers were to refuse it
    for (std::size_t w = 0; w < workers; ++w)
    {
        if (pieces[w].refused < 0) continue;
        const PairCandidate& pair = found_pairs[at(pieces[w].refused)];
        const auto name = [&](ShapeId shape) { return std::string(to_string(model.shapes.type[at(shape)])); };
        RB_CHECK(false, "no contact between " + name(pair.first) + " and " + name(pair.second) +
                            ": the solver must refuse such a model");
    }
}

/// What the other workers found, behind what the first one did.
void Collider::Scratch::join_pieces(std::size_t workers, KeptManifolds* next, Contacts& found)
{
    std::size_t contact_count = pieces[0].count;
    // sizes are known: one growth
    for (std::size_t w = 1; w < workers; ++w) contact_count += pieces[w].count;
    found.items.resize(contact_count);
    // behind what is there already, in the order of the pairs
    std::size_t start = pieces[0].count;
    for (std::size_t w = 1; w < workers; ++w)
    {
        const Piece& piece = pieces[w];
        // manifolds and their points are about as large as a fifth of the contacts: the first of six tasks
        const auto copy = [&](int task, int /*worker*/)
        {
            if (task == 0)
            {
                if (next != nullptr) append(piece.kept, *next);
                return;
            }
            const std::size_t begin = piece.count * at(task - 1) / 5, end = piece.count * at(task) / 5;
            std::copy_n(piece.contacts.data() + begin, end - begin, found.items.data() + start + begin);
        };
        pool->run(6, copy);
        start += piece.count;
    }
}

Collider::Collider(const Model& model, const ColliderOptions& options)
{
    // misuse of the class, not data of a user
    RB_CHECK(options.thread_count >= 0, "Collider: a negative number of threads");
    RB_CHECK(options.max_points >= 4 && options.max_points <= kMaxManifold, "Collider: max_points is 4 to 8");
    // all that depends on the model alone: filters, boxes of shapes, combined materials
    scratch_ = std::make_unique<Scratch>(model, options);
}
Collider::~Collider() = default;
Collider::Collider(Collider&&) noexcept = default;

const Contacts& Collider::find_contacts(const ConstWorldView& world, double margin, ColliderMemory& memory)
{
    find_contacts(world, margin, memory, scratch_->contacts);
    return scratch_->contacts;
}

void Collider::find_contacts(const ConstWorldView& world, double margin, ColliderMemory& memory, Contacts& contacts,
                             double motion)
{
    // each shape's own margins count too
    const Reach reach{.margin = margin, .motion = motion, .own = true};
    scratch_->find_all_contacts(scratch_->find_pairs(world, reach, PairOrder::by_type, memory), margin, nullptr,
                                nullptr, contacts);
}

/// The way of recycle_contacts() and find_pair_contacts() into a Collider.
class ContactRecycler
{
public:
    static Collider::Scratch& scratch(Collider& collider) { return *collider.scratch_; }
};

void recycle_contacts(Collider& collider, const ConstWorldView& world, double margin, ColliderMemory& memory,
                      const KeptManifolds& kept, KeptManifolds& next, Contacts& contacts, double motion)
{
    // old manifolds are read while new ones are written
    RB_CHECK(&kept != &next, "Collider: old and new manifolds need storage of their own");
    const Reach reach{.margin = margin, .motion = motion, .own = true};
    // a solver's private way: recycling is no part of the public interface
    auto& scratch = ContactRecycler::scratch(collider);
    scratch.find_all_contacts(scratch.find_pairs(world, reach, PairOrder::by_type, memory), margin, &kept, &next,
                              contacts);
}

void find_pair_contacts(Collider& collider, std::span<const PairCandidate> pairs, double margin, Contacts& contacts)
{
    auto& scratch = ContactRecycler::scratch(collider);
    if (!scratch.filter) return scratch.find_all_contacts(pairs, margin, nullptr, nullptr, contacts);
    // Of pairs that the broad phase came upon the filter has spoken; the others' boxes have parted.
    const auto holds = [](std::span<const PairCandidate> list, const PairCandidate& pair)
    { return std::binary_search(list.begin(), list.end(), pair); };
    scratch.named.clear();
    std::copy_if(pairs.begin(), pairs.end(), std::back_inserter(scratch.named),
                 [&](const PairCandidate& pair)
                 {
                     if (holds(scratch.allowed, pair)) return true;
                     return !holds(scratch.broad.pairs(), pair) && scratch.filter(pair.first, pair.second);
                 });
    scratch.find_all_contacts(scratch.named, margin, nullptr, nullptr, contacts);
}

std::span<const PairCandidate> Collider::pairs() const
{
    // pairs of the last call, as the filter left them
    return scratch_->filter ? std::span<const PairCandidate>(scratch_->allowed) : scratch_->broad.pairs();
}

void Collider::set_filter(const ContactFilter& filter) { scratch_->filter = filter; }

std::span<const PairCandidate> Collider::find_pairs(const ConstWorldView& world, double margin, double motion,
                                                    ColliderMemory* memory)
{
    // without margins of shapes: boxes as they are
    const Reach reach{.margin = margin, .motion = motion};
    return scratch_->find_pairs(world, reach, PairOrder::by_index, memory ? *memory : scratch_->own_memory);
}

}  // namespace rattleback
