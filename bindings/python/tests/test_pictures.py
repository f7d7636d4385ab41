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


def test_a_page_is_one_file_that_a_notebook_shows(red_ball, tmp_path):
    try:
        page = red_ball.view(0.1)
    except RuntimeError as error:
        pytest.skip(str(error))  # a command line that was built without Node
    assert "<html" in page.html and "srcdoc" in page._repr_html_() and red_ball.time == pytest.approx(0.1, abs=0.02)
    page.save(tmp_path / "page.html")
    assert (tmp_path / "page.html").stat().st_size > 10000
