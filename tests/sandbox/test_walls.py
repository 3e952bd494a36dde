"""The walls without rooms, without a jail, and what happens when the app or the parent dies."""

import json
import os
import signal
import subprocess
import sys
import textwrap
import threading
from collections.abc import Generator
from pathlib import Path

import pytest

from playground.sandbox import Outcome, policy, run
from playground.sandbox.keeper import Keeper, keeper
from playground.sandbox.outcome import settle
from tests.sandbox.conftest import HONEST, HONEST_VALUE, below, files_left, settled

ROOT = Path(__file__).resolve().parents[2]
pytestmark = pytest.mark.skipif(not Path("/proc/self").exists(), reason="needs /proc")


def ask(holder: Keeper, code: str, seconds: float = 30.0, memory_bytes: int = 1 << 30) -> Outcome:
    request = {"code": code, "inputs": None, "question": None, "token": "t", "cores": 2}
    limits = {"seconds": seconds, "memory_bytes": memory_bytes}
    return settle(holder.exchange(request | limits) | {"token": "t"})


@pytest.fixture(scope="module", params=["bare with rooms", "bare without rooms"])
def bare(request) -> Generator[Keeper]:
    holder = Keeper("bare", rooms=request.param == "bare with rooms")
    try:
        yield holder
    finally:
        holder.close()


WITHOUT_JAIL = {
    "loop": ("while True: pass", "timeout"),
    "memory": ("kept = [np.ones(1 << 21) for _ in range(64)]", "memory"),
    "dies": ("import os; os._exit(0)", "crashed"),
    "kills its parent": ("import os; os.kill(os.getppid(), 9)", "error"),
    "kills all it may": ("import os; os.kill(os.getpid() - 1, 9)", "error"),
    "a socket": ("import socket; socket.create_connection(('127.0.0.1', 22))", "error"),
    "raises limits": ("import resource; resource.setrlimit(4, (1 << 40, 1 << 40))", "error"),
    "daemons": (
        """
import os, time
for _ in range(10):
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0: time.sleep(20)
        os._exit(0)
""",
        "ok",
    ),
    "awkward files": (
        """
import os
os.makedirs('a/b')
open('a/b/file', 'w').write('x')
os.chmod('a/b', 0); os.chmod('a', 0)
os.symlink('/etc', 'link')
""",
        "ok",
    ),
}


@pytest.mark.parametrize(("code", "status"), WITHOUT_JAIL.values(), ids=WITHOUT_JAIL)
def test_without_a_jail_the_limits_hold_too(bare: Keeper, code: str, status: str):
    files = files_left()
    bare.warm_up()
    outcome = ask(bare, code, seconds=1.5 if status == "timeout" else 30, memory_bytes=192 << 20)
    assert outcome.status == status, outcome
    assert settled(lambda: not below(bare.process_id()))
    assert files_left() == files
    assert ask(bare, HONEST).value == HONEST_VALUE


def test_without_a_jail_the_environment_is_empty(bare: Keeper, monkeypatch):
    monkeypatch.setenv("PLAYGROUND_SECRET", "hunter2")
    code = "import os; value = [dict(os.environ), open('/proc/self/environ').read()]"
    environment, at_start = ask(bare, code).value
    assert environment == {}
    assert "hunter2" not in at_start


@pytest.mark.slow
@pytest.mark.usefixtures("jail")
def test_without_rooms_every_run_gets_a_jail_of_its_own():
    holder = Keeper("jail", rooms=False)
    try:
        code = "import os; value = os.listdir('.'); open('note', 'w').write('x')"
        assert ask(holder, code).value == []
        assert holder.process_id() is None
        assert ask(holder, code).value == []
        assert ask(holder, "while True: pass", seconds=1).status == "timeout"
    finally:
        holder.close()


@pytest.mark.slow
@pytest.mark.usefixtures("jail")
def test_a_parent_that_died_is_replaced():
    holder = Keeper("jail")
    try:
        assert ask(holder, HONEST).ok
        first = holder.process_id()
        os.kill(first, signal.SIGKILL)
        assert ask(holder, HONEST).value == HONEST_VALUE
        assert holder.process_id() != first
    finally:
        holder.close()


@pytest.mark.slow
@pytest.mark.usefixtures("jail")
def test_the_parent_outlives_the_thread_that_first_asked():
    holder = Keeper("jail")
    try:
        thread = threading.Thread(target=ask, args=(holder, HONEST))
        thread.start()
        thread.join()
        first = holder.process_id()
        assert ask(holder, HONEST).ok
        assert holder.process_id() == first
    finally:
        holder.close()
    assert not below(first)


@pytest.mark.slow
@pytest.mark.parametrize("walls", ["jail", "bare"])
def test_when_the_app_is_killed_nothing_lives_on(walls: str):
    if walls == "jail" and policy.bubblewrap() is None:
        pytest.skip("no bubblewrap on this machine")
    app = subprocess.Popen(
        [sys.executable, "-c", APP, walls], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )
    assert app.stdout is not None
    with app.stdout:
        parent = json.loads(app.stdout.readline())
        family = below(app.pid)
        assert parent in family
        app.kill()
        app.wait()
    assert settled(lambda: not any(Path(f"/proc/{pid}").exists() for pid in family))


APP = textwrap.dedent("""
    import sys, threading, time
    from playground.sandbox.keeper import Keeper
    holder = Keeper(sys.argv[1])
    holder.warm_up()
    request = {"code": "while True: pass", "inputs": None, "question": None, "token": "t",
               "cores": 2, "seconds": 60.0, "memory_bytes": 1 << 30}
    threading.Thread(target=holder.exchange, args=(request,), daemon=True).start()
    time.sleep(1)
    print(holder.process_id(), flush=True)
    time.sleep(60)
""")


def test_the_keeper_of_this_process_is_one_for_all_sessions(jail: set[int]):
    assert run("value = 1", session="a").value == run("value = 1", session="b").value
    assert below(keeper("jail").process_id()) >= jail
