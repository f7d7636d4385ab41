// Saving and loading of AvbdMemory.
#include "solvers/avbd/memory.h"

#include "base/bytes.h"

#include <algorithm>

namespace rattleback::avbd
{

AvbdMemory::AvbdMemory(std::shared_ptr<const Layout> layout, bool ramps)
    : links(layout->links.size()),
      loops(layout->loops.size()),
      tendons(layout->tendon_rows.size()),
      link_ramps(ramps ? layout->links.size() : 0),
      loop_ramps(ramps ? layout->loops.size() : 0),
      velocity(layout->groups.size()),
      layout_(std::move(layout))
{
}

bool AvbdMemory::is_broken(JointId joint) const
{
    for (std::size_t l = 0; l < links.size(); ++l)
    {
        // a link breaks as a whole, with all its joints
        const std::span<const int> joints = layout_->joints(layout_->links[l]);
        if (links[l].broken != 0 && std::find(joints.begin(), joints.end(), joint.index) != joints.end()) return true;
    }
    return false;
}

bool AvbdMemory::is_broken(EqualityId equality) const
{
    for (std::size_t l = 0; l < loops.size(); ++l)
    {
        // an equality is a loop or a row of tendons
        if (loops[l].broken != 0 && layout_->loops[l].equality == equality.index) return true;
    }
    for (std::size_t r = 0; r < tendons.size(); ++r)
    {
        if (tendons[r].broken != 0 && layout_->tendon_rows[r].equality == equality.index) return true;
    }
    return false;
}

void AvbdMemory::reset()
{
    Memory::reset();
    // no contact, no multiplier, no history of velocities
    rows.clear();
    dt = 0;
    kept_manifolds.clear();
    // all awake, and nobody quiet yet
    sleep.island.clear();
    sleep.quiet.clear();
    sleep.pose.clear();
    std::fill(links.begin(), links.end(), LinkMemory{});
    std::fill(loops.begin(), loops.end(), LoopMemory{});
    std::fill(tendons.begin(), tendons.end(), TendonMemory{});
    std::fill(link_ramps.begin(), link_ramps.end(), LinkRamp{});
    std::fill(loop_ramps.begin(), loop_ramps.end(), 0);
    std::fill(velocity.begin(), velocity.end(), Vec3{});
    // without a last step the first guess takes all of gravity
    stepped = 0;
}

void AvbdMemory::save(std::vector<std::byte>& bytes) const
{
    // lambda, k and anchors of contacts; their geometry is found again
    Memory::save(bytes);
    // the sliced part of a row is what the next step looks for
    append(bytes, std::vector<ContactPoint>(rows.begin(), rows.end()));
    append(bytes, dt);
    append(bytes, kept_manifolds.manifolds);
    append(bytes, kept_manifolds.points);
    append(bytes, sleep.island);
    append(bytes, sleep.quiet);
    append(bytes, sleep.pose);
    append(bytes, links);
    append(bytes, loops);
    append(bytes, velocity);
    append(bytes, stepped);
    // a model without tendons has nothing of them in its snapshots
    if (!tendons.empty()) append(bytes, tendons);
    if (!link_ramps.empty()) append(bytes, link_ramps);
    if (!loop_ramps.empty()) append(bytes, loop_ramps);
}

bool AvbdMemory::load(std::span<const std::byte>& bytes)
{
    // bytes are untrusted: sizes must be those of the layout
    // what is read replaces the arrays: sizes are compared with those from before
    const std::size_t link_count = links.size(), loop_count = loops.size(), group_count = velocity.size();
    const std::size_t tendon_count = tendons.size(), link_ramp_count = link_ramps.size(),
                      loop_ramp_count = loop_ramps.size();
    std::vector<ContactPoint> points;
    const bool complete =
        Memory::load(bytes) && read(bytes, points) && read(bytes, dt) && read(bytes, kept_manifolds.manifolds) &&
        read(bytes, kept_manifolds.points) && kept_manifolds.is_sound() && read(bytes, sleep.island) &&
        read(bytes, sleep.quiet) && sleep.is_sound() && read(bytes, sleep.pose) && read(bytes, links) &&
        read(bytes, loops) && read(bytes, velocity) && read(bytes, stepped) &&
        (tendon_count == 0 || read(bytes, tendons)) && (link_ramp_count == 0 || read(bytes, link_ramps)) &&
        (loop_ramp_count == 0 || read(bytes, loop_ramps));
    // a snapshot of another model is refused as a whole
    const bool fits = complete && links.size() == link_count && loops.size() == loop_count &&
                      velocity.size() == group_count && tendons.size() == tendon_count &&
                      link_ramps.size() == link_ramp_count && loop_ramps.size() == loop_ramp_count;
    if (fits)
    {
        // only what matching and warm starts read came back; the rest is found again
        rows.clear();
        for (const ContactPoint& point : points) rows.push_back({point});
        return true;
    }
    // sizes back to those of the layout, contents to those of a fresh world
    links.resize(link_count);
    loops.resize(loop_count);
    velocity.resize(group_count);
    tendons.resize(tendon_count);
    link_ramps.resize(link_ramp_count);
    loop_ramps.resize(loop_ramp_count);
    reset();
    return false;
}

}  // namespace rattleback::avbd
