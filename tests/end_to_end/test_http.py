"""What stands before a tool call: tokens, bodies, hosts, gates and arguments, in the contract's order."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest

from tests.end_to_end.services import Service, codekeeper, environment_of, gateway
from tests.hosted.processes import ASK_S, wait_until
from tests.plain_http import NO_AUTHORITIES

READ = {"name": "codekeeper_get_repo_file", "arguments": {"repo": "shapes", "path": "abc.txt"}}


def post(service: Service, body: bytes | dict[str, Any], token: str | None = "", **headers: str) -> httpx2.Response:
    """A raw POST to /mcp of the revision without sessions before the stateless one; `token` "" is the admin's, None sends none."""
    if token is not None:
        headers["Authorization"] = f"Bearer {token or service.tokens['admin']}"
    sent = {
        "Content-Type": "application/json",
        "Accept": "application/json, text/event-stream",
        "MCP-Protocol-Version": "2025-06-18",
        **headers,
    }
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    return httpx2.post(service.url, content=content, headers=sent, timeout=30, verify=NO_AUTHORITIES)


def rpc(method: str, params: dict[str, Any]) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}


def result_of(response: httpx2.Response) -> dict[str, Any]:
    """The result in a JSON or event-stream response."""
    text = response.text
    if response.headers["content-type"].startswith("text/event-stream"):
        text = next(line.removeprefix("data: ") for line in text.splitlines() if line.startswith("data: {"))
    result: dict[str, Any] = json.loads(text)["result"]
    return result


@pytest.mark.rule("PLT-4")
def test_healthz_answers_without_a_token(service: Service) -> None:
    response = httpx2.get(service.url.replace("/mcp", "/healthz"), verify=NO_AUTHORITIES)
    assert (response.status_code, response.json()) == (200, {"status": "ok", "service": "codekeeper-mcp"})


@pytest.mark.rule("PLT-36", "PLT-37")
@pytest.mark.parametrize(
    ("header", "error"),
    [
        (None, "missing_bearer_token"),
        ("", "missing_bearer_token"),
        ("Bearer", "missing_bearer_token"),
        ("Basic YWRtaW46YWRtaW4=", "missing_bearer_token"),
        ("Bearer ckmcp_unknown", "invalid_token"),
        ("Bearer not-one-of-ours", "invalid_token"),
        ("Bearer ckmcp_" + "x" * 60_000, "invalid_token"),
        ("Bearer ckmcp_\xff\xfe", "invalid_token"),
    ],
)
def test_a_request_without_a_valid_token_is_401(service: Service, header: str | None, error: str) -> None:
    headers = {} if header is None else {"Authorization": header.encode("latin-1")}
    for method, path in (("POST", "/mcp"), ("GET", "/mcp"), ("GET", "/anything")):
        response = httpx2.request(method, service.url.replace("/mcp", path), headers=headers, verify=NO_AUTHORITIES)
        assert (response.status_code, response.json()) == (401, {"error": error})
        assert response.headers["www-authenticate"] == 'Bearer realm="CodeKeeper MCP"'


@pytest.mark.rule("PLT-42", "PLT-43", "PLT-45")
def test_a_revoked_token_stops_within_five_seconds_and_an_expired_one_is_none(service: Service) -> None:
    issued = json.loads(codekeeper(service.environment, "token", "issue", "--user", "admin"))
    assert issued["scopes"] == ["read"]
    assert post(service, rpc("tools/call", READ), issued["token"]).status_code == 200
    codekeeper(service.environment, "token", "revoke", str(issued["id"]))
    wait_until(lambda: post(service, rpc("tools/call", READ), issued["token"]).status_code == 401, within_s=5, every_s=ASK_S)
    expired = json.loads(codekeeper(service.environment, "token", "issue", "--user", "admin", "--ttl-days", "0.000001"))
    assert post(service, rpc("tools/call", READ), expired["token"]).status_code == 401


@pytest.mark.rule("PLT-85", "PLT-90")
def test_a_body_over_four_mebibytes_is_413_and_one_within_is_read(service: Service) -> None:
    padding = {"name": "codekeeper_get_repo_file", "arguments": {"repo": "shapes", "path": "abc.txt", "padding": "p" * (4 * 1024 * 1024)}}
    assert post(service, rpc("tools/call", padding)).status_code == 413
    assert post(service, rpc("tools/call", padding), token=None).status_code == 401  # authentication comes first
    padding["arguments"]["padding"] = "p" * (4 * 1024 * 1024 - 1_000)
    refused = result_of(post(service, rpc("tools/call", padding)))
    assert json.loads(refused["content"][0]["text"])["error"] == "unknown_argument"
    assert len(refused["content"][0]["text"]) < 1_000

    def chunks() -> Iterator[bytes]:
        for _ in range(65):
            yield b" " * 65_536

    headers = {
        "Authorization": f"Bearer {service.tokens['admin']}",
        "Content-Type": "application/json",
        "Accept": "application/json, text/event-stream",
    }
    assert httpx2.post(service.url, content=chunks(), headers=headers, verify=NO_AUTHORITIES).status_code == 413


@pytest.mark.rule("PLT-6")
def test_the_host_header_must_name_this_machine_on_a_loopback_address(service: Service) -> None:
    assert post(service, rpc("tools/call", READ), Host="evil.example").status_code == 421
    assert post(service, rpc("tools/call", READ), Origin="http://evil.example").status_code == 403
    assert post(service, rpc("tools/call", READ), Host="localhost:1").status_code == 200


@pytest.mark.rule("PLT-33", "PLT-62", "PLT-63", "PLT-64", "PLT-65", "GRF-1", "TREE-2", "SRC-1")
def test_admin_tools_are_hidden_from_others_and_refuse_them_by_name(service: Service) -> None:
    admins = set(service.connection("admin").tools())
    everyones = set(service.connection("reader").tools())
    of_repositories = {"list_repos", "list_repo_tree", "get_repo_file", "search_repo", "read_batch", "create_repo_note"}
    of_repositories |= {"list_repo_notes", "list_repo_note_paths"}
    assert everyones < admins
    assert admins - everyones == {f"codekeeper_{name}" for name in of_repositories} | {"read_code_context"}
    for name in admins - everyones:
        reply = service.connection("reader").call(
            name, repo="shapes", path="abc.txt", user="admin", caller={"admin": True}, items=[{"kind": "file"}]
        )
        assert reply.is_error
        assert reply.text.startswith("admin_only")


@pytest.mark.rule("PLT-140")
def test_an_unknown_argument_is_refused_by_name_and_never_dropped(service: Service) -> None:
    reply = service.call("codekeeper_get_repo_file", repo="shapes", path="abc.txt", ref="main", offset=1, **{"n" * 5_000: "secret-value"})
    assert reply.is_error
    assert reply.json["error"] == "unknown_argument"
    first, second = reply.json["arguments"]
    assert first == "offset"
    assert len(second) == 100
    assert "secret-value" not in reply.text


@pytest.mark.rule("PLT-141")
@pytest.mark.parametrize(
    ("tool", "arguments", "where"),
    [
        ("codekeeper_get_repo_file", {"repo": 5, "path": "a"}, "repo"),
        ("codekeeper_get_repo_file", {"repo": "shapes", "path": ["hush-hush"]}, "path"),
        ("codekeeper_get_repo_file", {"repo": "shapes", "path": "a", "ref": {"x": "hush-hush"}}, "ref"),
        ("codekeeper_list_repo_tree", {"repo": "shapes", "page": "hush-hush"}, "page"),
        ("codekeeper_list_repo_tree", {"repo": "shapes", "include_stats": "hush-hush"}, "include_stats"),
        ("codekeeper_list_repos", {"limit": None}, "limit"),
    ],
)
def test_a_wrong_type_names_the_parameter_and_not_its_value(service: Service, tool: str, arguments: dict[str, Any], where: str) -> None:
    reply = service.call(tool, **arguments)
    assert reply.is_error
    assert (reply.json["ok"], reply.json["error"]) == (False, "invalid_arguments")
    assert [problem["where"] for problem in reply.json["problems"]] == [where]
    assert "hush-hush" not in reply.text


def test_a_tool_that_is_none_is_refused_with_the_error_flag(service: Service) -> None:
    reply = service.call("codekeeper_no_such_tool", repo="shapes")
    assert (reply.is_error, reply.json["error"]) == (True, "unknown_tool")


@pytest.mark.rule("REF-25", "REF-20")
def test_a_lone_surrogate_is_invalid_in_a_path_and_escaped_where_it_is_echoed(service: Service) -> None:
    """In the stateless revision; the SDK takes it for a parse error in the earlier ones."""
    version = "2026-07-28"
    meta = {"io.modelcontextprotocol/protocolVersion": version, "io.modelcontextprotocol/clientCapabilities": {}}
    routing = {"MCP-Protocol-Version": version, "Mcp-Method": "tools/call", "Mcp-Name": "codekeeper_get_repo_file"}

    def text_for(**arguments: str) -> str:
        params = {"name": "codekeeper_get_repo_file", "arguments": {"repo": "case-02", "path": "report.py", **arguments}, "_meta": meta}
        text: str = result_of(post(service, rpc("tools/call", params), **routing))["content"][0]["text"]
        return text

    assert json.loads(text_for(path="\ud800.txt"))["error"] == "invalid_input"
    echoed = text_for(ref="x\udfff")
    assert '"ref":"x\\udfff"' in echoed
    assert json.loads(echoed)["error"] == "invalid_ref"


@pytest.mark.rule("PLT-85", "PLT-86")
def test_the_rate_limit_counts_a_users_calls_over_all_tokens_and_says_when_to_retry(service: Service, tmp_path: Path) -> None:
    redis = service.environment.get("CODEKEEPER_REDIS_URL")
    more = {} if redis is None else {"redis_url": redis.replace("/0", "/1")}  # no worker there: refusals need none
    environment = environment_of(Path(service.environment["CODEKEEPER_DATA_DIR"]), rate_limit="3/600", **more)
    second = json.loads(codekeeper(environment, "token", "issue", "--user", "reader"))["token"]
    with gateway(environment, tmp_path / "limited.log") as url:
        limited = Service("limited", url, {**service.tokens, "second": second}, service.portal, environment)
        with limited:
            for user in ("reader", "second", "reader"):
                assert limited.connection(user).call("codekeeper_list_repos").text.startswith("admin_only")
            for user in ("second", "reader"):
                refused = limited.connection(user).call("codekeeper_list_repos").json
                assert (refused["ok"], refused["error"]) == (False, "rate_limited")
                assert 1 <= refused["retry_after"] <= 600
            assert limited.connection("writer").call("codekeeper_list_repos").text.startswith("admin_only")  # another user's window
