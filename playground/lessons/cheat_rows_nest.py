"""Rows of the cheat sheet: two levels of vmap, and distances between all pairs."""

from playground.lessons.cheat_rows import Row, Topic

SETUP = """\
A = jnp.arange(18.0).reshape(3, 2, 3)  # 3 matrices
P = jnp.array([[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0]])
Q = jnp.array([[2.0, 2.0], [-2.0, 2.0], [2.0, -2.0], [-2.0, -2.0]])
squared = lambda a, b: jnp.sum((a - b) ** 2)
norm = lambda d: jnp.sqrt(jnp.sum(d**2))
pairwise = lambda f: jax.vmap(jax.vmap(f, (None, 0)), (0, None))  # result[i, j] = f(a[i], b[j])
expanded = lambda P, Q: (P**2).sum(1)[:, None] + (Q**2).sum(1) - 2 * P @ Q.T

def guarded_norm(d):
    is_zero = jnp.sum(d**2) == 0
    return jnp.where(is_zero, 0.0, norm(jnp.where(is_zero, 1.0, d)))
"""

ROWS = (
    Row(
        "pair",
        "jax.vmap(jnp.matmul)(A, X[:3]).shape",
        "one level pairs: matrix i with vector i",
        "一层是配对：第 i 个矩阵配第 i 个向量",
    ),
    Row(
        "combine",
        "jax.vmap(jax.vmap(jnp.matmul, (None, 0)), (0, None))(A, X).shape",
        "two levels combine: every matrix with every vector",
        "两层是组合：每个矩阵配每个向量",
    ),
    Row(
        "swapped",
        "jax.vmap(jax.vmap(jnp.matmul, (0, None)), (None, 0))(A, X).shape",
        "levels swapped: the two batch axes change places",
        "交换内外层：两个批次轴互换",
    ),
    Row(
        "squared",
        "jax.vmap(jax.vmap(squared, (None, 0)), (0, None))(P, Q)",
        "squared distances of all pairs",
        "所有点对的平方距离",
    ),
    Row(
        "gradient",
        "jax.grad(lambda P: pairwise(squared)(P, Q).sum())(P)",
        "gradient of their sum with respect to the points",
        "其总和对各点的梯度",
    ),
    Row(
        "manhattan",
        "pairwise(lambda a, b: jnp.abs(a - b).sum())(P, Q)",
        "another metric: change the function only",
        "换一种度量：只需改函数",
    ),
    Row(
        "two_axes",
        "jax.vmap(jax.vmap(jnp.linalg.norm))(jnp.ones((2, 3, 4))).shape",
        "two batch axes at once",
        "同时有两个批次轴",
    ),
    Row(
        "expansion",
        "expanded(P, Q)",
        "‖x‖²+‖y‖²-2x·y: fast, no differences are stored",
        "‖x‖²+‖y‖²-2x·y：快，且不存差值",
    ),
    Row(
        "cancels",
        "expanded(P + 1e4, Q + 1e4)[0], pairwise(squared)(P + 1e4, Q + 1e4)[0]",
        "trap: far from the origin it cancels; the difference form holds",
        "陷阱：远离原点时会相消；用差值计算则不会",
    ),
    Row(
        "coincident",
        "jax.grad(norm)(jnp.zeros(2))",
        "trap: the gradient of a distance at equal points",
        "陷阱：两点重合时距离的梯度",
    ),
    Row(
        "double_where",
        "jax.grad(guarded_norm)(jnp.zeros(2))",
        "a double where makes it 0",
        "双重 where 使其为 0",
    ),
    Row(
        "matmul",
        "jaxpr(jax.vmap(jnp.matmul), A, A.mT) == jaxpr(jnp.matmul, A, A.mT)",
        "vmap(matmul) and @ are the same program",
        "vmap(matmul) 与 @ 是同一个程序",
    ),
)

NEST = Topic("nest", "Nest", "嵌套", SETUP, ROWS)
