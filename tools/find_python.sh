#!/bin/sh
# Prints the path of a Python that can run the app (3.12 or newer, able to make a virtual environment).
# Candidates are really started: a name on the PATH may be a shim that leads nowhere.
found=""
try() {
    [ -n "$1" ] || return 1
    answer=$("$1" -c 'import sys; print(sys.version.split()[0]); print(sys.executable)
if sys.version_info < (3, 12): sys.exit("too old")
import ensurepip, venv' 2>/dev/null) && {
        printf '%s\n' "$answer" | tail -n 1
        exit 0
    }
    version=$(printf '%s\n' "$answer" | head -n 1)
    [ -z "$version" ] || found="$found $1 ($version)"
}
# pyenv and uv read .python-version themselves; without them the newest version comes first.
try "${PYTHON:-}"
if command -v pyenv >/dev/null 2>&1; then try python3; fi
if command -v uv >/dev/null 2>&1; then try "$(uv python find 2>/dev/null)"; fi
for name in python3.14 python3.13 python3.12 python3; do
    if command -v "$name" >/dev/null 2>&1; then try "$name"; fi
done
echo "No suitable Python: found${found:- none}; needed is Python 3.12 or newer with the venv module (or set PYTHON=/path/to/python)." >&2
exit 1
