"""Many worlds at once: the best of 256 random pushes brings a cart to rest at one metre."""
import numpy as np

import rattleback as rb

builder = rb.ModelBuilder("cart")
builder.settings.dt = 0.01
cart = builder.add_body(name="cart", inertia=rb.Inertia(mass=1, diagonal=(1, 1, 1)))
builder.add_joint(cart, name="rail", type="slide", axis=(1, 0, 0))
builder.add_motor(rb.JointId(0), name="push", input_range=(-5, 5))

worlds, steps, rounds = 256, 100, 12
batch = rb.Batch(builder.build(), worlds, thread_count=2)
random = np.random.default_rng(0)
mean, spread, x, v = np.zeros(10), 2.0, 0.0, 0.0
for _ in range(rounds):
    knots = mean + spread * random.normal(size=(worlds, 10))
    controls = np.repeat(knots, steps // 10, axis=1)[:, :, None]
    batch.reset()
    kept = batch.rollout(steps, controls)  # (world, moment, q)
    cost = (kept.q[:, -1, 0] - 1) ** 2 + kept.v[:, -1, 0] ** 2 + 1e-4 * (knots**2).sum(axis=1)
    best = np.argsort(cost)[:16]
    mean, spread = knots[best].mean(axis=0), 0.8 * spread
    x, v = kept.q[best[0], -1, 0], kept.v[best[0], -1, 0]
print(f"{worlds} worlds x {steps} steps, best end: {x:.2f} m at {v:.2f} m/s")
