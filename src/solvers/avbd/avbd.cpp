// The solver `avbd`: contacts and joints as rows with multipliers, Newton steps of one block after the other.
#include "solvers/avbd/avbd.h"

#include "base/index.h"
#include "base/stage_timer.h"
#include "base/thread_pool.h"
#include "dynamics/integrate.h"
#include "math/rotation.h"
#include "solvers/avbd/armature.h"
#include "solvers/avbd/colours.h"
#include "solvers/avbd/forces.h"
#include "solvers/avbd/memory.h"
#include "solvers/avbd/packs.h"
#include "solvers/avbd/parameters.h"
#include "solvers/avbd/penalty.h"
#include "solvers/avbd/sleep.h"
#include "solvers/avbd/swept.h"
#include "solvers/avbd/write_back.h"
#include "solvers/shared/divergence.h"

#include <algorithm>
#include <limits>
#include <optional>

namespace rattleback::avbd
{

namespace
{

class AvbdSolver final : public Solver
{
public:
    AvbdSolver(const Model& model, const Settings& settings)
        : settings_(settings),
          layout_(model, settings.tree_blocks && !settings.penalty),
          collider_(model, {.thread_count = settings.threads, .max_points = 4}),
          work_(layout_),
          outer_(layout_.parts.size()),
          applied_(model.dofs.body.size()),
          act_(at(model.act_count)),
          packed_(layout_.parts.size()),
          scalar_(layout_.parts.size()),
          packs_(make_pack_sweep(settings.single_precision)),
          pool_(settings.threads),
          motions_(layout_.kinematic.size())
    {
        work_.drives = make_drives(model);
        work_.scratch.resize(at(pool_.worker_count()));
        for (const Loop& loop : layout_.loops)
        {
            loops_stay_ = loops_stay_ && loop.in_block;
            couplings_stay_ = couplings_stay_ && (loop.in_block || loop.type != EqualityType::joint);
        }
        find_armature();
        if (settings.sleep && !settings.penalty) sleep_.emplace(layout_, settings.sleep_tolerance);
    }

    std::unique_ptr<Memory> make_memory() const override { return std::make_unique<AvbdMemory>(layout_); }

    StepReport step(const StepInput& input, WorldView world, Memory& base_memory) override
    {
        auto& memory = static_cast<AvbdMemory&>(base_memory);
        StageTimer timer(input.timings);
        load(input, world, memory);
        if (sleep_)
        {
            sleep_->wake_moved(world, outer_, applied_, find_moving(), memory.rest);
            if (sleep_->all()) return stay(world, memory);
        }
        const double margin = find_margin(input.dt);
        if (settings_.swept) find_fast_parts(layout_, work_.bodies, margin, input.dt, swept_);
        const double motion = swept_.any_fast ? input.dt : 0;
        if (settings_.recycling)
            recycle_contacts(collider_, world, margin, memory.collider, memory.manifolds, manifolds_, contacts_,
                             motion);
        else
            collider_.find_contacts(world, margin, memory.collider, contacts_, motion);
        const Contacts& contacts = contacts_;
        if (sleep_) sleep_->wake_touched(contacts);
        timer.mark(static_cast<int>(Stage::collide));
        const double dt = input.dt / settings_.substeps;
        set_pace(dt);
        make_rows(contacts, memory);
        if (settings_.swept)
            add_swept_rows(layout_, settings_, collider_.pairs(), contacts, work_.bodies, input.dt, pool_, swept_,
                           rows_);
        add_rows(contacts.count());
        colour_blocks(layout_, groups_, colouring_);
        timer.mark(static_cast<int>(Stage::rows));
        for (int substep = 0; substep < settings_.substeps; ++substep) advance(substep, dt, world, timer);
        StepReport report = make_report(contacts, *std::max_element(deepest_.begin(), deepest_.end()));
        if (const int bad = find_bad_part(layout_, work_.bodies); bad >= 0)
        {
            report_bad_body(layout_.parts[at(bad)].body, work_.bodies[at(bad)].center, work_.bodies[at(bad)].velocity,
                            report);
            return report;
        }
        write_links(layout_, sleeper(), work_, world);
        for_each_range(1, layout_.model->body_count(),
                       [&](Piece range) { write_bodies(layout_, sleeper(), range, work_.bodies, world); });
        const JointErrors joints = find_joint_errors(layout_, work_);
        report.residual = joints.largest;
        if (joints.parted >= 0) report.status = StepStatus::not_converged;
        std::copy(act_.begin(), act_.end(), world.act.begin());
        keep(dt, world, memory);
        timer.mark(static_cast<int>(Stage::integrate));
        for (int k = 0; k < kStageCount; ++k) report.seconds[at(k)] = timer.seconds(k);
        return report;
    }

private:
    void find_armature()
    {
        const auto needs = [](const Block& block) { return block.armature; };
        if (!std::any_of(layout_.blocks.begin(), layout_.blocks.end(), needs)) return;
        if (!settings_.tree_blocks || settings_.penalty) trees_.emplace(*layout_.model, true);
        const Layout& trees = trees_ ? *trees_ : layout_;
        for (std::size_t b = 0; b < trees.blocks.size(); ++b)
        {
            if (trees.blocks[b].armature) armature_blocks_.push_back(static_cast<int>(b));
        }
    }

    void load(const StepInput& input, const WorldView& world, const AvbdMemory& memory)
    {
        for_each_range(0, static_cast<int>(work_.bodies.size()),
                       [&](Piece parts)
                       {
                           load_bodies(layout_, world, parts, work_.bodies);
                           for (std::size_t p = at(parts.begin); p < at(parts.end); ++p)
                           {
                               work_.bodies[p].previous = memory.velocity[p];
                               work_.bodies[p].has_previous = memory.stepped != 0;
                           }
                       });
        work_.link_memory = memory.links;
        work_.loop_memory = memory.loops;
        for (std::size_t k = 0; k < motions_.size(); ++k)
        {
            motions_[k] = find_kinematic_motion(*layout_.model, layout_.parts[at(layout_.kinematic[k])].body, world,
                                                input.control, input.time, input.dt);
        }
        std::copy(world.act.begin(), world.act.end(), act_.begin());
        find_outer_forces(layout_, input, world, work_.bodies, work_.drives, applied_, outer_, act_);
    }

    /// Contacts are looked for as far as the fastest body comes in a step, within reason.
    double find_margin(double dt) const
    {
        double fastest = 0, size = 0;
        int count = 0;
        for (std::size_t p = 1; p < layout_.parts.size(); ++p)
        {
            const Part& part = layout_.parts[p];
            if (!part.dynamic) continue;
            const Velocity& v = work_.bodies[p].velocity;
            fastest = std::max(fastest, norm(v.linear) + part.reach * norm(v.angular));
            size += part.extent;
            ++count;
        }
        if (count == 0) return 0;
        size /= count;
        const double fall = norm(layout_.model->settings.gravity) * dt * dt;
        return std::clamp(dt * fastest + 2 * fall, 0.002 * size, 0.2 * size);
    }

    void set_pace(double dt)
    {
        work_.dt = dt;
        work_.counted = settings_.stabilisation == Stabilisation::post ? 0 : 1 - settings_.alpha;
    }

    static constexpr int kRowsPerTask = 256, kBlocksPerTask = 4;

    /// Calls function(range) for pieces of a list from `begin` on, the same for any number of threads.
    template <class Function>
    void for_each_range(int begin, int end, Function function)
    {
        run_pieces(&pool_, at(end - begin), kRowsPerTask,
                   [&](std::size_t from, std::size_t to, int /*task*/, int /*worker*/)
                   { function(Piece{begin + static_cast<int>(from), begin + static_cast<int>(to)}); });
    }

    /// Rows of all contacts and their groups, placed, and taken by the packs while they are at hand.
    void make_rows(const Contacts& contacts, const AvbdMemory& memory)
    {
        const std::size_t pieces = count_pieces(contacts.items.size(), kRowsPerTask);
        rows_.resize(contacts.items.size());
        packs_->resize(rows_.size());
        if (pieces_.size() < pieces) pieces_.resize(pieces);
        deepest_.assign(pieces + 1, 0);
        for_each_range(0, contacts.count(),
                       [&](Piece piece)
                       {
                           const Piece range = whole_pairs(contacts, piece);
                           build_rows(layout_, settings_, sleeper(), contacts, {memory.rows, memory.dt}, work_.bodies,
                                      work_.dt, range, rows_);
                           group_rows(rows_, range, pieces_[at(piece.begin / kRowsPerTask)]);
                           deepest_[at(piece.begin / kRowsPerTask)] = find_deepest(contacts, range);
                           packs_->take_rows(settings_, rows_, range, work_);
                       });
        groups_.clear();
        for (std::size_t k = 0; k < pieces; ++k) groups_.insert(groups_.end(), pieces_[k].begin(), pieces_[k].end());
    }

    /// The same for rows that were added since.
    void add_rows(int begin)
    {
        const int end = static_cast<int>(rows_.size());
        if (begin == end) return;
        packs_->resize(rows_.size());
        place_range({begin, end});
        group_rows(rows_, {begin, end}, added_);
        groups_.insert(groups_.end(), added_.begin(), added_.end());
    }

    void place_range(Piece range)
    {
        place_rows(work_.bodies, work_.dt, range, rows_);
        packs_->take_rows(settings_, rows_, range, work_);
    }

    void advance(int substep, double dt, const WorldView& world, StageTimer& timer)
    {
        set_pace(dt);
        const bool post = settings_.stabilisation == Stabilisation::post;
        for (std::size_t l = 0; l < layout_.links.size(); ++l)
        {
            const Link& link = layout_.links[l];
            if (substep == 0)
                start_link(layout_, link, work_.bodies, world.q, dt, settings_.joint_stiffness, work_.links[l]);
            else
                restart_link(layout_, link, work_.bodies, work_.links[l]);
            for (int i = 0; i < link.dof_count; ++i)
                work_.links[l].dofs[at(i)].applied = applied_[at(link.v_begin + i)];
        }
        std::fill(work_.violation.begin(), work_.violation.end(), std::numeric_limits<double>::infinity());
        start_loops(layout_, settings_.joint_stiffness, work_);
        if (substep > 0) for_each_range(0, static_cast<int>(rows_.size()), [&](Piece range) { place_range(range); });
        const int parts = static_cast<int>(layout_.parts.size());
        for_each_range(0, parts,
                       [&](Piece range) { predict(layout_, outer_, dt, settings_.penalty, range, work_.bodies); });
        hold_sleepers();
        move_kinematic_bodies(substep, dt);
        choose_paths();
        gather_contacts(layout_, settings_, rows_, groups_, scalar_, work_);
        if (!settings_.penalty) packs_->start(layout_, settings_, colouring_, packed_, groups_, work_, pool_);
        timer.mark(static_cast<int>(Stage::rows));
        if (settings_.penalty)
            solve_by_penalties(layout_, settings_, colouring_, rows_, work_);
        else
            iterate();
        break_joints(layout_, work_);
        if (!armature_blocks_.empty()) note_advance(layout_, work_);
        for_each_range(0, parts, [&](Piece range) { finish_velocities(dt, range, work_.bodies); });
        if (post && !settings_.penalty)
        {
            count_errors(rows_, settings_.correction, settings_.firmness, work_);
            packs_->count_errors(settings_.correction, settings_.firmness, pool_);
            sweep();
            packs_->finish(work_);
        }
        for_each_range(0, parts, [&](Piece range) { commit_poses(range, work_.bodies); });
        carry_armatures(dt);
        bounce(layout_, settings_.bounce_speed, rows_, groups_, work_.bodies);
        timer.mark(static_cast<int>(Stage::solve));
    }

    void carry_armatures(double dt)
    {
        const Layout& trees = trees_ ? *trees_ : layout_;
        const auto carry = [&](std::size_t begin, std::size_t end, int /*task*/, int worker)
        {
            for (std::size_t k = begin; k < end; ++k)
            {
                const int block = armature_blocks_[k];
                const bool sleeps = sleep_ && sleep_->sleeps(trees.order[at(trees.blocks[at(block)].begin)]);
                if (!sleeps) carry_armature(trees, block, dt, work_.scratch[at(worker)], work_);
            }
        };
        run_pieces(&pool_, armature_blocks_.size(), kBlocksPerTask, carry);
    }

    void hold_sleepers()
    {
        for (int p = 0; sleep_ && p < static_cast<int>(work_.bodies.size()); ++p)
        {
            if (!sleep_->sleeps(p)) continue;
            work_.bodies[at(p)].moved = {};
            work_.bodies[at(p)].turned = work_.bodies[at(p)].rotation;
        }
    }

    /// Single bodies move in packs; trees, and bodies with turning friction, one by one.
    void choose_paths()
    {
        std::fill(packed_.begin(), packed_.end(), 0);
        for (const Block& block : layout_.blocks)
            packed_[at(layout_.order[at(block.begin)])] = block.tree || settings_.penalty ? 0 : 1;
        for (const RowGroup& group : groups_)
        {
            if (group.turning) packed_[at(group.first)] = packed_[at(group.second)] = 0;
        }
        for (std::size_t p = 0; p < packed_.size(); ++p) scalar_[p] = packed_[p] == 0 ? 1 : 0;
        for (int p = 0; sleep_ && p < static_cast<int>(packed_.size()); ++p)
        {
            if (sleep_->sleeps(p)) packed_[at(p)] = scalar_[at(p)] = 0;
        }
        scalar_blocks_.clear();
        scalar_begin_.assign(1, 0);
        for (std::size_t c = 0; c + 1 < colouring_.begin.size(); ++c)
        {
            for (int k = colouring_.begin[c]; k < colouring_.begin[c + 1]; ++k)
            {
                const int block = colouring_.blocks[at(k)];
                if (scalar_[at(layout_.order[at(layout_.blocks[at(block)].begin)])] != 0)
                    scalar_blocks_.push_back(block);
            }
            scalar_begin_.push_back(static_cast<int>(scalar_blocks_.size()));
        }
    }

    /// Sweeps and multipliers in turn.
    void iterate()
    {
        for (int i = 0; i < settings_.iterations; ++i)
        {
            sweep();
            // a loop between blocks looks at the links of both
            run_blocks(0, static_cast<int>(scalar_blocks_.size()), loops_stay_,
                       [&](const Block& block, int /*worker*/) { raise_block(layout_, block, work_); });
            packs_->raise(pool_);
        }
        scatter_contacts(work_, rows_);
        packs_->scatter(groups_, pool_, rows_);
        packs_->finish(work_);
    }

    void sweep()
    {
        for (int colour = 0; colour + 1 < static_cast<int>(colouring_.begin.size()); ++colour)
        {
            packs_->move(colour, pool_, work_);
            // a coupling places the links of its blocks, and one link may be in the couplings of many
            run_blocks(scalar_begin_[at(colour)], scalar_begin_[at(colour) + 1],
                       colour != colouring_.serial && couplings_stay_,
                       [&](const Block& block, int worker)
                       {
                           move_block(layout_, block, work_.scratch[at(worker)], work_);
                           for (int i = block.begin; i < block.end; ++i) packs_->take(layout_.order[at(i)], work_);
                       });
        }
    }

    /// Calls function(block, worker) for a range of scalar_blocks_, side by side where they may be.
    template <class Function>
    void run_blocks(int begin, int end, bool side_by_side, Function function)
    {
        const auto run_some = [&](std::size_t from, std::size_t to, int /*task*/, int worker)
        {
            for (std::size_t k = from; k < to; ++k) function(layout_.blocks[at(scalar_blocks_[at(begin) + k])], worker);
        };
        run_pieces(side_by_side ? &pool_ : nullptr, at(end - begin), kBlocksPerTask, run_some);
    }

    void move_kinematic_bodies(int substep, double dt)
    {
        for (std::size_t k = 0; k < motions_.size(); ++k)
        {
            const int p = layout_.kinematic[k];
            Body& body = work_.bodies[at(p)];
            const Pose end = interpolate(motions_[k], double(substep + 1) / settings_.substeps);
            const Vec3 center = end.position + rotate(end.rotation, layout_.parts[at(p)].center);
            body.moved = {center - body.center, logarithm(end.rotation * conjugate(body.rotation))};
            body.turned = end.rotation;
            body.velocity = {(1 / dt) * body.moved.linear, (1 / dt) * body.moved.angular};
        }
    }

    StepReport make_report(const Contacts& contacts, double deepest) const
    {
        StepReport report;
        report.iterations = settings_.iterations * settings_.substeps;
        report.contact_count = contacts.count();
        report.deepest_penetration = deepest;
        return report;
    }

    static double find_deepest(const Contacts& contacts, Piece range)
    {
        double deepest = 0;
        for (int c = range.begin; c < range.end; ++c) deepest = std::max(deepest, -contacts.items[at(c)].distance);
        return deepest;
    }

    const Sleep* sleeper() const { return sleep_ ? &*sleep_ : nullptr; }

    /// Which kinematic bodies move in this step.
    const std::vector<char>& find_moving()
    {
        moving_.clear();
        for (const KinematicMotion& motion : motions_)
            moving_.push_back(motion.begin == motion.end && motion.begin_velocity == Velocity{} ? 0 : 1);
        return moving_;
    }

    /// A step in which nothing moves: contacts and forces are those of the last one.
    StepReport stay(const WorldView& world, AvbdMemory& memory)
    {
        std::copy(act_.begin(), act_.end(), world.act.begin());
        memory.rest = sleep_->rest();
        const Contacts& contacts = memory.contacts;
        StepReport report = make_report(contacts, find_deepest(contacts, {0, contacts.count()}));
        report.iterations = 0;
        return report;
    }

    void keep(double dt, const WorldView& world, AvbdMemory& memory)
    {
        if (sleep_)
        {
            sleep_->settle(groups_, work_.bodies, world);
            memory.rest = sleep_->rest();
        }
        const Contacts& contacts = contacts_;
        memory.contact_forces.items.resize(contacts.items.size());
        for_each_range(0, contacts.count(), [&](Piece range) { write_forces(rows_, range, memory.contact_forces); });
        rows_.resize(contacts.items.size());  // without those of the swept test
        std::swap(memory.rows, rows_);
        memory.dt = dt;
        std::swap(memory.contacts, contacts_);
        std::swap(memory.manifolds, manifolds_);
        memory.links = work_.link_memory;
        memory.loops = work_.loop_memory;
        for (std::size_t p = 0; p < work_.bodies.size(); ++p) memory.velocity[p] = work_.bodies[p].previous;
        memory.stepped = 1;
    }

    Settings settings_;
    Layout layout_;
    Collider collider_;
    Contacts contacts_;
    KeptManifolds manifolds_;  ///< of this step
    BlockWork work_;
    SweptWork swept_;
    std::vector<ContactRow> rows_;
    std::vector<RowGroup> groups_, added_;
    std::vector<std::vector<RowGroup>> pieces_;  ///< groups of the pieces of the rows
    std::vector<double> deepest_;                ///< penetration in each piece [m], and 0
    Colouring colouring_;
    OuterForces outer_;
    std::vector<double> applied_, act_;
    std::vector<char> packed_, scalar_;  ///< [part] moved in packs, or in double precision one by one
    std::vector<int> scalar_begin_;      ///< [colours + 1] into scalar_blocks_
    std::vector<int> scalar_blocks_;
    bool loops_stay_ = true;            ///< no loop joins two blocks
    bool couplings_stay_ = true;        ///< no joint coupling does
    std::optional<Layout> trees_;       ///< with trees as blocks, for armature where the sweep's are not
    std::vector<int> armature_blocks_;  ///< of trees_ or layout_
    std::unique_ptr<PackSweep> packs_;
    ThreadPool pool_;
    std::vector<KinematicMotion> motions_;
    std::optional<Sleep> sleep_;
    std::vector<char> moving_;  ///< of the kinematic bodies
};

}  // namespace

const SolverInfo kInfo = {
    .name = "avbd",
    .summary = "piles, stacks and mechanisms by augmented vertex block descent, at a fixed cost per step",
    .coordinates = Coordinates::bodies,
    .supports = {Feature::free_joint,
                 Feature::ball_joint,
                 Feature::hinge_joint,
                 Feature::slide_joint,
                 Feature::several_joints_per_body,
                 Feature::kinematic_body,
                 Feature::gravity_compensation,
                 Feature::contact,
                 Feature::spinning_friction,
                 Feature::rolling_friction,
                 Feature::restitution,
                 Feature::limits,
                 Feature::springs,
                 Feature::damping,
                 Feature::armature,
                 Feature::dry_friction,
                 Feature::equality,
                 Feature::cable,
                 Feature::breakable,
                 Feature::actuator},
    .parameters = parameter_list(),
    .make = [](const Model& model, const Parameters& parameters) -> std::unique_ptr<Solver>
    { return std::make_unique<AvbdSolver>(model, Settings(parameters)); },
};

}  // namespace rattleback::avbd
