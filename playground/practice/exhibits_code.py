"""The museum's exhibits whose own code is at fault: other axes alone do not help."""

from playground.axes import Level
from playground.practice import broken_code as broken
from playground.practice.exhibit import Cure, Exhibit, has_nan

EXHIBITS: dict[str, Exhibit] = {
    "python_if": Exhibit(
        ("if on a mapped value", "对被映射的值用 if"),
        ("Keep the positive numbers, else 0.", "正数保留，其余为 0。"),
        broken.relu,
        broken.signed_arguments,
        ("(4,)", "boolean_mask", "()"),
        cure=Cure(
            words=("Compute both sides and choose: jnp.where", "两边都算，再选择：jnp.where"),
            function=broken.relu_cured,
        ),
    ),
    "python_and": Exhibit(
        ("and between two comparisons", "用 and 连接两个比较"),
        ("Tell which numbers lie between 0 and 3.", "判断哪些数在 0 与 3 之间。"),
        broken.inside,
        broken.signed_arguments,
        ("(4,)", "()", "not_an_array"),
        cure=Cure(
            words=("& works element by element; and does not", "& 逐元素运算，and 不行"),
            function=broken.inside_cured,
        ),
    ),
    "python_range": Exhibit(
        ("for over a mapped count", "循环次数被映射"),
        ("Let each balance grow for its own years.", "让每笔存款按各自的年数增长。"),
        broken.compound,
        broken.compound_arguments,
        ("(3,)", "(3, 10)", "sizes_differ"),
        cure=Cure(
            words=("Put the loop into the program: lax.fori_loop", "把循环写进程序：lax.fori_loop"),
            function=broken.compound_cured,
        ),
    ),
    "mask": Exhibit(
        ("Picking with a mask", "用布尔掩码挑选"),
        ("Sum the positive entries of each row.", "求每一行正数之和。"),
        broken.positive_sum,
        broken.signed_rows_arguments,
        ("(3,)", "(3, 3)", "python_control_flow"),
        cure=Cure(
            words=("Keep the shape and zero the rest: jnp.where", "形状不变，其余置零：jnp.where"),
            function=broken.positive_sum_cured,
        ),
    ),
    "math_module": Exhibit(
        ("math.sqrt on a mapped value", "对被映射的值用 math.sqrt"),
        ("Measure three triangles.", "求三个三角形的斜边。"),
        broken.hypotenuse,
        broken.triangle_arguments,
        ("(3,)", "()", "not_an_array"),
        cure=Cure(words=("Use jnp.sqrt", "改用 jnp.sqrt"), function=broken.hypotenuse_cured),
    ),
    "batch_inside": Exhibit(
        ("The batch is still in the function", "函数里还写着批次轴"),
        ("Sum each of four rows.", "对四行分别求和。"),
        broken.row_total,
        broken.rows_arguments,
        ("(4,)", "(4, 1)", "axis_out_of_range"),
        cure=Cure(
            words=("Write it for one row: no axis to skip", "只为一行来写：没有要跳过的轴"),
            function=broken.row_total_cured,
        ),
    ),
    "word_in_output": Exhibit(
        ("A word among the outputs", "输出里混进了字符串"),
        ("Score four rows and name the unit.", "给四行打分，并注明单位。"),
        broken.named_score,
        broken.rows_arguments,
        ('{"score": (4,), "unit": ()}', "out_axes_not_a_prefix", "not_an_array"),
        cure=Cure(
            words=("Return arrays only; add the word afterwards", "只返回数组，字符串事后再加"),
            function=broken.named_score_cured,
        ),
    ),
    "grad_of_batch": Exhibit(
        ("grad around vmap", "grad 套在 vmap 外面"),
        ("Get one gradient for each of five examples.", "给五个样本各求一个梯度。"),
        broken.slopes,
        broken.squared_error_arguments,
        ("(5, 3)", "(3,)", "grad_needs_real"),
        levels=(),
        cure=Cure(
            words=("vmap around grad", "让 vmap 套在 grad 外面"), function=broken.slopes_cured
        ),
    ),
    "whole_numbers": Exhibit(
        ("The slope at a whole number", "在整数处求导"),
        ("Get the slope of the cube at 1, 2 and 3.", "求立方函数在 1、2、3 处的斜率。"),
        broken.cube_slope,
        broken.whole_numbers_arguments,
        ("(3,)", "()", "grad_needs_scalar"),
        cure=Cure(
            words=("Make it real: astype(jnp.float32)", "转成实数：astype(jnp.float32)"),
            function=broken.cube_slope_cured,
        ),
    ),
    "where_and_nan": Exhibit(
        ("It runs, and the gradient is nan", "能运行，但梯度是 nan"),
        (
            "Get the slope of a logarithm that is 0 where it is not defined.",
            "求对数的斜率；无定义处取 0。",
        ),
        broken.log_slope,
        broken.log_arguments,
        ("all_finite", "python_control_flow", "grad_needs_scalar"),
        levels=(Level(),),
        cure=Cure(
            words=(
                "Replace the bad input before the logarithm as well",
                "在取对数之前，把不合法的输入也换掉",
            ),
            function=broken.log_slope_cured,
        ),
        why=(
            "where chooses the value, yet the gradient of both sides is computed: at 0 the slope "
            "of the logarithm is infinite, and 0 times infinity is nan.",
            "where 只挑选数值，但两边的梯度都会计算：对数在 0 处的斜率是无穷大，"
            "而 0 乘无穷大是 nan。",
        ),
        observe=has_nan,
    ),
}
