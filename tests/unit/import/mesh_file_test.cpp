// Mesh files: which are opened at all, and by which reader.
#include "import/meshes/mesh_file.h"
#include "import/meshes/read_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>
#include <fstream>

namespace rattleback
{
namespace
{

constexpr const char* kObj = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
constexpr const char* kStl =
    "solid\nfacet normal 0 0 1 outer loop vertex 0 0 0 vertex 1 0 0 vertex 0 1 0 endloop "
    "endfacet\nendsolid\n";

class MeshFile : public testing::Test
{
protected:
    MeshFile()
        : folder_(std::filesystem::path(testing::TempDir()) / ("rattleback meshes " + std::to_string(::getpid())))
    {
        std::filesystem::create_directories(folder_);
    }
    ~MeshFile() override { std::filesystem::remove_all(folder_); }

    std::filesystem::path write(const std::string& name, const std::string& content) const
    {
        std::ofstream(folder_ / name, std::ios::binary) << content;
        return folder_ / name;
    }

    /// The one error of a file that must be refused.
    static Error refusal(const std::filesystem::path& path, const MeshLimits& limits = {})
    {
        const Result<MeshOptions> mesh = load_mesh_file(path, limits);
        EXPECT_EQ(mesh.errors().size(), 1U);
        return mesh.errors().empty() ? Error{} : mesh.errors().front();
    }

    std::filesystem::path folder_;
};

}  // namespace

TEST_F(MeshFile, the_extension_chooses_the_reader_and_case_and_spaces_do_not_matter)
{
    for (const char* name : {"a part.obj", "PART.OBJ", "part.two.Obj"})
    {
        const Result<MeshOptions> mesh = load_mesh_file(write(name, kObj));
        ASSERT_TRUE(mesh.ok()) << to_text(mesh.errors());
        EXPECT_EQ(mesh.value().triangles.size(), 1U);
        EXPECT_EQ(mesh.value().name, std::string(name).substr(0, std::strlen(name) - 4));
    }
    EXPECT_TRUE(load_mesh_file(write("part.stl", kStl)).ok());
    EXPECT_TRUE(load_mesh_file(write("part.STL", kStl)).ok());
    EXPECT_TRUE(load_mesh_file(folder_ / ".." / folder_.filename() / "part.stl").ok());
}

TEST_F(MeshFile, other_formats_are_named_as_not_read)
{
    EXPECT_EQ(refusal(write("part.ply", "")).code, ErrorCode::unsupported);
    EXPECT_NE(refusal(write("part.ply", ""))
                  .text()
                  .find("'.ply' are not read (use .obj, .stl, .off, .msh, .dae, .gltf or .glb)"),
              std::string::npos);
    EXPECT_EQ(refusal(write("part", "")).message, "a mesh file without an extension");
}

TEST_F(MeshFile, a_missing_file_says_so)
{
    const Error error = refusal(folder_ / "none.obj");
    EXPECT_EQ(error.code, ErrorCode::io);
    EXPECT_EQ(error.where, (folder_ / "none.obj").string());
    EXPECT_EQ(error.message, "cannot be opened: No such file or directory");
    EXPECT_EQ(refusal(folder_ / std::string(5000, 'x').append(".obj")).code, ErrorCode::io);
}

TEST_F(MeshFile, folders_pipes_and_devices_are_refused_without_waiting)
{
    std::filesystem::create_directory(folder_ / "folder.obj");
    EXPECT_EQ(refusal(folder_ / "folder.obj").message, "is a folder, not a file");
    ASSERT_EQ(::mkfifo((folder_ / "pipe.stl").c_str(), 0600), 0);
    EXPECT_EQ(refusal(folder_ / "pipe.stl").message, "is a pipe, not a file");
    std::filesystem::create_symlink("/dev/zero", folder_ / "zero.obj");
    EXPECT_EQ(refusal(folder_ / "zero.obj").message, "is a device, not a file");
}

TEST_F(MeshFile, a_link_to_a_file_is_followed)
{
    write("real.obj", kObj);
    std::filesystem::create_symlink("real.obj", folder_ / "link.obj");
    EXPECT_TRUE(load_mesh_file(folder_ / "link.obj").ok());
}

TEST_F(MeshFile, the_size_is_checked_before_anything_is_read)
{
    const std::filesystem::path path = write("large.stl", "");
    std::filesystem::resize_file(path, std::uintmax_t{1} << 40);  // sparse: nothing can read or hold that much
    const Error error = refusal(path);
    EXPECT_EQ(error.code, ErrorCode::limit);
    EXPECT_EQ(error.message, "1099511627776 bytes, more than 268435456");
}

TEST_F(MeshFile, empty_files_and_files_of_the_other_format_are_refused)
{
    EXPECT_EQ(refusal(write("empty.obj", "")).message, "the file has no vertices");
    EXPECT_EQ(refusal(write("empty.stl", "")).message, "the file is empty");
    EXPECT_EQ(refusal(write("stl.obj", kStl)).message, "the file has no vertices");
    EXPECT_EQ(refusal(write("obj.stl", kObj)).code, ErrorCode::syntax);
}

TEST_F(MeshFile, errors_inside_a_file_carry_its_path_line_and_column)
{
    const std::filesystem::path path = write("bad part.obj", "v 0 0 0\nv 0 x 0\n");
    EXPECT_EQ(refusal(path).where, path.string() + ":2:5");
}

TEST_F(MeshFile, reading_gives_every_byte)
{
    std::string content;
    for (int i = 0; i < 1000; ++i) content += static_cast<char>(i % 256);
    const Result<std::vector<std::byte>> bytes = read_regular_file(write("bytes", content), 1000);
    ASSERT_TRUE(bytes.ok());
    ASSERT_EQ(bytes.value().size(), content.size());
    EXPECT_EQ(std::memcmp(bytes.value().data(), content.data(), content.size()), 0);
    EXPECT_FALSE(read_regular_file(folder_ / "bytes", 999).ok());
}

}  // namespace rattleback
