// A Simulation's moments as frames of a recording.
#include <rattleback/simulation.h>

namespace rattleback
{

Result<Recorder> make_recorder(const Simulation& simulation, const std::filesystem::path& path, RecorderOptions options)
{
    options.solver = simulation.solver().name;
    options.parameters = simulation.parameters();
    options.dt = simulation.dt();
    return Recorder::open(path, simulation.shared_model(), options);
}

Status record_frame(Recorder& recorder, const Simulation& simulation, const StepReport& report)
{
    return recorder.append({.time = simulation.state().time[0],
                            .step = simulation.state().step[0],
                            .world = simulation.state().world(0),
                            .control = simulation.control().world(0),
                            .report = report,
                            .contacts = &simulation.contacts(),
                            .forces = &simulation.contact_forces(),
                            .sensors = simulation.sensors()});
}

}  // namespace rattleback
