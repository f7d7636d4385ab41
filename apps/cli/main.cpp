// The command `rattleback`: reads the command line and hands over to a command. The only file that knows CLI11.
#include "commands.h"
#include "lab/base.h"
#include "terminal.h"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <map>
#include <new>

namespace
{

using namespace rattleback;
using namespace rattleback::cli;

struct Words
{
    RunCommand run;
    ShowcaseCommand showcase;
    bool is_showcase = false;
    InfoCommand info;
    SolversCommand solvers;
    bool scenes_json = false;
    std::string help;
    BenchCommand bench;
    PackCommand pack;
    DecomposeCommand decompose;
    ConvertCommand convert;
    CheckCommand check;
    HashCommand hash;
    DiffCommand diff;
    CertifyCommand certify;
    ExportCommand export_to;
    RecordCommand record;
    RenderCommand render;
    ViewCommand view;
};

/// How model files are read.
void add_import(CLI::App& command, ImportOptions& import)
{
    const std::map<std::string, RobotBase> bases{{"fixed", RobotBase::fixed}, {"free", RobotBase::free}};
    command.add_option("--base", import.base, "the root of a URDF robot: fixed (as if nothing is said) or free")
        ->transform(CLI::CheckedTransformer(bases));
    command.add_flag("--strict", import.strict, "for models from others: open no file outside the model's own folder");
    command.add_option("--packages", import.package_path, "folder of package:// files in URDF; may be repeated")
        ->allow_extra_args(false);
}

void add_run(CLI::App& app, Words& words)
{
    CLI::App* run = app.add_subcommand("run", "run a scene with a solver, or the showcase");
    RunCommand& command = words.run;
    run->add_option("scene", command.scene, "name of a scene (`rattleback scenes` lists them), or a model file");
    run->add_option("--solver", command.solver,
                    "name of a solver (`rattleback solvers` lists them), or auto: the one that fits")
        ->capture_default_str();
    add_import(*run, command.import);
    run->add_option("--dt", command.dt, "timestep [s]; otherwise the scene's");
    CLI::Option* seconds = run->add_option("--seconds", command.seconds, "time to simulate [s]; otherwise the scene's");
    run->add_option("--steps", command.steps, "steps to take, instead of --seconds")->excludes(seconds);
    run->add_option("--set", command.settings, "parameter of the solver, name=value; may be repeated")
        ->allow_extra_args(false);
    run->add_option("--worlds", command.worlds, "copies of the scene in one batch")->capture_default_str();
    run->add_option("--threads", command.threads, "threads of the batch; 0: one per core")->capture_default_str();
    run->add_option("--snapshot", command.save, "save the last moment to this file");
    run->add_option("--from", command.from, "start from a snapshot, bit for bit");
    run->add_option("--key", command.key, "start from a keyframe of the model: its name, or its number from 0");
    run->add_option(
        "--control", command.control,
        "inputs from a file: .csv with a column per actuator and perhaps `time`, or .npz with `input`, `time`");
    run->add_option("--noise", command.noise,
                    "random inputs: deviation, in halves of an actuator's input range (unlimited: in its unit)");
    run->add_option("--seed", command.seed, "of the noise; 0 by default");
    run->add_option("--record", command.record, "record the run to this file; readable even if the run is killed");
    run->add_option("--stride", command.stride, "steps from frame to frame of the recording")->capture_default_str();
    run->add_flag("--contacts", command.record_contacts, "record contacts with their forces");
    run->add_flag("--showcase", words.is_showcase, "the tour: several scenes with every solver, compared");
    run->add_option("--report", words.showcase.report, "folder of the showcase's page")->capture_default_str();
    run->add_flag("!--no-drawing", command.draw, "leave out the side view");
    run->add_flag("!--no-watch", command.watch, "hardly look at energy and momentum: for profilers");
    run->add_flag("--json", command.json, "print one JSON object instead of text");
    run->footer(
        "Examples:\n"
        "  rattleback run t_handle\n"
        "  rattleback run pendulum --dt 0.001 --seconds 20 --set integrator=rk4\n"
        "  rattleback run humanoid --set \"ignore=contact, limits\" --worlds 256 --threads 2\n"
        "  rattleback run chain --seconds 2 --snapshot half.snap && rattleback run chain --from half.snap\n"
        "  rattleback run t_handle --record out.rec --stride 10\n"
        "  rattleback run robot.xml --key home --noise 0.1 --seed 7\n"
        "  rattleback run robot.xml --control inputs.csv\n"
        "  rattleback run --showcase");
}

void add_lists(CLI::App& app, Words& words)
{
    CLI::App* info = app.add_subcommand("info", "what a model is made of, and which solvers run it");
    info->add_option("scene", words.info.scene, "name of a scene, or a model file")->required();
    add_import(*info, words.info.import);
    info->add_flag("--json", words.info.json, "print one JSON object instead of text");
    info->footer("Examples:\n  rattleback info humanoid\n  rattleback info robot.xml\n  rattleback info arm --json");

    CLI::App* solvers = app.add_subcommand("solvers", "the solvers, what they support and their parameters");
    solvers->add_option("name", words.solvers.name, "one solver alone");
    solvers->add_flag("--json", words.solvers.json, "print JSON instead of text: a list, or one object");
    solvers->footer("Examples:\n  rattleback solvers\n  rattleback solvers convex\n  rattleback solvers --json");

    CLI::App* scenes = app.add_subcommand("scenes", "the scenes that can be run");
    scenes->add_flag("--json", words.scenes_json, "print a JSON list instead of text");
    scenes->footer("Examples:\n  rattleback scenes\n  rattleback scenes --json");
}

void add_bench(CLI::App& app, Words& words)
{
    CLI::App* bench = app.add_subcommand("bench", "measure: speed with accuracy beside it");
    bench->add_option("name", words.bench.name, "name of a bench");
    bench->add_flag("--list", words.bench.list, "the benches and what they ask");
    bench->add_flag("--quick", words.bench.quick, "a minute or two");
    bench->add_flag("--strict", words.bench.strict, "exit with 1 when a bar is missed");
    bench
        ->add_option("--solver", words.bench.solver,
                     "accuracy, robust, soak: what to test, with commas between; piles: avbd leaves out the peers")
        ->capture_default_str();
    bench->add_option("--test", words.bench.tests, "accuracy: tests 1 to 7, with commas between; all by default")
        ->delimiter(',')
        ->check(CLI::Range(1, 7));
    bench->add_option("--sweep", words.bench.sweep,
                      "accuracy: friction, resolution, ablation, time, authors, path or all");
    bench->add_option("--mesh", words.bench.mesh, "accuracy: OBJ, STL, COLLADA or glTF file instead of the rabbit");
    bench->add_option("--figures", words.bench.figures,
                      "accuracy: folder for every figure and table of the PBD-R paper, on one page; goes on where it "
                      "was interrupted");
    bench->add_option("--plots", words.bench.plots,
                      "accuracy, batch, comfree, ipc, piles: folder for pictures (piles: with a page)");
    bench->add_flag("--scaling", words.bench.scaling, "ipc: threads 1 to 16 on chains of dense links, weak and strong");
    bench->add_flag("--deviations", words.bench.deviations,
                    "ipc: what each deviation from the paper changes in time and outcome");
    bench->add_option("--scene", words.bench.scene,
                      "comfree, batch, certify, ipc, piles, soak: one scene or experiment alone, for example pyramid");
    bench->add_option("--seeds", words.bench.seeds, "robust: seeds from A to B, both included, as A..B");
    bench->add_option("--keep", words.bench.keep,
                      "robust: file with a line for each scene, shared by any number of processes; soak: folder; what "
                      "is kept there is not run again. certify: folder for recordings");
    bench
        ->add_option(
            "--minutes", words.bench.minutes,
            "robust, soak: begin nothing after so many minutes; the figures are of what is kept. ipc: of CPU time for "
            "each scene")
        ->check(CLI::NonNegativeNumber);
    bench->add_option("--hours", words.bench.hours, "soak: simulated hours of each run")
        ->capture_default_str()
        ->check(CLI::PositiveNumber);
    bench->add_flag("--common", words.bench.common,
                    "ipc: one set of parameters for all scenes, d-hat by one rule from size and gap");
    bench->add_flag("--json", words.bench.json, "print one JSON object instead of text");
    bench->footer(
        "Examples:\n  rattleback bench --list\n  rattleback bench smooth --quick\n  rattleback bench tumble --json\n"
        "  rattleback bench accuracy --solver pbdr,refined --test 1,7\n  rattleback bench accuracy --sweep ablation\n"
        "  rattleback bench piles --scene pyramid --plots plots\n"
        "  rattleback bench robust --seeds 1..625 --keep robust.jsonl\n"
        "  rattleback bench soak --scene stack --solver convex --hours 10 --keep soak");
}

void add_models(CLI::App& app, Words& words)
{
    CLI::App* convert = app.add_subcommand("convert", "write a model as plain MJCF that reads back bit for bit");
    convert->add_option("source", words.convert.source, "model file, or name of a scene")->required();
    convert->add_option("target", words.convert.target, "MJCF file to write")->required();
    add_import(*convert, words.convert.import);
    convert->add_flag("--force", words.convert.force, "replace the target if it is there");
    convert->add_flag("--json", words.convert.json, "print one JSON object instead of text");
    convert->footer("Examples:\n  rattleback convert scene.xml flat.xml\n  rattleback convert humanoid humanoid.xml");

    CLI::App* check = app.add_subcommand("check", "all problems of model files, with line and column");
    check->add_option("files", words.check.files, "model files")->required();
    add_import(*check, words.check.import);
    check->add_flag("--json", words.check.json, "print one JSON object instead of text");
    check->footer("Examples:\n  rattleback check robot.xml\n  rattleback check *.xml --json");
}

void add_pack(CLI::App& app, Words& words)
{
    CLI::App* pack =
        app.add_subcommand("pack", "a mesh or a cloud of points as spheres for pbd, pbdr and refined, weighed");
    pack->add_option("mesh", words.pack.mesh, "OBJ, STL, COLLADA or glTF file, or points of a surface (.xyz)")
        ->required();
    pack->add_option("--view", words.pack.view, "points seen from one side: x y z towards the eye")->expected(3);
    pack->add_option("--density", words.pack.density, "of what points enclose [kg/m^3]")->capture_default_str();
    pack->add_option("--radius", words.pack.radius, "of the spheres [m]; 0: by --across")->capture_default_str();
    pack->add_option("--across", words.pack.across, "spheres across the thinnest side")->capture_default_str();
    pack->add_flag("--exact", words.pack.exact, "weigh them so that mass, centre and inertia are exact");
    pack->add_flag("--show", words.pack.show, "draw the spheres");
    pack->add_option("-o,--output", words.pack.output, "picture for --show: .png or .svg")->capture_default_str();
    pack->add_flag("--json", words.pack.json, "print one JSON object instead of text");
    pack->footer(
        "Examples:\n  rattleback pack bunny.obj --radius 0.005 --show\n  rattleback pack cup.stl --across 12 --exact\n"
        "  rattleback pack scan.xyz --view 1 0 0.5");
}

void add_decompose(CLI::App& app, Words& words)
{
    CLI::App* decompose = app.add_subcommand("decompose", "a mesh as convex parts, by CoACD (tools/peers --coacd)");
    decompose->add_option("mesh", words.decompose.mesh, "OBJ, STL, COLLADA or glTF file")->required();
    decompose->add_option("-n,--count", words.decompose.count, "parts at most")
        ->check(CLI::Range(1, 1000))
        ->capture_default_str();
    decompose->add_option("-o,--output", words.decompose.folder, "folder for the parts; default: that of the mesh");
    decompose->add_flag("--json", words.decompose.json, "print one JSON object instead of text");
    decompose->footer("Examples:\n  rattleback decompose cup.stl -n 12\n  rattleback info cup-0123456789abcdef.xml");
}

void add_recordings(CLI::App& app, Words& words)
{
    CLI::App* hash = app.add_subcommand("hash", "64 bits that stand for a recording or a model");
    hash->add_option("what", words.hash.what, "file of a recording or of a model, or name of a scene")->required();
    add_import(*hash, words.hash.import);
    hash->add_flag("--json", words.hash.json, "print one JSON object instead of text");
    hash->footer("Examples:\n  rattleback hash out.rec\n  rattleback hash t_handle");

    CLI::App* diff = app.add_subcommand("diff", "where two recordings part; exits with 1 when they differ");
    diff->add_option("first", words.diff.first, "file of a recording")->required();
    diff->add_option("second", words.diff.second, "file of a recording")->required();
    diff->add_option("--tolerance", words.diff.tolerance, "allowed absolute difference; 0: bit for bit")
        ->capture_default_str();
    diff->add_flag("--by-time", words.diff.by_time,
                   "match frames by time, between frames too: q, v, poses and velocities alone");
    diff->add_flag("--json", words.diff.json, "print one JSON object instead of text");
    diff->footer(
        "Examples:\n  rattleback diff a.rec b.rec\n  rattleback diff a.rec b.rec --tolerance 1e-9\n"
        "  rattleback diff coarse.rec fine.rec --by-time --tolerance 1e-3");

    CLI::App* certify = app.add_subcommand(
        "certify", "whether anything passes through anything in a recording, between its frames too");
    certify->add_option("recording", words.certify.recording, "file of a recording, made with --stride 1")->required();
    certify->add_option("--model", words.certify.model,
                        "the model file or scene that was run: its filters say what may collide");
    add_import(*certify, words.certify.import);
    certify->add_flag("--states", words.certify.states, "look at the frames alone, not at the way between them");
    certify->add_option("--certificate", words.certify.certificate,
                        "write shapes, poses, turns and proven distances to this file, for tools/check_certificate");
    certify->add_option("--threads", words.certify.threads, "0: one per core; no influence on the result")
        ->capture_default_str();
    certify->add_flag("--json", words.certify.json, "print one JSON object instead of text");
    certify->footer(
        "Examples:\n  rattleback certify out.rec\n  rattleback certify out.rec --model robot.xml --states\n"
        "Exit codes: 0 nothing intersects, 1 something does, 2 a mistake, 3 nothing was seen to but not all is "
        "proven.");

    CLI::App* out = app.add_subcommand("export", "turn a recording into .npz, .csv, .gltf or .glb");
    out->add_option("recording", words.export_to.recording, "file of a recording")->required();
    out->add_option("output", words.export_to.output, "file to write; its ending chooses the format")->required();
    out->footer("Examples:\n  rattleback export out.rec out.npz\n  rattleback export out.rec out.glb");

    RecordCommand& command = words.record;
    CLI::App* record = app.add_subcommand("record", "poses from any program as a recording: the way back from export");
    record->add_option("poses", command.poses, "times and poses, .csv or .npz")->required();
    record->add_option("--model", command.model, "the model file or scene whose bodies they are")->required();
    record->add_option("-o,--output", command.output, "recording to write")->required();
    record->add_option("--solver", command.solver, "whose run it is, as the recording will say")->capture_default_str();
    add_import(*record, command.import);
    record->add_flag("--json", command.json, "print one JSON object instead of text");
    record->footer("Example:\n  rattleback record poses.csv --model scene.xml -o peer.rec --solver bullet");
}

void add_render(CLI::App& app, Words& words)
{
    RenderCommand& command = words.render;
    CLI::App* render = app.add_subcommand("render", "pictures and videos of a recording, without a browser");
    render->add_option("recording", command.recording, "file of a recording")->required();
    render
        ->add_option("-o,--output", command.output,
                     "file .png, .svg, .mp4 (needs ffmpeg) or .npy (an array), or a folder: frames/")
        ->required();
    render->add_option("--time", command.time, "of the picture [s], between frames too; otherwise the last frame");
    render->add_option("--size", command.size, "of the picture [pixels]")->capture_default_str();
    render->add_option("--fps", command.fps, "pictures per second of a video or folder")->capture_default_str();
    render->add_option("--camera", command.camera,
                       "name of a camera of the model, or where it stands: yaw,pitch[,distance[,x,y,z]] in degrees and "
                       "metres; x,y,z: where it looks");
    render->add_option("--follow", command.follow, "body that the camera moves with");
    render->add_flag("--contacts", command.contacts, "draw contact points and force arrows, if recorded");
    render->add_flag("--every-group", command.every_group, "draw shapes of groups 3 and above too: collision shapes");
    render->add_flag("--draft", command.draft, "plainer light, several times as fast");
    render
        ->add_option("--layer", command.layer,
                     "picture, or as an array (.npy): colour, depth [m] or segmentation (index of the shape, -1: "
                     "none)")
        ->capture_default_str();
    render->add_option("--threads", command.threads, "0: one per core; no influence on the picture")
        ->capture_default_str();
    render->add_flag("--json", command.json, "print one JSON object instead of text");
    render->footer(
        "Examples:\n"
        "  rattleback render out.rec -o last.png\n"
        "  rattleback render out.rec -o start.svg --time 0 --size 900x500\n"
        "  rattleback render out.rec -o run.mp4 --fps 60 --camera -60,20\n"
        "  rattleback render out.rec -o wrist.png --camera wrist_cam\n"
        "  rattleback render out.rec -o depth.npy --layer depth\n"
        "  rattleback render out.rec -o frames/ --follow torso --contacts");
}

void add_view(CLI::App& app, Words& words)
{
    CLI::App* view = app.add_subcommand("view", "recordings as a page that opens in any browser");
    view->add_option("recordings", words.view.recordings, "files of recordings; up to four are seen at once");
    view->add_option("-o,--output", words.view.output, "page to write: one file that needs nothing else");
    view->add_flag("--serve", words.view.serve,
                   "serve the page on this machine, and follow files while they are written");
    view->add_option("--port", words.view.port, "port of --serve; 0: any that is free")->capture_default_str();
    view->add_option("--stride", words.view.stride, "show every nth frame; 0: as many as fit")->capture_default_str();
    view->footer(
        "Examples:\n"
        "  rattleback view out.rec -o page.html\n"
        "  rattleback view smooth.rec convex.rec -o both.html\n"
        "  rattleback view --serve out.rec");
}

void add_help(CLI::App& app, Words& words)
{
    CLI::App* help = app.add_subcommand("help", "the words of a command, with examples");
    help->add_option("command", words.help, "for example run");
    help->footer("Examples:\n  rattleback help\n  rattleback help run");
}

bool wants_json(int argc, char** argv)
{
    for (int i = 1; i < argc; ++i)
    {
        if (std::string_view(argv[i]) == "--json") return true;
    }
    return false;
}

/// The command of that name; otherwise an error that names the nearest one.
Result<const CLI::App*> find_command(const CLI::App& app, const std::string& word)
{
    std::vector<std::string> names;
    for (const CLI::App* command : app.get_subcommands({}))
    {
        names.push_back(command->get_name());
        if (names.back() == word) return command;
    }
    const std::vector<std::string_view> views(names.begin(), names.end());
    return Error{.code = ErrorCode::unknown_name,
                 .where = "",
                 .message = "there is no command '" + word + "'",
                 .hint = make_name_hint(word, views)};
}

/// The first word must be a command that exists.
int check_command(const CLI::App& app, int argc, char** argv)
{
    if (argc < 2 || argv[1][0] == '-') return 0;
    const Result<const CLI::App*> command = find_command(app, argv[1]);
    return command.ok() ? 0 : report_errors(command.errors(), wants_json(argc, argv));
}

/// Words that the command does not take: options with the nearest that it has.
std::vector<Error> explain_extras(const CLI::App& app, const std::vector<std::string>& extras)
{
    const std::vector<CLI::App*> chosen = app.get_subcommands();
    const CLI::App& command = chosen.empty() ? app : *chosen.front();
    std::vector<std::string> names;
    for (const CLI::Option* option : command.get_options())
    {
        for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    }
    const std::vector<std::string_view> views(names.begin(), names.end());
    std::vector<Error> errors;
    for (const std::string& extra : extras)
    {
        const std::string word = extra.substr(0, extra.find('='));
        const bool is_option = word.size() > 1 && word[0] == '-';
        if (!is_option && !errors.empty()) continue;  // the value of an option that is not there, as a rule
        const std::string near(is_option ? find_nearest_match(word, views) : std::string_view());
        errors.push_back({.code = ErrorCode::unknown_name,
                          .where = "",
                          .message = fmt::format("{} {}'{}'", command.get_name(),
                                                 is_option ? "has no option " : "does not expect the word ", word),
                          .hint = near.empty() ? fmt::format("`rattleback help {}` lists what it takes",
                                                             chosen.empty() ? "" : command.get_name())
                                               : "did you mean '" + near + "'?"});
    }
    return errors;
}

/// Options of `run` that were given and that the showcase, or a plain run, would not heed.
std::vector<Error> find_idle_options(const CLI::App& run, bool showcase)
{
    std::vector<Error> errors;
    for (const CLI::Option* option : run.get_options())
    {
        const std::string name =
            option->get_lnames().empty() ? option->get_name() : "--" + option->get_lnames().front();
        const bool of_showcase = name == "--showcase" || name == "--report";
        if (option->count() == 0 || name == "--json" || (showcase ? of_showcase : name != "--report")) continue;
        errors.push_back(
            {.code = ErrorCode::invalid_value,
             .where = name,
             .message = showcase ? "has no effect on the showcase" : "belongs to --showcase",
             .hint = showcase ? "--showcase runs its own scenes with every solver; it takes --report and --json" : ""});
    }
    return errors;
}

int show_help(const CLI::App& app, const std::string& word)
{
    if (word.empty())
    {
        // app.help() would show the words of `help` itself, the command in use.
        say("{}", app.get_formatter()->make_help(&app, app.get_name(), CLI::AppFormatMode::Normal));
        return 0;
    }
    const Result<const CLI::App*> command = find_command(app, word);
    if (!command.ok()) return report_errors(command.errors(), false);
    say("{}", command.value()->help(app.get_name()));
    return 0;
}

int dispatch(const CLI::App& app, Words& words)
{
    if (app.got_subcommand("run"))
    {
        words.showcase.json = words.run.json;
        const std::vector<Error> idle = find_idle_options(*app.get_subcommand("run"), words.is_showcase);
        if (!idle.empty()) return report_errors(idle, words.run.json);
        if (words.is_showcase) return run_showcase(words.showcase);
        if (!words.run.scene.empty()) return run(words.run);
        return report_errors({{.code = ErrorCode::invalid_value,
                               .where = "run",
                               .message = "which scene?",
                               .hint = "`rattleback scenes` lists them; `rattleback run --showcase` is a tour"}},
                             words.run.json);
    }
    if (app.got_subcommand("help")) return show_help(app, words.help);
    if (app.got_subcommand("info")) return show_info(words.info);
    if (app.got_subcommand("solvers")) return list_solvers(words.solvers);
    if (app.got_subcommand("scenes")) return list_scenes(words.scenes_json);
    if (app.got_subcommand("convert")) return convert(words.convert);
    if (app.got_subcommand("pack")) return pack(words.pack);
    if (app.got_subcommand("decompose")) return decompose(words.decompose);
    if (app.got_subcommand("check")) return check_files(words.check);
    if (app.got_subcommand("hash")) return show_hash(words.hash);
    if (app.got_subcommand("certify")) return certify(words.certify);
    if (app.got_subcommand("diff")) return show_difference(words.diff);
    if (app.got_subcommand("export")) return export_file(words.export_to);
    if (app.got_subcommand("record")) return record_poses(words.record);
    if (app.got_subcommand("render")) return render(words.render);
    if (app.got_subcommand("view")) return view(words.view);
    return run_bench(words.bench);
}

}  // namespace

int main(int argc, char** argv)
{
    CLI::App app("Rattleback: rigid-body physics with one model, many solvers and a laboratory that measures them.",
                 "rattleback");
    app.set_version_flag("--version", RATTLEBACK_VERSION);
    app.require_subcommand(1);
    app.footer(
        "Examples:\n"
        "  rattleback run --showcase\n"
        "  rattleback run t_handle\n"
        "  rattleback info humanoid\n"
        "  rattleback bench smooth --quick\n"
        "Exit codes: 0 fine, 1 the simulation failed, 2 a wrong word or input, 3 a run whose steps never converged.");
    Words words;
    add_run(app, words);
    add_lists(app, words);
    add_bench(app, words);
    add_models(app, words);
    add_pack(app, words);
    add_decompose(app, words);
    add_recordings(app, words);
    add_render(app, words);
    add_view(app, words);
    add_help(app, words);

    const int unknown = check_command(app, argc, argv);
    if (unknown != 0) return unknown;
    try
    {
        app.parse(argc, argv);
        return dispatch(app, words);
    }
    catch (const CLI::ExtrasError&)
    {
        return report_errors(explain_extras(app, app.remaining(true)), wants_json(argc, argv));
    }
    catch (const CLI::ParseError& error)
    {
        if (error.get_exit_code() == 0) return app.exit(error);  // --help, --version
        return report_errors({{.code = ErrorCode::syntax,
                               .where = "",
                               .message = error.what(),
                               .hint = "`rattleback help` shows the words and examples"}},
                             wants_json(argc, argv));
    }
    catch (const std::bad_alloc&)
    {
        return report_errors({{.code = ErrorCode::limit, .where = "", .message = "not enough memory for that"}},
                             wants_json(argc, argv));
    }
}
