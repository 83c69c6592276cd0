# Sourced by the scripts beside it: finds Python and uv, and says what it does. Plain sh.

say() { printf 'codekeeper: %s\n' "$*" >&2; }
fail() { say "$*"; exit 1; }

root=$(CDPATH= cd -- "$(dirname -- "$0")/.." && pwd)

# Sets PYTHON to an interpreter of version 3.11 or newer.
find_python() {
    for candidate in "${PYTHON:-}" python3 python3.14 python3.13 python3.12 python3.11 python; do
        [ -n "$candidate" ] && command -v "$candidate" >/dev/null 2>&1 || continue
        if "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            PYTHON=$("$candidate" -c 'import sys; print(sys.executable)')
            return
        fi
    done
    fail "Python 3.11 or newer is needed, and none was found on the PATH."
}

# Sets UV to uv, installing it into .tools/ when it is not there.
find_uv() {
    find_python
    for candidate in uv "$root/.tools/uv/bin/uv" "$root/.tools/uv-target/bin/uv"; do
        if command -v "$candidate" >/dev/null 2>&1 && "$candidate" --version >/dev/null 2>&1; then
            UV=$candidate
            return
        fi
    done
    say "installing uv into .tools/"
    if "$PYTHON" -m venv "$root/.tools/uv" >/dev/null 2>&1 && "$root/.tools/uv/bin/python" -m pip install --quiet uv; then
        UV=$root/.tools/uv/bin/uv
    elif rm -rf "$root/.tools/uv" && "$PYTHON" -m pip install --quiet --target "$root/.tools/uv-target" uv; then
        UV=$root/.tools/uv-target/bin/uv
    else
        fail "uv could not be installed: this Python has neither venv nor pip. Install uv or python3-venv and run this again."
    fi
}

# Fails unless git is there and new enough: `git grep --max-count` came with 2.38.
check_git() {
    command -v git >/dev/null 2>&1 || fail "git 2.38 or newer is needed, and none was found on the PATH."
    found=$(git --version | sed 's/^git version //')
    minor=${found#*.}
    minor=${minor%%[!0-9]*}
    [ "${found%%.*}" -gt 2 ] || [ "${minor:-0}" -ge 38 ] || fail "git 2.38 or newer is needed; this one is $found."
}

# Brings .venv to the locked versions: sync_venv [ARGUMENTS OF uv sync]
sync_venv() {
    find_uv
    check_git
    [ -d "$root/.venv" ] || say "installing the locked dependencies into .venv/ (about a minute the first time)"
    (cd "$root" && UV_PYTHON_DOWNLOADS=never "$UV" sync --locked --quiet --python "$PYTHON" "$@")
}
