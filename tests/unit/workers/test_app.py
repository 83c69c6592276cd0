"""The workers' Celery application: what it needs to start, and what beat sends."""

import subprocess
import sys
from pathlib import Path

import pytest

from shared.settings import Settings

ROOT = Path(__file__).parents[3]


@pytest.mark.rule("PLT-113", "PLT-124", "REF-3")
@pytest.mark.parametrize("off", ["0", "false", "no", "off"])
def test_beat_sends_a_pass_every_interval_unless_the_schedule_is_off(monkeypatch: pytest.MonkeyPatch, off: str) -> None:
    monkeypatch.setenv("CODEKEEPER_REDIS_URL", "redis://127.0.0.1:1/0")
    from workers.app import make_app, schedule  # noqa: PLC0415 - the module makes its application for the settings of that moment

    on = Settings(sync_interval=10)
    assert schedule(on)["sync-all"]["schedule"] == 30.0
    assert make_app(on).conf.beat_schedule == schedule(on)
    monkeypatch.setenv("CODEKEEPER_AUTOSYNC", off)
    assert schedule(Settings()) == {}


def test_without_redis_the_workers_say_so_in_one_sentence() -> None:
    started = subprocess.run([sys.executable, "-c", "import workers.app"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert started.returncode != 0
    assert started.stderr.startswith("CODEKEEPER_REDIS_URL is not set")
    assert "Traceback" not in started.stderr
