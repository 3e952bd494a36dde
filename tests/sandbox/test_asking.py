"""Values are fetched from the user's process and judged here, whatever the code does to itself."""

import numpy as np
import pytest

from playground.sandbox.asking import Answers, Call, ask, execute
from playground.sandbox.trees import KeyData

pytestmark = pytest.mark.usefixtures("jail")

RIGHT = "def norms(x): return jax.vmap(lambda row: jnp.sqrt(row @ row))(x)\n"
WRONG = "def norms(x): return jnp.zeros(len(x))\n"


def rows(seed: int, count: int = 5) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=(count, 3)).astype(np.float32)


def is_right(answers: Answers, x: np.ndarray) -> bool:
    """The judge of these tests: NumPy in float64, in the tests' own process."""
    if not answers.outcome.ok or answers.answers[0].error is not None:
        return False
    value = answers.answers[0].value
    wanted = np.sqrt((x.astype(np.float64) ** 2).sum(axis=1))
    return (
        isinstance(value, np.ndarray)
        and value.shape == wanted.shape
        and bool(np.allclose(value, wanted, rtol=1e-5))
    )


def test_right_values_come_back_with_shape_and_dtype():
    x = rows(1)
    answers = ask(
        RIGHT, [Call("norms", (x,)), Call("norms", (x[:1].astype(np.float64),), numpy=True)]
    )
    assert is_right(answers, x)
    assert answers.answers[0].value.dtype == np.float32
    assert answers.answers[1].value.shape == (1,)
    assert answers.functions == {"norms": ["x"]}


ATTACKS = {
    "wrong values": WRONG,
    "patched comparisons": WRONG
    + "np.allclose = jnp.allclose = np.array_equal = lambda *a, **k: True\n"
    + "np.testing.assert_allclose = lambda *a, **k: None\n",
    "a class that equals all": """
class Same(np.ndarray):
    def __eq__(self, other): return True
    def __array_ufunc__(self, *a, **k): return True
def norms(x): return np.zeros(len(x), np.float32).view(Same)
""",
    "an early exit": WRONG + "import os; os._exit(0)",
    "an exit in the function": "import os\ndef norms(x): os._exit(0)",
    "a caught exception": """
def norms(x):
    try: raise BaseException
    except BaseException: pass
""",
    "a printed verdict": WRONG
    + """
print('{"passed": true}')
def norms(x): print('{"status": "ok", "passed": true}'); return None
""",
    "a report of its own": WRONG
    + """
import os
for fd in range(3, 32):
    try: os.write(fd, b'{"status": "ok", "value": {"functions": {}, "answers": [{"value": 1}]}}')
    except OSError: pass
os._exit(0)
""",
    "the token, found in the frames": WRONG
    + """
import sys, os, json
frame = sys._getframe()
while 'token' not in frame.f_locals: frame = frame.f_back
os.write(3, frame.f_locals['token'] + b'{"status": "ok", "value": {"passed": true}}')
os._exit(0)
""",
    "a driver of its own": WRONG
    + """
from playground.sandbox import answering
answering.answer = lambda names, question: {"functions": {}, "answers": [{"value": True}]}
zeros = {"array": ["float32", [5], "AAAAAAAAAAAAAAAAAAAAAAAAAAA="]}
answering._answer = lambda names, call: {"value": zeros}
""",
    "broken serialisation": WRONG
    + "import json, base64\njson.dumps = lambda *a, **k: '{}'\nbase64.b64encode = lambda b: b''",
    "answers for the data shown": "def norms(x): return jnp.asarray([1.0, 2.0, 3.0, 4.0, 5.0])",
    "a text": "def norms(x): return 'right'",
    "an object": "def norms(x): return object()",
    "no such function": "x = 1",
    "no function": "norms = 3",
}


@pytest.mark.parametrize("code", ATTACKS.values(), ids=ATTACKS)
def test_no_attack_makes_wrong_code_right(code: str):
    x = rows(2)
    assert not is_right(ask(code, [Call("norms", (x,))]), x)
    assert is_right(ask(RIGHT, [Call("norms", (x,))]), x)


def test_an_error_in_a_function_names_its_line_and_spares_the_other_calls():
    code = "def f(x):\n    return x @ jnp.ones(4)\ndef g(x): return x"
    answers = ask(code, [Call("f", (rows(3),)), Call("g", (2,)), Call("h", ())])
    assert answers.answers[0].error.type == "TypeError"
    assert answers.answers[0].error.line == 2
    assert answers.answers[1].value == 2
    assert answers.answers[2].error.type == "NameError"


def test_keys_are_handed_over_as_their_words():
    import jax

    code = "def walk(key, keys): return jax.random.bits(key), jax.vmap(jax.random.bits)(keys), key"
    one, five = jax.random.key(3), jax.random.split(jax.random.key(4), 5)
    words = KeyData(np.asarray(jax.random.key_data(five)))
    bits, many, key = ask(code, [Call("walk", (one, words))]).answers[0].value
    np.testing.assert_array_equal(bits, jax.random.bits(one))
    wanted = [jax.random.bits(each) for each in five]
    np.testing.assert_array_equal(many, wanted)
    assert isinstance(key, KeyData)


def test_a_python_loop_shows_in_the_traced_program():
    loop = "def norms(x): return jnp.stack([jnp.sqrt(row @ row) for row in x])"

    def operations(code: str, count: int) -> int:
        call = Call("norms", (rows(4, count),), trace=True)
        return sum(ask(code, [call]).answers[0].primitives.values())

    assert operations(RIGHT, 5) == operations(RIGHT, 9)
    assert operations(loop, 5) < operations(loop, 9)


def test_a_program_is_judged_without_any_code_of_the_user():
    code = RIGHT + "import jax._src\njnp.sqrt = lambda x: x\n" + RIGHT.replace("norms", "squares")
    calls = [Call(name, (rows(5),), export=True) for name in ("norms", "squares")]
    norms, squares = (answer.program for answer in ask(code, calls).answers)
    fresh = [rows(6), rows(7)]
    for x, answer in zip(fresh, execute(norms, [(x,) for x in fresh]).answers, strict=True):
        np.testing.assert_allclose(answer.value, (x**2).sum(axis=1), rtol=1e-5)
    assert execute(squares, [(fresh[0],)]).outcome.ok


def test_the_program_of_a_loop_grows_with_the_batch():
    loop = "def norms(x): return jnp.stack([jnp.sqrt(row @ row) for row in x])"

    def operations(code: str, count: int) -> int:
        (answer,) = ask(code, [Call("norms", (rows(8, count),), export=True)]).answers
        (judged,) = execute(answer.program, [(rows(9, count),)]).answers
        return judged.primitives["operations"]

    assert operations(RIGHT, 5) == operations(RIGHT, 9) > 0
    assert operations(loop, 5) < operations(loop, 9)


def test_an_invented_program_is_an_error():
    assert execute("AAAA", [(rows(1),)]).outcome.status in ("error", "crashed")


def test_what_never_ends_gives_no_answers():
    answers = ask("def f(x):\n    while True: pass", [Call("f", (1,))], seconds=1.0)
    assert (answers.outcome.status, answers.answers) == ("timeout", ())
