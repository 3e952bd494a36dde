"""Rows of the cheat sheet: branches, loops and dependent steps inside vmap."""

from playground.lessons.cheat_rows import Row, Topic

SETUP = """\
t = jnp.array([-1.0, 0.0, 2.0])
by_cond = lambda x: lax.cond(x > 0, jnp.log, jnp.zeros_like, x)
by_where = lambda x: jnp.where(x > 0, jnp.log(x), 0.0)
by_double_where = lambda x: jnp.where(x > 0, jnp.log(jnp.where(x > 0, x, 1.0)), 0.0)
gate = lambda flag, x, W: lax.cond(flag > 0, lambda W, x: W @ x, lambda W, x: x, W, x)
arguments = shape(512), shape(512, 256), shape(256, 256)

def collatz(n, most=1000):  # steps until n is 1
    going = lambda c: (c[0] != 1) & (c[1] < most)
    step = lambda c: (jnp.where(c[0] % 2 == 0, c[0] // 2, 3 * c[0] + 1), c[1] + 1)
    return lax.while_loop(going, step, (n, 0))[1]
"""

ROWS = (
    Row(
        "cond",
        "jax.vmap(by_cond)(t)",
        "choose a branch for each example",
        "为每个样本选择分支",
    ),
    Row(
        "both",
        "[op for op in ('cond[', 'select_n') if op in jaxpr(jax.vmap(by_cond), t)]",
        "mapped predicate: both branches run, select_n picks",
        "谓词被映射：两个分支都执行，由 select_n 选取",
    ),
    Row(
        "shared",
        "'cond[' in jaxpr(jax.vmap(gate, (None, 0, None)), 1.0, X, jnp.eye(3))",
        "shared predicate: it stays a cond",
        "谓词被共享：仍是 cond",
    ),
    Row(
        "switch",
        "jax.vmap(lambda i, x: lax.switch(i, (jnp.sin, jnp.cos, jnp.negative), x))"
        "(jnp.arange(3), v)",
        "one of several branches, by number",
        "按编号选择多个分支之一",
    ),
    Row(
        "grad_cond",
        "jax.vmap(jax.grad(by_cond))(t)",
        "gradient of cond: the branch not taken is guarded",
        "cond 的梯度：未选中的分支受到保护",
    ),
    Row(
        "grad_where",
        "jax.vmap(jax.grad(by_where))(t)",
        "trap: gradient of where, nan at the edge",
        "陷阱：where 的梯度在边界处为 nan",
    ),
    Row(
        "grad_double_where",
        "jax.vmap(jax.grad(by_double_where))(t)",
        "a double where repairs it",
        "双重 where 可以修正",
    ),
    Row(
        "copied",
        "'f32[512,256,256]' in jaxpr(jax.vmap(gate, (0, 0, None)), *arguments)",
        "trap: a mapped cond copies the shared matrix 512 times",
        "陷阱：谓词被映射时，共享矩阵被复制 512 份",
    ),
    Row(
        "while",
        "jax.vmap(collatz)(jnp.array([1, 2, 3, 6, 7, 27]))",
        "while_loop runs until the slowest example ends",
        "while_loop 运行到最慢的样本结束",
    ),
    Row(
        "lowered",
        "jax.jit(jax.vmap(collatz)).lower(jnp.arange(1, 7)).as_text().count('stablehlo.while')",
        "one loop for the whole batch",
        "整批共用一个循环",
    ),
    Row(
        "endless",
        "jax.vmap(partial(collatz, most=50))(jnp.array([1, 0]))",
        "0 never ends: bound the rounds",
        "0 永远不会结束：要限制轮数",
    ),
    Row(
        "fori",
        "jax.vmap(lambda x: lax.fori_loop(0, 3, lambda i, c: c * x, 1.0))(v)",
        "a fixed number of rounds",
        "固定的轮数",
    ),
    Row(
        "scan",
        "lax.scan(lambda total, x: (total + x, total + x), 0.0, v)",
        "dependent steps: carry and outputs",
        "相互依赖的步：传递量与各步输出",
    ),
    Row(
        "vmap_scan",
        "jax.vmap(lambda row: lax.scan(lambda c, x: (c + x, c + x), 0.0, row)[1])(X)",
        "vmap over examples, scan over steps",
        "对样本用 vmap，对步用 scan",
    ),
)

CONTROL = Topic("control_flow", "Control flow", "控制流", SETUP, ROWS)
