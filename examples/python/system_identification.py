"""System identification: the mass and friction of a box that slides, found from its motion by Gauss-Newton."""
import numpy as np
import numpy.typing as npt

import rattleback as rb


def slide(mass: float, friction: float) -> npt.NDArray[np.float64]:
    """Positions of a box that a force of 10 N pulls for a second, every tenth of it [m]."""
    builder = rb.ModelBuilder()
    surface = builder.add_material(friction=friction)
    builder.add_ground(material=surface)
    box = builder.add_body(name="box", position=(0, 0, 0.1))
    builder.add_shape(box, rb.Box(half_extents=(0.1, 0.1, 0.1)), material=surface, mass=mass)
    sim = rb.Simulation(builder.build(), solver="convex")
    sim.body["box"].force[0] = 10
    places = []
    for _ in range(10):
        sim.run_for(0.1)
        places.append(float(sim.body["box"].position[0]))
    return np.array(places)


measured = slide(2.0, 0.3)
guess = np.array([1.5, 0.1])
for _ in range(8):
    residual = slide(*guess) - measured
    columns = [(slide(*(guess + step)) - slide(*guess)) / 1e-4 for step in (np.array([1e-4, 0]), np.array([0, 1e-4]))]
    guess = guess - np.linalg.lstsq(np.stack(columns, axis=1), residual, rcond=None)[0]
print(f"mass {guess[0]:.2f} kg, friction {guess[1]:.2f}")
