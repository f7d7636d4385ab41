// Models from others: which files they may open, how much they may ask for, and what happens where memory ends.
#include "base/nearest_match.h"
#include "import/meshes/mesh_file.h"
#include "support/counting_allocator.h"
#include "support/make_png.h"
#include "urdf_test_support.h"

#include <rattleback/record.h>

#include <chrono>

namespace rattleback
{

namespace
{

constexpr const char* kTetrahedron = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n";
constexpr const char* kBallModel = "<mujoco model='ball'><worldbody><geom name='ball' size='1'/></worldbody></mujoco>";

/// A folder "own" with models, and around it what they should not see.
class StrangeFiles : public TemporaryFolder
{
public:
    StrangeFiles()
    {
        const std::string heights("\2\0\0\0\2\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 24);
        for (const std::string folder : {"own/", "own/below/", "beside/", "own/dotted..name/"})
        {
            write(folder + "part.obj", kTetrahedron);
            write(folder + "ball.xml", kBallModel);
            write(folder + "field.bin", heights);
            write(folder + "skin.png", make_png(2, std::string(6, 'x'), 6, 2));
        }
        std::filesystem::create_symlink("../beside", path() / "own/link");
        std::filesystem::create_symlink("below", path() / "own/inner");
    }

    /// How a model in "own" names "beside" in every way that there is.
    std::vector<std::string> ways_out() const
    {
        return {"../beside/",     (path() / "beside/").string(),       "below/../../beside/", "link/",
                "below/../link/", (path() / "own/../beside/").string()};
    }
    static std::vector<std::string> ways_in() { return {"", "below/", "./", "below/../", "inner/", "dotted..name/"}; }
};

std::string make_robot_of(const std::string& mesh)
{
    return "<robot name=\"r\">" +
           make_link("l", "<collision><geometry><mesh filename=\"" + mesh + "\"/></geometry></collision>") + "</robot>";
}

std::string make_scene_of(const std::string& mesh)
{
    return "{\"rigid_body_problem\": {\"rigid_bodies\": [{\"mesh\": \"" + mesh + "\"}]}}";
}

struct Naming
{
    const char* file;
    std::string (*make)(const std::string& folder);
};
/// Every way in which a model names a file, with the file in `folder`.
const Naming kNamings[] = {
    {"m.xml", [](const std::string& f) { return "<mujoco><include file='" + f + "ball.xml'/></mujoco>"; }},
    {"m.xml",
     [](const std::string& f)
     {
         return "<mujoco><asset><model name='b' file='" + f +
                "ball.xml'/></asset><worldbody><attach model='b' prefix='x'/></worldbody></mujoco>";
     }},
    {"m.xml",
     [](const std::string& f) { return "<mujoco><asset><mesh name='p' file='" + f + "part.obj'/></asset></mujoco>"; }},
    {"m.xml",
     [](const std::string& f)
     {
         const std::size_t last = f.find_last_of('/');
         const std::string folder = last == f.npos ? "." : f.substr(0, last);
         return "<mujoco><compiler meshdir='" + folder + "'/><asset><mesh name='p' file='part.obj'/></asset></mujoco>";
     }},
    {"m.xml", [](const std::string& f)
     { return "<mujoco><asset><hfield name='h' file='" + f + "field.bin' size='1 1 1 1'/></asset></mujoco>"; }},
    {"r.urdf", [](const std::string& f) { return make_robot_of(f + "part.obj"); }},
    {"s.json", [](const std::string& f) { return make_scene_of(f + "part.obj"); }},
};

double time_of(const std::function<void()>& work)
{
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

TEST(UntrustedFiles, a_users_own_model_opens_files_wherever_they_are_and_a_strict_reading_only_those_in_its_folder)
{
    const StrangeFiles files;
    for (const Naming& kind : kNamings)
    {
        for (const std::string& way : StrangeFiles::ways_in())
        {
            const auto model = files.write(std::string("own/") + kind.file, kind.make(way));
            EXPECT_TRUE(load_model(model)) << kind.make(way);
            const auto strict = load_model(model, {.strict = true});
            EXPECT_TRUE(strict) << kind.make(way) << to_text(strict.errors());
        }
        for (const std::string& way : files.ways_out())
        {
            const auto model = files.write(std::string("own/") + kind.file, kind.make(way));
            const auto open = load_model(model);
            EXPECT_TRUE(open) << kind.make(way) << to_text(open.errors());
            const auto strict = load_model(model, {.strict = true});
            ASSERT_FALSE(strict) << kind.make(way);
            EXPECT_TRUE(has_words(strict.errors(), "outside")) << kind.make(way) << to_text(strict.errors());
        }
    }
}

TEST(UntrustedFiles, a_strict_reading_leaves_out_textures_from_elsewhere)
{
    const StrangeFiles files;
    for (const std::string& way : files.ways_out())
    {
        const auto model = files.write("own/m.xml", "<mujoco><asset><texture name='t' type='2d' file='" + way +
                                                        "skin.png'/><material name='m' texture='t'/></asset><worldbody>"
                                                        "<geom size='1' material='m'/></worldbody></mujoco>");
        const auto open = load_model(model), strict = load_model(model, {.strict = true});
        ASSERT_TRUE(open && strict);
        EXPECT_EQ(open->model.appearance.textures.size(), 1U) << way;
        EXPECT_EQ(strict->model.appearance.textures.size(), 0U) << way;
        EXPECT_TRUE(has_warning(*strict, "outside")) << way;
    }
}

TEST(UntrustedFiles, a_strict_reading_follows_no_uri_search_path_or_package_out_of_the_folder)
{
    const StrangeFiles files;
    files.write("packages/arm/part.obj", kTetrahedron);
    files.write("package.xml", "");
    const std::string here = files.path().filename().string();
    const ImportOptions open{.package_path = {files.path() / "packages"}};
    ImportOptions strict = open;
    strict.strict = true;
    for (const std::string& name :
         {"file://" + (files.path() / "beside/part.obj").string(), std::string("package://arm/part.obj"),
          std::string("package://beside/part.obj"), std::string("package://own/../beside/part.obj"),
          std::string("package://own/link/part.obj"), std::string("model://arm/part.obj"),
          std::string("file://%2e%2e/beside/part.obj")})
    {
        const auto model = files.write("own/r.urdf", make_robot_of(name));
        EXPECT_TRUE(load_model(model, open)) << name;
        EXPECT_FALSE(load_model(model, strict)) << name;
    }
    const auto scene = files.write("own/s.json", make_scene_of("arm/part.obj"));
    EXPECT_TRUE(load_model(scene, open));
    EXPECT_FALSE(load_model(scene, strict));
    files.write("meshes/up.obj", kTetrahedron);  // where scenes of rigid-IPC look, too
    const auto up = files.write("own/s.json", make_scene_of("up.obj"));
    EXPECT_TRUE(load_model(up));
    EXPECT_FALSE(load_model(up, {.strict = true}));
}

TEST(UntrustedFiles, a_model_in_a_top_level_folder_does_not_own_the_whole_machine)
{
    const ImportOptions strict{.strict = true};
    for (const char* folder : {"/tmp", "/etc/..//tmp", "/usr"})
    {
        EXPECT_TRUE(has_words(
            parse_mjcf("<mujoco><include file='/etc/passwd'/></mujoco>", "t", folder, strict).errors(), "outside"));
        EXPECT_TRUE(has_words(parse_urdf(make_robot_of("/etc/passwd.obj"), "t", folder, strict).errors(), "outside"));
    }
}

TEST(UntrustedFiles, buffers_of_gltf_stay_beside_their_file_and_in_a_strict_reading_in_the_models_folder)
{
    const StrangeFiles files;
    const std::string bytes("\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x80\x3f\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x80\x3f\0\0\0\0", 36);
    files.write("beside/points.bin", bytes);
    files.write("own/points.bin", bytes);
    const auto load = [&](const std::string& uri, bool strict)
    {
        const std::string text = R"({"asset":{"version":"2.0"},"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0}],)"
                                 R"("meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],)"
                                 R"("accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"}],)"
                                 R"("bufferViews":[{"buffer":0,"byteLength":36}],)"
                                 R"("buffers":[{"byteLength":36,"uri":")" +
                                 uri + R"("}]})";
        files.write("own/part.gltf", text);
        const auto model = files.write("own/r.urdf", "<robot name=\"r\">" +
                                                         make_link("l",
                                                                   "<visual><geometry><mesh filename=\"part.gltf\"/>"
                                                                   "</geometry></visual>") +
                                                         "</robot>");
        const auto read = load_model(model, {.strict = strict});
        return read && !has_warning(*read, "left out");
    };
    EXPECT_TRUE(load("points.bin", false));
    EXPECT_TRUE(load("points.bin", true));
    EXPECT_TRUE(load("link/points.bin", false));
    EXPECT_FALSE(load("link/points.bin", true));
    for (const std::string& way :
         {std::string("../beside/"), (files.path() / "beside/").string(), std::string("file:///etc/")})
        EXPECT_FALSE(load(way + "points.bin", false)) << way;
}

TEST(UntrustedLimits, what_a_few_words_ask_for_is_counted_over_the_whole_model)
{
    const auto repeat = [](int count, const std::function<std::string(const std::string&)>& make)
    {
        std::string text = "<mujoco><asset>\n";
        for (int i = 0; i < count; ++i) text += make("a" + std::to_string(i)) + "\n";
        return text + "</asset></mujoco>";
    };
    const ImportOptions few{.limits = {.generated = 25'000}};
    const auto field = [](const std::string& name)
    { return "<hfield name='" + name + "' nrow='100' ncol='100' size='1 1 1 1'/>"; };
    EXPECT_TRUE(parse_mjcf(repeat(2, field), "test.xml", ".", few));
    EXPECT_TRUE(has_error(parse_bad(repeat(3, field), few), "test.xml:4:1", "too large together"));
    const auto mesh = [](const std::string& name)
    { return "<mesh name='" + name + "' builtin='supersphere' params='100 1 1'/>"; };
    EXPECT_TRUE(parse_mjcf(repeat(2, mesh), "test.xml", ".", few));
    EXPECT_TRUE(has_error(parse_bad(repeat(3, mesh), few), "test.xml:4:1", "too large together"));
    // Neither do pictures slip through: a PNG's header tells its size.
    const TemporaryFolder folder;
    folder.write("grey.png", make_png(200, std::string(200 * 100, 'x'), 200));
    const auto picture = [](const std::string& name)
    { return "<hfield name='" + name + "' file='grey.png' size='1 1 1 1'/>"; };
    EXPECT_TRUE(parse_mjcf(repeat(1, picture), "test.xml", folder.path(), few));
    EXPECT_FALSE(parse_mjcf(repeat(2, picture), "test.xml", folder.path(), few));
}

TEST(UntrustedLimits, a_line_that_replicates_a_body_a_million_times_is_refused_before_it_takes_memory)
{
    const auto make = [](int count)
    {
        return "<mujoco><worldbody>\n<replicate count='" + std::to_string(count) +
               "'><body><freejoint/><geom size='1'/></body></replicate></worldbody></mujoco>";
    };
    const AllocationWatch watch;
    EXPECT_TRUE(has_error(parse_bad(make(200'000)), "test.xml:2:1", "too many elements after replication"));
    EXPECT_LT(watch.largest(), 1U << 20);
    EXPECT_TRUE(parse_mjcf(make(100), "test.xml", ".", {.limits = {.copies = 500}}));
    EXPECT_FALSE(parse_mjcf(make(200), "test.xml", ".", {.limits = {.copies = 500}}));
}

TEST(UntrustedLimits, texts_that_are_included_count_together)
{
    const TemporaryFolder folder;
    std::string text = "<mujoco>";
    for (int i = 0; i < 5; ++i)
    {
        const std::string name = "part" + std::to_string(i) + ".xml";
        folder.write(name, "<mujoco><!--" + std::string(1000, 'x') + "--></mujoco>");
        text += "<include file='" + name + "'/>";
    }
    EXPECT_TRUE(parse_mjcf(text + "</mujoco>", "test.xml", folder.path(), {.limits = {.bytes = 6000}}));
    EXPECT_TRUE(
        has_words(parse_mjcf(text + "</mujoco>", "test.xml", folder.path(), {.limits = {.bytes = 4000}}).errors(),
                  "larger than"));
}

TEST(UntrustedLimits, ten_short_lines_of_height_fields_are_refused_before_they_take_memory)
{
    std::string text = "<mujoco><asset>";
    for (int i = 0; i < 10; ++i)
        text += "<hfield name='h" + std::to_string(i) + "' nrow='1414' ncol='1414' size='1 1 1 1'/>";
    const AllocationWatch watch;
    const auto errors = parse_bad(text + "</asset></mujoco>");
    EXPECT_TRUE(has_words(errors, "too large together")) << to_text(errors);
    EXPECT_LT(watch.largest(), 64U << 20);
}

TEST(UntrustedLimits, keyframes_with_one_number_each_do_not_fill_memory)
{
    std::string text =
        "<mujoco><worldbody><replicate count='1000'><body><freejoint/><geom size='1' mass='1' contype='0' "
        "conaffinity='0'/></body></replicate></worldbody><keyframe>\n";
    for (int i = 0; i < 100; ++i) text += "<key qpos='0 0 1'/>\n";
    text += "</keyframe></mujoco>";
    // A key has 7000 + 6000 numbers: 104 kB.
    const auto errors = parse_bad(text, {.limits = {.bytes = 5'000'000}});
    EXPECT_TRUE(has_words(errors, "keyframes of the model take too much memory")) << to_text(errors);
}

TEST(UntrustedLimits, textures_are_left_out_once_all_have_too_many_pixels_together)
{
    std::string text = "<mujoco><asset>\n";
    for (int i = 0; i < 6; ++i)
        text += "<texture name='t" + std::to_string(i) + "' type='2d' builtin='flat' width='8192' height='8192'/>\n";
    const auto read = parse_mjcf(text + "</asset></mujoco>", "test.xml", ".");
    ASSERT_TRUE(read);
    EXPECT_EQ(read->warnings.size(), 2U);
    EXPECT_TRUE(has_warning(*read, "too many pixels together"));
}

TEST(UntrustedLimits, thousands_of_wrong_names_among_thousands_take_no_longer_than_a_reading)
{
    std::string text = "<mujoco><worldbody>";
    const std::string tail(150, 'x');
    for (int i = 0; i < 20'000; ++i) text += "<site name='site" + std::to_string(i) + tail + "'/>";
    text += "</worldbody><sensor>";
    for (int i = 0; i < 5'000; ++i) text += "<framepos objtype='site' objname='sita" + std::to_string(i) + tail + "'/>";
    text += "</sensor></mujoco>";
    std::vector<Error> errors;
    // One such name compared with all others takes 20000 * 155^2 steps; with all of 5000 names that is over an hour.
    EXPECT_LT(time_of([&] { errors = parse_bad(text); }), 20);
    EXPECT_EQ(errors.size(), 1001U);
    EXPECT_NE(errors.front().hint.find("did you mean"), std::string::npos) << errors.front().text();
}

TEST(UntrustedMemory, where_memory_ends_reading_ends_in_an_error_whatever_was_asked_for_last)
{
    const TemporaryFolder folder;
    const auto put = [](std::string& bytes, std::uint32_t x)
    { bytes.append(reinterpret_cast<const char*>(&x), sizeof x); };
    std::string json =
        R"({"asset":{"version":"2.0"},"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0,"extras":[[1,2],[3,[4]]]}],)"
        R"("meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],)"
        R"("accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"}],)"
        R"("bufferViews":[{"buffer":0,"byteLength":36}],"buffers":[{"byteLength":36}]})";
    json.resize((json.size() + 3) / 4 * 4, ' ');
    std::string glb = "glTF";
    put(glb, 2);
    put(glb, static_cast<std::uint32_t>(12 + 8 + json.size() + 8 + 36));
    put(glb, static_cast<std::uint32_t>(json.size()));
    glb += "JSON" + json;
    put(glb, 36);
    glb += std::string("BIN\0", 4) + std::string(36, '\0');
    const auto mesh = folder.write("part.glb", glb);
    const auto robot = folder.write("r.urdf", make_robot_of("part.glb"));
    const auto model = folder.write("m.xml",
                                    "<mujoco><asset><mesh name='p' file='part.obj'/></asset><worldbody><body>"
                                    "<freejoint/><geom type='mesh' mesh='p'/></body></worldbody></mujoco>");
    folder.write("part.obj", kTetrahedron);
    const auto scene = folder.write("s.json", make_scene_of("part.obj"));
    struct Outcome
    {
        bool ok = false, explained = false;
    };
    const auto judge = [](const auto& result)
    { return Outcome{result.ok(), !result.errors().empty() && !result.errors().front().message.empty()}; };
    const std::pair<const char*, std::function<Outcome()>> readers[] = {
        {"glb", [&] { return judge(load_mesh_file(mesh)); }},
        {"urdf", [&] { return judge(load_urdf(robot)); }},
        {"mjcf", [&] { return judge(load_mjcf(model)); }},
        {"ripc", [&] { return judge(load_ripc(scene)); }},
    };
    for (const auto& [name, read] : readers)
    {
        const Outcome before = read();
        for (long at = 0;; at = at < 200 ? at + 1 : at + 1 + at / 50)
        {
            Outcome outcome;
            bool failed = false;
            {
                const MemoryEnds ends(at);
                outcome = read();
                failed = ends.has_failed();
            }
            if (!failed) break;
            EXPECT_TRUE(outcome.ok || outcome.explained) << name << ": allocation " << at;
        }
        const Outcome after = read();
        EXPECT_EQ(after.ok, before.ok) << name;
    }
}

TEST(UntrustedMemory, lengths_that_a_file_does_not_have_are_refused_before_memory_is_taken)
{
    const std::string points =
        R"({"asset":{"version":"2.0"},"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0}],)"
        R"("meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],)"
        R"("accessors":[{"bufferView":0,"componentType":5126,"count":19999999,"type":"VEC3"}],)"
        R"("bufferViews":[{"buffer":0,"byteLength":4294967295}],)"
        R"("buffers":[{"byteLength":4294967295,"uri":"data:application/octet-stream;base64,AAAA"}]})";
    const AllocationWatch watch;
    EXPECT_FALSE(parse_gltf(std::as_bytes(std::span(points)), "part.gltf", "."));
    const std::string glb("glTF\2\0\0\0\xff\xff\xff\xff\xf0\xff\xff\xffJSON{}  ", 24);
    EXPECT_FALSE(parse_gltf(std::as_bytes(std::span(glb)), "part.glb", "."));
    std::string stl(80, ' ');
    stl += "\xff\xff\xff\x7f";
    EXPECT_FALSE(parse_stl(std::as_bytes(std::span(stl)), "part.stl"));
    const std::string msh("\xff\xff\xff\x7f\0\0\0\0\0\0\0\0\xff\xff\xff\x7f", 16);
    EXPECT_FALSE(parse_msh(std::as_bytes(std::span(msh)), "part.msh"));
    EXPECT_FALSE(parse_off("OFF 20000000 20000000 0\n0 0 0\n", "part.off"));
    EXPECT_LT(watch.largest(), 1U << 20);
}

TEST(NearestMatch, looks_at_a_bounded_number_of_letters)
{
    const std::string name(200, 'a'), other(200, 'b');
    const std::vector<std::string_view> many(1'000'000, other);
    EXPECT_LT(time_of([&] { EXPECT_EQ(make_name_hint(name, many), ""); }), 2);
}

}  // namespace rattleback
