"""What the controls of the page Walks say."""

from dataclasses import dataclass, replace
from typing import Self

from playground.foundation.settings import Settings, flag, number, one_of, whole
from playground.lessons.keys import GENERATORS, WAYS

KINDS = ("fair", "lazy", "biased", "gaussian")


@dataclass(frozen=True)
class WalkSettings(Settings, prefix="walk"):
    """Walks: how many, how long, which steps, which keys; then the sections further down.

    Attributes:
        walkers: how many.
        steps: length of each walk.
        kind: of the steps, one of `KINDS`.
        plane: in the plane rather than on the line.
        stay: probability that a lazy walker stays.
        up: probability of +1 of a biased walker.
        drift: mean of a Gaussian step.
        keys: how they are made, one of `WAYS`.
        generator: of the random bits.
        seed: of the keys.
        view: plots at "rest" or in "motion".
        many_walkers: of the streamed histogram.
        many_steps: of the streamed histogram.
        draws: of the two samples from one key.
        reuse_seed: of that key.
    """

    walkers: int = one_of(1000, (10, 100, 1000, 10_000))
    steps: int = one_of(100, (1, 2, 5, 10, 25, 50, 100, 250, 500, 1000))
    kind: str = one_of("fair", KINDS)
    plane: bool = flag(False)
    stay: float = number(0.5, low=0.05, high=0.9)
    up: float = number(0.6, low=0.05, high=0.95)
    drift: float = number(0.0, low=-1.0, high=1.0)
    keys: str = one_of("split", WAYS)
    generator: str = one_of("threefry2x32", GENERATORS)
    seed: int = whole(7, low=0, high=9_999)

    view: str = one_of("rest", ("rest", "motion"))
    many_walkers: int = one_of(1_000_000, (10_000, 100_000, 1_000_000, 10_000_000, 100_000_000))
    many_steps: int = one_of(1000, (100, 1000))
    draws: int = one_of(100_000, (100, 1000, 10_000, 100_000))
    reuse_seed: int = whole(42, low=0, high=9_999)

    @property
    def parameter(self) -> float:
        """The one number that the chosen kind of steps takes."""
        return {"lazy": self.stay, "biased": self.up, "gaussian": self.drift}.get(self.kind, 0.5)

    def walks_alone(self) -> Self:
        """Return these settings with what does not change the walks set to its default."""
        others = ("view", "many_walkers", "many_steps", "draws", "reuse_seed")
        return replace(self, **{name: self.default(name) for name in others})
