"""The two web routes through the front door of each form; what git says of the mirror is the oracle."""

import json
import socket
import urllib.parse
from pathlib import Path
from typing import Any

import httpx2
import pytest
import redis

from tests.end_to_end.repositories import SHAPES
from tests.end_to_end.services import Service, environment_of, gateway
from tests.git_repositories import git, git_line
from tests.hosted.processes import wait_until
from tests.plain_http import NO_AUTHORITIES

HISTORY, AT = "/repo/api/history", "/repo/api/file-at-commit/"
BOTH = [HISTORY, AT + "HEAD"]


def get(service: Service, path: str, user: str | None = "admin", headers: dict[str, str] | None = None, **query: str) -> httpx2.Response:
    sent = dict(headers or {})
    if user is not None:
        sent["Authorization"] = f"Bearer {service.tokens[user]}"
    return httpx2.get(service.url.replace("/mcp", path), params=query, headers=sent, timeout=60, verify=NO_AUTHORITIES)


def mirror_of(service: Service, repo: str) -> Path:
    return Path(service.environment["CODEKEEPER_DATA_DIR"]) / "mirrors" / f"{repo}.git"


def refused(response: httpx2.Response) -> tuple[int, str]:
    """The status and code of a refusal, whose form is checked."""
    body: dict[str, Any] = response.json()
    assert response.headers["content-type"] == "application/json"
    assert list(body) == ["success", "error", "message"]
    assert (body["success"], type(body["message"])) == (False, str)
    assert body["message"]
    return response.status_code, body["error"]


@pytest.mark.rule("REF-92", "REF-96")
def test_a_history_lists_what_git_logs_of_the_file_in_pages(service: Service) -> None:
    mirror = mirror_of(service, "case-14")
    whole = git_line(mirror, "log", "--format=%H %s", "HEAD", "--", "f.txt").splitlines()
    answer = get(service, HISTORY, repo="case-14", file="f.txt")
    assert answer.status_code == 200
    body = answer.json()
    assert [f"{commit['hash']} {commit['message']}" for commit in body["commits"]] == whole
    assert (body["success"], body["ref"], body["resolved_commit"]) == (True, "HEAD", git_line(mirror, "rev-parse", "HEAD"))
    assert (body["total_returned"], body["skip"], body["limit"], body["has_more"]) == (len(whole), 0, 20, False)
    pages = [get(service, HISTORY, repo="case-14", file="f.txt", limit="0", skip=str(skip)).json() for skip in range(len(whole))]
    assert [f"{page['commits'][0]['hash']} {page['commits'][0]['message']}" for page in pages] == whole
    assert [page["has_more"] for page in pages] == [True] * (len(whole) - 1) + [False]


@pytest.mark.rule("REF-92", "REF-96")
def test_a_file_comes_as_it_was_at_any_ref_that_git_resolves(service: Service) -> None:
    mirror = mirror_of(service, "case-14")
    for ref in git_line(mirror, "for-each-ref", "--format=%(refname)").splitlines():
        commit = git_line(mirror, "rev-parse", "--verify", "--quiet", f"{ref}^{{}}")
        if git_line(mirror, "cat-file", "-t", commit) != "commit":
            continue
        for name in (ref, urllib.parse.quote(ref, safe=""), commit):
            body = get(service, AT + name, repo="case-14", file="f.txt").json()
            assert (body["success"], body["resolved_commit"], body["commit"]) == (True, commit, urllib.parse.unquote(name))
            assert body["content"].encode() == git(mirror, "cat-file", "blob", f"{commit}:f.txt")


@pytest.mark.rule("REF-27", "REF-38", "REF-92", "REF-93", "REF-96")
def test_each_refusal_has_the_contracts_status(service: Service) -> None:
    broken = mirror_of(service, "broken")
    broken.mkdir(exist_ok=True)  # a folder that is no repository
    queries: list[tuple[dict[str, str], str, tuple[int, str]]] = [
        ({"repo": "case-14", "file": "f.txt"}, "no-such-branch", (404, "ref_not_mirrored")),
        ({"repo": "case-14", "file": "f.txt"}, "treetag", (404, "ref_not_mirrored")),
        ({"repo": "case-14", "file": "f.txt"}, "bad:ref", (400, "invalid_ref")),
        ({"repo": "case-14", "file": "f.txt"}, "x" * 4_097, (400, "ref_too_long")),
        ({"repo": "broken", "file": "f.txt"}, "HEAD", (500, "git_error")),
        ({"repo": "nowhere", "file": "f.txt"}, "HEAD", (404, "repo_not_found")),
        ({"repo": "no/name", "file": "f.txt"}, "HEAD", (400, "invalid_repo_name")),
        ({"repo": "case-14", "file": "/f.txt"}, "HEAD", (400, "invalid_file_path")),
        ({"repo": "case-14", "file": " "}, "HEAD", (400, "missing_file")),
        ({"repo": "case-14"}, "HEAD", (400, "missing_file")),
        ({"file": "f.txt"}, "HEAD", (400, "missing_repo")),
        ({"repo": "case-14", "file": "p" * 4_097}, "HEAD", (400, "path_too_long")),
        ({"repo": "case-14", "file": "id_rsa"}, "HEAD", (403, "path_denied")),
        ({"repo": "case-14", "file": "f.txt", "page": "hush-hush"}, "HEAD", (400, "unknown_argument")),
    ]
    try:
        for query, ref, expected in queries:
            assert refused(get(service, HISTORY, ref=ref, **query)) == expected
            assert refused(get(service, AT + ref, **query)) == expected
        assert refused(get(service, HISTORY, repo="case-14", file="nope")) == (404, "file_not_found")
        assert refused(get(service, AT + "HEAD", repo="case-14", file="nope")) == (404, "file_not_in_commit")
        assert refused(get(service, AT + "HEAD", repo="shapes", file="over-ceiling.txt")) == (413, "file_too_large")
        assert refused(get(service, AT + "HEAD", repo="shapes", file="hebrew.txt")) == (413, "answer_too_large")
        not_utf8 = httpx2.get(
            service.url.replace("/mcp", HISTORY) + "?repo=case-14&file=%FF",
            headers={"Authorization": f"Bearer {service.tokens['admin']}"},
        )
        assert refused(not_utf8) == (400, "invalid_file_path")
    finally:
        broken.rmdir()


@pytest.mark.rule("PLT-36", "PLT-65", "PLT-66")
@pytest.mark.parametrize("path", BOTH)
def test_the_routes_stand_behind_the_same_token_gate_and_host_check(service: Service, path: str) -> None:
    query = {"repo": "case-14", "file": "f.txt"}
    nobody = get(service, path, user=None, **query)
    assert (nobody.status_code, nobody.json()) == (401, {"error": "missing_bearer_token"})
    for user in ("reader", "writer"):
        assert refused(get(service, path, user=user, nonsense="1")) == (403, "admin_only")
    assert get(service, path, headers={"Host": "evil.example"}, **query).status_code == 421


@pytest.mark.rule("PLT-85", "PLT-86")
def test_requests_and_tool_calls_count_in_one_window(service: Service, tmp_path: Path) -> None:
    address = service.environment.get("CODEKEEPER_REDIS_URL")
    more = {} if address is None else {"redis_url": address.replace("/0", "/4")}  # no worker there: refusals need none
    environment = environment_of(Path(service.environment["CODEKEEPER_DATA_DIR"]), rate_limit="3/600", **more)
    with (
        gateway(environment, tmp_path / "limited.log") as url,
        Service("limited", url, service.tokens, service.portal, environment) as limited,
    ):
        assert limited.connection("reader").call("codekeeper_list_repos").text.startswith("admin_only")
        for path in BOTH:
            assert refused(get(limited, path, user="reader"))[0] == 403
        response = get(limited, HISTORY, user="reader")
        assert refused(response) == (429, "rate_limited")
        assert 1 <= int(response.headers["retry-after"]) <= 600
        assert limited.connection("reader").call("codekeeper_list_repos").json["error"] == "rate_limited"


@pytest.mark.rule("PLT-91", "PLT-96")
def test_both_forms_send_the_same_bytes_in_the_compact_form(embedded: Service, hosted: Service) -> None:
    for path, query in (
        (HISTORY, {"repo": "shapes", "file": "abc.txt"}),
        (HISTORY, {"repo": "case-14", "file": "f.txt", "limit": "1"}),
        (AT + "HEAD", {"repo": "shapes", "file": "bom.txt"}),
        (AT + "HEAD", {"repo": "shapes", "file": "cp1255.txt"}),
        (AT + "HEAD", {"repo": "shapes", "file": "binary.bin"}),
        (AT + "HEAD", {"repo": "shapes", "file": "link"}),
        (AT + "HEAD", {"repo": "case-05", "file": "docs/two\nlines.md"}),
        (AT + "nosuch", {"repo": "shapes", "file": "abc.txt"}),
    ):
        here, there = get(embedded, path, **query), get(hosted, path, **query)
        assert (here.status_code, here.content) == (there.status_code, there.content)
        assert here.content == json.dumps(here.json(), ensure_ascii=False, separators=(",", ":")).encode()
    bom = get(embedded, AT + "HEAD", repo="shapes", file="bom.txt").json()
    source = SHAPES["bom.txt"]
    assert isinstance(source, bytes)
    assert (bom["content"], bom["encoding"], bom["size"]) == (source.decode("utf-8-sig"), "utf-8-sig", len(source))


@pytest.mark.rule("PLT-142")
def test_without_redis_it_is_503(hosted: Service, tmp_path: Path) -> None:
    environment = {**hosted.environment, "CODEKEEPER_REDIS_URL": "redis://127.0.0.1:1/0"}
    with gateway(environment, tmp_path / "gateway.log") as url, Service("away", url, hosted.tokens, hosted.portal, environment) as away:
        for path in BOTH:
            response = get(away, path, repo="case-14", file="f.txt")
            assert refused(response) == (503, "service_unavailable")
            assert response.headers["retry-after"] == "5"


def test_a_client_that_goes_away_cancels_its_task(hosted: Service, tmp_path: Path) -> None:
    address = hosted.environment["CODEKEEPER_REDIS_URL"].replace("/0", "/5")  # no worker there: its task waits
    environment = {**hosted.environment, "CODEKEEPER_REDIS_URL": address}
    with gateway(environment, tmp_path / "gateway.log") as url, redis.Redis.from_url(address) as queue:
        where = urllib.parse.urlsplit(url)
        for path in BOTH:
            before = len(list(queue.scan_iter("ck:cancelled:*")))
            waiting = queue.llen("read")
            with socket.create_connection((where.hostname, where.port)) as connection:
                head = f"GET {path}?repo=case-14&file=f.txt HTTP/1.1\r\nHost: {where.netloc}\r\n"
                connection.sendall(f"{head}Authorization: Bearer {hosted.tokens['admin']}\r\n\r\n".encode())
                wait_until(lambda waiting=waiting: queue.llen("read") == waiting + 1, within_s=20)
                assert len(list(queue.scan_iter("ck:cancelled:*"))) == before
            wait_until(lambda before=before: len(list(queue.scan_iter("ck:cancelled:*"))) == before + 1, within_s=20)
