// SweepSystem: rows of dry friction, limits and contacts at the present poses as blocks, for one world or a pack.
#pragma once

#include "solvers/comfree/contact_slots.h"
#include "solvers/comfree/sweep_blocks.h"

namespace rattleback::comfree
{

template <class T>
class SweepSystem
{
public:
    SweepSystem(const Tree& tree, const Options& options, std::span<const int> tree_of_dof);

    /// All rows of a step of `dt` [s]. The workspace has the acceleration without constraints and the factor of M;
    /// `push_share`: LaneShares.
    void build(const Workspace<T>& w, std::span<const ContactSlot<T>> slots, const T& push_share, double dt);

    std::vector<Block> blocks;
    std::vector<BlockNumbers<T>> numbers;  ///< [block]
    std::vector<T> rows;                   ///< y of all blocks, each [dof][row]; may be longer than they need
    std::vector<T> root;                   ///< [dof] D^-1/2

private:
    /// The paths of a tendon's dofs: constants of the Model.
    struct TendonPaths
    {
        std::vector<int> dof;     ///< all on the way to the root, increasing
        std::vector<int> places;  ///< see DofPaths
        std::vector<int> own;     ///< [entry of the tendon's Jacobian] place of its dof
    };

    void add_dry_friction(const Workspace<T>& w, int dof, double dt);
    void add_tendon_friction(const Workspace<T>& w, int tendon, double dt);
    void set_dry_friction(const T& a, const T& weight, double loss, BlockNumbers<T>& numbers) const;
    void add_limit(const Workspace<T>& w, int joint, double side, double dt);
    void add_tendon_limit(const Workspace<T>& w, int tendon, double side, double dt);
    void set_limit(const Softness& softness, const T& weight, const T& gap, const MaskOf<T>& acts, const T& a,
                   double dt, BlockNumbers<T>& numbers) const;
    void add_contact(const Workspace<T>& w, const ContactSlot<T>& slot, int index, double dt);
    TendonPaths find_tendon_paths(int tendon) const;
    BlockNumbers<T>& open_tendon(const Workspace<T>& w, BlockKind kind, int tendon, int sign, const MaskOf<T>& acts,
                                 T& a);
    DofPaths path_of_dof(int dof) const;
    DofPaths find_paths(int first_body, int second_body) const;
    BlockNumbers<T>& open_block(BlockKind kind, bool contact, int element, int normal, const DofPaths& paths,
                                T*& entries);

    const Tree& tree_;
    const Options& options_;
    std::span<const int> tree_of_dof_;
    std::vector<int> limited_;  ///< hinges and slides that have limits
    std::vector<int> rubbing_;  ///< dofs that have dry friction
    std::vector<int> limited_tendons_, rubbing_tendons_;
    std::vector<TendonPaths> tendon_paths_;  ///< [tendon]; empty for those without rows
    std::vector<T> predicted_;               ///< [dof] v_s
    T push_share_{};                         ///< of limits
    std::size_t entry_count_ = 0;            ///< of rows that are in use
};

}  // namespace rattleback::comfree
