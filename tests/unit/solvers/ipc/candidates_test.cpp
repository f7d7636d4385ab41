// Tests of what candidates of solver `ipc` leave out: bounds of relative motion, and the outlines of flats.
#include "solvers/ipc/candidates.h"
#include "math/random.h"
#include "math/rotation.h"

#include <rattleback/rattleback.h>

#include <gtest/gtest.h>

#include <algorithm>

namespace rattleback::ipc
{

namespace
{

Vec3 draw(Random& random, double size)
{
    return {random.uniform(-size, size), random.uniform(-size, size), random.uniform(-size, size)};
}

Vector6 draw_direction(Random& random, double shift, double turn)
{
    const Vec3 a = draw(random, shift), b = draw(random, turn);
    return {a.x, a.y, a.z, b.x, b.y, b.z};
}

/// A plate of two squares of n x n cells, 0.01 apart, with a wall of two triangles for each cell around.
Piece make_plate(int n, double cell)
{
    Piece piece;
    const auto number = [&](int level, int i, int j) { return (level * (n + 1) + i) * (n + 1) + j; };
    for (int level = 0; level < 2; ++level)
        for (int i = 0; i <= n; ++i)
            for (int j = 0; j <= n; ++j) piece.vertices.push_back({cell * i, cell * j, 0.01 * level});
    const auto add_quad = [&](int a, int b, int c, int d)
    {
        piece.faces.push_back({a, b, c});
        piece.faces.push_back({a, c, d});
    };
    for (int i = 0; i < n; ++i)
    {
        for (int j = 0; j < n; ++j)
        {
            add_quad(number(0, i, j), number(0, i, j + 1), number(0, i + 1, j + 1), number(0, i + 1, j));
            add_quad(number(1, i, j), number(1, i + 1, j), number(1, i + 1, j + 1), number(1, i, j + 1));
        }
        add_quad(number(0, i, 0), number(0, i + 1, 0), number(1, i + 1, 0), number(1, i, 0));
        add_quad(number(0, i + 1, n), number(0, i, n), number(1, i, n), number(1, i + 1, n));
        add_quad(number(0, 0, i + 1), number(0, 0, i), number(1, 0, i), number(1, 0, i + 1));
        add_quad(number(0, n, i), number(0, n, i + 1), number(1, n, i + 1), number(1, n, i));
    }
    for (const auto& f : piece.faces)
    {
        for (std::size_t i = 0; i < 3; ++i)
        {
            const auto [a, b] = std::minmax({f[i], f[(i + 1) % 3]});
            piece.edges.push_back({a, b});
        }
    }
    std::sort(piece.edges.begin(), piece.edges.end());
    piece.edges.erase(std::unique(piece.edges.begin(), piece.edges.end()), piece.edges.end());
    for (const Vec3& v : piece.vertices) piece.radius = std::max(piece.radius, norm(v));
    find_flats(piece);
    return piece;
}

/// The least distance over vertices and faces both ways, and edges and edges.
double find_least(const Piece& a, const Piece& b, const Placement& pose, bool outlines_alone)
{
    double least = HUGE_VAL;
    const auto all = [](std::size_t count)
    {
        std::vector<int> list(count);
        for (std::size_t i = 0; i < count; ++i) list[i] = static_cast<int>(i);
        return list;
    };
    const auto corners = [&](const Piece& p) { return outlines_alone ? p.corners : all(p.vertices.size()); };
    const auto outline = [&](const Piece& p) { return outlines_alone ? p.outline : all(p.edges.size()); };
    for (const int v : corners(a))
        for (int f = 0; f < static_cast<int>(b.faces.size()); ++f)
            least = std::min(least, norm(find_nearest(place(pose, a.vertex(v)), b.face(f)).between));
    for (const int v : corners(b))
        for (int f = 0; f < static_cast<int>(a.faces.size()); ++f)
            least = std::min(least, norm(find_nearest(b.vertex(v), place(pose, a.face(f))).between));
    for (const int e : outline(a))
        for (const int o : outline(b))
            least = std::min(least, norm(find_nearest(place(pose, a.edge(e)), b.edge(o)).between));
    return least;
}

/// Two groups, where they are, and their directions.
struct PairTrial
{
    Group a, b;
    Placement first, second;
    Vector6 da{}, db{};
};

/// Expects bounds of the way about a pivot to hold for two points on the groups' spheres, to a rounding [m]. The least
/// of bound / change.
double expect_bounds(const PairTrial& trial, const Vec3& pivot, double rounding, Random& random)
{
    const auto& [a, b, first, second, da, db] = trial;
    const PairMove motion = find_pair_motion(a, b, pivot, {first, second}, da, db);
    const auto on = [&](double radius)
    {
        const Vec3 v = draw(random, 1);
        return (radius / norm(v)) * v;
    };
    const Vec3 x = on(a.radius), y = on(b.radius);
    const double before = norm(first.place(x) - second.place(y)), arm = norm(x - pivot);
    double tightest = HUGE_VAL;
    for (const double part : {0.1, 0.35, 0.7, 1.0})
    {
        const Placement to_a = move(first, da, part), to_b = move(second, db, part);
        const PairMove ways = find_pair_way(a, b, pivot, {first, second}, {to_a, to_b});
        const double way = ways.bound(arm);
        EXPECT_LE(ways.find(arm), part * motion.find(arm) * (1 + 1e-12) + rounding);
        EXPECT_LE(ways.most, part * motion.most * (1 + 1e-12) + rounding);
        const double change = std::abs(norm(to_a.place(x) - to_b.place(y)) - before);
        EXPECT_LE(change, way + rounding);
        tightest = std::min(tightest, way / std::max(1e-12, change));
    }
    return tightest;
}

/// Two boxes and a capsule without gravity, as the solver sees them.
Model build_three()
{
    ModelBuilder builder;
    for (int i = 0; i < 3; ++i)
    {
        const BodyId body = builder.add_body({.position = {0.25 * i, 0, 0}});
        if (i < 2)
            builder.add_shape(body, Box{.half_extents = {0.1, 0.08, 0.06}});
        else
            builder.add_shape(body, Capsule{.radius = 0.05, .half_length = 0.05});
    }
    return builder.build().value();
}

bool is_same_set(const CandidateSet& a, const CandidateSet& b)
{
    return a.first == b.first && a.second == b.second && a.pivot == b.pivot && a.arm == b.arm &&
           a.skin.shift == b.skin.shift && a.skin.turn == b.skin.turn && a.skin.most == b.skin.most;
}

bool is_same_candidate(const Candidate& a, const Candidate& b)
{
    return a.kind == b.kind && a.first == b.first && a.second == b.second && a.distance == b.distance &&
           a.recent == b.recent && a.arm == b.arm;
}

}  // namespace

TEST(IpcCandidates, kept_lists_hold_what_a_search_finds)
{
    const Model model = build_three();
    Parameters parameters;
    for (const ParameterInfo& info : make_parameter_table()) parameters.emplace(info.name, info.default_value);
    parameters["corners"] = 8;
    Settings settings(parameters);
    const auto layout = build_layout(model, settings).value();
    Candidates kept(model, *layout, settings);
    settings.reuse = false;
    Candidates anew(model, *layout, settings);
    Random random(3);
    std::vector<Placement> places;
    for (const Group& group : layout->groups)
        places.push_back(make_placement(group.row < 0 ? Vec3{} : Vec3{0.21 * group.row, 0, 0}, {}));
    const std::vector<double> widest(places.size(), 0.012), slacks(places.size(), 0.01), friction;
    const std::vector<Rest> rests(places.size(), Rest::none);
    std::vector<Vector6> moves(places.size());
    int walked = 0, searched = 0, largest = 0;
    for (int step = 0; step < 400; ++step)
    {
        // Small moves, now and then a jump; the boxes drift into each other's reach and out of it.
        const double size = step % 50 == 49 ? 0.03 : 1e-4;
        for (std::size_t g = 0; g < places.size(); ++g)
        {
            if (layout->groups[g].row < 0) continue;
            moves[g] = draw_direction(random, size, size);
            places[g] = move(places[g], moves[g], 1);
        }
        kept.find(places, {widest, slacks, moves}, friction, rests);
        anew.find(places, {widest, slacks, moves}, friction, rests);
        walked += kept.walk_count();
        searched += anew.walk_count();
        ASSERT_EQ(kept.sets().size(), anew.sets().size()) << step;
        for (std::size_t s = 0; s < kept.sets().size(); ++s)
        {
            ASSERT_TRUE(is_same_set(kept.sets()[s], anew.sets()[s])) << step;
            const auto mine = kept.candidates(kept.sets()[s]), theirs = anew.candidates(anew.sets()[s]);
            EXPECT_TRUE(std::equal(mine.begin(), mine.end(), theirs.begin(), theirs.end(), &is_same_candidate)) << step;
            largest = std::max(largest, static_cast<int>(mine.size()));
        }
    }
    EXPECT_GT(largest, 10);
    // Most searches find all they need in lists; how far two are apart that have nothing within their skins is asked of
    // trees by both.
    EXPECT_GT(searched, 400);
    EXPECT_LT(4 * walked, searched);
}

TEST(IpcCandidates, no_pair_that_is_left_out_is_within_reach)
{
    // Brute force over all simplices, after searches that widen some sets and let others join.
    const Model model = build_three();
    Parameters parameters;
    for (const ParameterInfo& info : make_parameter_table()) parameters.emplace(info.name, info.default_value);
    const Settings settings(parameters);
    const auto layout = build_layout(model, settings).value();
    Candidates candidates(model, *layout, settings);
    Random random(21);
    const std::size_t count = layout->groups.size();
    const std::vector<Rest> rests(count, Rest::none);
    int empty = 0, listed = 0, apart = 0;
    const auto expect_whole = [&](std::span<const Placement> places, std::span<const double> widest)
    {
        for (std::size_t a = 0; a < layout->pieces.size(); ++a)
        {
            for (std::size_t b = a + 1; b < layout->pieces.size(); ++b)
            {
                const Piece &one = layout->pieces[a], &other = layout->pieces[b];
                const auto set =
                    std::find_if(candidates.sets().begin(), candidates.sets().end(), [&](const CandidateSet& s)
                                 { return s.first == static_cast<int>(a) && s.second == static_cast<int>(b); });
                const auto group_a = static_cast<std::size_t>(one.group),
                           group_b = static_cast<std::size_t>(other.group);
                const bool is_set = set != candidates.sets().end();
                const Placement first = is_set ? set->reference.first : places[group_a];
                const Placement second = is_set ? set->reference.second : places[group_b];
                const auto find_distance = [&](const Simplex& x, const Simplex& y)
                {
                    const Simplex p = place(first, x), q = place(second, y);
                    const double between = norm((p.count > q.count ? find_nearest(q, p) : find_nearest(p, q)).between);
                    return between - one.round - other.round;
                };
                const auto look = [&](PairKind kind, int i, int j, const Simplex& x, const Simplex& y)
                {
                    const double distance = find_distance(x, y);
                    if (!is_set)
                    {
                        EXPECT_GT(distance, layout->reach + widest[group_a] + widest[group_b] - 1e-12);
                        ++apart;
                        return;
                    }
                    double arm = 0;
                    for (int k = 0; k < x.count; ++k)
                        arm = std::max(arm, norm(x.corner[static_cast<std::size_t>(k)] - set->pivot));
                    if (distance > layout->reach + set->skin.bound(arm) - 1e-12) return;
                    const auto items = candidates.candidates(*set);
                    EXPECT_TRUE(std::any_of(items.begin(), items.end(), [&](const Candidate& c)
                                            { return c.kind == kind && c.first == i && c.second == j; }))
                        << distance;
                    ++listed;
                };
                for (const int v : one.corners)
                    for (int f = 0; f < static_cast<int>(other.faces.size()); ++f)
                        look(PairKind::vertex_face, v, f, one.vertex(v), other.face(f));
                for (int f = 0; f < static_cast<int>(one.faces.size()); ++f)
                    for (const int v : other.corners) look(PairKind::face_vertex, f, v, one.face(f), other.vertex(v));
                for (const int e : one.outline)
                    for (const int o : other.outline) look(PairKind::edge_edge, e, o, one.edge(e), other.edge(o));
                empty += is_set && candidates.candidates(*set).empty() ? 1 : 0;
            }
        }
    };
    std::vector<Placement> places(count);
    std::vector<Vector6> moves(count);
    for (int trial = 0; trial < 200; ++trial)
    {
        std::vector<double> widest(count, 0.01), slacks(count, 1e-3);
        for (std::size_t g = 0; g < count; ++g)
        {
            const int row = layout->groups[g].row;
            places[g] = make_placement(row < 0 ? Vec3{} : Vec3{0.22 * row, 0, 0} + draw(random, 0.02), {});
            moves[g] = row < 0 ? Vector6{} : draw_direction(random, 1e-3, 1e-2);
        }
        candidates.find(places, {widest, slacks, moves}, {}, rests);
        expect_whole(places, widest);
        // One set for far longer moves, from where all have gone a little way.
        std::vector<Placement> now = places;
        for (std::size_t g = 0; g < count; ++g)
            if (layout->groups[g].row >= 0) now[g] = move(places[g], moves[g], 0.5);
        if (!candidates.sets().empty())
        {
            const WiderSet wider{static_cast<std::size_t>(trial) % candidates.sets().size(), 20};
            candidates.find_again(std::span(&wider, 1), trial % 2 == 0 ? places : now, now, moves);
            expect_whole(places, widest);
        }
        // Wider skins from there: sets stay, and who was further apart joins.
        std::fill(widest.begin(), widest.end(), 0.03);
        candidates.find_more(now, {widest, slacks, moves}, {}, rests);
        expect_whole(now, widest);
    }
    EXPECT_GT(empty, 100);
    EXPECT_GT(listed, 1000);
    EXPECT_GT(apart, 1000);
}

TEST(IpcPairWay, no_distance_changes_by_more)
{
    Random random(11);
    double tightest = HUGE_VAL;
    for (int trial = 0; trial < 4000; ++trial)
    {
        PairTrial pair;
        auto& [a, b, first, second, da, db] = pair;
        a.row = 0;
        b.row = trial % 5 == 0 ? -1 : 1;
        a.radius = random.uniform(0.05, 0.3);
        b.radius = random.uniform(0.05, 0.3);
        first = make_placement(draw(random, 0.5), exponential(draw(random, 2)));
        second = make_placement(draw(random, 0.5), exponential(draw(random, 2)));
        // Every third pair moves as one body but for a thousandth.
        da = draw_direction(random, 0.1, 0.5);
        db = draw_direction(random, 0.1, 0.5);
        if (b.row < 0) db = {};
        if (trial % 3 == 1 && b.row >= 0)
        {
            const Vec3 turn{da[3], da[4], da[5]}, along = cross(turn, second.center - first.center);
            db = {da[0] + along.x, da[1] + along.y, da[2] + along.z, turn.x, turn.y, turn.z};
            const Vector6 more = draw_direction(random, 1e-4, 1e-3);
            for (std::size_t i = 0; i < 6; ++i) db[i] += more[i];
        }
        // Pivots anywhere, and those that candidates take.
        const Vec3 pivot = trial % 2 == 0 ? draw(random, 0.3)
                                          : find_pivot(a, b, {first, second}, da, db,
                                                       0.5 * (first.center + second.center) + draw(random, 0.1));
        tightest = std::min(tightest, expect_bounds(pair, pivot, 1e-14, random));
    }
    // A bound that is never nearly reached would be a poor one.
    EXPECT_LT(tightest, 1.2);
}

TEST(IpcPairWay, no_distance_changes_by_more_where_the_axis_is_far)
{
    // One slides in a plane, the other turns a little about its normal: the axis of their relative motion lies v / w
    // away, up to 1e15 m, where no bound about it has a digit left.
    Random random(12);
    double spin = 1e-6;
    for (int power = 6; power <= 17; ++power, spin *= 0.1)
    {
        for (int trial = 0; trial < 100; ++trial)
        {
            PairTrial pair;
            pair.a.row = 0;
            pair.b.row = 1;
            pair.a.radius = random.uniform(0.05, 0.3);
            pair.b.radius = random.uniform(0.05, 0.3);
            pair.first = make_placement(draw(random, 0.5), exponential(draw(random, 2)));
            pair.second = make_placement({}, {});
            if (trial % 2 == 0) pair.second = make_placement(draw(random, 0.5), exponential(draw(random, 2)));
            pair.da = {random.uniform(-0.01, 0.01), 0, 0, 0, 0, 0};
            pair.db = {0, 0, 0, 0, 0, spin};
            const Vec3 middle = 0.5 * (pair.first.center + pair.second.center) + draw(random, 0.1);
            const Vec3 pivot = find_pivot(pair.a, pair.b, {pair.first, pair.second}, pair.da, pair.db, middle);
            EXPECT_LT(norm(pivot), 10) << "spin 1e-" << power;
            expect_bounds(pair, pivot, 1e-14, random);
        }
    }
}

TEST(IpcPairWay, what_moves_as_one_body_does_not_move_against_itself)
{
    Group a, b;
    a.row = 0;
    b.row = 1;
    a.radius = b.radius = 0.1;
    const Placement first = make_placement({1, 0, 0}, {}), second = make_placement({1.2, 0, 0}, {});
    // Both turn about the origin by 0.01 rad: a way of 10 mm and more for each, and 1e-4 of it for chords.
    const double turn = 0.01;
    const Vector6 da{0, turn, 0, 0, 0, turn}, db{0, 1.2 * turn, 0, 0, 0, turn};
    EXPECT_LT(find_pair_motion(a, b, {}, {first, second}, da, db).bound(0.1), 2e-5);
    EXPECT_GT(find_pair_motion(a, b, {}, {first, second}, da, Vector6{}).bound(0.1), 0.01);
}

TEST(IpcPairWay, a_lever_moves_little_near_its_pin)
{
    // A lever of a metre about a pin at its end, by 0.01 rad: 10 mm at the far end; 5 mm from the pin 0.05 mm, and half
    // of that again because its centre goes along a chord.
    Group lever, pin;
    lever.row = 0;
    lever.radius = 0.5;
    pin.radius = 0.01;
    const Placement first = make_placement({0.5, 0, 0}, {}), second = make_placement({}, {});
    const Vector6 turn{0, 0.005, 0, 0, 0, 0.01};
    const Vec3 pivot = find_pivot(lever, pin, {first, second}, turn, Vector6{}, {0.001, 0, 0});
    const PairMove motion = find_pair_motion(lever, pin, pivot, {first, second}, turn, Vector6{});
    EXPECT_LT(motion.bound(0.005), 1e-4);
    EXPECT_GT(motion.bound(1), 0.009);
}

TEST(IpcFlats, outlines_alone_are_as_near_as_all_of_it)
{
    Piece a = make_plate(4, 0.03), b = make_plate(3, 0.05);
    for (Piece* piece : {&a, &b}) find_outline(*piece, 1e-9);
    // Of a plate of 4 x 4 cells its two rims of 16 edges each are left, and the 4 upright edges at its corners.
    EXPECT_EQ(a.outline.size(), 36U);
    EXPECT_EQ(a.corners.size(), 32U);
    EXPECT_LT(a.outline.size(), a.edges.size() / 3);
    EXPECT_GT(a.flatness, 0);
    EXPECT_LT(a.flatness, 1e-12);
    Random random(5);
    int near = 0;
    for (int trial = 0; trial < 300; ++trial)
    {
        // Above each other, parallel in every second trial, so that flats face flats.
        const double tilt = trial % 2 == 0 ? 0 : 0.05;
        const Placement pose = make_placement({random.uniform(-0.1, 0.1), random.uniform(-0.1, 0.1), 0.02},
                                              exponential(Vec3{random.uniform(-tilt, tilt), 0, random.uniform(-3, 3)}));
        const double all = find_least(a, b, pose, false), outlines = find_least(a, b, pose, true);
        EXPECT_GE(outlines, all);
        if (all == 0) continue;
        ++near;
        EXPECT_LE(outlines, all + 2 * (a.flatness + b.flatness) + 1e-15);
    }
    EXPECT_GT(near, 100);
}

TEST(IpcFlats, what_is_not_flat_enough_stays)
{
    Piece piece = make_plate(4, 0.03), bent = piece;
    // By 1e-11: flat to the barrier, which asks for normals to nine digits, not to a certificate that allows 1e-13.
    bent.vertices[12].z += 1e-11;
    bent.flat_of_face.clear();
    bent.is_inner.clear();
    find_flats(bent);
    ASSERT_NE(bent.is_inside[12], 0);
    find_outline(piece, 1e-13);
    find_outline(bent, 1e-13);
    EXPECT_FALSE(std::binary_search(piece.corners.begin(), piece.corners.end(), 12));
    EXPECT_TRUE(std::binary_search(bent.corners.begin(), bent.corners.end(), 12));
    EXPECT_GT(bent.outline.size(), piece.outline.size());
}

}  // namespace rattleback::ipc
