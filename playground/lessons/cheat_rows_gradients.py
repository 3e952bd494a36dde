"""Rows of the cheat sheet: one gradient for each example, its norm, clipping, noise, memory."""

from playground.lessons.cheat_rows import Row, Topic

SETUP = """\
p = {"w": 2.0, "b": 1.0}
x = jnp.linspace(0.0, 1.0, 5)
y = 2.5 * x + 0.5
loss = lambda p, x, y: (p["w"] * x + p["b"] - y) ** 2  # of ONE example
losses = lambda p: jax.vmap(loss, in_axes=(None, 0, 0))(p, x, y)
per_example = lambda y: jax.vmap(jax.grad(loss), in_axes=(None, 0, 0))(p, x, y)
norm = lambda g: jnp.sqrt(sum(jnp.sum(leaf**2) for leaf in jax.tree.leaves(g)))
clip = lambda g, C: jax.tree.map(lambda leaf: leaf / jnp.maximum(1.0, norm(g) / C), g)
mean = partial(jax.tree.map, lambda leaf: leaf.mean(axis=0))
net = lambda q, x: q["w2"] @ jnp.tanh(q["W1"] @ x + q["b1"]) + q["b2"]
q = {"W1": shape(32, 8), "b1": shape(32), "w2": shape(32), "b2": shape()}

def clipped_step(_, p):
    g = jax.vmap(lambda x, y: clip(jax.grad(loss)(p, x, y), 1.0))(x, y)
    return jax.tree.map(lambda a, b: a - 0.5 * b, p, mean(g))

def noisy(g, key, sigma):  # a key for each leaf
    leaves, tree = jax.tree.flatten(g)
    keys = random.split(key, len(leaves))
    return tree.unflatten([a + sigma * random.normal(k, a.shape) for a, k in zip(leaves, keys)])
"""

ROWS = (
    Row(
        "per_example",
        "jax.vmap(jax.grad(loss), in_axes=(None, 0, 0))(p, x, y)",
        "per-example gradients: shared parameters, mapped data",
        "逐样本梯度：参数共享，数据映射",
    ),
    Row(
        "shapes",
        "jax.eval_shape(jax.vmap(jax.grad(net), (None, 0)), q, shape(256, 8))",
        "each leaf gains a leading batch axis",
        "每个叶子前面多一个批次轴",
    ),
    Row(
        "jacrev",
        "jax.jacrev(losses)(p)",
        "the same from the vector of losses",
        "由损失向量得到同样的结果",
    ),
    Row(
        "mean",
        "mean(per_example(y))",
        "the mean of per-example gradients ...",
        "逐样本梯度的均值……",
    ),
    Row(
        "of_mean",
        "jax.grad(lambda p: losses(p).mean())(p)",
        "... is the gradient of the mean loss",
        "……就是平均损失的梯度",
    ),
    Row(
        "grad_of_vmap",
        "jax.grad(jax.vmap(loss, in_axes=(None, 0, 0)))(p, x, y)",
        "the other way round: grad wants one number",
        "反过来不行：grad 需要一个标量",
    ),
    Row(
        "norms",
        "jax.vmap(norm)(per_example(y))",
        "norm of each example's gradient, over all leaves",
        "每个样本的梯度范数（所有叶子合计）",
    ),
    Row(
        "outlier",
        "lax.top_k(jax.vmap(norm)(per_example(y.at[3].add(20.0))), 1)[1]",
        "the largest norm finds the mislabelled example",
        "最大的范数找出标错的样本",
    ),
    Row(
        "clip",
        "jax.vmap(norm)(jax.vmap(lambda g: clip(g, 0.8))(per_example(y)))",
        "clip each gradient to C; smaller ones stay",
        "每个梯度裁剪到 C；更小的不变",
    ),
    Row(
        "noise",
        "jax.tree.map(jnp.shape, noisy(mean(per_example(y)), key, 1.0 * 0.8 / 5))",
        "noise σ·C/B with one key per leaf; shapes stay",
        "每个叶子一个 key，加 σ·C/B 的噪声；形状不变",
    ),
    Row(
        "weights",
        "jax.tree.map(lambda g: x @ g, per_example(y))",
        "weighted sum: gradient of the weighted loss",
        "加权和：即加权损失的梯度",
    ),
    Row(
        "numbers",
        "sum(g.size for g in jax.tree.leaves(jax.eval_shape(jax.vmap(jax.grad(net), (None, 0)), "
        "q, shape(256, 8))))",
        "B×P numbers: count them before running",
        "B×P 个数：运行前先数一数",
    ),
    Row(
        "bytes",
        "f'{jax.eval_shape(jax.vmap(jnp.multiply, (None, 0)), shape(10**8), shape(32, 10**8))"
        ".size * 4 / 1e9} GB'",
        "32 gradients of 10⁸ parameters",
        "32 个样本、10⁸ 个参数的梯度",
    ),
    Row(
        "chunks",
        "lax.map(lambda e: norm(jax.grad(loss)(p, *e)), (x, y), batch_size=2)",
        "norms alone, two examples at a time",
        "只要范数，每次两个样本",
    ),
    Row(
        "outer",
        "jax.vmap(lambda a, d: jnp.linalg.norm(jnp.outer(d, a)))(X, X[::-1])",
        "norms of a dense layer's gradients δaᵀ ...",
        "全连接层梯度 δaᵀ 的范数……",
    ),
    Row(
        "ghost",
        "jnp.linalg.norm(X, axis=1) * jnp.linalg.norm(X[::-1], axis=1)",
        "... without making the gradients: ‖a‖‖δ‖",
        "……不必生成梯度：‖a‖‖δ‖",
    ),
    Row(
        "train",
        "lax.fori_loop(0, 200, clipped_step, {'w': 0.0, 'b': 0.0})",
        "200 clipped steps recover w and b",
        "200 个裁剪步恢复出 w 和 b",
    ),
    Row(
        "element",
        "jax.vmap(jax.grad(lambda p, x: jnp.tanh(p * x)), (None, 0))(1.5, jnp.linspace(-2, 2, 5))",
        "vector output: the gradient element by element",
        "向量输出：逐元素求梯度",
    ),
)

GRADIENTS = Topic("gradients", "Per-example gradients", "逐样本梯度", SETUP, ROWS)
