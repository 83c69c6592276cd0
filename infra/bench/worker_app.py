"""The workers' application as it is, with the empty tool's task beside the real ones: `celery -A infra.bench.worker_app worker …`."""

from shared.settings import settings
from shared.tasks import WORKER_MODULES
from workers.app import make_app

app = make_app(settings())
app.conf.include = (*WORKER_MODULES, "infra.bench.empty_task")
