"""Our own solutions, judged without the sandbox: the same code, drivers and judge, one process.

The walls cost more than most solutions do. What a solution meets inside them is run here as it is
there; only code of this repository that harms nobody may take this way.
"""

import importlib
import json
import warnings
from typing import Any

from playground.sandbox import child
from playground.sandbox.outcome import CodeError, Outcome


def run_driver_here(code: str, driver: str, question: Any = None, **_limits: Any) -> Outcome:
    """Do what `sandbox.run_driver` does, in this process and without limits."""
    module, _, function = driver.partition(":")
    names = child.namespace(None)
    with warnings.catch_warnings():  # user code may warn, as it may in the sandbox
        warnings.simplefilter("ignore")
        try:
            exec(child.compiled(code), names)
            asked = json.loads(json.dumps(question))
            value = getattr(importlib.import_module(module), function)(names, asked)
        except Exception as error:
            kind, message, line = child.describe(error)["error"]
            return Outcome("error", error=CodeError(kind, message, line))
    return Outcome("ok", value=json.loads(json.dumps(value)))
