// Equalities and tendons.
#include "base/index.h"
#include "import/mjcf_write/writer.h"
#include "model/fields/constraint_fields.h"

#include <cmath>

namespace rattleback
{

void MjcfWriter::write_body_equality(std::size_t equality)
{
    const Equalities& equalities = model_.equalities;
    const int first = equalities.first[equality], second = equalities.second[equality];
    const Pose &first_frame = equalities.first_frame[equality], &second_frame = equalities.second_frame[equality];
    if (const auto sites = equality_sites_.find(equality); sites != equality_sites_.end())
    {
        xml_.attribute("site1", sites->second[0]);
        xml_.attribute("site2", sites->second[1]);
        return;
    }
    xml_.attribute("body1", model_.bodies.name[at(first)]);
    xml_.attribute("body2", model_.bodies.name[at(second)]);
    if (equalities.type[equality] == EqualityType::connect) return xml_.attribute("anchor", first_frame.position);
    const Quat& turn = first_frame.rotation;
    const Vec3& p = first_frame.position;
    xml_.position("anchor", second_frame.position);
    xml_.attribute("relpose", std::array{p.x, p.y, p.z, turn.w, turn.x, turn.y, turn.z});
}

void MjcfWriter::write_equalities()
{
    const Equalities& equalities = model_.equalities;
    if (equalities.type.empty()) return;
    xml_.open("equality");
    for (std::size_t i = 0; i < equalities.type.size(); ++i)
    {
        const bool bodies = equalities.type[i] == EqualityType::connect || equalities.type[i] == EqualityType::weld;
        const bool joint = equalities.type[i] == EqualityType::joint;
        xml_.open(to_string(equalities.type[i]));
        xml_.attribute("name", equalities.name[i]);
        double mass = 1;
        if (bodies)
        {
            write_body_equality(i);
            mass = std::min(mass_of_body(equalities.first[i]), mass_of_body(equalities.second[i]));
        }
        else
        {
            const std::vector<std::string>& names = joint ? model_.joints.name : model_.tendons.name;
            xml_.attribute(joint ? "joint1" : "tendon1", names[at(equalities.first[i])]);
            if (equalities.second[i] >= 0)
                xml_.attribute(joint ? "joint2" : "tendon2", names[at(equalities.second[i])]);
            xml_.attribute("polycoef", equalities.polynomial[i]);
        }
        write_fields<EqualityRows>(*mjcf::find_element("equality", to_string(equalities.type[i])),
                                   authored_.equalities[i].options, mass);
        xml_.close();
    }
    xml_.close();
}

void MjcfWriter::write_tendons()
{
    const Tendons& tendons = model_.tendons;
    if (tendons.type.empty()) return;
    xml_.open("tendon");
    for (std::size_t i = 0; i < tendons.type.size(); ++i)
    {
        const bool fixed = tendons.type[i] == TendonType::fixed;
        const double mass = tendons.inverse_weight[i] > 0 ? 1 / tendons.inverse_weight[i] : 1;
        xml_.open(fixed ? "fixed" : "spatial");
        xml_.attribute("name", tendons.name[i]);
        // A negative length can only be the one at which joint springs rest, which is MuJoCo's choice too.
        TendonOptions options = authored_.tendons[i].options;
        if (options.spring_length[0] < 0) options.spring_length = TendonOptions().spring_length;
        write_polynomials(options);
        write_fields<TendonRows>(*mjcf::find_element("tendon", fixed ? "fixed" : "spatial"), options, mass);
        for (int k = tendons.item_begin[i]; k < tendons.item_begin[i + 1]; ++k)
        {
            const TendonItem& item = tendons.items[at(k)];
            xml_.open(fixed ? "joint" : item.site >= 0 ? "site" : item.shape >= 0 ? "geom" : "pulley");
            if (fixed)
            {
                xml_.attribute("joint", model_.joints.name[at(item.joint)]);
                xml_.attribute("coef", item.value);
            }
            else if (item.site >= 0)
            {
                xml_.attribute("site", model_.sites.name[at(item.site)]);
            }
            else if (item.shape >= 0)
            {
                xml_.attribute("geom", model_.shapes.name[at(item.shape)]);
                if (item.side_site >= 0) xml_.attribute("sidesite", model_.sites.name[at(item.side_site)]);
            }
            else
            {
                xml_.attribute("divisor", item.value);
            }
            xml_.close();
        }
        xml_.close();
    }
    xml_.close();
}

}  // namespace rattleback
