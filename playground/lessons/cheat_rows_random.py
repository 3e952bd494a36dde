"""Rows of the cheat sheet: a key for each example, and random walks."""

from playground.lessons.cheat_rows import Row, Topic

SETUP = """\
walk = lambda key: jnp.sum(random.rademacher(key, (100,), int))  # 100 steps of +1 or -1
path = lambda key: jnp.cumsum(random.rademacher(key, (100,), int))
correlation = lambda a, b: jnp.corrcoef(a, b)[0, 1]
draws = lambda draw, key: draw(key, (100_000,))
biased = lambda key: jnp.sum(2 * random.bernoulli(key, 0.6, (100,)) - 1)
"""

ROWS = (
    Row("key", "random.key(0)", "a typed key: a scalar", "带类型的 key：一个标量"),
    Row("raw", "random.PRNGKey(0)", "a raw key: two numbers", "原始 key：两个数"),
    Row("split", "random.split(key, 4)", "one key for each example", "每个样本一个 key"),
    Row(
        "own",
        "jax.vmap(random.normal)(random.split(key, 4))",
        "map over keys: different numbers",
        "对 key 做映射：得到不同的数",
    ),
    Row(
        "shared",
        "jax.vmap(lambda x: random.normal(key))(s)",
        "trap: a shared key repeats itself",
        "陷阱：共享的 key 会重复",
    ),
    Row(
        "one_key",
        "jax.vmap(random.normal)(key)",
        "one key has no axis to map",
        "单个 key 没有可映射的轴",
    ),
    Row(
        "fold_in",
        "jax.vmap(partial(random.fold_in, key))(jnp.arange(4))",
        "a key made from the example's number",
        "由样本编号得到 key",
    ),
    Row(
        "reused",
        "correlation(draws(random.uniform, random.key(42)), draws(random.normal, random.key(42)))",
        "trap: one key used for two draws",
        "陷阱：同一个 key 抽取两次",
    ),
    Row(
        "reuse_repaired",
        "correlation(*(draws(f, k) for f, k in zip((random.uniform, random.normal), "
        "random.split(random.key(42)))))",
        "split first: independent",
        "先拆分：相互独立",
    ),
    Row(
        "wrong_axis",
        "jax.vmap(random.normal, in_axes=1)(random.split(key, 4))",
        "a typed key notices a wrong axis",
        "带类型的 key 能发现轴写错了",
    ),
    Row(
        "raw_axis",
        "jax.vmap(random.normal, in_axes=1)(random.split(random.PRNGKey(0), 2)).shape",
        "trap: raw keys mapped along the wrong axis pass",
        "陷阱：原始 key 沿错误的轴映射也不报错",
    ),
    Row(
        "walks",
        "jax.vmap(walk)(random.split(key, 8))",
        "8 walks: final positions, all even",
        "8 次游走：终点，全为偶数",
    ),
    Row(
        "variance",
        "jnp.var(jax.vmap(walk)(random.split(key, 10_000)).astype(float))",
        "the variance is near the number of steps",
        "方差接近步数",
    ),
    Row(
        "biased",
        "jnp.mean(jax.vmap(biased)(random.split(key, 10_000)))",
        "biased steps: the mean is near n·μ = 20",
        "有偏的步：均值接近 n·μ = 20",
    ),
    Row(
        "chunked",
        "lax.map(walk, random.split(key, 10_000), batch_size=1000).max()",
        "many walkers with the memory of few",
        "大量游走者，只用少量内存",
    ),
)

RANDOM = Topic("random", "Randomness and walks", "随机数与随机游走", SETUP, ROWS)
