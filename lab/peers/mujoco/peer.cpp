// MuJoCo as a peer: loads a file, steps it, and notices when it resets itself or drops contacts.
#include "lab/peers/mujoco/api.h"
#include "lab/peers/mujoco/mujoco.h"

#include <algorithm>
#include <cmath>

namespace rattleback::lab
{

namespace
{

/// MuJoCo has no Lie-group or midpoint rule; since 4.0 its RK4 is of Munthe-Kaas type.
std::optional<int> to_mujoco(Integrator integrator)
{
    switch (integrator)
    {
        case Integrator::euler:
            return mjINT_EULER;
        case Integrator::implicit:
            return mjINT_IMPLICIT;
        case Integrator::implicitfast:
            return mjINT_IMPLICITFAST;
        case Integrator::discrete:
            return mjINT_DISCRETE;
        case Integrator::rk4:
            return std::nullopt;
        case Integrator::lie_rk4:
            return mjINT_RK4;
        case Integrator::midpoint:
            return std::nullopt;
    }
    return std::nullopt;
}

void set_method(const PeerOptions& options, mjOption& opt)
{
    if (!options.method.empty())
        opt.solver = options.method == "PGS" ? mjSOL_PGS : options.method == "CG" ? mjSOL_CG : mjSOL_NEWTON;
    if (options.sparse) opt.jacobian = *options.sparse ? mjJAC_SPARSE : mjJAC_DENSE;
    if (options.islands)
        opt.disableflags =
            *options.islands ? opt.disableflags & ~mjDSBL_ISLAND : opt.disableflags | static_cast<int>(mjDSBL_ISLAND);
    if (options.tolerance > 0) opt.tolerance = options.tolerance;
}

Result<ModelPointer> load_with_options(const MujocoApi& api, const std::string& path, const PeerOptions& options)
{
    Result<ModelPointer> loaded = load_mujoco_file(api, path);
    if (!loaded.ok()) return loaded.errors();
    ModelPointer model = std::move(loaded).value();
    if (options.dt > 0) model->opt.timestep = options.dt;
    if (!options.constraints) model->opt.disableflags |= mjDSBL_CONSTRAINT | mjDSBL_CONTACT;
    set_method(options, model->opt);
    model->narena = std::max<mjtSize>(model->narena, options.memory);
    if (options.iterations > 0) model->opt.iterations = options.iterations;
    if (options.elliptic) model->opt.cone = mjCONE_ELLIPTIC;
    if (options.impratio > 0) model->opt.impratio = options.impratio;
    if (options.multiccd && *options.multiccd) model->opt.disableflags &= ~mjDSBL_MULTICCD;
    if (options.multiccd && !*options.multiccd) model->opt.disableflags |= mjDSBL_MULTICCD;
    if (!options.integrator) return model;
    const std::optional<int> integrator = to_mujoco(*options.integrator);
    if (!integrator)
    {
        return Error{ErrorCode::unsupported, path,
                     std::string("MuJoCo has no integrator '") + to_string(*options.integrator) + "'", ""};
    }
    model->opt.integrator = *integrator;
    return model;
}

PeerTrouble read_warnings(const mjWarningStat* warnings)
{
    const auto count = [&](mjtWarning warning) { return warnings[warning].number; };
    return {.resets = count(mjWARN_BADQPOS) + count(mjWARN_BADQVEL) + count(mjWARN_BADQACC),
            .overflows = count(mjWARN_CONTACTFULL) + count(mjWARN_CNSTRFULL),
            .singular_inertias = count(mjWARN_INERTIA)};
}

/// Depth and slip of a contact that has rows.
void add_contact(const mjModel* m, const mjData* d, const mjContact& contact, ConstraintQuality& quality)
{
    if (contact.efc_address < 0) return;
    quality.depth.push_back(std::max(0.0, -contact.dist));
    if (contact.dim == 1) return;
    const double* velocity = d->efc_vel + contact.efc_address;
    double slip[2];
    for (int k = 0; k < 2; ++k)
    {
        // edges n + mu t and n - mu t of a pyramid; of an elliptic cone the tangents themselves
        slip[k] = m->opt.cone == mjCONE_ELLIPTIC ? velocity[1 + k]
                                                 : (velocity[2 * k] - velocity[2 * k + 1]) / (2 * contact.friction[k]);
    }
    quality.slip.push_back(std::sqrt(slip[0] * slip[0] + slip[1] * slip[1]));
}

class MujocoPeer final : public Peer
{
public:
    explicit MujocoPeer(const MujocoApi& api) : api_(api) {}

    std::string name() const override { return std::string("mujoco ") + api_.version_string(); }

    Result<int> load(const std::string& path, const PeerOptions& options) override
    {
        Result<ModelPointer> model = load_with_options(api_, path, options);
        if (!model.ok()) return model.errors();
        data_.reset();
        model_ = std::move(model).value();
        data_.reset(api_.make_data(model_.get()));
        resets_ = 0;
        return static_cast<int>(model_->nbody);
    }

    void reset() override
    {
        api_.reset_data(model_.get(), data_.get());
        resets_ = 0;
    }

    void step(int count) override
    {
        for (int i = 0; i < count; ++i)
        {
            const double before = data_->time;
            api_.step(model_.get(), data_.get());
            if (!(data_->time > before)) ++resets_;
        }
    }

    double time() const override { return data_->time; }
    double dt() const override { return model_->opt.timestep; }
    std::span<double> q() override { return {data_->qpos, static_cast<std::size_t>(model_->nq)}; }
    std::span<double> v() override { return {data_->qvel, static_cast<std::size_t>(model_->nv)}; }
    std::span<double> act() override { return {data_->act, static_cast<std::size_t>(model_->na)}; }
    std::span<double> input() override { return {data_->ctrl, static_cast<std::size_t>(model_->nu)}; }
    std::span<double> body_forces() override
    {
        return {data_->xfrc_applied, 6 * static_cast<std::size_t>(model_->nbody)};
    }

    void read_poses(std::vector<Pose>& poses) override
    {
        // After a step MuJoCo's poses belong to the state before it.
        api_.compute_kinematics(model_.get(), data_.get());
        poses.clear();
        for (mjtSize b = 0; b < model_->nbody; ++b)
        {
            const double* p = data_->xpos + 3 * b;
            const double* r = data_->xquat + 4 * b;
            poses.push_back({{p[0], p[1], p[2]}, {r[0], r[1], r[2], r[3]}});
        }
    }

    PeerTrouble trouble() const override
    {
        // A bad number resets the state in the middle of a step, which then goes on from time zero: when that happens
        // in the first step of a run, time still grows and only the counter tells.
        PeerTrouble trouble = read_warnings(data_->warning);
        trouble.resets = std::max(trouble.resets, resets_);
        return trouble;
    }

    bool converged() const override
    {
        for (int i = 0; i < std::min(data_->nisland > 0 ? data_->nisland : 1, int{mjNISLAND}); ++i)
        {
            if (data_->solver_niter[i] >= model_->opt.iterations) return false;
        }
        return true;
    }

    std::optional<ConstraintQuality> find_quality() override
    {
        api_.forward(model_.get(), data_.get());
        return last_quality();
    }

    std::optional<ConstraintQuality> last_quality() override
    {
        const mjData* d = data_.get();
        ConstraintQuality quality;
        for (int i = 0; i < d->ncon; ++i) add_contact(model_.get(), d, d->contact[i], quality);
        for (int row = 0; row < d->nefc; ++row)
        {
            const int type = d->efc_type[row];
            const double excess = d->efc_margin[row] - d->efc_pos[row];
            if (type == mjCNSTR_EQUALITY) quality.violation = std::max(quality.violation, std::abs(excess));
            if (type == mjCNSTR_LIMIT_JOINT || type == mjCNSTR_LIMIT_TENDON)
                quality.violation = std::max(quality.violation, excess);
        }
        return quality;
    }

private:
    const MujocoApi& api_;
    ModelPointer model_;
    DataPointer data_;
    int resets_ = 0;
};

class MujocoBatch final : public PeerBatch
{
public:
    MujocoBatch(const MujocoApi& api, mjBatch* batch, int worlds) : api_(api), batch_(batch), worlds_(worlds) {}
    MujocoBatch(const MujocoBatch&) = delete;
    MujocoBatch& operator=(const MujocoBatch&) = delete;
    ~MujocoBatch() override { api_.delete_batch(batch_); }

    void reset() override { failures_ = api_.batch_reset(batch_, nullptr, worlds_, nullptr, mjSTAGE_NONE); }
    void step(int count) override { failures_ += api_.batch_step(batch_, nullptr, worlds_, count, mjSTAGE_NONE); }

    void start(std::span<const double> q, std::span<const double> v, std::span<const double> act) override
    {
        reset();
        for (int world = 0; world < worlds_; ++world)
        {
            std::ranges::copy(q, find_component(mjSTATE_QPOS, world).begin());
            std::ranges::copy(v, find_component(mjSTATE_QVEL, world).begin());
            std::ranges::copy(act, find_component(mjSTATE_ACT, world).begin());
        }
    }

    void rollout(int steps, std::span<const double> controls) override
    {
        failures_ += api_.batch_rollout(batch_, nullptr, worlds_, steps, controls.empty() ? nullptr : controls.data(),
                                        mjSTATE_CTRL, nullptr, 0);
    }

    std::span<const double> q(int world) const override { return find_component(mjSTATE_QPOS, world); }

    PeerTrouble trouble() const override
    {
        PeerTrouble sum{.resets = failures_};
        for (int world = 0; world < worlds_; ++world)
        {
            const PeerTrouble one = read_warnings(api_.find_batch_warnings(batch_) + world * mjNWARNING);
            sum.resets += one.resets;
            sum.overflows += one.overflows;
            sum.singular_inertias += one.singular_inertias;
        }
        return sum;
    }

private:
    std::span<double> find_component(int component, int world) const
    {
        int count = 0;
        double* first = api_.find_batch_component(batch_, component, &count);
        return {first + static_cast<std::ptrdiff_t>(world) * api_.batch_state_size(batch_),
                static_cast<std::size_t>(count)};
    }

    const MujocoApi& api_;
    mjBatch* batch_;
    int worlds_;
    int failures_ = 0;
};

}  // namespace

Result<std::unique_ptr<PeerBatch>> make_mujoco_batch(const std::string& path, const PeerOptions& options, int worlds,
                                                     int threads)
{
    const Result<const MujocoApi*> api = open_mujoco();
    if (!api.ok()) return api.errors();
    Result<ModelPointer> model = load_with_options(*api.value(), path, options);
    if (!model.ok()) return model.errors();
    mjBatchConfig config;
    api.value()->set_batch_defaults(&config);
    config.nthread = threads;
    char complaint[1000] = "";
    mjBatch* batch = api.value()->make_batch(model.value().get(), worlds, &config, complaint, sizeof complaint);
    if (batch == nullptr) return Error{ErrorCode::invalid_value, path, std::string("MuJoCo: ") + complaint, ""};
    return std::unique_ptr<PeerBatch>(std::make_unique<MujocoBatch>(*api.value(), batch, worlds));
}

Result<std::unique_ptr<Peer>> find_mujoco()
{
    const Result<const MujocoApi*> api = open_mujoco();
    if (!api.ok()) return api.errors();
    return std::unique_ptr<Peer>(std::make_unique<MujocoPeer>(*api.value()));
}

}  // namespace rattleback::lab
