"""CPU seconds of the scan for secrets, on ordinary code and on windows that are meant to be slow: `python -m infra.bench.scan_cost`."""

import sysconfig
import time
from pathlib import Path
from typing import Final

from workers.context.secret_scan import MAX_SCAN_S, MAX_WORD_WORK, WINDOW_CHARS, SecretScan, Unscanned

_WORD: Final = int((MAX_WORD_WORK * len("secret")) ** 0.5) - len("secret")
"""Characters of one word of keywords that is just within `MAX_WORD_WORK`."""

HOSTILE: Final = {
    "one word of keywords": "secret" * (_WORD // len("secret")),
    "keywords and backticks": "pwd`a`" * (WINDOW_CHARS // 6),
    "keywords and blanks": ("pwd" + " " * 400) * (WINDOW_CHARS // 403),
    "keywords, equal signs and backticks": "secret=`" * (WINDOW_CHARS // 8),
}


def main() -> None:
    """Print a line for each."""
    folder = Path(sysconfig.get_path("stdlib")) / "asyncio"
    code = "".join(path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.py")))
    SecretScan().finds("a.py", "a = 1\n")
    taken = _measured(code)[0]
    print(f"ordinary code: {len(code):,} characters, {taken:.2f} s: {MAX_SCAN_S / taken * len(code) / 1e6:.1f} MB in {MAX_SCAN_S:g} s")
    for name, text in HOSTILE.items():
        taken, outcome = _measured(f"{text}x")
        print(f"{name}: {len(text):,} characters, {taken:.2f} s, {outcome}")


def _measured(text: str) -> tuple[float, str]:
    began = time.thread_time()
    try:
        outcome = "found" if SecretScan().finds("a.py", text) else "nothing found"
    except Unscanned:
        outcome = "given up"
    return time.thread_time() - began, outcome


if __name__ == "__main__":
    main()
