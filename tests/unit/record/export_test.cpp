// Exports to NPZ and CSV, read back by numpy and by an own reader.
#include "made_frames.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <charconv>
#include <clocale>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>

namespace rattleback
{

namespace
{

constexpr int kExportFrames = 300;  // several blocks of the writer

/// A Python with numpy; "" where there is none.
std::string find_python()
{
    for (const char* python : {"python3", "/usr/bin/python3"})
    {
        if (std::system((std::string(python) + " -c 'import numpy' 2> /dev/null").c_str()) == 0) return python;
    }
    return {};
}

/// Numpy's view of an archive: files KEY.bin with the raw values and KEY.txt with "dtype shape" in `folder`.
bool dump_with_numpy(const std::string& python, const std::filesystem::path& archive,
                     const std::filesystem::path& folder)
{
    std::ofstream(folder / "dump.py") << "import sys, zipfile, numpy\n"
                                         "archive, folder = sys.argv[1:]\n"
                                         "assert zipfile.ZipFile(archive).testzip() is None\n"
                                         "with numpy.load(archive, allow_pickle=False) as arrays:\n"
                                         "    for key in arrays.files:\n"
                                         "        value = arrays[key]\n"
                                         "        text = ' '.join([str(value.dtype), *map(str, value.shape)])\n"
                                         "        open(f'{folder}/{key}.txt', 'w').write(text)\n"
                                         "        open(f'{folder}/{key}.bin', 'wb').write(value.tobytes())\n"
                                         "        if value.dtype.kind == 'U':\n"
                                         "            open(f'{folder}/{key}.words', 'w', encoding='utf-8', newline='')"
                                         ".write('|'.join(value))\n";
    const std::string command =
        python + " '" + (folder / "dump.py").string() + "' '" + archive.string() + "' '" + folder.string() + "'";
    return std::system(command.c_str()) == 0;
}

std::string read_export(const std::filesystem::path& path)
{
    const std::vector<std::byte> bytes = read_bytes(path);
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// The rows of all frames one after the other, as `get` takes them from a frame.
template <class Get>
std::string gather(const Model& model, const Get& get)
{
    std::string bytes;
    for (int i = 0; i < kExportFrames; ++i)
    {
        const MadeFrame frame(model, i);
        const auto& values = get(frame);
        bytes.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(values[0]));
    }
    return bytes;
}

std::vector<std::string> split(const std::string& line)
{
    std::vector<std::string> cells(1);
    bool quoted = false;
    for (const char c : line)
    {
        if (c == '"')
            quoted = !quoted;
        else if (c == ',' && !quoted)
            cells.emplace_back();
        else
            cells.back() += c;
    }
    return cells;
}

}  // namespace

TEST(ExportNpz, numpy_reads_every_bit)
{
    const std::string python = find_python();
    if (python.empty()) GTEST_SKIP() << "no Python with numpy";
    const auto model = make_gallery();
    const std::filesystem::path path = temporary_path("npz.rec"), folder = temporary_path("npz");
    std::filesystem::create_directory(folder);
    write_recording(path, model, kExportFrames, {.solver = "made", .contacts = true});
    Recording recording = load_recording(path).value();
    const Status written = export_npz(recording, folder / "run.npz");
    ASSERT_TRUE(written.ok()) << to_text(written.errors());
    ASSERT_TRUE(dump_with_numpy(python, folder / "run.npz", folder));

    const std::string frames = std::to_string(kExportFrames), bodies = std::to_string(model->body_count());
    const auto expect = [&](const std::string& key, const std::string& type, const auto& get)
    {
        EXPECT_EQ(read_export(folder / (key + ".txt")), type) << key;
        EXPECT_TRUE(read_export(folder / (key + ".bin")) == gather(*model, get)) << key;
    };
    using Frame = const MadeFrame&;
    expect("time", "float64 " + frames, [](Frame f) -> auto& { return f.state.time; });
    expect("step", "int64 " + frames, [](Frame f) -> auto& { return f.state.step; });
    expect("q", "float64 " + frames + " " + std::to_string(model->q_count()),
           [](Frame f) -> auto& { return f.state.q; });
    expect("v", "float64 " + frames + " " + std::to_string(model->v_count()),
           [](Frame f) -> auto& { return f.state.v; });
    expect("act", "float64 " + frames + " 1", [](Frame f) -> auto& { return f.state.act; });
    expect("body_pose", "float64 " + frames + " " + bodies + " 7", [](Frame f) -> auto& { return f.state.body_pose; });
    expect("body_velocity", "float64 " + frames + " " + bodies + " 6",
           [](Frame f) -> auto& { return f.state.body_velocity; });
    expect("input", "float64 " + frames + " 2", [](Frame f) -> auto& { return f.control.input; });
    expect("target", "float64 " + frames + " 1 7", [](Frame f) -> auto& { return f.control.target; });
    expect("joint_force", "float64 " + frames + " " + std::to_string(model->v_count()),
           [](Frame f) -> auto& { return f.control.joint_force; });
    expect("body_wrench", "float64 " + frames + " " + bodies + " 6",
           [](Frame f) -> auto& { return f.control.body_wrench; });
    expect("residual", "float64 " + frames, [](Frame f) { return std::array{f.report.residual}; });
    expect("iterations", "int32 " + frames, [](Frame f) { return std::array<std::int32_t, 1>{f.report.iterations}; });
    expect("kinetic_energy", "float64 " + frames,
           [&](Frame f) { return std::array{compute_energy(*model, f.state.world()).kinetic}; });
    const std::string contacts = std::to_string(kExportFrames / 4 * 6);  // frame n has n mod 4 of them
    expect("contact_force", "float64 " + contacts + " 6", [](Frame f) -> auto& { return f.forces.items; });
    EXPECT_EQ(read_export(folder / "contact_frame_index.txt"), "int64 " + contacts);
    EXPECT_EQ(read_export(folder / "contact_bodies.txt"), "int32 " + contacts + " 2");
    EXPECT_EQ(read_export(folder / "actuator_names.words"), "motor|filtered");
    expect("sensors", "float64 " + frames + " 4", [](Frame f) -> auto& { return f.sensors; });
    EXPECT_EQ(read_export(folder / "sensor_names.words"), "angle|place");
    EXPECT_EQ(read_export(folder / "sensor_types.words"), "joint_position|frame_position");
    const auto expect_indices = [&](const std::string& key, const std::vector<int>& values)
    {
        EXPECT_EQ(read_export(folder / (key + ".txt")), "int32 " + std::to_string(values.size())) << key;
        const std::string bytes = read_export(folder / (key + ".bin"));
        ASSERT_EQ(bytes.size(), values.size() * sizeof(int)) << key;
        EXPECT_EQ(std::memcmp(bytes.data(), values.data(), bytes.size()), 0) << key;
    };
    expect_indices("sensor_begin", {0, 1});
    expect_indices("joint_q_begin", model->joints.q_begin);
    expect_indices("joint_v_begin", model->joints.v_begin);
    EXPECT_EQ(read_export(folder / "model_name.words"), model->name) << "beyond ASCII too";
    EXPECT_EQ(read_export(folder / "solver.words"), "made");
    std::filesystem::remove_all(folder);
    std::filesystem::remove(path);
}

TEST(ExportNpz, numpy_reads_a_recording_without_frames)
{
    const std::string python = find_python();
    if (python.empty()) GTEST_SKIP() << "no Python with numpy";
    const std::filesystem::path path = temporary_path("npz0.rec"), folder = temporary_path("npz0");
    std::filesystem::create_directory(folder);
    write_recording(path, make_single_box(), 0, {});
    Recording recording = load_recording(path).value();
    ASSERT_TRUE(export_npz(recording, folder / "run.npz").ok());
    ASSERT_TRUE(dump_with_numpy(python, folder / "run.npz", folder));
    EXPECT_EQ(read_export(folder / "q.txt"), "float64 0 7");
    std::filesystem::remove_all(folder);
    std::filesystem::remove(path);
}

TEST(ExportCsv, reads_back_as_the_same_numbers_in_any_locale)
{
    const auto model = make_gallery();
    const std::filesystem::path path = temporary_path("csv.rec"), table = temporary_path("run.csv");
    write_recording(path, model, kExportFrames, {});
    Recording recording = load_recording(path).value();
    std::setlocale(LC_ALL, "de_DE.UTF-8");  // where it is installed: a decimal comma must change nothing
    const Status written = export_csv(recording, table);
    std::setlocale(LC_ALL, "C");
    ASSERT_TRUE(written.ok()) << to_text(written.errors());

    std::istringstream lines(read_export(table));
    std::string line;
    ASSERT_TRUE(std::getline(lines, line));
    const std::vector<std::string> titles = split(line);
    const std::size_t after_poses = 4 + 7 * static_cast<std::size_t>(model->body_count() - 1);
    const auto q_count = static_cast<std::size_t>(model->q_count()),
               v_count = static_cast<std::size_t>(model->v_count());
    ASSERT_EQ(titles.size(), after_poses + q_count + v_count + 2 + 4) << "q, v, two inputs, four numbers of sensors";
    const auto hinge = static_cast<std::size_t>(model->find_joint("hinge")->index);
    const std::size_t hinge_q = after_poses + static_cast<std::size_t>(model->joints.q_begin[hinge]);
    const std::size_t hinge_v = after_poses + q_count + static_cast<std::size_t>(model->joints.v_begin[hinge]);
    const std::size_t inputs = after_poses + q_count + v_count;
    EXPECT_EQ(titles[hinge_q], "q.hinge");
    EXPECT_EQ(titles[hinge_v], "v.hinge");
    EXPECT_EQ(titles[inputs], "input.motor");
    EXPECT_EQ(titles[inputs + 2], "sensor.angle");
    EXPECT_EQ(titles[inputs + 5], "sensor.place.2");
    EXPECT_NE(std::ranges::find_if(titles, [](const std::string& title) { return title.ends_with(".wz"); }),
              titles.end());
    EXPECT_EQ(titles[0], "time");
    EXPECT_EQ(titles[4], "body 0.x");
    const auto arm = static_cast<std::size_t>(model->find_body("arm, with a comma")->index);
    EXPECT_EQ(titles[4 + 7 * (arm - 1)], "arm, with a comma.x");
    for (int i = 0; i < kExportFrames; ++i)
    {
        ASSERT_TRUE(std::getline(lines, line)) << i;
        const std::vector<std::string> cells = split(line);
        ASSERT_EQ(cells.size(), titles.size());
        const MadeFrame made(*model, i);
        const auto expect = [&](std::size_t column, double expected)
        {
            double value = 0;
            std::from_chars(cells[column].data(), cells[column].data() + cells[column].size(), value);
            EXPECT_EQ(value, expected) << titles[column];
        };
        expect(0, made.state.time[0]);
        expect(1, static_cast<double>(made.state.step[0]));
        expect(2, compute_energy(*model, made.state.world()).kinetic);
        const Pose& pose = made.state.body_pose[arm];
        expect(4 + 7 * (arm - 1), pose.position.x);
        expect(hinge_q, made.state.q[hinge_q - after_poses]);
        expect(hinge_v, made.state.v[hinge_v - after_poses - q_count]);
        expect(inputs + 1, made.control.input[1]);
        expect(inputs + 5, made.sensors[3]);
        expect(4 + 7 * (arm - 1) + 3, pose.rotation.w);
        expect(4 + 7 * (arm - 1) + 6, pose.rotation.z);
    }
    EXPECT_FALSE(std::getline(lines, line)) << "nothing after the last frame";
    std::filesystem::remove(path);
    std::filesystem::remove(table);
}

}  // namespace rattleback
