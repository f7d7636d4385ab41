"""Pictures and pages, by the command line's rasteriser."""
import numpy as np
import pytest

import rattleback as rb


@pytest.fixture
def red_ball():
    builder = rb.ModelBuilder()
    builder.add_ground()
    body = builder.add_body(name="ball", position=(0, 0, 0.5))
    builder.add_shape(body, rb.Sphere(radius=0.5), colour=(1, 0, 0, 1))
    return rb.Simulation(builder.build())


def test_a_picture_shows_what_is_there(red_ball):
    picture = red_ball.render(160, 120, draft=True)
    assert picture.shape == (120, 160, 3) and picture.dtype == np.uint8
    red = (picture[..., 0] > 2 * picture[..., 1].astype(int)) & (picture[..., 0] > 60)
    rows, columns = np.nonzero(red)
    assert 500 < red.sum() < 15000 and abs(columns.mean() - 80) < 3  # in the middle, from left to right
    # A disc fills pi / 4 of the box around it.
    box = (np.ptp(rows) + 1) * (np.ptp(columns) + 1)
    assert red.sum() / box == pytest.approx(np.pi / 4, abs=0.05)
    with pytest.raises(ValueError, match="width must be between"):
        red_ball.render(0, 10)
    with pytest.raises(RuntimeError, match="no_such_camera"):
        red_ball.render(16, 16, camera="no_such_camera")


CAMERA = """<mujoco><worldbody>
  <geom name="wall" type="box" size="2 0.1 2" pos="0 3.1 0"/>
  <geom name="pane" type="box" size="0.2 0.05 0.2" pos="-1 2.05 0" rgba="0 0 1 0.3"/>
  <body name="ball" pos="0.25 2 0"><freejoint/><geom name="ball" type="sphere" size="0.5"/></body>
  <camera name="eye" pos="0 0 0" xyaxes="1 0 0 0 0 1" fovy="90"/>
</worldbody></mujoco>"""


def test_depth_and_segmentation_are_those_of_rays_through_the_pixels():
    """Each pixel's ray, cast by the engine's own queries: another code than the rasteriser's."""
    model = rb.parse_mjcf(CAMERA)
    sim = rb.Simulation(model)
    width, height = 64, 48
    depth = sim.render(width, height, camera="eye", layer="depth")
    shapes = sim.render(width, height, camera="eye", layer="segmentation")
    assert depth.shape == shapes.shape == (height, width) and depth.dtype == np.float32 and shapes.dtype == np.int32
    names = model.shapes.name
    focal = height / 2  # a field of view of 90 degrees from bottom to top
    agree = 0
    for row in range(height):
        for column in range(width):
            ray = np.array([(column + 0.5 - width / 2) / focal, 1.0, (height / 2 - row - 0.5) / focal])
            hit = rb.cast_ray(sim.state, (0, 0, 0), ray)
            if hit is None:
                assert shapes[row, column] == -1 and np.isinf(depth[row, column])
                agree += 1
            elif hit.shape == shapes[row, column]:
                point = depth[row, column] * ray
                if names[hit.shape] == "ball":  # its triangles lie inside of it by less than a twentieth of a pixel
                    assert 0.5 - 0.05 * 2 / focal < np.linalg.norm(point - (0.25, 2, 0)) < 0.5 + 2e-5
                else:
                    assert point == pytest.approx(hit.point, abs=2e-5)
                agree += 1
    assert agree >= 0.99 * width * height  # all but the rim of the ball
    seen = {names[i] for i in np.unique(shapes) if i >= 0}
    assert seen == {"wall", "pane", "ball"} and -1 in shapes  # what is see-through is solid here


def test_layers_of_batches_are_those_of_simulations_and_wrong_ones_are_named():
    model = rb.parse_mjcf(CAMERA)
    batch, sim = rb.Batch(model, 3), rb.Simulation(model)
    batch.state.q[:, 1] = (1.5, 2.0, 2.5)
    batch.refresh()
    for layer in ("colour", "depth", "segmentation"):
        layers = batch.render(32, 24, camera="eye", layer=layer)
        assert layers.shape[:3] == (3, 24, 32)
        sim.state.q[1] = 2.5
        sim.refresh()
        assert np.array_equal(layers[2], sim.render(32, 24, camera="eye", layer=layer))
    nearest = batch.render(32, 24, camera="eye", layer="depth").min(axis=(1, 2))
    assert np.diff(nearest) == pytest.approx([0.5, 0.5], abs=0.02)  # the ball goes away from the camera
    for call, text in ((lambda: sim.render(layer="heat"), "layer must be one of colour, depth, segmentation"),
                       (lambda: sim.render(layer="depth", contacts=True), "contacts are drawn in colour"),
                       (lambda: batch.render(worlds=[]), "worlds is empty")):
        with pytest.raises(ValueError, match=text):
            call()


def test_a_page_is_one_file_that_a_notebook_shows(red_ball, tmp_path):
    try:
        page = red_ball.view(0.1)
    except RuntimeError as error:
        pytest.skip(str(error))  # a command line that was built without Node
    assert "<html" in page.html and "srcdoc" in page._repr_html_() and red_ball.time == pytest.approx(0.1, abs=0.02)
    page.save(tmp_path / "page.html")
    assert (tmp_path / "page.html").stat().st_size > 10000
