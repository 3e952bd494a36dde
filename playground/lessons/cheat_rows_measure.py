"""Rows of the cheat sheet: compiling and timing; memory and chunks. No row shows a time."""

from playground.lessons.cheat_rows import Row, Topic

TIME_SETUP = """\
squares = lambda x: jnp.sum(x**2)
W = jnp.arange(6.0).reshape(2, 3)
big = jnp.arange(10_000.0)

def compilations(calls, **options):  # calls: arguments of one jitted function
    traced = []
    counted = jax.jit(lambda x, n: (traced.append(n), x * n)[1], **options)
    for call in calls:
        counted(*call)
    return len(traced)
"""

TIME_ROWS = (
    Row(
        "jit_vmap",
        "jax.jit(jax.vmap(squares))(X)",
        "the usual fast form: compile the batched function",
        "常用的快速写法：编译批量函数",
    ),
    Row(
        "block",
        "jax.block_until_ready(jax.jit(jax.vmap(squares))(X))",
        "when timing: wait, calls return before the work is done",
        "计时时要等待：调用会在算完之前返回",
    ),
    Row(
        "ahead",
        "jax.jit(jax.vmap(squares)).lower(X).compile()(X)",
        "compile ahead of time, to time it apart",
        "提前编译，以便单独计时",
    ),
    Row(
        "flops",
        "jax.jit(jnp.matmul).lower(jnp.eye(64), jnp.eye(64)).compile().cost_analysis()['flops']",
        "the compiler's count of operations",
        "编译器统计的运算次数",
    ),
    Row(
        "vmap_jit",
        "jnp.array_equal(jax.vmap(jax.jit(squares))(X), jax.jit(jax.vmap(squares))(X))",
        "vmap(jit(f)) is right, too; it pays Python's cost at each call",
        "vmap(jit(f)) 也正确；只是每次调用都有 Python 开销",
    ),
    Row(
        "same_program",
        "jaxpr(jax.vmap(lambda a, b: a + b), X, X) == jaxpr(lambda a, b: a + b, X, X)",
        "vmap of an addition is the addition written by hand",
        "加法的 vmap 与手写的批量加法是同一个程序",
    ),
    Row(
        "other_program",
        "jaxpr(jax.vmap(lambda x, W: W @ x, (0, None)), X, W) == jaxpr(lambda x, W: x @ W.T, X, W)",
        "W @ x mapped and X @ W.T differ in text ...",
        "映射后的 W @ x 与 X @ W.T 的程序文本不同……",
    ),
    Row(
        "allclose",
        "jnp.allclose(jax.vmap(lambda x, W: W @ x, (0, None))(X, W), X @ W.T)",
        "... and agree to rounding: compare with tolerance",
        "……结果在舍入误差内一致：比较时要留容差",
    ),
    Row(
        "grad_jit",
        "jnp.allclose(jax.grad(jax.jit(squares))(v), jax.jit(jax.grad(squares))(v))",
        "grad and jit in both orders",
        "grad 与 jit 的两种次序",
    ),
    Row(
        "new_shape",
        "compilations([(jnp.ones(3), 2), (jnp.zeros(3), 2), (jnp.ones(4), 2)])",
        "each new shape compiles again",
        "每种新形状都会重新编译",
    ),
    Row(
        "static",
        "compilations([(v, 1), (v, 2), (v, 2)], static_argnums=1)",
        "each new static value compiles again",
        "每个新的静态值都会重新编译",
    ),
    Row(
        "closed_over",
        "len(jax.jit(lambda x: x + big).lower(big).as_text()) > 10_000",
        "trap: an array closed over is written into the program",
        "陷阱：闭包捕获的数组会写进程序",
    ),
    Row(
        "argument",
        "len(jax.jit(lambda x, big: x + big).lower(big, big).as_text()) > 10_000",
        "as an argument it is not",
        "作为参数传入则不会",
    ),
)

MEMORY_SETUP = """\
f = lambda W, x: jnp.tanh(W @ x) @ W
one_by_one = lambda W, xs: lax.map(partial(f, W), xs)
chunked = lambda W, xs: lax.map(partial(f, W), xs, batch_size=256)
big = shape(512, 512), shape(4096, 512)

def temporaries(function, *arguments):  # read from the compiler; nothing is run
    memory = jax.jit(function).lower(*arguments).compile().memory_analysis()
    return f"{memory.temp_size_in_bytes / 1024:.0f} KiB"
"""

MEMORY_ROWS = (
    Row(
        "whole",
        "temporaries(jax.vmap(f, (None, 0)), *big)",
        "the whole batch at once: most temporary memory",
        "整批一次算完：临时内存最多",
    ),
    Row(
        "single",
        "temporaries(one_by_one, *big)",
        "lax.map: one example after the other",
        "lax.map：逐个样本",
    ),
    Row(
        "chunked",
        "temporaries(chunked, *big)",
        "lax.map with batch_size: vmap within chunks of 256",
        "带 batch_size 的 lax.map：每 256 个一块用 vmap",
    ),
    Row(
        "map",
        "lax.map(jnp.sum, X, batch_size=2)",
        "the same results as vmap(jnp.sum)(X)",
        "结果与 vmap(jnp.sum)(X) 相同",
    ),
    Row(
        "rest",
        "[op for op in ('slice', 'scan', 'concatenate') if op in "
        "jaxpr(lambda x: lax.map(jnp.sin, x, batch_size=3), s)]",
        "a size that does not divide N: the rest runs apart",
        "不能整除 N 时：余下的单独计算",
    ),
    Row(
        "outputs",
        "jax.eval_shape(chunked, *big).size * 4",
        "bytes of the output: chunks cannot shrink it",
        "输出的字节数：分块不能使它变小",
    ),
    Row(
        "sum_inside",
        "lax.scan(lambda total, x: (total + jnp.sum(x**2), None), 0.0, X)[0]",
        "sum inside: the output no longer grows with the batch",
        "在循环内求和：输出不再随批大小增长",
    ),
)

TIME = Topic("timing", "Time", "计时", TIME_SETUP, TIME_ROWS)
MEMORY = Topic("chunks", "Memory and chunks", "内存与分块", MEMORY_SETUP, MEMORY_ROWS)
