// Steps the worlds of a model file on a device and on the host, and prints the largest differences of q and v. Needs a
// GPU; built and run by hand, see tests/device/README.md. usage: compare MODEL.xml [steps]
#include "device/smooth_step.h"
#include "device/step_worlds.cuh"

#include <rattleback/import.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace rattleback
{
namespace
{

void check(cudaError_t error)
{
    if (error == cudaSuccess) return;
    std::printf("CUDA: %s\n", cudaGetErrorString(error));
    std::exit(1);
}

template <class Item>
Item* upload(const Item* from, std::size_t count)
{
    void* to = nullptr;
    check(cudaMalloc(&to, std::max<std::size_t>(1, count * sizeof(Item))));
    check(cudaMemcpy(to, from, count * sizeof(Item), cudaMemcpyHostToDevice));
    return static_cast<Item*>(to);
}

/// A view of copies of all arrays on the device.
TreeView upload(TreeView view)
{
    view.model = nullptr;
    visit_arrays(view, []<class Item>(std::span<const Item>& array)
                 { array = {upload(array.data(), array.size()), array.size()}; });
    return view;
}

double find_difference(std::span<const double> a, std::span<const double> b)
{
    double largest = 0;
    for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
    return largest;
}

int compare(const char* file, int steps)
{
    constexpr int kWorlds = 256;
    constexpr double kStep = 0.002;
    const Result<Imported> imported = load_model(file);
    if (!imported.ok())
    {
        std::printf("%s\n", to_text(imported.errors()).c_str());
        return 1;
    }
    const Model& model = imported->model;
    const Tree tree(model);
    State state(model);
    for (std::size_t i = 0; i < state.v.size(); ++i) state.v[i] = 0.3 * std::sin(1.7 * static_cast<double>(i + 1));

    // The host's slab goes to every world of the device as it is before the first step.
    Workspace<double> w(tree);
    load_world(w, 0, state.world(), Control(model).world());
    WorkspaceView<double> sizes;
    const std::size_t size = lay_out<double>(tree, nullptr, sizes);
    std::vector<std::byte> slabs(size * kWorlds);
    const auto* slab = reinterpret_cast<const std::byte*>(w.q.data());  // the first array begins the slab
    for (int i = 0; i < kWorlds; ++i) std::copy_n(slab, size, slabs.begin() + static_cast<long>(size) * i);
    std::byte* there = upload(slabs.data(), slabs.size());
    const TreeView view = upload(TreeView(tree));
    step_worlds<double><<<(kWorlds + 31) / 32, 32>>>(view, there, size, kWorlds, steps, kStep);
    check(cudaGetLastError());
    check(cudaDeviceSynchronize());
    check(cudaMemcpy(slabs.data(), there, slabs.size(), cudaMemcpyDeviceToHost));

    for (int step = 0; step < steps; ++step) take_smooth_step<double>(w, kStep);
    double q = 0, v = 0;
    for (int i = 0; i < kWorlds; ++i)
    {
        WorkspaceView<double> world;
        lay_out<double>(tree, slabs.data() + size * static_cast<std::size_t>(i), world);
        q = std::max(q, find_difference(w.q, world.q));
        v = std::max(v, find_difference(w.v, world.v));
    }
    std::printf("%s: %d dofs, %d steps, %zu bytes per world: largest difference of q %.3g, of v %.3g\n", file,
                model.v_count(), steps, size, q, v);
    return q <= 1e-12 && v <= 1e-12 ? 0 : 1;
}

}  // namespace
}  // namespace rattleback

int main(int count, char** arguments)
{
    if (count < 2) return 2;
    return rattleback::compare(arguments[1], count > 2 ? std::atoi(arguments[2]) : 1);
}
