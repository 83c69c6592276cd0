"""The scan, held against detect-secrets' own scan of files, and against texts that are meant to be slow."""

import sysconfig
import time
from pathlib import Path

import pytest
from detect_secrets import SecretsCollection
from detect_secrets.settings import default_settings
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from workers.context import secret_scan
from workers.context.secret_scan import MAX_SCAN_S, OVERLAP_CHARS, WINDOW_CHARS, SecretScan, Unscanned

ENTROPY = ("Base64HighEntropyString", "HexHighEntropyString")
TOKEN = "ghp_" + "aB3" * 12
SECRETS = (
    "-----BEGIN RSA PRIVATE KEY-----", TOKEN, "https://user:hunter2pass@example.org/", 'password = "hunter2secretvalue"',
    "AKIAIOSFODNN7EXAMPLE", "xoxb-123456789012-abcdefghijklmnop", "sk_live_" + "a1B2" * 6,
)  # fmt: skip


def theirs(path: Path) -> bool:
    """Whether detect-secrets finds something in a file, with its own plug-ins' defaults and filters, entropy off."""
    with default_settings() as used:
        used.disable_plugins(*ENTROPY)
        found = SecretsCollection()
        found.scan_file(str(path))
        return bool(found.data)


def ours(text: str, path: str = "a.py") -> bool:
    return SecretScan().finds(path, text)


@pytest.mark.rule("RCC-41")
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(
        st.sampled_from([*SECRETS, "x = 1", 'key = "<password>"', "password = read()", 'secret = "$VALUE"', "", "é" * 9]),
        min_size=1,
        max_size=6,
    ),
    st.sampled_from(["a.py", "a.js", "a.yaml", "a.go", "a.txt", "a.tsx"]),
    st.sampled_from(["\n", "\r\n", "\r", " ; "]),
)
def test_what_detect_secrets_finds_in_a_file_is_found(tmp_path: Path, parts: list[str], name: str, between: str) -> None:
    text = between.join(parts)
    (tmp_path / name).write_bytes(text.encode())
    if theirs(tmp_path / name):
        assert ours(text, name)
    elif not any(secret in text for secret in SECRETS):
        assert not ours(text, name)


@pytest.mark.rule("RCC-41")
@pytest.mark.parametrize("secret", SECRETS)
@pytest.mark.parametrize("line", ["{}", "x = f('{}')", "# {}  # pragma: allowlist secret", "y" * 9_000 + " {} " + "y" * 9_000])
def test_a_secret_is_found_wherever_it_stands_and_whatever_stands_beside_it(secret: str, line: str) -> None:
    text = "a = 1\n" * 50 + line.format(secret) + "\nb = 2\n"
    assert ours(text) is not (secret.startswith("password") and "f('" in line)  # a call whose argument is no literal by that name
    assert ours(text, "package-lock.json") or secret.startswith("password")


@pytest.mark.parametrize("at", range(WINDOW_CHARS - OVERLAP_CHARS - 60, WINDOW_CHARS + 60, 7))
def test_a_secret_is_found_at_any_place_of_a_long_line(at: int) -> None:
    assert ours(" ".join(["a" * (at - 1), TOKEN, "b" * 5_000]))
    assert not ours(" ".join(["a" * (at - 1), TOKEN[:20], "b" * 5_000]))


def test_the_standard_library_reads_as_detect_secrets_reads_it() -> None:
    folder = Path(sysconfig.get_path("stdlib"))
    for name in ("argparse.py", "getpass.py", "netrc.py", "urllib/request.py", "secrets.py"):
        assert ours((folder / name).read_text(encoding="utf-8"), name) >= theirs(folder / name)


def test_texts_that_are_meant_to_be_slow_end_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """The clock is the thread's own: what is asserted is work, and not how busy the machine is."""
    with pytest.raises(Unscanned):
        ours("secret" * 5_000)
    for text in ("pwd" + " " * 100_000 + "x", ("pwd" + " " * 400) * 200 + "x", "`a" * 20_000):
        assert not ours(text)
    monkeypatch.setattr(secret_scan, "MAX_SCAN_S", 0.5)
    began = time.thread_time()
    with pytest.raises(Unscanned):
        ours("pwd`a`" * 100_000)
    assert time.thread_time() - began < MAX_SCAN_S


def test_the_texts_of_one_call_share_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(secret_scan, "MAX_SCAN_S", 0.0)
    with pytest.raises(Unscanned):
        ours("a = 1\n")


def test_nothing_asks_the_network_whether_a_secret_works(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    for plugin in secret_scan._plugins():
        monkeypatch.setattr(type(plugin), "verify", lambda *_, **__: asked.append("verify"))
    assert all(ours(secret) for secret in SECRETS)
    assert asked == []
