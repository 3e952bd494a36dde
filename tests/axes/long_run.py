"""Compares `explain` with the real jax.vmap on very many drawn calls.

python -m tests.axes.long_run --calls 100000 --seed 0
"""

import argparse
import time

import jax

from tests.axes.drawing import Drawer, disagreement


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--calls", type=int, default=100_000)
    parser.add_argument("--first", type=int, default=0, help="number of the first call")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--show", type=int, default=20)
    options = parser.parse_args()
    wrong, start = 0, time.time()
    for i in range(options.first, options.first + options.calls):
        call = Drawer((options.seed, i)).call()
        message = disagreement(call)
        if message:
            wrong += 1
            if wrong <= options.show:
                print(f"[{i}] {message}", flush=True)
        if i % 2000 == 1999:
            jax.clear_caches()  # compiled programs of thousands of shapes fill the memory
            print(f"{i + 1} calls, {wrong} disagreements, {time.time() - start:.0f} s", flush=True)
    print(f"{options.calls} calls, {wrong} disagreements")
    raise SystemExit(wrong > 0)


if __name__ == "__main__":
    main()
