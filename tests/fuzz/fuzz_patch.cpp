// Any text as what `rattleback convert` adds to MJCF, a JSON patch of the model: a model or errors.
#include <rattleback/import.h>

#include <string>

#include "fuzz/fuzz.h"

namespace rattleback
{
namespace
{

constexpr const char* kBefore =
    R"(<mujoco model="m"><asset><hfield name="h" nrow="2" ncol="2" size="1 1 1 .1" elevation="0 1 2 3"/>
<mesh name="o" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/></asset><worldbody><site name="w" pos="0 0 2"/>
<geom type="hfield" hfield="h"/><body name="a" pos="0 0 1"><joint name="x" type="slide"/>
<geom name="g" type="box" size=".1 .1 .1"/><geom type="mesh" mesh="o"/><site name="s"/></body>
<body name="c"><freejoint/><geom type="sphere" size=".1"/></body></worldbody>
<tendon><spatial name="t"><site site="w"/><site site="s"/></spatial></tendon>
<actuator><motor name="p" joint="x"/></actuator><equality><weld name="e" body1="a" body2="c"/></equality>
<sensor><jointpos name="q" joint="x"/></sensor><keyframe><key name="k"/></keyframe>
<custom><text name="rattleback" data=")";
constexpr const char* kAfter = R"("/></custom></mujoco>)";

/// `text` as the value of an XML attribute.
std::string escaped(std::string_view text)
{
    std::string result;
    for (const char c : text)
    {
        const bool plain = c != '&' && c != '<' && c != '"' && static_cast<unsigned char>(c) >= ' ';
        plain ? result += c : result += "&#" + std::to_string(static_cast<unsigned char>(c)) + ";";
    }
    return result;
}

}  // namespace
}  // namespace rattleback

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    using namespace rattleback;
    const Result<Imported> imported =
        parse_mjcf(kBefore + escaped(as_text(data, size)) + kAfter, "model.xml", "/nonexistent");
    require_explained(imported, true);
    return 0;
}
