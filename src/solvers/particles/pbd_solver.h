// PbdSolver: `pbd` and `pbdr` as their authors wrote them, in float or double.
#pragma once

#include "solvers/particles/cloud.h"
#include "solvers/particles/motion.h"
#include "solvers/particles/neighbours.h"
#include "solvers/particles/obstacles.h"

namespace rattleback::particles
{

/// The particles of one world between steps.
template <class T>
struct ParticleMemory final : Memory
{
    Cloud<T> cloud;
    std::vector<Quat> rotation;  ///< [group] of the last fit
    std::vector<double> q, v;    ///< as left in the State: where they differ now, somebody has placed the body anew

    void reset() override;
    void save(std::vector<std::byte>& bytes) const override;
    bool load(std::span<const std::byte>& bytes) override;
};

template <class T>
class PbdSolver final : public Solver
{
public:
    PbdSolver(const Model& model, const Options& options, std::shared_ptr<const ParticleSet> set);

    std::unique_ptr<Memory> make_memory() const override { return std::make_unique<ParticleMemory<T>>(); }
    StepReport step(const StepInput& input, WorldView world, Memory& memory) override;

private:
    /// A contact with a shape in the solver's precision.
    struct Contact
    {
        int particle;
        int pairing;
        Vector3<T> normal, point, velocity;
        T friction;
        Vector3<T> total;  ///< sum of its corrections in this step [m]
    };
    /// All contacts of one particle.
    struct Meeting
    {
        int particle;
        int group;
        int begin, end;  ///< in contacts_
        int neighbours;  ///< in neighbours_; -1: none
    };

    void adopt(const WorldView& world, ParticleMemory<T>& memory) const;
    void place_group(const Group& group, const WorldView& world, Cloud<T>& cloud) const;
    void plan(const StepInput& input, const WorldView& world);
    void find_contacts(const Cloud<T>& cloud);
    void find_neighbours(const Cloud<T>& cloud);
    void list_meetings();
    void solve_contacts(T dt);
    Vector3<T> touch_shapes(const Meeting& meeting, const Vector3<T>& x, const Vector3<T>& v, T dt, T& deepest);
    Vector3<T> touch_particles(const Meeting& meeting, const Vector3<T>& x, const Vector3<T>& v, T dt, T& deepest);
    void fit_shapes();
    void find_corrections();
    bool read_back(WorldView world, std::vector<double>& q, std::vector<double>& v, StepReport& report);
    void report_contacts(double dt, ParticleMemory<T>& memory);

    const Model& model_;
    Options options_;
    std::shared_ptr<const ParticleSet> set_;
    ThreadPool pool_;
    std::unique_ptr<Passes<T>> passes_;
    Obstacles obstacles_;
    Neighbours neighbours_;

    // scratch
    Cloud<T> next_;
    std::vector<Drive<T>> drives_;              ///< [group]
    std::vector<Vec3> centers_;                 ///< [group] at the start of the step
    std::vector<double> reaches_;               ///< [group] how far to look for contacts
    std::vector<Quat> rotations_;               ///< [group] of the last fit
    std::vector<Vector3<T>> linear_, angular_;  ///< [group] momentum before shape matching, about the fit's centre
    std::vector<Contact> contacts_;
    std::vector<Meeting> meetings_;
    std::vector<Touch<T>> touches_;       ///< [meeting]
    std::vector<Vector3<T>> pair_total_;  ///< [pair of neighbours]
    std::vector<T> deepest_;              ///< [meeting]
    std::vector<double> q_, v_;
    ContactList list_;
    std::vector<int> group_of_;  ///< [particle], only where there are several groups
};

}  // namespace rattleback::particles
