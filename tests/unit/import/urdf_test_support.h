// Shared by the URDF tests: robots in a few words.
#pragma once

#include "mjcf_test_support.h"

namespace rattleback
{

inline Result<Imported> parse_robot(const std::string& content, const ImportOptions& options = {},
                                    const std::filesystem::path& folder = ".")
{
    return parse_urdf("<robot name=\"test\">\n" + content + "\n</robot>", "robot.urdf", folder, options);
}

inline Imported read_robot(const std::string& content, const ImportOptions& options = {})
{
    Result<Imported> result = parse_robot(content, options);
    EXPECT_TRUE(result.ok()) << to_text(result.errors());
    return result.ok() ? std::move(result).value() : Imported{};
}

/// A link of one kilogramme with unit moments, its centre at the frame.
inline std::string make_link(const std::string& name, const std::string& more = {})
{
    return "<link name=\"" + name +
           "\"><inertial><mass value=\"1\"/><inertia ixx=\"1\" iyy=\"1\" izz=\"1\" ixy=\"0\" ixz=\"0\" "
           "iyz=\"0\"/></inertial>" +
           more + "</link>\n";
}

inline std::string make_joint(const std::string& name, const std::string& type, const std::string& parent,
                              const std::string& child, const std::string& more = {})
{
    return "<joint name=\"" + name + "\" type=\"" + type + "\"><parent link=\"" + parent + "\"/><child link=\"" +
           child + "\"/>" + more + "</joint>\n";
}

/// Does the text of a warning contain the words?
inline bool has_warning(const Imported& imported, const std::string& words)
{
    for (const Error& warning : imported.warnings)
    {
        if (warning.text().find(words) != std::string::npos) return true;
    }
    return false;
}

inline bool has_words(const std::vector<Error>& errors, const std::string& words)
{
    return to_text(errors).find(words) != std::string::npos;
}

}  // namespace rattleback
