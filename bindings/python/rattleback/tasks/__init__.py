"""Ten tasks to learn on: models and rewards of our own, for one world or thousands. rattleback.gymnasium makes environments of them."""
from ._models import make_model
from ._tasks import TASKS, Task

__all__ = ["TASKS", "Task", "make_model"]
