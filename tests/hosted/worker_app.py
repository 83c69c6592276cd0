"""The workers' application as it is, with this folder's tasks in place of the real ones: `celery -A tests.hosted.worker_app worker …`."""

from shared.settings import settings
from workers.app import make_app

app = make_app(settings())
app.conf.include = ("tests.hosted.tasks", "tests.hosted.greedy_tasks")
