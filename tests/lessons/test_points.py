"""CSV of unknown origin: points come out, or a reason that names the line and what to do."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from playground.lessons.distance_input import PointsRefused
from playground.lessons.own_points import OwnPoints, complete, compute
from playground.lessons.points import (
    MOST_BYTES,
    MOST_COLUMNS,
    MOST_ROWS,
    choose_columns,
    read_points,
)


def points(text, columns=()):
    return choose_columns(read_points(text.encode() if isinstance(text, str) else text), columns)


def test_numeric_columns_are_chosen_and_names_kept():
    found = points("name,height,width\nA,1.5,2\nB,3,4e1\n")
    assert found.names == ("height", "width")
    np.testing.assert_array_equal(found.points, [[1.5, 2], [3, 40]])
    assert found.lines.tolist() == [2, 3]
    assert read_points(b"name,height\nA,1\nB,2\n").skipped == ("name",)


def test_columns_can_be_chosen():
    text = "a,b,c\n1,2,3\n4,,6\n"
    assert points(text, ("a", "c")).points.tolist() == [[1, 3], [4, 6]]
    assert points(text).points.tolist() == [[1, 2, 3]]
    assert points(text, ("nothing",)).names == ("a", "b", "c")


@pytest.mark.parametrize(
    "text",
    [
        "1,2\n3,4\n",
        "1;2\r\n3;4\r\n",
        "1\t2\n3\t4",
        "1 2\n3   4\n",
        "1|2\r3|4\r",
        '"1","2"\n"3","4"\n',
        "\ufeffx,y\n1,2\n\n3,4\n\n",
        "x;y\n1,0;2,0\n3,0;4,0\n",
        "1,0 2,0\n3,0 4,0\n",
    ],
)
def test_separators_headers_and_line_ends_are_found_out(text):
    assert points(text).points.tolist() == [[1, 2], [3, 4]]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "latin-1", "utf-8-sig"])
def test_encodings_are_found_out(encoding):
    found = points("größe,y\n1,2\n3,4\n".encode(encoding))
    assert found.names == ("größe", "y")


def test_bad_rows_are_named_by_line():
    found = points("x,y\n1,2\n,3\n4,oops\n5,inf\n6,1e999\n7\n8,9\n")
    assert found.lines.tolist() == [2, 8]
    assert [(p.line, p.kind) for p in found.problems] == [
        (3, "missing"),
        (4, "text"),
        (5, "range"),
        (6, "range"),
        (7, "cells"),
    ]
    assert found.problems[1].message("en") == "line 4: “oops” in “y” is not a number"
    assert found.problems[0].message("zh") == "第 3 行：“x” 列缺少数值"


@pytest.mark.parametrize("word", ["", "NA", "nan", "NULL", "?", " "])
def test_missing_values_are_explained(word):
    found = points(f"x,y\n1,2\n3,{word}\n4,5\n6,7\n")
    assert [(p.line, p.column, p.kind) for p in found.problems] == [(3, "y", "missing")]


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "no lines"),
        (b"\n\n  \n", "no lines"),
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + bytes(range(256)), "not a text file"),
        (b"PK\x03\x04\x14\0\x06\0", "not a text file"),
        (b"only words here\nand more words here\n", "No column holds numbers"),
        (b"x" * (MOST_BYTES + 1), "5 MiB"),
        (b"1,2\n" * (MOST_ROWS + 1), f"{MOST_ROWS + 1} rows"),
        (b",".join([b"1"] * (MOST_COLUMNS + 1)) + b"\n", f"{MOST_COLUMNS + 1} columns"),
        (b"x,y\n1,\n,2\n3,\n,4\n", "No row is complete; the first problem is in line 2"),
    ],
)
def test_what_cannot_be_used_is_refused_with_the_reason(data, reason):
    with pytest.raises(PointsRefused, match=reason) as refused:
        points(data)
    assert any("\u4e00" <= letter <= "\u9fff" for letter in refused.value.message("zh"))


@settings(deadline=None, max_examples=150)
@given(st.one_of(st.binary(max_size=300), st.text(max_size=300).map(str.encode)))
def test_no_bytes_break_the_reader(data):
    try:
        found = points(data)
    except PointsRefused:
        return
    assert found.points.ndim == 2
    assert np.isfinite(found.points).all()
    assert len(found.points) == len(found.lines)


@settings(deadline=None, max_examples=60)
@given(
    st.lists(
        st.lists(st.floats(-1e9, 1e9, allow_nan=False), min_size=3, max_size=3),
        min_size=2,
        max_size=8,
    ),
    st.sampled_from([",", ";", "\t", "|", " "]),
    st.booleans(),
)
def test_what_was_written_is_read(rows, separator, with_header):
    lines = [separator.join(repr(value) for value in row) for row in rows]
    header = [separator.join("abc")] if with_header else []
    found = points("\n".join(header + lines))
    np.testing.assert_array_equal(found.points, rows)


# covers: N10
def test_own_points_from_a_file_to_nearest_pairs():
    random = np.random.default_rng(0)
    X = random.normal(size=(150, 3))
    X[90] = X[20]
    text = "a,b,c\n" + "\n".join(",".join(map(repr, row.tolist())) for row in X)
    asked = OwnPoints(text.encode(), (), "euclidean")
    result = compute(asked)
    assert result.nearest[0] == (22, 92, 0.0)  # lines in the file, header included
    expected = np.linalg.norm(X[:, None] - X[None], axis=-1)
    np.testing.assert_allclose(result.matrix, expected, rtol=1e-5)
    from io import BytesIO

    whole = np.load(BytesIO(complete(asked)))
    assert whole.shape == (150, 150)
    np.testing.assert_allclose(whole, expected, rtol=1e-5)


def test_more_points_than_can_be_drawn_are_all_compared():
    X = np.random.default_rng(1).normal(size=(700, 2))
    text = "\n".join(",".join(map(repr, row.tolist())) for row in X)
    result = compute(OwnPoints(text.encode(), (), "manhattan"))
    assert result.matrix.shape == (200, 200)
    full = np.abs(X[:, None] - X[None]).sum(axis=-1)
    i, j, value = result.nearest[0]
    np.testing.assert_allclose(value, full[np.triu_indices(700, 1)].min(), rtol=1e-5)
    np.testing.assert_allclose(full[i - 1, j - 1], value, rtol=1e-5)
