// Sizes, gaps and the one rule for d-hat.
#include "lab/bench/ipc_common.h"

#include "base/index.h"
#include "lab/accuracy/chart.h"
#include "lab/certify/overlap.h"
#include "record/recording_format.h"

#include <rattleback/query.h>
#include <rattleback/state.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>

namespace rattleback::lab
{

namespace
{

// Of the common d-hat, over the radius of the smallest body that moves.
constexpr double kMostReach = 2.5e-4, kLeastReach = 1e-4;
constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

struct PaperSize
{
    std::string_view scene;
    SceneSize size;
};

// Welded where the reference repeats vertices: the piston's 6,420 are 1,070, the lock box's 66,000 some 11,000.
constexpr PaperSize kPaperSizes[] = {
    {"five_cubes", {6, 44, 62}},
    {"bat", {3, 902, 1792}},
    {"cube_on_edge", {3, kUnknown, kUnknown}},
    {"edge_edge", {2, 8, 8}},
    {"edge_edge_parallel", {2, 8, 8}},
    {"face_vertex", {2, 8, 8}},
    {"vertex_face", {2, 8, 8}},
    {"vertex_vertex", {3, kUnknown, kUnknown}},
    {"mass_ratio", {3, 20, 26}},
    {"lever_arm", {2, kUnknown, kUnknown}},
    {"spinning_cube", {2, 12, 14}},
    {"tet_corner", {5, kUnknown, kUnknown}},
    {"tunneling", {2, 12, 14}},
    {"tunnel_2", {3, 24, 36}},
    {"tunnel_3", {4, 32, 48}},
    {"tunnel_4", {5, 40, 60}},
    {"tunnel_8k", {3, 8458, 16396}},
    {"chain_3", {3, 600, 1200}},
    {"chain_5", {5, 1000, 2000}},
    {"chain_10", {10, 2000, 4000}},
    {"net_3", {24, 5280, 10560}},
    {"net_7", {144, 31680, 63360}},
    {"wire_net_3", {24, 816, 0}},
    {"wire_net_15", {673, 23490, 1280}},
    {"anchor", {23, 9156, 18304}},
    {"wrecking_ball", {575, 7656, 13066}},
    {"arch_25", {26, 204, 302}},
    {"arch_101", {102, 812, 1214}},
    {"card_tent", {3, 12, 6}},
    {"card_house_2", {8, 32, 16}},
    {"card_house_3_blocks", {18, 80, 56}},
    {"slope_49", {2, 12, 14}},
    {"slope_50", {2, 12, 14}},
    {"slope_50_fall", {2, 12, 14}},
    {"turntable_0", {2, 138, 268}},
    {"turntable_10", {2, 138, 268}},
    {"turntable_50", {2, 138, 268}},
    {"turntable_100", {2, 138, 268}},
    {"coin", {2, 134, 258}},
    {"rolling_cone", {2, kUnknown, kUnknown}},
    {"bolt", {2, 2625, 5246}},
    {"gears_2", {4, 996, 1984}},
    {"gears_4", {6, kUnknown, kUnknown}},
    {"lewis", {7, 64, 98}},
    {"point_clouds", {kUnknown, kUnknown, kUnknown}},
    {"sliced_sphere", {3, 4514, 850}},
    {"packing", {10, 6613, 13242}},
    {"pendulum", {2, 330, 660}},
    {"double_pendulum", {4, 660, 1320}},
    {"piston", {4, 1070, 2140}},
    {"punching_press", {6, 2331, 4646}},
    {"punching_press_loose", {6, 2262, 4508}},
    {"intermittent", {5, 2102, 4188}},
    {"bike_chain", {138, 47761, 95658}},
    {"lock_box", {11, 11000, 22000}},
};

struct NamedRun
{
    std::string_view scene;
    PaperRun run;
};

constexpr double kNo = kNoFigure;

// s/step, iterations, contacts, MB; whole run of rigid-IPC and of deformable IPC; bar and aim of issue 21.
constexpr NamedRun kPaperRuns[] = {
    {"lock_box", {9.0, 24.9, 5e3, 811, kNo, kNo, 1, 0.1, false}},
    {"bolt", {3.5, 8.3, 332, 86, 1436.9, 4031.0}},
    {"piston", {1.5, 9.9, 370, 1323, kNo, kNo, kNo, kNo, false}},
    {"intermittent", {0.2, 5.7, 21, 875}},
    {"bike_chain", {21.6, 42.0, 6e3, 12403, kNo, kNo, 2, 0.2}},
    {"punching_press", {1.3, 9.2, 57, 591}},
    {"punching_press_loose", {1.3, 12.5, 47, 903}},
    {"card_house_3_blocks", {3.2, 161.9, 78, 1045, kNo, kNo, 0.3, 0.03}},
    {"wire_net_15", {20.5, 130.5, 2e3, 3234, kNo, kNo, 2, 0.2}},
    {"sliced_sphere", {0.1, 1.9, 7, 41}},
    {"coin", {0.01, 3.8, 12, 229}},
    {"wrecking_ball", {4.8, 17.1, 4e3, 1959, 5748.1, 7179.8, 0.4, 0.03}},
    {"anchor", {3.0, 21.4, 267, 1178}},
    {"arch_101", {0.21, 2.1, 649, 1590, 487.8, 238.3}},
    {"arch_25", {kNo, kNo, kNo, kNo, 55.8, 26.5}},
    {"lewis", {0.02, 2.7, 50, 26}},
    {"turntable_0", {0.004, 2.3, 9, 178}},
    {"turntable_10", {0.003, 2.9, 2, kNo}},
    {"turntable_50", {0.01, 5.9, 7, kNo}},
    {"turntable_100", {0.01, 9.1, 10, 284}},
    {"packing", {33.5, 91.3, 184, 8860, kNo, kNo, 3, 0.3}},
    {"pendulum", {kNo, kNo, kNo, kNo, 133.1, 339.7}},
    {"double_pendulum", {kNo, kNo, kNo, kNo, 1559.9, 914.0}},
    {"rolling_cone", {kNo, kNo, kNo, kNo, 150.9, 1184.2}},
    {"net_3", {kNo, kNo, kNo, kNo, 99.8, 1369.9}},
    {"net_7", {kNo, kNo, kNo, kNo, 1420.9, 9950.5, 0.7, 0.1}},
};

struct PlacedComplexes
{
    std::vector<Complex> complexes;
    std::vector<Place> places;
};

PlacedComplexes place_shapes(const Model& model, const State& state)
{
    const RecordedModel recorded = make_recorded_model(model, {});
    PlacedComplexes placed;
    for (int i = 0; i < model.shape_count(); ++i)
    {
        const int body = recorded.shapes[at(i)].body;
        const Pose& pose = state.body_pose[at(body)];
        placed.complexes.push_back(make_complex(recorded, i));
        placed.places.push_back(
            {to_matrix(pose.rotation), pose.position + rotate(pose.rotation, recorded.bodies[at(body)].center)});
    }
    return placed;
}

}  // namespace

SceneSize find_size(const Model& model)
{
    const RecordedModel recorded = make_recorded_model(model, {});
    SceneSize size;
    std::vector<bool> used(at(model.body_count()), false);
    for (int i = 0; i < model.shape_count(); ++i)
    {
        const Complex complex = make_complex(recorded, i);
        used[at(model.shapes.body[at(i)])] = true;
        size.vertices += static_cast<double>(complex.vertices.size());
        for (const Element& element : complex.elements) size.faces += element.count == 3 ? 1 : 0;
    }
    size.bodies = static_cast<double>(std::count(used.begin(), used.end(), true));
    return size;
}

SceneSize find_paper_size(std::string_view scene)
{
    if (scene.starts_with("ipc/")) scene.remove_prefix(4);
    for (const PaperSize& paper : kPaperSizes)
        if (paper.scene == scene) return paper.size;
    return {kUnknown, kUnknown, kUnknown};
}

PaperRun find_paper_run(std::string_view scene)
{
    if (scene.starts_with("ipc/")) scene.remove_prefix(4);
    for (const NamedRun& paper : kPaperRuns)
        if (paper.scene == scene) return paper.run;
    return {};
}

double find_start_gap(const Model& model, double reach)
{
    const State state(model);
    const PlacedComplexes placed = place_shapes(model, state);
    Collider collider(model);
    double gap = reach;
    for (const PairCandidate& pair : collider.find_pairs(state.world(0), reach))
    {
        if (gap <= 0) return 0;
        const std::size_t a = at(pair.first.index), b = at(pair.second.index);
        gap = find_distance(placed.complexes[a], placed.places[a], placed.complexes[b], placed.places[b], gap);
    }
    return std::max(gap, 0.0);
}

double find_smallest_radius(const Model& model)
{
    const State state(model);
    const PlacedComplexes placed = place_shapes(model, state);
    std::vector<Aabb> boxes(at(model.body_count()), kEmptyBox);
    for (int i = 0; i < model.shape_count(); ++i)
    {
        Aabb& box = boxes[at(model.shapes.body[at(i)])];
        for (const Vec3& vertex : placed.complexes[at(i)].vertices)
            box = merge(box, {placed.places[at(i)](vertex), placed.places[at(i)](vertex)});
    }
    double smallest = std::numeric_limits<double>::infinity();
    for (int b = 1; b < model.body_count(); ++b)
        if (model.bodies.kind[at(b)] == BodyKind::dynamic && boxes[at(b)].lower.x <= boxes[at(b)].upper.x)
            smallest = std::min(smallest, 0.5 * norm(boxes[at(b)].upper - boxes[at(b)].lower));
    return std::isfinite(smallest) ? smallest : 1;
}

double find_common_dhat(double radius, double gap)
{
    return std::min(kMostReach * radius, std::max(gap, kLeastReach * radius));
}

Result<std::filesystem::path> draw_least_distance(const IpcRun& run, const std::filesystem::path& folder,
                                                  const std::string& name)
{
    Series least{.name = "least distance"}, kept{.name = "d_min", .colour = "#bf5438", .dash = "6 4"};
    const double separation = find_ipc_parameter(*run.model, "dmin");
    for (const IpcFrame& frame : run.frames)
    {
        least.x.push_back(frame.time);
        least.y.push_back(std::isfinite(frame.least_distance) ? 1e3 * frame.least_distance : kUnknown);
        kept.x.push_back(frame.time);
        kept.y.push_back(1e3 * separation);
    }
    const Chart chart{.title = name, .x_label = "time [s]", .y_label = "distance [mm]", .series = {least, kept}};
    constexpr double kWidth = 760, kHeight = 320;
    std::error_code code;
    std::filesystem::create_directories(folder, code);
    std::filesystem::path path = folder / (name + "_distance.svg");
    std::ofstream file(path);
    file << make_sheet(kWidth, kHeight, "least distance between bodies over time",
                       draw_chart(chart, {.x = 0, .y = 0, .width = kWidth, .height = kHeight}));
    if (!file.good())
        return Error{.code = ErrorCode::io,
                     .where = path.generic_string(),
                     .message = "cannot be written",
                     .hint = "--plots names a folder"};
    return path;
}

double set_common_parameters(Model& model)
{
    const double radius = find_smallest_radius(model);
    const double dhat = find_common_dhat(radius, find_start_gap(model, kMostReach * radius));
    auto& parameters = model.settings.solver_parameters["ipc"];
    const auto kept = parameters.find("dmin");
    const ParameterValue separation = kept != parameters.end() ? kept->second : ParameterValue(0.0);
    parameters.clear();
    parameters["dhat"] = dhat;
    parameters["dmin"] = separation;
    return dhat;
}

}  // namespace rattleback::lab
