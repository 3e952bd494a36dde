"""What to tell the user about an outcome, in both languages."""

from playground.foundation.language import Language, pick
from playground.sandbox.outcome import Outcome

_REFUSALS = {
    "off": (
        "Running your own code is switched off on this server (PLAYGROUND_USER_CODE=off).",
        "本服务器已关闭运行用户代码的功能（PLAYGROUND_USER_CODE=off）。",
    ),
    "unknown_setting": (
        "PLAYGROUND_USER_CODE must be off, auto or trusted; until then no code is run.",
        "PLAYGROUND_USER_CODE 只能是 off、auto 或 trusted；改正之前不运行任何用户代码。",
    ),
    "no_jail": (
        "This server has no working jail for code typed by strangers, and other machines may be "
        "able to reach it. To allow it: install bubblewrap, or bind the server to 127.0.0.1, or, "
        "if everybody who can reach it is trusted, set PLAYGROUND_USER_CODE=trusted.",
        "本服务器没有可用的沙箱来隔离陌生人的代码，而其他机器可能访问得到它。"
        "要允许运行：安装 bubblewrap，或把服务器绑定到 127.0.0.1，"
        "或者在所有访问者都可信时设置 PLAYGROUND_USER_CODE=trusted。",
    ),
    "no_processes": (
        "User code cannot be kept in a process of its own on this system.",
        "在这个系统上无法把用户代码放进独立的进程。",
    ),
}


def refusal(reason: str, language: Language) -> str:
    """Say why user code is refused and how to allow it.

    Args:
        reason: one of `policy.Reason`.
        language: "en" or "zh".
    """
    return pick(language, *_REFUSALS[reason])


def explain(outcome: Outcome, language: Language) -> str:
    """Say in one or two sentences how a run ended; empty for a run that went well.

    Args:
        outcome: of a run.
        language: "en" or "zh".
    """
    error = outcome.error
    if outcome.status == "ok" or error is None:
        return ""
    if outcome.status == "refused" and error.type in _REFUSALS:
        return refusal(error.type, language)
    where = _where(error.line, language)
    if outcome.status == "error":
        return pick(
            language,
            f"{error.type}{where}: {error.message}",
            f"{error.type}{where}：{error.message}",
        )
    english, chinese = {
        "timeout": (
            "It did not end within the time allowed and was stopped.",
            "运行超过了允许的时间，已被终止。",
        ),
        "memory": (
            f"It needed more memory than one run may use{where}.",
            f"所需内存超过了单次运行的上限{where}。",
        ),
        "crashed": (
            f"The process died without handing back a result ({error.type}).",
            f"进程在交回结果之前就终止了（{error.type}）。",
        ),
        "busy": (
            "All places for user code are taken. Try again in a moment.",
            "运行用户代码的名额已满，请稍后再试。",
        ),
    }.get(outcome.status, (error.message, error.message))
    return pick(language, english, chinese)


def _where(line: int | None, language: Language) -> str:
    return "" if line is None else pick(language, f" in line {line}", f"（第 {line} 行）")
