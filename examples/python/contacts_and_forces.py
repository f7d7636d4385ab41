"""Contacts and forces: three boxes in a stack; each pair of surfaces bears what lies above."""
import rattleback as rb

builder = rb.ModelBuilder()
builder.add_ground(name="floor")
for i in range(3):
    body = builder.add_body(name=f"box {i}", position=(0, 0, 0.1 + 0.2 * i))
    builder.add_shape(body, rb.Box(half_extents=(0.1, 0.1, 0.1)), name=f"box {i}", mass=2)

sim = rb.Simulation(builder.build(), solver="convex")
sim.run_for(1.0)
contacts = sim.contacts
names = sim.model.shapes.name
for shape in range(1, 4):
    rows = contacts.second_shape == shape
    below = names[contacts.first_shape[rows][0]]
    print(f"{below} carries {contacts.force[rows].sum(axis=0)[2]:.1f} N in {rows.sum()} points")
sim.step()
print("after another step the view is", contacts)
