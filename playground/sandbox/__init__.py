"""Code typed by users, run in processes of its own and never in the app's."""

from playground.sandbox.outcome import CodeError, Outcome, Status
from playground.sandbox.policy import tell_server_address
from playground.sandbox.running import run, run_driver

__all__ = ["CodeError", "Outcome", "Status", "run", "run_driver", "tell_server_address"]
