// Saving and loading of AvbdMemory.
#include "solvers/avbd/memory.h"

#include "base/bytes.h"

#include <algorithm>

namespace rattleback::avbd
{

AvbdMemory::AvbdMemory(const Layout& layout)
    : links(layout.links.size()), loops(layout.loops.size()), velocity(layout.parts.size()), layout_(layout)
{
}

bool AvbdMemory::is_broken(JointId joint) const
{
    for (std::size_t l = 0; l < links.size(); ++l)
    {
        const std::span<const int> joints = layout_.joints(layout_.links[l]);
        if (links[l].broken != 0 && std::find(joints.begin(), joints.end(), joint.index) != joints.end()) return true;
    }
    return false;
}

bool AvbdMemory::is_broken(EqualityId equality) const
{
    for (std::size_t l = 0; l < loops.size(); ++l)
    {
        if (loops[l].broken != 0 && layout_.loops[l].equality == equality.index) return true;
    }
    return false;
}

void AvbdMemory::reset()
{
    Memory::reset();
    rows.clear();
    dt = 0;
    manifolds.clear();
    rest.island.clear();
    rest.quiet.clear();
    rest.pose.clear();
    std::fill(links.begin(), links.end(), LinkMemory{});
    std::fill(loops.begin(), loops.end(), LoopMemory{});
    std::fill(velocity.begin(), velocity.end(), Vec3{});
    stepped = 0;
}

void AvbdMemory::save(std::vector<std::byte>& bytes) const
{
    Memory::save(bytes);
    append(bytes, std::vector<ContactPoint>(rows.begin(), rows.end()));
    append(bytes, dt);
    append(bytes, manifolds.manifolds);
    append(bytes, manifolds.points);
    append(bytes, rest.island);
    append(bytes, rest.quiet);
    append(bytes, rest.pose);
    append(bytes, links);
    append(bytes, loops);
    append(bytes, velocity);
    append(bytes, stepped);
}

bool AvbdMemory::load(std::span<const std::byte>& bytes)
{
    const std::size_t link_count = links.size(), loop_count = loops.size(), part_count = velocity.size();
    std::vector<ContactPoint> points;
    const bool complete = Memory::load(bytes) && read(bytes, points) && read(bytes, dt) &&
                          read(bytes, manifolds.manifolds) && read(bytes, manifolds.points) && manifolds.is_sound() &&
                          read(bytes, rest.island) && read(bytes, rest.quiet) && read(bytes, rest.pose) &&
                          read(bytes, links) && read(bytes, loops) && read(bytes, velocity) && read(bytes, stepped);
    const bool fits =
        complete && links.size() == link_count && loops.size() == loop_count && velocity.size() == part_count;
    if (fits)
    {
        rows.clear();
        for (const ContactPoint& point : points) rows.push_back({point});
        return true;
    }
    links.resize(link_count);
    loops.resize(loop_count);
    velocity.resize(part_count);
    reset();
    return false;
}

}  // namespace rattleback::avbd
