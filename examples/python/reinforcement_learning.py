"""Reinforcement learning: a linear policy learns to balance a pole, by random search over policies (Mania et al., 2018), a world for each."""
import numpy as np
import numpy.typing as npt

import rattleback as rb

builder = rb.ModelBuilder("cart and pole")
builder.settings.dt = 0.02
cart = builder.add_body(name="cart", inertia=rb.Inertia(mass=1, diagonal=(1, 1, 1)))
rail = builder.add_joint(cart, name="rail", type="slide", axis=(1, 0, 0))
pole = builder.add_body(name="pole", parent=cart)
builder.add_joint(pole, name="hinge", axis=(0, 1, 0), initial_position=0.05)
builder.add_shape(pole, rb.Capsule(radius=0.02, half_length=0.25), position=(0, 0, 0.25), mass=0.2, mask=0)
builder.add_motor(rail, name="push", input_range=(-10, 10))

directions, steps = 16, 200
batch = rb.Batch(builder.build(), 2 * directions, solver="smooth", thread_count=1)


def find_returns(policies: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Steps until the pole leans by more than 0.3 rad or the cart leaves the rail of 2 m, for a policy in each world."""
    batch.reset()
    up = np.ones(len(policies), dtype=bool)
    returns = np.zeros(len(policies))
    for _ in range(steps):
        state = np.concatenate([batch.state.q, batch.state.v], axis=1)
        batch.control.input[:, 0] = np.sum(policies * state, axis=1)
        batch.step()
        up &= (np.abs(batch.state.q[:, 1]) < 0.3) & (np.abs(batch.state.q[:, 0]) < 1)
        returns += up
    return returns


random = np.random.default_rng(1)
policy = np.zeros(4)
for generation in range(13):
    ways = random.normal(size=(directions, 4))
    returns = find_returns(np.concatenate([policy + 4 * ways, policy - 4 * ways]))
    if generation % 4 == 0:
        print(f"generation {generation:2}: a policy keeps the pole up for {returns.mean():.0f} of {steps} steps")
    slope = (returns[:directions] - returns[directions:]) @ ways / directions
    policy += 4 * slope / (returns.std() + 1e-6)
final = find_returns(np.tile(policy, (2 * directions, 1)))[0]
print(f"what was learned: {final:.0f} of {steps} steps")
