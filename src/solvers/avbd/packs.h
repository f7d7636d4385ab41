// The sweep over single bodies in packs: bodies of one colour side by side, their contacts in slots.
#pragma once

#include "solvers/avbd/blocks.h"
#include "solvers/avbd/pack_plan.h"
#include "solvers/avbd/pack_slots.h"

namespace rattleback
{
class ThreadPool;
}

namespace rattleback::avbd
{

/// Sweeps in packs of one precision: T is Pack4 (double) or Pack8 (float). Contacts are kept per body side; increments
/// of all groups in one array.
template <class T>
class PackSweep
{
public:
    /// Makes room for so many rows. They are loaded afterwards, before start().
    void resize(std::size_t row_count) { records_.resize(row_count); }
    /// Loads some rows, of which the fraction `work.error_fraction` of overlaps counts at first.
    void load_records(const Settings& settings, const std::vector<ContactRow>& rows, Piece range, const BlockWork& work)
    {
        records_.load(rows, range, work.error_fraction, settings.correction);
    }
    /// Sorts the groups that `packed` marks into batches by colour, and the rows into slots. Groups that are not packed
    /// are seen through `work.bodies`.
    void start(const Layout& layout, const Settings& settings, const Colouring& colouring,
               const std::vector<char>& packed, const std::vector<Manifold>& manifolds, const BlockWork& work,
               ThreadPool& pool);

    /// One Newton step of each packed group of a colour; bodies that others outside look at are written to `work`.
    void solve_colour(int colour, ThreadPool& pool, BlockWork& work);
    /// Loads the increment of a group that moved outside.
    void load_delta(int group, const BlockWork& work);
    /// Multipliers and penalties of all contacts.
    void update_duals(ThreadPool& pool);

    /// From now on the settings' `correction` counts of overlaps, as the rows had them when they were loaded, and of
    /// slips, with penalties `firmness` times as large.
    void start_correction(const Settings& settings, ThreadPool& pool);
    /// Multipliers and penalties back into the rows.
    void store_duals(const std::vector<Manifold>& manifolds, ThreadPool& pool, std::vector<ContactRow>& rows) const;
    /// Increments of the packed groups into `work`.
    void store_deltas(BlockWork& work) const;

private:
    using Scalar = typename T::Scalar;
    static constexpr int kWidth = T::kWidth;

    template <class Function>
    static void for_each_batch(ThreadPool& pool, int begin, int end, Function function);
    template <class Function>
    void for_all_batches(ThreadPool& pool, Function function) const;
    template <class Function>
    void choose_rows(Function function) const;

    void fill_batch(int b, const Settings& settings, const std::vector<Manifold>& manifolds, const BlockWork& work);
    Increment<T> load_deltas(const int* groups) const;
    Increment<T> load_own(const PackBatch& batch) const;
    void store_deltas(const PackBatch& batch, BlockWork& work) const;
    template <bool Slips, bool Soft>
    HalfContact<T> make_half(const ManifoldLanes<T>& manifold, int p) const;
    template <bool Slips, bool Soft>
    void solve_batch(int b, BlockWork& work);
    template <bool Slips, bool Soft>
    void update_batch(int b);

    PackPlan plan_;
    ContactRecords<T> records_;
    std::vector<Row8<Scalar>> deltas_;         ///< [group]
    std::vector<InertiaLanes<T>> inertias_;    ///< [batch]
    std::vector<ManifoldLanes<T>> manifolds_;  ///< [slot]
    std::vector<PointLanes<T>> points_;
    std::vector<PointExtras<T>> extras_;  ///< [point]
    double inverse_h2_ = 0;
    double error_fraction_ = 0;  ///< of the slips
    bool soft_ = false;          ///< some row is compliant
};

extern template class PackSweep<Pack4>;
extern template class PackSweep<Pack8>;

}  // namespace rattleback::avbd
