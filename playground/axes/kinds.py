"""The kinds of refusal: a documented list, one word each.

in_axes_type            in_axes (or an entry) is no int, None, tuple or container of these
out_axes_type           the same for out_axes
not_a_function          what is to be vectorized cannot be called, or is a generator
unknown_option          the installed JAX does not know an option of the level
wrong_tuple_length      in_axes has another length than the positional arguments
keyword_arguments       the same, and there are keyword arguments, which in_axes never names
in_axes_not_a_prefix    an entry of in_axes is built differently from its argument
not_an_array            a string or another object that is no array is mapped
scalar_mapped           a value of rank 0 is mapped
key_mapped              a single typed random key is mapped
axis_out_of_range       an argument has no such axis
sizes_differ            the mapped axes have different sizes
axis_size_conflict      axis_size differs from the size of the mapped axes
axis_size_invalid       axis_size is no whole number of 0 or more
nothing_mapped          nothing is mapped and axis_size is not given
python_control_flow     if, and, or, range, float(), an index or NumPy needs a mapped value
boolean_mask            indexing with a mapped boolean array
key_data                raw key data of the wrong shape or type reaches jax.random
unbound_axis_name       a collective uses a name that no level has
grad_needs_scalar       jax.grad of a function whose output is no scalar
grad_needs_real         jax.grad with respect to integers, or of an output that is not real
function_signature      the function does not take these arguments
function_error          the function itself fails on the shapes of one example
output_not_an_array     the function returns a string or another object that is no array
out_axes_not_a_prefix   out_axes is built differently from the output
output_varies           out_axes=None for an output that varies over the batch
out_axis_out_of_range   the output has no place for the batch axis there
other                   anything else; JAX's text says what
"""

from typing import Literal, get_args

Kind = Literal[
    "in_axes_type",
    "out_axes_type",
    "not_a_function",
    "unknown_option",
    "wrong_tuple_length",
    "keyword_arguments",
    "in_axes_not_a_prefix",
    "not_an_array",
    "scalar_mapped",
    "key_mapped",
    "axis_out_of_range",
    "sizes_differ",
    "axis_size_conflict",
    "axis_size_invalid",
    "nothing_mapped",
    "python_control_flow",
    "boolean_mask",
    "key_data",
    "unbound_axis_name",
    "grad_needs_scalar",
    "grad_needs_real",
    "function_signature",
    "function_error",
    "output_not_an_array",
    "out_axes_not_a_prefix",
    "output_varies",
    "out_axis_out_of_range",
    "other",
]

KINDS: tuple[Kind, ...] = get_args(Kind)
