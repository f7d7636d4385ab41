// The commands of `rattleback`: what each one is told, and the function that does it. All return an exit code:
// 0 fine, 1 the simulation failed (or a bar was missed under --strict, or recordings differ), 2 the user's mistake.
#pragma once

#include <rattleback/import.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace rattleback::cli
{

struct RunCommand
{
    std::string scene;
    std::string solver = "auto";
    std::optional<double> dt = std::nullopt;           ///< [s]
    std::optional<double> seconds = std::nullopt;      ///< simulated [s]
    std::optional<std::int64_t> steps = std::nullopt;  ///< instead of seconds
    std::vector<std::string> settings;                 ///< "name=value"
    int worlds = 1;
    int threads = 0;                                   ///< 0: one per core
    std::string save;                                  ///< snapshot written at the end
    std::string from;                                  ///< snapshot to start from
    std::string key;                                   ///< keyframe to start from, name or number
    std::string control;                               ///< file of inputs, .csv or .npz
    std::optional<double> noise = std::nullopt;        ///< deviation of random inputs, in halves of their range
    std::optional<std::uint64_t> seed = std::nullopt;  ///< of the noise
    std::string record;                                ///< recording written while it runs
    std::int64_t stride = 1;                           ///< steps from frame to frame of the recording
    bool record_contacts = false;                      ///< in the recording, with forces
    bool draw = true;
    bool watch = true;  ///< look at energy and momentum often, for their drift
    bool json = false;
    ImportOptions import;  ///< of a model file
};
int run(const RunCommand& command);

struct ShowcaseCommand
{
    std::string report = "report";  ///< folder of the page
    bool json = false;
};
int run_showcase(const ShowcaseCommand& command);

struct InfoCommand
{
    std::string scene;
    bool json = false;
    ImportOptions import;
};
int show_info(const InfoCommand& command);
struct SolversCommand
{
    std::string name;  ///< "": all
    bool json = false;
};
int list_solvers(const SolversCommand& command);
int list_scenes(bool json);

struct BenchCommand
{
    std::string name;
    std::string solver = "all";  ///< of `accuracy`, as are those below
    std::vector<int> tests;
    std::string sweep, mesh, figures;
    std::string plots;  ///< of `accuracy` and `piles`
    std::string scene;  ///< of `piles`, `certify` and others
    std::string seeds;  ///< of `robust`
    std::string keep;   ///< of `robust`, `soak` and `certify`
    double minutes = 0, hours = 10;
    bool scaling = false;     ///< of `ipc`
    bool deviations = false;  ///< of `ipc`
    bool common = false;      ///< of `ipc`
    bool list = false;
    bool quick = false;
    bool strict = false;
    bool json = false;
};
int run_bench(const BenchCommand& command);

struct PackCommand
{
    std::string mesh;                    ///< OBJ or STL file, or points (.xyz)
    std::vector<double> view;            ///< of points seen from one side: towards the eye; empty: all around
    double density = 1000;               ///< of what the points enclose [kg/m^3]
    double radius = 0;                   ///< [m]; 0: by `across`
    int across = 20;                     ///< spheres across the thinnest side
    bool exact = false;                  ///< weigh for exact mass, centre and inertia
    bool show = false;                   ///< write a picture
    std::string output = "packing.png";  ///< the picture, .png or .svg
    bool json = false;
};
int pack(const PackCommand& command);

struct DecomposeCommand
{
    std::string mesh;    ///< mesh file
    int count = 16;      ///< parts at most
    std::string folder;  ///< for the parts; "": that of the mesh
    bool json = false;
};
int decompose(const DecomposeCommand& command);

struct ConvertCommand
{
    std::string source;  ///< model file or scene
    std::string target;  ///< MJCF file
    bool force = false;  ///< replace the target
    bool json = false;
    ImportOptions import;
};
int convert(const ConvertCommand& command);

struct CheckCommand
{
    std::vector<std::string> files;
    bool json = false;
    ImportOptions import;
};
int check_files(const CheckCommand& command);

struct HashCommand
{
    std::string what;  ///< recording, model file or scene
    ImportOptions import;
    bool json = false;
};
int show_hash(const HashCommand& command);

struct CertifyCommand
{
    std::string recording;
    std::string model;  ///< file or scene whose filters say what may collide; "": the rules about bodies alone
    ImportOptions import;
    bool states = false;      ///< leave out the way from frame to frame
    std::string certificate;  ///< file for tools/check_certificate
    int threads = 0;          ///< 0: one per core
    bool json = false;
};
/// Returns 0: nothing ever intersects; 1: something does; 3: nothing was seen to, and not all of it is proven.
int certify(const CertifyCommand& command);

struct DiffCommand
{
    std::string first, second;
    double tolerance = 0;
    bool by_time = false;  ///< frames are matched by their times, not by their numbers
    bool json = false;
};
int show_difference(const DiffCommand& command);

struct ExportCommand
{
    std::string recording;
    std::string output;
};
int export_file(const ExportCommand& command);

struct RecordCommand
{
    std::string poses;             ///< file .csv or .npz
    std::string model;             ///< file or scene whose bodies they are
    std::string output;            ///< recording
    std::string solver = "other";  ///< whose run it is
    bool json = false;
    ImportOptions import;
};
int record_poses(const RecordCommand& command);

struct RenderCommand
{
    std::string recording;
    std::string output;                         ///< .png, .svg, .mp4, .npy or a folder
    std::string size = "1280x720";              ///< "WIDTHxHEIGHT"
    std::string camera;                         ///< name, or "yaw,pitch[,distance[,x,y,z]]"; "": everything
    std::string follow;                         ///< name of a body
    std::optional<double> time = std::nullopt;  ///< of a picture [s]
    double fps = 30;                            ///< of a video
    std::string layer = "picture";              ///< or colour, depth, segmentation
    bool contacts = false, every_group = false, draft = false;
    int threads = 0;  ///< 0: one per core
    bool json = false;
};
int render(const RenderCommand& command);

struct ViewCommand
{
    std::vector<std::string> recordings;
    std::string output;       ///< page to write
    bool serve = false;       ///< instead: answer a browser on this machine
    int port = 0;             ///< 0: any that is free
    std::int64_t stride = 0;  ///< frames of the recording from one shown frame to the next; 0: as few as fit the page
};
int view(const ViewCommand& command);

}  // namespace rattleback::cli
