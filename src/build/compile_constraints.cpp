// Compiles equalities and tendons.
#include "build/compile.h"
#include "model/fields/constraint_fields.h"

#include <algorithm>

namespace rattleback
{

void compile_equalities(const Authored& authored, const Names& names, Model& model)
{
    Equalities& equalities = model.equalities;
    equalities.name = names.equalities;
    const std::vector<Pose> world = find_reference_poses(model);
    for (const AuthoredEquality& authored_equality : authored.equalities)
    {
        const AuthoredEquality& e = authored_equality;
        const bool between_bodies =
            e.type == EqualityType::connect || e.type == EqualityType::weld || e.type == EqualityType::cable;
        // Between bodies a missing second is the world; between joints or tendons it stays missing.
        const int second = between_bodies ? std::max(e.second, 0) : e.second;
        const Pose first_frame = make_pose(e.first_frame.position, e.first_frame.rotation);
        Pose second_frame;
        if (e.second_frame) second_frame = make_pose(e.second_frame->position, e.second_frame->rotation);
        // Where the first frame is at q0, seen from the second body: the equality then holds as authored.
        if (between_bodies && !e.second_frame)
        {
            const Pose meeting = inverse(world[at(second)]) * world[at(e.first)] * first_frame;
            second_frame = make_pose(meeting.position, meeting.rotation);
        }
        equalities.type.push_back(e.type);
        equalities.first.push_back(e.first);
        equalities.second.push_back(second);
        equalities.first_frame.push_back(first_frame);
        equalities.second_frame.push_back(second_frame);
        append_fields<EqualityRows>(e.options, equalities);
        equalities.polynomial.push_back(e.polynomial);
        equalities.cable.push_back(e.type == EqualityType::cable ? e.cable : Cable{});
    }
}

void compile_tendons(const Authored& authored, const Names& names, Model& model)
{
    Tendons& tendons = model.tendons;
    tendons.name = names.tendons;
    tendons.item_begin.push_back(0);
    for (const AuthoredTendon& tendon : authored.tendons)
    {
        tendons.type.push_back(tendon.type);
        tendons.items.insert(tendons.items.end(), tendon.items.begin(), tendon.items.end());
        tendons.item_begin.push_back(static_cast<int>(tendons.items.size()));
        append_fields<TendonRows>(tendon.options, tendons);
    }
    tendons.length.assign(tendons.type.size(), 0);
    tendons.inverse_weight.assign(tendons.type.size(), 0);
}

}  // namespace rattleback
