"""Rows of the cheat sheet: which axis is mapped, and where the batch axis lands."""

from playground.lessons.cheat_rows import Row, Topic

SETUP = """\
shift = lambda a, b: a + b
params = {"w": v, "b": s}  # shared weights, one bias for each example
predict = lambda params, x: params["w"] @ x + params["b"]
curve = lambda x: jnp.array([jnp.sin(x[0]) * x[1], x[0] ** 2 + x[1]])
two = lambda x: {"sum": x.sum(), "doubled": 2 * x}
"""

ROWS = (
    Row(
        "share",
        "jax.vmap(jnp.add, in_axes=(0, None))(X, 100.0)",
        "map one argument, share the other",
        "映射一个参数，共享另一个",
    ),
    Row(
        "pair",
        "jax.vmap(jnp.multiply, in_axes=(0, 0))(X, s)",
        "pair arguments by position",
        "按位置配对",
    ),
    Row(
        "later_axis",
        "jax.vmap(jnp.add, in_axes=(1, None))(X.T, 100.0)",
        "map a later axis; the batch axis still comes out first",
        "映射靠后的轴；输出的批次轴仍在最前",
    ),
    Row(
        "out_axes",
        "jax.vmap(jnp.add, in_axes=(0, None), out_axes=1)(X, 100.0).shape",
        "choose where the batch axis lands",
        "决定输出的批次轴放在哪里",
    ),
    Row(
        "out_tree",
        "jax.tree.map(jnp.shape, jax.vmap(two, out_axes={'sum': 0, 'doubled': 1})(X))",
        "a dict of outputs takes a dict of out_axes",
        "输出是字典时，out_axes 也用字典",
    ),
    Row(
        "negative",
        "jax.vmap(jnp.dot, in_axes=(None, -1))(v, X.T)",
        "count axes from the end",
        "从末尾数轴",
    ),
    Row(
        "prefix",
        "jax.vmap(predict, in_axes=({'w': None, 'b': 0}, 0))(params, X)",
        "a dict of parameters, some of them shared",
        "参数是字典，其中一部分共享",
    ),
    Row(
        "wrong_key",
        "jax.vmap(predict, in_axes=({'w': None, 'bias': 0}, 0))(params, X)",
        "in_axes must have the argument's own keys",
        "in_axes 的键必须与参数一致",
    ),
    Row(
        "keyword",
        "jax.vmap(shift)(jnp.zeros((3, 3)), b=v)",
        "a keyword argument is mapped along axis 0, never broadcast",
        "关键字参数总沿轴 0 映射，不会广播",
    ),
    Row(
        "keyword_tuple",
        "jax.vmap(shift, in_axes=(0, None))(X, b=v)",
        "in_axes speaks of positional arguments only",
        "in_axes 只描述位置参数",
    ),
    Row(
        "partial",
        "jax.vmap(partial(shift, b=v))(X)",
        "share a keyword argument: fix it with partial",
        "共享关键字参数：用 partial 固定",
    ),
    Row(
        "out_none_refused",
        "jax.vmap(lambda x: 2 * x, out_axes=None)(s)",
        "out_axes=None is refused when the output varies",
        "输出随批次变化时，out_axes=None 会被拒绝",
    ),
    Row(
        "out_none",
        "jax.vmap(lambda x, c: (c * x, c), in_axes=(0, None), out_axes=(0, None))(s, 2.0)",
        "hand back what is shared as it is",
        "原样返回共享的值",
    ),
    Row(
        "nothing_mapped",
        "jax.vmap(lambda c: c * jnp.ones(2), in_axes=None)(3.0)",
        "at least one argument must be mapped",
        "至少要映射一个参数",
    ),
    Row(
        "axis_size",
        "jax.vmap(lambda c: c * jnp.ones(2), in_axes=None, axis_size=4)(3.0)",
        "or say how large the batch is",
        "否则就要说明批大小",
    ),
    Row(
        "sum_match",
        "jax.vmap(lambda x: 2 * x, out_axes=None, sum_match=True)(jnp.arange(3.0))",
        "out_axes=None that sums over the batch",
        "让 out_axes=None 对整批求和",
    ),
    Row(
        "shared_number",
        "jax.vmap(jnp.add)(X, 100.0)",
        "the default in_axes=0 maps every argument",
        "默认的 in_axes=0 映射每个参数",
    ),
    Row(
        "sizes",
        "jax.vmap(jnp.add)(v, s)",
        "mapped axes must have the same size",
        "被映射的轴大小必须相同",
    ),
    Row(
        "no_broadcast",
        "jax.vmap(jnp.add)(jnp.ones((3, 2)), jnp.ones((1, 2)))",
        "a mapped axis of size 1 is not broadcast",
        "大小为 1 的映射轴不会广播",
    ),
    Row(
        "tuple_length",
        "jax.vmap(jnp.add, in_axes=(0,))(X, X)",
        "one entry of in_axes for each argument",
        "in_axes 的每一项对应一个参数",
    ),
    Row(
        "beyond",
        "jax.vmap(jnp.sum, in_axes=2)(X)",
        "the axis must exist",
        "指定的轴必须存在",
    ),
    Row(
        "columns",
        "jax.vmap(jnp.multiply, in_axes=(1, 0))(M, s).shape",
        "trap: columns go in and come back as rows",
        "陷阱：传入的是列，返回时成了行",
    ),
    Row(
        "columns_kept",
        "jax.vmap(jnp.multiply, in_axes=(1, 0), out_axes=1)(M, s)",
        "out_axes=1 keeps them columns",
        "out_axes=1 让它们仍是列",
    ),
    Row(
        "row_filter",
        "jax.vmap(jnp.multiply, in_axes=(0, None))(M, s)",
        "one filter for every row",
        "所有行共用一个滤波器",
    ),
    Row(
        "pmean",
        "jax.vmap(lambda x: x - lax.pmean(x, 'batch'), axis_name='batch')(jnp.arange(4.0))",
        "name the batch axis: an example sees the mean of all",
        "给批次轴命名：样本能看到整批的均值",
    ),
    Row(
        "axis_index",
        "jax.vmap(lambda x: x + 100 * lax.axis_index('batch'), axis_name='batch')(v)",
        "which example am I",
        "我是第几个样本",
    ),
    Row(
        "vectorize",
        "jnp.vectorize(jax.jacfwd(curve), signature='(n)->(m,n)')(jnp.ones((3, 4, 2))).shape",
        "any number of leading dimensions",
        "任意个前导维度",
    ),
    Row(
        "list",
        "jax.vmap(jnp.add, in_axes=[0, None])(X, 100.0).shape",
        "a list works today; the documented form is a tuple",
        "列表目前可用；文档规定的写法是元组",
    ),
)

AXES = Topic("axes", "Axes", "轴", SETUP, ROWS)
