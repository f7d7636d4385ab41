"""Hello world: a box falls on the ground and lies there."""
import rattleback as rb

builder = rb.ModelBuilder()
builder.add_ground()
box = builder.add_body(name="box", position=(0, 0, 1))
builder.add_shape(box, rb.Box(half_extents=(0.1, 0.1, 0.1)), density=1000)

sim = rb.Simulation(builder.build())
sim.run_for(2.0)
print(f"height {sim.body['box'].position[2]:.3f} m")
