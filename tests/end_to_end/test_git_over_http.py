"""The runner of git against a server on this host that asks for a password, or says nothing at all."""

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from pydantic import SecretStr

from workers.mirror.git_environment import Credentials
from workers.mirror.git_process import GitFailed, run_git


class _Handler(BaseHTTPRequestHandler):
    seen: list[str | None]
    may_end: threading.Event

    def do_GET(self) -> None:
        self.seen.append(self.headers.get("Authorization"))
        if self.path.startswith("/silent"):
            self.may_end.wait()
            return
        self.send_response(401)
        self.send_header("WWW-Authenticate", 'Basic realm="test"')
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Nothing on stderr."""


@pytest.fixture
def server() -> Iterator[tuple[str, type[_Handler]]]:
    handler = type("Handler", (_Handler,), {"seen": [], "may_end": threading.Event()})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as listening:
        thread = threading.Thread(target=listening.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{listening.server_address[1]}", handler
        handler.may_end.set()
        listening.shutdown()
        thread.join()


def test_a_remote_that_asks_for_a_password_is_a_failure_and_no_prompt(server: tuple[str, type[_Handler]]) -> None:
    address, _ = server
    with pytest.raises(GitFailed) as caught:
        run_git("ls-remote", "--", f"{address}/private", timeout_s=20, protocols=("http",))
    assert caught.value.exit_code == 128
    assert "terminal prompts disabled" in caught.value.stderr


@pytest.mark.rule("PLT-121")
def test_a_remote_that_says_nothing_ends_at_the_timeout(server: tuple[str, type[_Handler]]) -> None:
    address, _ = server
    with pytest.raises(GitFailed) as caught:
        run_git("ls-remote", "--", f"{address}/silent", timeout_s=1, protocols=("http",))
    assert caught.value.exit_code is None


@pytest.mark.rule("PLT-123")
def test_a_header_is_sent_to_its_own_host_only(server: tuple[str, type[_Handler]]) -> None:
    address, handler = server
    for host in (address, "https://github.com"):
        credentials = Credentials({f"http.{host}/.extraheader": SecretStr("Authorization: Basic c2VjcmV0")})
        with pytest.raises(GitFailed):
            run_git("ls-remote", "--", f"{address}/private", timeout_s=20, protocols=("http",), credentials=credentials)
    assert handler.seen == ["Basic c2VjcmV0", None]
