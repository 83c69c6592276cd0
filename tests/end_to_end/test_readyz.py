"""`/readyz` as a load balancer sees it: each part that fails has its name, without a token, and what recovers is seen."""

import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx2
import redis

from shared.tasks import READY
from tests.end_to_end.repositories import SOURCES
from tests.end_to_end.services import Service, environment_of, gateway
from tests.hosted.processes import ASK_S, wait_until
from tests.plain_http import NO_AUTHORITIES


def readyz(url: str) -> tuple[int, dict[str, Any]]:
    response = httpx2.get(url.replace("/mcp", "/readyz"), timeout=30, verify=NO_AUTHORITIES)
    body: dict[str, Any] = response.json()
    return response.status_code, body


def all_ok(mirrors: int) -> tuple[int, dict[str, Any]]:
    parts = dict.fromkeys(("status", "broker", "worker", "database", "mirrors"), "ok")
    return 200, {**parts, "mirrors_registered": mirrors, "mirrors_present": mirrors}


def failed(**parts: str) -> tuple[int, dict[str, Any]]:
    unseen = dict.fromkeys(("worker", "database", "mirrors"), "unknown")
    return 503, {"status": "unavailable", "broker": "ok", **unseen, **parts}


def test_each_form_is_ready_with_every_part_ok(service: Service) -> None:
    assert service.call("codekeeper_list_repos").json["ok"]  # a worker has started
    assert readyz(service.url) == all_ok(len(SOURCES))


def test_without_a_worker_it_is_unavailable_within_the_deadline_for_one_task(hosted: Service, tmp_path: Path) -> None:
    address = hosted.environment["CODEKEEPER_REDIS_URL"].replace("/0", "/2")
    environment = {**hosted.environment, "CODEKEEPER_REDIS_URL": address}
    with gateway(environment, tmp_path / "gateway.log") as url:
        began = time.monotonic()
        with ThreadPoolExecutor(8) as probes:
            assert list(probes.map(readyz, [url] * 8)) == [failed(worker="unavailable")] * 8
        assert readyz(url) == failed(worker="unavailable")
        assert READY.deadline_s is not None
        assert time.monotonic() - began < 2 * READY.deadline_s  # waited for once, and no measure of speed
        with redis.Redis.from_url(address) as queue:
            assert queue.llen(READY.queue) == 1


def test_without_redis_the_broker_is_unavailable(hosted: Service, tmp_path: Path) -> None:
    environment = {**hosted.environment, "CODEKEEPER_REDIS_URL": "redis://127.0.0.1:1/0"}
    with gateway(environment, tmp_path / "gateway.log") as url:
        assert readyz(url) == failed(broker="unavailable")


def test_without_its_database_it_is_unavailable_and_ready_when_that_is_back(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with gateway(environment_of(data), tmp_path / "gateway.log") as url:
        files = [data / f"codekeeper.sqlite3{suffix}" for suffix in ("", "-wal", "-shm")]
        away = tmp_path / "away"
        away.mkdir()
        for file in files:
            if file.exists():
                file.rename(away / file.name)
        assert readyz(url) == failed(worker="ok", database="unavailable")
        assert not files[0].exists()
        for file in away.iterdir():
            file.rename(data / file.name)
        wait_until(lambda: readyz(url) == all_ok(0), within_s=20, every_s=ASK_S)
