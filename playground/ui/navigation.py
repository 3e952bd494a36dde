"""The pages of the app: one line each, in four sections."""

from dataclasses import dataclass

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from playground.ui.language import t


@dataclass(frozen=True)
class Entry:
    """One page of the app.

    Attributes:
        name: stem of the page's file and its address.
        section: key of `SECTIONS`.
        english: the title in English.
        chinese: the title in Chinese.
        question: what the page answers, in both languages; Home asks it. "" keeps it off Home.
    """

    name: str
    section: str
    english: str
    chinese: str
    question: tuple[str, str] = ("", "")


SECTIONS = {
    "Learn": ("Learn", "学习"),
    "Measure": ("Measure", "测量"),
    "Practise": ("Practise", "练习"),
    "Use": ("Use", "使用"),
}

ENTRIES = (
    Entry("home", "Learn", "Home", "首页"),
    Entry(
        "vectorize",
        "Learn",
        "Vectorize",
        "向量化",
        (
            "What does vmap do that a loop or my own batch code does not?",
            "与循环或自己写的批量代码相比，vmap 做了什么？",
        ),
    ),
    Entry(
        "axes",
        "Learn",
        "Axes",
        "轴",
        (
            "Which shape comes out, and why was my call refused?",
            "输出是什么形状？我的调用为什么被拒绝？",
        ),
    ),
    Entry(
        "nest",
        "Learn",
        "Nest",
        "嵌套",
        (
            "How do two levels of vmap compare every pair of points?",
            "两层 vmap 怎样比较每一对点？",
        ),
    ),
    Entry(
        "control_flow",
        "Learn",
        "Control flow",
        "控制流",
        (
            "What do if, while and for cost when a batch runs through them?",
            "一批数据经过 if、while 和 for 时，代价是什么？",
        ),
    ),
    Entry(
        "compose",
        "Learn",
        "Compose",
        "组合变换",
        (
            "In which order do grad, vmap and jit go, and what does it cost?",
            "grad、vmap、jit 该按什么次序组合，代价如何？",
        ),
    ),
    Entry(
        "gradients",
        "Learn",
        "Gradients",
        "逐样本梯度",
        ("Which examples pull hardest on my model?", "哪些样本对模型的影响最大？"),
    ),
    Entry(
        "training",
        "Learn",
        "Clip and train",
        "裁剪与训练",
        (
            "What do clipping and noise do to training?",
            "裁剪和噪声会怎样影响训练？",
        ),
    ),
    Entry(
        "walks",
        "Learn",
        "Walks",
        "随机游走",
        (
            "Does every example have random numbers of its own?",
            "每个样本都有自己的随机数吗？",
        ),
    ),
    Entry(
        "timing",
        "Measure",
        "Timing",
        "计时",
        (
            "Is jit(vmap(f)) really faster, and by how much here?",
            "jit(vmap(f)) 真的更快吗？在这台机器上快多少？",
        ),
    ),
    Entry(
        "chunks",
        "Measure",
        "Chunks",
        "分块",
        (
            "My batch does not fit into memory: which chunk size do I take?",
            "整批数据放不进内存：分块大小该取多少？",
        ),
    ),
    Entry(
        "exercises",
        "Practise",
        "Exercises",
        "练习题",
        (
            "Can I write it myself, and what did I get wrong?",
            "我自己能写出来吗？错在哪里？",
        ),
    ),
    Entry(
        "quiz",
        "Practise",
        "Quiz",
        "测验",
        (
            "What have I understood about vmap, and what not yet?",
            "关于 vmap，我理解了什么，还有什么没理解？",
        ),
    ),
    Entry(
        "drill",
        "Practise",
        "Drill",
        "速练",
        (
            "Can I tell the shape or the error before JAX does?",
            "我能在 JAX 之前说出形状或报错吗？",
        ),
    ),
    Entry(
        "errors",
        "Practise",
        "Error museum",
        "错误博物馆",
        (
            "What does this error mean, and which change repairs the call?",
            "这个报错是什么意思，改哪里能修正调用？",
        ),
    ),
    Entry(
        "lab",
        "Use",
        "Lab",
        "实验室",
        (
            "What does vmap do with my own function?",
            "vmap 会怎样处理我自己的函数？",
        ),
    ),
    Entry(
        "cheat_sheet",
        "Use",
        "Cheat sheet",
        "速查表",
        (
            "Which call does what, and what does it give right now?",
            "哪个调用做什么，现在运行会得到什么？",
        ),
    ),
    Entry(
        "plan",
        "Use",
        "Lesson plan",
        "教案",
        (
            "How do I teach vmap in 60 or 90 minutes?",
            "怎样用 60 或 90 分钟讲授 vmap？",
        ),
    ),
)


def title(name: str) -> str:
    """Return a page's title in the view's language."""
    entry = next(entry for entry in ENTRIES if entry.name == name)
    return t(entry.english, entry.chinese)


def pages() -> dict[str, list[StreamlitPage]]:
    """Return the pages by translated section, as `st.navigation` wants them."""
    grouped: dict[str, list[StreamlitPage]] = {}
    for entry in ENTRIES:
        page = st.Page(
            f"pages/{entry.name}.py",
            title=t(entry.english, entry.chinese),
            url_path=entry.name,
            default=entry.name == "home",
        )
        grouped.setdefault(t(*SECTIONS[entry.section]), []).append(page)
    return grouped
