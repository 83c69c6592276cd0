"""The workers' Celery application: what it needs to start, and what beat sends."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from celery import signals

from shared.settings import Settings, settings
from shared.tasks import BATCH, READ, SYNC

ROOT = Path(__file__).parents[3]


@pytest.fixture
def hosted_app(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """The module, which makes its application for the settings of the moment in which it is imported."""
    monkeypatch.setenv("CODEKEEPER_REDIS_URL", "redis://127.0.0.1:1/0")
    settings.cache_clear()
    from workers import app  # noqa: PLC0415

    yield app
    settings.cache_clear()


@pytest.mark.rule("PLT-113", "PLT-124", "REF-3")
@pytest.mark.parametrize("off", ["0", "false", "no", "off"])
def test_beat_sends_a_pass_every_interval_unless_the_schedule_is_off(hosted_app: Any, monkeypatch: pytest.MonkeyPatch, off: str) -> None:
    on = Settings(sync_interval=10)
    assert hosted_app.schedule(on)["sync-all"]["schedule"] == 30.0
    assert hosted_app.make_app(on).conf.beat_schedule == hosted_app.schedule(on)
    monkeypatch.setenv("CODEKEEPER_AUTOSYNC", off)
    assert hosted_app.schedule(Settings()) == {}


def test_a_reader_loads_what_it_counts_with_before_its_pool_forks_and_no_other_worker_does(
    hosted_app: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    loaded: list[str] = []
    for queue in (SYNC, BATCH, READ):
        monkeypatch.setattr(hosted_app, "encoding", lambda queue=queue: loaded.append(queue))
        amqp = SimpleNamespace(queues=SimpleNamespace(consume_from={queue: None}))
        hosted_app._load_encoding(SimpleNamespace(app=SimpleNamespace(amqp=amqp)))
    assert loaded == [READ]
    assert any(receiver() is hosted_app._load_encoding for _, receiver in signals.worker_init.receivers)


def test_without_redis_the_workers_say_so_in_one_sentence() -> None:
    started = subprocess.run([sys.executable, "-c", "import workers.app"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert started.returncode != 0
    assert started.stderr.startswith("CODEKEEPER_REDIS_URL is not set")
    assert "Traceback" not in started.stderr
