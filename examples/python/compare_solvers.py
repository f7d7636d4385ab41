"""One model, every solver: a box is thrown along the ground; how far does it slide?"""
import rattleback as rb

builder = rb.ModelBuilder()
surface = builder.add_material(friction=0.5)
builder.add_ground(material=surface)
box = builder.add_body(name="box", position=(0, 0, 0.1), linear_velocity=(3, 0, 0))
builder.add_shape(box, rb.Box(half_extents=(0.2, 0.2, 0.1)), material=surface)
model = builder.build()

print(f"Coulomb: v^2 / (2 mu g) = {3**2 / (2 * 0.5 * 9.81):.3f} m")
for info in rb.solvers():
    refusal = rb.find_refusal(info.name, model)
    if refusal:
        print(f"{info.name:8} refuses: {refusal[0].message}")
        continue
    sim = rb.Simulation(model, solver=info.name, dt=1e-3)
    sim.run_for(1.5)
    print(f"{info.name:8} {sim.body['box'].position[0]:.2f} m")
