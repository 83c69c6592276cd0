"""Token counts: tiktoken's own wherever tiktoken can count, and its rule where its expression gives up."""

import gzip
import hashlib
import json
import os
import re
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.answer import render
from workers.tokens.count import _BLANK, LONG_RUN, LONGEST_TOKEN_BYTES, PART, count_tokens, least_tokens
from workers.tokens.encoding import _data_file, encoding

CASE = (Path(__file__).parents[2] / "cases" / "01-token-special-literals" / "markers.py").read_text(encoding="utf-8")
SOURCES = Path(json.__file__).parent.parent
RUNS = [" ", "\t", "\u3000", " \t", "\n", "\n ", "\r\n", " a", "a", "A", "aA", "7", "!", "'s", "/", "\\", "\0"]
RUNS += ["e\u0301", "\u0301", "\u05d0", "\u4e2d", "\U0001f600"]


def tiktokens(text: str) -> int:
    return len(encoding().encode(text, disallowed_special=()))


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        (CASE, 93),
        ("<|endoftext|>", 7),
        ("<|endofprompt|>", 7),
        ("<|fim_prefix|>", 6),
        ("\n".join(CASE.split("\n")[7:10]), 25),
        ("", 0),
    ],
)
def test_what_looks_like_a_special_token_is_text(text: str, tokens: int) -> None:
    assert count_tokens(text) == tokens


@pytest.mark.parametrize("unit", RUNS)
@pytest.mark.parametrize("around", ["{}", "x{}", "{}x", "\n{}(", "{}\n", "a {}\r\nb", "{} \n {}y", "{}\U0001f600{}\u05d0"])
def test_a_long_run_of_one_thing_is_counted_as_tiktoken_counts_it(unit: str, around: str) -> None:
    # Only white space is cut out from that length on; anything else is long enough at any of them.
    for size in (LONG_RUN - 1, LONG_RUN, LONG_RUN + 7) if unit.isspace() else (LONG_RUN,):
        text = around.replace("{}", unit * (size // len(unit)))
        assert count_tokens(text) == tiktokens(text)


@pytest.mark.parametrize("blank", [" ", pytest.param("\u2003", marks=pytest.mark.deep)])
def test_white_space_that_overflows_the_expressions_stack_is_counted_by_its_rule(blank: str) -> None:
    """A run is one piece, up to the character before a word; the piece is encoded without the expression."""
    million = blank * 1_000_000
    one = len(encoding()._encode_single_piece(million))
    without_last = len(encoding()._encode_single_piece(million[1:]))
    assert count_tokens(million) == one
    assert count_tokens(f"word{million}") == 1 + one
    assert count_tokens(f"{million}word") == without_last + tiktokens(f"{blank}word")
    assert count_tokens(f"x\n{million}y\n{million}") == tiktokens("x\n") + without_last + tiktokens(f"{blank}y\n") + one


@pytest.mark.parametrize("unit", RUNS)
def test_no_text_takes_more_than_a_little_longer_than_its_size(unit: str) -> None:
    def seconds(size: int) -> float:
        text = unit * (size // len(unit))
        start = time.process_time()
        count_tokens(text)
        return time.process_time() - start

    assert seconds(400_000) / max(seconds(100_000), 0.1) < 12, "a square would be 16 times as long"


_TEXTS = st.lists(
    st.one_of(
        st.text(),
        st.sampled_from([*RUNS, "foo", "Bar9 ", "don't", "<|endoftext|>", "x = 1\n", '"', ", "]).flatmap(
            lambda unit: st.integers(1, 300).map(lambda times: unit * times)
        ),
    ),
    max_size=12,
).map("".join)


@given(_TEXTS)
def test_every_text_is_counted_as_tiktoken_counts_it(text: str) -> None:
    assert count_tokens(text) == tiktokens(text)


@given(_TEXTS, st.integers(1, 40), st.integers(3, 30))
def test_cutting_a_text_into_parts_changes_no_count(text: str, part: int, long_run: int) -> None:
    """The same with parts and runs so short that every text has many."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("workers.tokens.count.PART", part)
        patched.setattr("workers.tokens.count._RUN", re.compile(f"(?<![{_BLANK}])[{_BLANK}]{{{long_run},}}+"))
        assert count_tokens(text) == tiktokens(text)


def test_real_sources_longer_than_a_part_are_counted_as_tiktoken_counts_them() -> None:
    paths = [path for path in sorted(SOURCES.glob("*.py")) if path.stat().st_size > PART][:12]
    assert paths
    for path in paths:
        text = path.read_text(encoding="utf-8")
        for form in (text, json.dumps(text, ensure_ascii=False)):
            assert count_tokens(form) == tiktokens(form)


def test_a_lone_surrogate_counts_as_answers_write_it() -> None:
    for text in ("\ud800", "a\udfffb", "\ud83d\ude00", '"\ud912"'):
        sent = render({"text": text}).decode()
        assert count_tokens(json.dumps({"text": text}, ensure_ascii=False, separators=(",", ":"))) == tiktokens(sent)
    assert count_tokens("\ud800") == tiktokens("\\ud800")


def test_threads_that_begin_together_get_one_encoding_and_the_environment_stays_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", "as it was")
    found: list[object] = []
    threads = [threading.Thread(target=lambda: found.append(encoding())) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(map(id, found))) == 1
    assert os.environ["TIKTOKEN_CACHE_DIR"] == "as it was"


def test_the_encoding_is_loaded_without_the_network_and_leaves_no_file_behind(tmp_path: Path) -> None:
    code = """
import os, socket
def refuse(*_, **__): raise AssertionError("network")
socket.socket.connect = refuse
socket.getaddrinfo = refuse
from workers.tokens.count import count_tokens
assert count_tokens("hello world") == 2
assert "TIKTOKEN_CACHE_DIR" not in os.environ
"""
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    environment.pop("TIKTOKEN_CACHE_DIR", None)
    subprocess.run([sys.executable, "-c", code], check=True, cwd=Path(__file__).parents[3], env=environment)
    assert list(tmp_path.iterdir()) == []


def test_the_encoding_is_the_published_one() -> None:
    """The hash is the one that tiktoken's own source names for the file."""
    published = "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d"
    assert hashlib.sha256(gzip.decompress(_data_file().read_bytes())).hexdigest() == published
    assert (encoding().name, encoding().n_vocab) == ("o200k_base", 200_019)


def test_the_longest_token_is_as_long_as_the_least_count_takes_it() -> None:
    assert max(map(len, encoding().token_byte_values())) == LONGEST_TOKEN_BYTES


@given(_TEXTS)
def test_no_text_has_fewer_tokens_than_the_least(text: str) -> None:
    assert least_tokens(text) <= count_tokens(text)
