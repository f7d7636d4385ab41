// Adds contact pairs, exclusions, equalities and tendons.
#include <algorithm>
#include <set>

#include "base/index.h"
#include "import/mjcf/assembly.h"
#include "model/fields/constraint_fields.h"
#include "model/fields/shape_fields.h"

namespace rattleback::mjcf
{

void Assembly::add_contacts()
{
    std::set<std::pair<int, int>> given;
    for (const Element& element : spec_.contacts)
    {
        note(element, element.rule->name.c_str(), 0);
        if (element.is("exclude"))
        {
            const auto first = find(element, "body1", "body"), second = find(element, "body2", "body");
            if (first && second) builder_.exclude(BodyId{*first}, BodyId{*second});
            continue;
        }
        const auto first = find(element, "geom1", "geom"), second = find(element, "geom2", "geom");
        if (!first || !second) continue;
        if (authored_.shapes[at(*first)].body == authored_.shapes[at(*second)].body)
        {
            log_.warn(element.location, "both geoms of the pair are on one body", "it has no effect, as in MuJoCo",
                      ErrorCode::invalid_value);
            continue;
        }
        if (!given.insert(std::minmax(*first, *second)).second)
        {
            log_.warn(element.location,
                      "the pair of '" + element.text("geom1") + "' and '" + element.text("geom2") + "' is given again",
                      "the first one counts; MuJoCo makes contacts of each", ErrorCode::invalid_value);
            continue;
        }
        const AttributeReader reader(element, log_);
        // Five coefficients: two slides, spin, two rolls; equal ones are one number of the material.
        const std::vector<double> friction = read_friction(element);
        MaterialOptions material{
            .friction = friction[0], .spinning_friction = friction[2], .rolling_friction = friction[3]};
        reader.read_all<MaterialRows>(material);
        PairOptions options{.material = find_material(material, element)};
        reader.read_all<PairRows>(options);
        if (friction[1] != friction[0]) options.second_friction[0] = friction[1];
        if (friction[4] != friction[3]) options.second_friction[1] = friction[4];
        builder_.add_pair(ShapeId{*first}, ShapeId{*second}, options);
        blamed_.emplace("pair '" + element.text("geom1") + "' and '" + element.text("geom2") + "'", &element);
    }
}

void Assembly::add_equalities()
{
    for (const Element& element : spec_.equalities)
    {
        EqualityOptions options{.name = element.name()};
        AttributeReader(element, log_).read_all<EqualityRows>(options);
        EqualityId id;
        if (element.is("connect") || element.is("weld"))
            id = add_body_equality(element, options);
        else
        {
            const std::string kind = element.rule->name;
            const std::string first_name = kind + "1", second_name = kind + "2";
            const auto first = find(element, first_name.c_str(), kind),
                       second = find(element, second_name.c_str(), kind);
            if (!first || (element.has(second_name) && !second)) continue;
            std::array<double, 5> polynomial{};
            const std::vector<double> numbers = element.numbers("polycoef");
            std::copy_n(numbers.begin(), 5, polynomial.begin());
            const int other = second.value_or(-1);
            id = kind == "joint" ? builder_.add_joint_coupling(JointId{*first}, JointId{other}, polynomial, options)
                                 : builder_.add_tendon_coupling(TendonId{*first}, TendonId{other}, polynomial, options);
        }
        if (id.valid()) note(element, "equality", id.index);
    }
}

EqualityId Assembly::add_body_equality(const Element& element, const EqualityOptions& options)
{
    const bool weld = element.is("weld");
    if (element.has("site1") || element.has("site2"))
    {
        const auto first = find(element, "site1", "site"), second = find(element, "site2", "site");
        if (!element.has("site1") || !element.has("site2") || element.has("body1") || element.has("body2"))
            log_.fail(element.location, "'" + element.rule->name + "' needs two sites, or bodies, and not both");
        if (!first || !second) return {};
        const AuthoredSite &a = authored_.sites[at(*first)], &b = authored_.sites[at(*second)];
        const Pose a_pose{a.options.position, a.options.rotation}, b_pose{b.options.position, b.options.rotation};
        return weld ? builder_.add_weld_frames(a.body, a_pose, b.body, b_pose, options)
                    : builder_.add_connect_points(a.body, a_pose.position, b.body, b_pose.position, options);
    }
    if (!element.has("body1")) log_.fail(element.location, "'" + element.rule->name + "' needs 'body1', or two sites");
    const auto first = find(element, "body1", "body");
    const auto second = element.has("body2") ? find(element, "body2", "body") : std::optional<int>(0);
    if (!first || !second) return {};
    const Vec3 anchor = element.has("anchor") || weld ? to_vector(element.numbers("anchor")) : Vec3{};
    if (!weld)
    {
        if (!element.has("anchor")) log_.fail(element.location, "'connect' needs 'anchor', or two sites");
        return builder_.add_connect(BodyId{*first}, BodyId{*second}, anchor, options);
    }
    // A quaternion of zeros means the relative pose at q0.
    const std::vector<double> pose = element.numbers("relpose");
    const Quat turn{pose[3], pose[4], pose[5], pose[6]};
    const Pose second_frame{anchor, {}};
    Pose first_frame;
    if (norm(turn) > 0)
        first_frame = {to_vector(pose), normalized(turn)};
    else
        first_frame = inverse(world_[at(*first)]) * world_[at(*second)] * second_frame;
    return builder_.add_weld_frames(BodyId{*first}, first_frame, BodyId{*second}, second_frame, options);
}

void Assembly::add_tendons()
{
    for (const Element& element : spec_.tendons)
    {
        TendonOptions options{.name = element.name()};
        const AttributeReader reader(element, log_);
        reader.read_all<TendonRows>(options);
        options.stiffness_polynomial = reader.read_polynomial("stiffness");
        options.damping_polynomial = reader.read_polynomial("damping");
        if (const Attribute* length = element.find("springlength"))
            options.spring_length = {length->numbers[0], length->numbers.back()};
        if (const auto found = tendon_extra_.find(options.name); found != tendon_extra_.end())
            found->second.add_to(options);
        leave_out(options);
        warn_of_negative(element);
        const TendonId id = element.is("fixed") ? add_fixed(element, options) : add_spatial(element, options);
        note(element, "tendon", id.index);
    }
}

TendonId Assembly::add_fixed(const Element& element, const TendonOptions& options)
{
    std::vector<std::pair<JointId, double>> joints;
    for (const Element& item : element.children)
    {
        if (const auto joint = find(item, "joint", "joint")) joints.emplace_back(JointId{*joint}, item.number("coef"));
    }
    return builder_.add_fixed_tendon(joints, options);
}

TendonId Assembly::add_spatial(const Element& element, const TendonOptions& options)
{
    std::vector<ModelBuilder::PathItem> path;
    for (const Element& item : element.children)
    {
        if (item.is("pulley"))
            path.push_back({SiteId{}, item.number("divisor")});
        else if (item.is("geom"))
        {
            const auto shape = find(item, "geom", "geom"), side = find(item, "sidesite", "site");
            if (shape) path.push_back({.shape = ShapeId{*shape}, .side_site = SiteId{side.value_or(-1)}});
        }
        else if (const auto site = find(item, "site", "site"))
            path.push_back({SiteId{*site}});
    }
    // A pulley at the very start only sets the divisor of the first branch.
    return builder_.add_spatial_tendon(path, options);
}

}  // namespace rattleback::mjcf
