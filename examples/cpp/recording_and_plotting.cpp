// A run as numbers: record, read back, and draw a small plot in the terminal.
#include <rattleback/rattleback.h>
#include <cmath>
#include <cstdio>
namespace rb = rattleback;

int main()
{
    rb::ModelBuilder builder("ball");
    const rb::MaterialId rubber = builder.add_material({.restitution = 0.8});
    builder.add_ground({.material = rubber});
    const rb::BodyId ball = builder.add_body({.name = "ball", .position = {0, 0, 1}});
    builder.add_shape(ball, rb::Sphere{.radius = 0.1}, {.material = rubber});
    rb::Simulation simulation(builder.build().value(), {.solver = "avbd", .dt = 1e-3});

    rb::Recorder recorder = rb::make_recorder(simulation, "ball.rec").value();
    while (simulation.time() < 2) rb::record_frame(recorder, simulation, simulation.run_steps(20)).require();
    recorder.close().require();
    rb::Recording run = rb::load_recording("ball.rec").value();
    rb::export_recording(run, "ball.csv").require();  // or .npz, .glb
    std::printf("%d frames\n", static_cast<int>(run.frame_count()));
    for (int row = 9; row >= 0; --row)
    {
        std::string line;
        for (std::int64_t i = 0; i < run.frame_count(); i += 2)
        {
            const double z = run.frame(i).value().body_pose[1].position.z;
            line += std::abs(z - (0.05 + 0.1 * row)) <= 0.05 ? 'o' : ' ';
        }
        line.erase(line.find_last_not_of(' ') + 1);
        std::printf("%s\n", line.c_str());
    }
}
