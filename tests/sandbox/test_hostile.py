"""Hostile programs: each ends with the right status, leaves nothing, and the next run works.

All are bounded, so that a hole in the sandbox would harm nothing.
"""

import os
from pathlib import Path

import pytest

from playground.sandbox.outcome import OUTPUT_BYTES

ROOT = Path(__file__).resolve().parents[2]
SMALL = 192 << 20

ENDLESS = {
    "python": "while True: pass",
    "xla": "lax.while_loop(lambda x: x < 1, lambda x: x * 0, 0.0)",
    "catches everything": """
import signal
for number in range(1, 32):
    try: signal.signal(number, signal.SIG_IGN)
    except (OSError, ValueError): pass
while True:
    try:
        while True: pass
    except BaseException: pass
""",
    "a thread that never ends while main joins it": """
import threading, time
def go():
    while True: time.sleep(0.01)
thread = threading.Thread(target=go); thread.start(); thread.join()
""",
    "sleeps": "import time; time.sleep(60)",
    "stops itself": "import os, signal; os.kill(os.getpid(), signal.SIGSTOP)",
}


@pytest.mark.parametrize("code", ENDLESS.values(), ids=ENDLESS)
def test_what_never_ends_is_stopped(hostile, code: str):
    outcome = hostile(code, seconds=1)
    assert outcome.status == "timeout"
    assert outcome.seconds < 15


def test_a_loop_that_ends_example_by_example_and_never_under_vmap(hostile):
    outcome = hostile(
        """
halve = lambda a: lax.while_loop(
    lambda t: (t < 0) | (t > 1e-3), lambda t: jnp.where(t < 0, t * 2 - 1, t / 2), a)
f = lambda a: lax.cond(a >= 0, halve, lambda t: -t, a)
print([round(float(f(jnp.float32(a))), 6) for a in (1, -1)], flush=True)
jax.vmap(f)(jnp.array([1.0, -1.0])).block_until_ready()
""",
        seconds=6,
    )
    assert outcome.status == "timeout"
    assert outcome.stdout == "[0.000977, 1.0]\n"


MEMORY = {
    "numpy at once": "np.ones(1 << 30)",
    "xla at once": "jnp.ones(1 << 31, jnp.float32).sum()",
    "numpy bit by bit": "kept = [np.ones(1 << 21) for _ in range(64)]",
    "xla bit by bit": "kept = [jnp.ones(1 << 22, jnp.float32) * i for i in range(64)]",
    "never looked at": "kept = jax.vmap(lambda x: jnp.outer(x, x))(jnp.ones((32, 8192)))\n0",
    "looked at by numpy": "np.asarray(jax.vmap(lambda x: jnp.outer(x, x))(jnp.ones((32, 8192))))",
    "address space": "import mmap; mmap.mmap(-1, 8 << 30)",
    "python": "kept = [bytearray(1 << 24) for _ in range(64)]",
    "shared maps": """
import mmap
kept = [mmap.mmap(-1, 32 << 20) for _ in range(16)]
for each in kept: each.write(b'x' * (32 << 20))
""",
    "six processes": """
import os, time
for _ in range(6):
    if os.fork() == 0:
        kept = np.ones(8 << 20); time.sleep(8); os._exit(0)
time.sleep(8)
""",
    "recursion without a limit": """
import sys
sys.setrecursionlimit(10**9)
def deeper(n): return deeper(n + 1)
deeper(0)
""",
}


@pytest.mark.parametrize("code", MEMORY.values(), ids=MEMORY)
def test_what_takes_too_much_memory_is_stopped(hostile, code: str):
    outcome = hostile(code, memory_bytes=SMALL, seconds=20)
    assert outcome.status == "memory", outcome
    assert outcome.peak_bytes < SMALL + (512 << 20)


def test_forks_share_pages_and_pay_for_them_once(hostile):
    outcome = hostile(
        """
import os, time
kept = np.ones(12 << 20)
for _ in range(4):
    if os.fork() == 0:
        time.sleep(1); os._exit(0)
time.sleep(1)
value = float(kept[0])
""",
        memory_bytes=SMALL,
    )
    assert (outcome.status, outcome.value) == ("ok", 1.0)


@pytest.mark.slow
def test_a_bomb_of_processes_meets_its_limit(hostile):
    outcome = hostile(
        """
import os, time
for _ in range(200):
    if os.fork() == 0:
        time.sleep(20); os._exit(0)
""",
        seconds=30,
    )
    # "Stopped" by the warden where no limit binds: as a container's root, without its rights.
    assert (outcome.status, outcome.error.type) in (
        ("error", "BlockingIOError"),
        ("crashed", "Stopped"),
    )


def test_processes_in_sessions_of_their_own_end_with_the_run(hostile):
    outcome = hostile(
        """
import os, time
for _ in range(10):
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            time.sleep(20)
        os._exit(0)
value = 'left them running'
"""
    )
    assert outcome.status == "ok"


DEATHS = {
    "os._exit": "import os; os._exit(0)",
    "os._exit with a code": "import os; os._exit(3)",
    "kills itself": "import os, signal; os.kill(os.getpid(), signal.SIGKILL)",
    "segfault": "import ctypes; ctypes.string_at(0)",
    "abort": "import os; os.abort()",
    "closes every descriptor": "import os; os.closerange(0, 256); value = 1",
    "writes invented reports": """
import os
for descriptor in range(3, 64):
    try: os.write(descriptor, b'{"status": "ok", "value": 42}')
    except OSError: pass
os._exit(0)
""",
}


@pytest.mark.parametrize("code", DEATHS.values(), ids=DEATHS)
def test_a_process_that_dies_has_crashed(hostile, code: str):
    outcome = hostile(code)
    assert outcome.status == "crashed"
    assert outcome.value is None


FORBIDDEN = {
    "/etc/passwd": "open('/etc/passwd').read()",
    "the app's files": f"open({str(ROOT / 'streamlit_app.py')!r}).read()",
    "the app's folder": f"import os; os.listdir({str(ROOT / 'playground')!r})",
    "the sandbox's sources": "open('/trusted/playground/sandbox/run.py').read()",
    "the first process": "import os; os.kill(1, 9)",
    "its parent": "import os; os.kill(os.getppid(), 9)",
    "memory of the first process": "open('/proc/1/mem', 'rb').read(1)",
    "writing beside its folder": "open('/outside', 'w')",
    "writing into the libraries": "open(np.__file__, 'a')",
    "writing into the home": "import os; open(os.path.expanduser('~root/x'), 'w')",
    "a socket": "import socket; socket.create_connection(('127.0.0.1', 22), timeout=1)",
    "a socket of the machine": "import socket; socket.socket(socket.AF_UNIX)",
    "raising limits": """
import resource
resource.setrlimit(resource.RLIMIT_NPROC, (5000, 5000))
""",
    "lifting limits": """
import resource
resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY,) * 2)
""",
    "becoming root": "import os; os.setuid(0)",
    "new namespaces": "import os; os.unshare(os.CLONE_NEWUSER)",
    "memory without a name": "import os; os.memfd_create('x')",
    "a device": "import os; os.mknod('disk', 0o060600, os.makedev(8, 0))",
    "a file that is too large": """
with open('large', 'wb') as file:
    for _ in range(40): file.write(bytes(1 << 20))
""",
    "too many files": """
for number in range(10): open(str(number), 'wb').write(bytes(16 << 20))
""",
    "shared memory as a store": """
for number in range(10): open(f'/dev/shm/{number}', 'wb').write(bytes(4 << 20))
""",
    "a shell": "import subprocess; subprocess.run('id', shell=True, check=True)",
}


@pytest.mark.parametrize("code", FORBIDDEN.values(), ids=FORBIDDEN)
def test_what_is_forbidden_is_an_error_of_the_code(hostile, code: str):
    outcome = hostile(code)
    assert outcome.status == "error", outcome
    assert outcome.error.line is not None


def test_the_jail_shows_neither_environment_nor_user_nor_other_processes(hostile, monkeypatch):
    monkeypatch.setenv("PLAYGROUND_SECRET", "hunter2")
    outcome = hostile(
        """
import os
processes = [name for name in os.listdir('/proc') if name.isdigit()]
mine = open('/proc/self/environ').read()
value = [dict(os.environ), processes, os.getuid(), os.geteuid(), os.getgroups(), mine]
"""
    )
    environment, processes, user, effective, groups, at_start = outcome.value
    assert environment == {}
    assert set(processes) <= {"1", "2"}
    assert user == effective != 0
    assert user != os.getuid() or os.getuid() != 0
    assert groups in ([], [65534])
    assert "hunter2" not in at_start


def test_a_run_finds_nothing_of_the_run_before(hostile):
    code = (
        "import os; value = os.listdir('.') + os.listdir('/dev/shm'); open('note', 'w').write('x')"
    )
    assert hostile(code).value == []
    assert hostile(code).value == []


OUTPUT = {
    "1 GB": "line = 'x' * (1 << 20)\nfor _ in range(1024): print(line)",
    "one long line": "print('x' * 10_000_000)",
    "many short lines": "for i in range(100_000): print(i)",
    "not UTF-8": "import os\nfor _ in range(100): os.write(1, b'\\xff' * 4096)",
    "standard error": "import sys; sys.stderr.write('x' * 1_000_000)",
}


@pytest.mark.parametrize("code", OUTPUT.values(), ids=OUTPUT)
def test_output_is_cut_and_says_so(hostile, code: str):
    outcome = hostile(code, seconds=60)
    assert outcome.status == "ok"
    text = outcome.stdout or outcome.stderr
    assert len(text.encode("utf-8")) <= OUTPUT_BYTES
    assert "cut here" in text[-100:]


def test_strange_bytes_come_out_as_text(hostile):
    outcome = hostile(
        "import os\nprint('a\\0b')\nprint('\\ud800')\nos.write(1, b'\\xff\\xfe')\n"
        "value = 'a\\0\\ud800'"
    )
    assert outcome.status == "ok"
    assert outcome.stdout == "a\0b\n\\ud800\n\ufffd\ufffd"
    assert outcome.value == "a\0?"


STRANGE_CODE = {
    "NUL in the code": "x = 1\0",
    "half a surrogate pair": "x = '\ud800'",
    "not Python": "x = (\n",
    "parentheses": "x = " + "(" * 5_000 + ")" * 5_000,
    "minus signs": "x = " + "-" * 100_000 + "1",
    "deep recursion": "def f(n): return f(n + 1)\nf(0)",
    "a nest of lists": "value = []\nfor _ in range(100_000): value = [value]",
    "itself": "value = []; value.append(value)",
    "a value that is too large": "value = 'x' * (2 << 20)",
    "a huge number": "value = 10 ** 100_000",
    "a value that is none": "value = object()",
    "an exception without text": """
class Awkward(Exception):
    def __str__(self): raise SystemExit
raise Awkward
""",
    "leaves with a code": "exit(3)",
    "interrupts itself": "raise KeyboardInterrupt",
}


@pytest.mark.parametrize("code", STRANGE_CODE.values(), ids=STRANGE_CODE)
def test_strange_code_is_an_error(hostile, code: str):
    outcome = hostile(code)
    assert outcome.status == "error", outcome
    assert outcome.error.type


def test_a_very_long_line_of_code_runs(hostile):
    assert hostile("value = len('" + "x" * 900_000 + "')").value == 900_000


PATCHES = {
    "json": "import json\njson.dumps = json.loads = None",
    "os": "import os\nos.write = os._exit = os.getpid = None",
    "everything imported": """
import sys
for name in list(sys.modules):
    if name != 'sys': sys.modules[name] = None
""",
    "streams": "import sys; sys.stdout.close(); sys.stderr = None",
    "builtins": "import builtins\nbuiltins.isinstance = builtins.open = None",
}


@pytest.mark.parametrize("code", PATCHES.values(), ids=PATCHES)
def test_patches_harm_the_run_alone(hostile, code: str):
    assert hostile(code + "\nvalue = 1").status in ("ok", "error", "crashed")


def test_threads_that_outlive_main_end_with_it(hostile):
    outcome = hostile(
        """
import threading, time
def go():
    while True: time.sleep(0.01)
for _ in range(4): threading.Thread(target=go).start()
value = 'done'
"""
    )
    assert (outcome.status, outcome.value) == ("ok", "done")
