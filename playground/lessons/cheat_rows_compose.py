"""Rows of the cheat sheet: grad, vmap, jit, Jacobians and Hessians together."""

from playground.lessons.cheat_rows import Row, Topic

SETUP = """\
w = jnp.array([1.0, -2.0, 0.5])
y = X @ w + 1.0
loss = lambda w, x, y: (w @ x - y) ** 2  # of ONE example
mean_loss = lambda w, X, y: jax.vmap(loss, (None, 0, 0))(w, X, y).mean()
line = lambda w, b, x: w * x + b
curve = lambda x: jnp.array([jnp.sin(x[0]) * x[1], x[0] ** 2 + x[1]])
D = jnp.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])  # two examples, three unknowns
points = jnp.arange(10.0).reshape(5, 2)
training = lambda w: lax.scan(lambda w, _: (w - 0.01 * jax.grad(mean_loss)(w, X, y),
                                            mean_loss(w, X, y)), w, length=100)
flat = lambda solved: solved[0] if isinstance(solved, tuple) else solved  # lstsq returns more
newton = lambda solve, X, y: w - flat(solve(jax.hessian(mean_loss)(w, X, y),
                                            jax.grad(mean_loss)(w, X, y)))
compact = jax.jit(lambda w, X, y: jax.vmap(lambda x, y: jax.grad(loss)(w, x, y))(X, y))
"""

ROWS = (
    Row(
        "all_three",
        "jax.jit(jax.vmap(jax.grad(loss), in_axes=(None, 0, 0)))(w, X, y)",
        "compiled per-example gradients",
        "编译后的逐样本梯度",
    ),
    Row(
        "compact",
        "compact(w, X, y)",
        "the compact form: vmap inside, shared by closure",
        "紧凑写法：内部 vmap，用闭包共享",
    ),
    Row(
        "illegal",
        "jax.grad(jax.jit(jax.vmap(loss, in_axes=(None, 0, 0))))(w, X, y)",
        "an order that fails: grad of a vector",
        "行不通的次序：对向量求 grad",
    ),
    Row(
        "step",
        "jax.tree.map(lambda a, g: a - 0.1 * g, {'w': w}, {'w': v})",
        "a step of gradient descent over a pytree",
        "对 pytree 做一步梯度下降",
    ),
    Row("tree_map", "jax.tree_map", "the old name is gone", "旧名称已移除"),
    Row(
        "loss_falls",
        "training(jnp.zeros(3))[1][jnp.array([0, 99])]",
        "the first and the last of 100 losses",
        "100 步中的首个与末个损失",
    ),
    Row(
        "hessian",
        "jax.hessian(mean_loss)(w, X, y)",
        "second derivatives",
        "二阶导数",
    ),
    Row(
        "newton",
        "mean_loss(newton(jnp.linalg.solve, X, y), X, y) < 1e-6",
        "one Newton step ends at the minimum",
        "牛顿法一步到达最小值",
    ),
    Row(
        "rank",
        "jnp.linalg.matrix_rank(jax.hessian(mean_loss)(w, D, y[:2]))",
        "a singular Hessian: rank 2 of 3",
        "奇异的 Hessian：秩为 2（共 3）",
    ),
    Row(
        "lstsq",
        "mean_loss(newton(jnp.linalg.lstsq, D, y[:2]), D, y[:2]) < 1e-6",
        "lstsq copes with a singular one",
        "Hessian 奇异时改用 lstsq",
    ),
    Row(
        "integers",
        "jax.grad(lambda x: x**2)(3)",
        "trap: integers have no gradient",
        "陷阱：整数没有梯度",
    ),
    Row(
        "floats",
        "jax.grad(lambda x: x**2)(3.0)",
        "write a float",
        "改用浮点数",
    ),
    Row(
        "argnums",
        "jax.grad(line, argnums=(0, 1))(2.0, 1.0, 3.0)",
        "gradients of several arguments",
        "对多个参数求梯度",
    ),
    Row(
        "value_and_grad",
        "jax.value_and_grad(mean_loss)(w, X, y)",
        "the value and the gradient together",
        "同时求值与梯度",
    ),
    Row(
        "nested",
        "jax.vmap(jax.vmap(jax.grad(lambda x: jnp.sum(x**3))))(jnp.ones((2, 2, 2))).shape",
        "gradients over two batch axes",
        "两个批次轴上的梯度",
    ),
    Row(
        "jacobians",
        "jax.vmap(jax.jacfwd(curve))(points).shape",
        "one Jacobian per example",
        "每个样本一个雅可比矩阵",
    ),
    Row(
        "hvp",
        "jax.jvp(jax.grad(mean_loss), (w, X, y), (v, 0 * X, 0 * y))[1]",
        "Hessian times vector, without the Hessian",
        "Hessian 乘向量，不必求出 Hessian",
    ),
)

COMPOSE = Topic("compose", "Compose", "组合变换", SETUP, ROWS)
