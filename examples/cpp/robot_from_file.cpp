// A robot from a file: two links that hang, start from a keyframe, and swing.
#include <rattleback/rattleback.h>
#include <cstdio>
#include <fstream>
namespace rb = rattleback;

int main()
{
    std::ofstream("arm.xml") << R"(
<mujoco model="arm">
  <compiler angle="radian"/>
  <worldbody>
    <body name="upper">
      <joint name="shoulder" axis="0 1 0" damping="0.1"/>
      <geom type="capsule" size="0.04" fromto="0 0 0 0 0 -0.5"/>
      <body name="lower" pos="0 0 -0.5">
        <joint name="elbow" axis="0 1 0" damping="0.1"/>
        <geom type="capsule" size="0.03" fromto="0 0 0 0 0 -0.4"/>
        <site name="hand" pos="0 0 -0.4"/>
      </body>
    </body>
  </worldbody>
  <sensor><framepos name="hand" objtype="site" objname="hand"/></sensor>
  <keyframe><key name="raised" qpos="1.2 0.4"/></keyframe>
</mujoco>)";
    const rb::Model model = rb::load_mjcf("arm.xml").value().model;  // a mistake in it is said with line and column

    std::printf("model '%s': %d degrees of freedom\n", model.name.c_str(), model.v_count());
    const rb::SolverChoice choice = rb::choose_solver(model).value();
    std::printf("auto means: %s: %s\n", std::string(choice.info->name).c_str(), choice.reason.c_str());
    rb::Simulation simulation(model);
    simulation.reset(*model.find_keyframe("raised"));
    const double start = simulation.energy().total();
    simulation.run_for(1.0);
    const auto hand = simulation.sensor(*model.find_sensor("hand"));
    std::printf("elbow %.3f rad, hand %.3f %.3f %.3f m\n", simulation.state().q[1], hand[0], hand[1], hand[2]);
    std::printf("damping took %.2f J\n", start - simulation.energy().total());
}
