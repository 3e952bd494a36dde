"""Per-example norms by Opacus, in the Python that TORCH_PYTHON names; imports nothing of ours.

Reads the problem from an .npz file, writes the norms of each method to another, then runs one
method a line as it is asked on standard input ("ghost" or "full") and answers with milliseconds.
"""

import sys
import time

import numpy as np
import torch
from opacus.grad_sample import GradSampleModule, GradSampleModuleFastGradientClipping


def network(problem: dict[str, np.ndarray]) -> torch.nn.Module:
    """Return the same MLP with the same parameters."""
    hidden, features = problem["W1"].shape
    model = torch.nn.Sequential(
        torch.nn.Linear(features, hidden), torch.nn.Tanh(), torch.nn.Linear(hidden, 1)
    )
    with torch.no_grad():
        model[0].weight.copy_(torch.from_numpy(problem["W1"]))
        model[0].bias.copy_(torch.from_numpy(problem["b1"]))
        model[2].weight.copy_(torch.from_numpy(problem["w2"][None]))
        model[2].bias.copy_(torch.from_numpy(problem["b2"][None]))
    return model


def main(problem_path: str, norms_path: str) -> None:
    """Set up both methods, report their norms, then answer until the input ends."""
    torch.set_num_threads(2)
    problem = dict(np.load(problem_path))
    X, Y = torch.from_numpy(problem["X"]), torch.from_numpy(problem["Y"])
    ghost_model = GradSampleModuleFastGradientClipping(
        network(problem), loss_reduction="sum", max_grad_norm=1.0, use_ghost_clipping=True
    )
    full_model = GradSampleModule(network(problem), loss_reduction="sum")

    def backward(model: torch.nn.Module) -> None:
        model.zero_grad(set_to_none=True)
        ((model(X)[:, 0] - Y) ** 2).sum().backward()

    def ghost() -> torch.Tensor:
        backward(ghost_model)
        return ghost_model.get_norm_sample()

    def full() -> torch.Tensor:
        backward(full_model)
        rows = [p.grad_sample.flatten(1).norm(dim=1) for p in full_model.parameters()]
        return torch.stack(rows).norm(dim=0)

    methods = {"ghost": ghost, "full": full}
    np.savez(norms_path, **{name: method().detach().numpy() for name, method in methods.items()})
    print("ready", flush=True)
    for line in sys.stdin:
        method = methods[line.strip()]
        start = time.perf_counter()
        method()
        print(1000 * (time.perf_counter() - start), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
