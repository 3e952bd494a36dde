"""Rows of the cheat sheet: what vmap means, and what goes wrong by hand."""

from playground.lessons.cheat_rows import Row, Topic

SETUP = """\
R = jnp.array([[3.0, 4.0, 0.0], [1.0, 0.0, 0.0]])
t = jnp.array([-1.0, 2.0, 3.0])
normalize = lambda x: x / jnp.linalg.norm(x)
squares = lambda x: jnp.sum(x**2)

def sines(x, rounds):
    for _ in range(rounds):
        x = jnp.sin(x)
    return x

def count_calls(act, batch):  # how often a side effect happens inside vmap
    calls = []
    jax.block_until_ready(jax.vmap(lambda x: (act(calls, x), x)[1])(batch))
    jax.effects_barrier()
    return len(calls)
"""

ROWS = (
    Row(
        "vmap",
        "jax.vmap(squares)(X)",
        "a function of one example, for a whole batch",
        "单个样本的函数，作用于整批",
    ),
    Row(
        "meaning",
        "jnp.stack([squares(x) for x in X])",
        "what vmap means: stack the results of a loop",
        "vmap 的含义：把循环的结果堆叠起来",
    ),
    Row(
        "shapes",
        "jax.eval_shape(jax.vmap(squares), shape(1_000_000, 3))",
        "the output shape without computing anything",
        "不做计算，只求输出形状",
    ),
    Row(
        "norm_trap",
        "jnp.linalg.norm(normalize(R), axis=1)",
        "trap: the norm of the whole matrix, not of a row; no error",
        "陷阱：除的是整个矩阵的范数而不是每行的，且不报错",
    ),
    Row(
        "norm",
        "jnp.linalg.norm(jax.vmap(normalize)(R), axis=1)",
        "each row divided by its own norm",
        "每一行除以自己的范数",
    ),
    Row(
        "sum_trap",
        "X.sum()",
        "trap: sums over the batch, too",
        "陷阱：连批次轴也一起求和",
    ),
    Row("sum", "jax.vmap(jnp.sum)(X)", "one sum per example", "每个样本一个和"),
    Row(
        "dot_trap",
        "jnp.dot(X, X)",
        "trap: two batches are read as two matrices",
        "陷阱：两批向量被当成两个矩阵",
    ),
    Row("dot", "jax.vmap(jnp.dot)(X, X)", "one dot product per example", "每个样本一个点积"),
    Row(
        "transpose_trap",
        "jnp.ones((2, 3, 4)).T.shape",
        "trap: .T reverses all axes, the batch axis too",
        "陷阱：.T 颠倒所有轴，包括批次轴",
    ),
    Row(
        "transpose",
        "jax.vmap(jnp.transpose)(jnp.ones((2, 3, 4))).shape",
        "transpose each example",
        "逐样本转置",
    ),
    Row(
        "print",
        "count_calls(lambda calls, x: calls.append(x), v)",
        "Python side effects such as print happen once, at tracing",
        "print 这类 Python 副作用只在追踪时发生一次",
    ),
    Row(
        "debug_print",
        "count_calls(lambda calls, x: jax.debug.callback(calls.append, x), v)",
        "jax.debug.print and jax.debug.callback run once per example",
        "jax.debug.print 和 jax.debug.callback 每个样本执行一次",
    ),
    Row(
        "jaxpr",
        "'while' in jaxpr(jax.vmap(jnp.sin), v)",
        "the program is transformed, not looped",
        "程序被变换，而不是被循环执行",
    ),
    Row(
        "batch_dimensions",
        "'([0], [0])' in jaxpr(jax.vmap(jnp.dot), X, X)",
        "one dot_general with a batch dimension, not 4 products",
        "一个带批次维的 dot_general，而不是 4 次点积",
    ),
    Row(
        "python_if",
        "jax.vmap(lambda x: x if x > 0 else 0.0)(t)",
        "a Python if needs one truth value",
        "Python 的 if 需要唯一的真假值",
    ),
    Row(
        "where",
        "jax.vmap(lambda x: jnp.where(x > 0, x, 0.0))(t)",
        "the if as a value: choose per example",
        "用值代替 if：逐样本选择",
    ),
    Row(
        "piecewise",
        "jax.vmap(lambda x: jnp.where(x > 0, x**2, -x))(jnp.array([-2.0, 3.0]))",
        "a function in two pieces",
        "分段函数",
    ),
    Row(
        "unrolled",
        "jaxpr(lambda x: sines(x, 3), 1.0).count('= sin')",
        "a Python for with a static count is unrolled",
        "次数固定的 Python for 会被展开",
    ),
)

VECTORIZE = Topic("vectorize", "Vectorize", "向量化", SETUP, ROWS)
