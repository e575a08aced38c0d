"""Plain data comes out of a pickle whatever wrote it; anything else, or too much, does not."""

import collections
import pickle
from pathlib import Path

import numpy as np
import pytest

from engine.formats.plain_pickle import PlainPickleError, UnreadArray, load_plain

PLAIN = {
    ("L3_512", 0.1): [("D:\\tables", "uint32")],
    "yes": True,
    "none": None,
    "large": -(1 << 63),
    "bytes": b"\0\xff",
    "nested": [[1, [2.5, "ä"]], {}],
}


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_plain_data_comes_out_as_it_went_in(protocol):
    assert load_plain(pickle.dumps(PLAIN, protocol)) == PLAIN


@pytest.mark.parametrize("protocol", range(5))
def test_numbers_and_arrays_of_numpy(protocol):
    data = {"a": np.uint64(1 << 63), "b": np.arange(9), "c": np.bool_(True), "d": [np.float64(0.5)]}
    found = load_plain(pickle.dumps(data, protocol))
    assert isinstance(found, dict)
    assert isinstance(found.pop("b"), UnreadArray)
    assert found == {"a": 1 << 63, "c": True, "d": [0.5]}


def test_a_dictionary_that_keeps_its_order_is_one():
    data = collections.OrderedDict([("b", 1), ("a", 2)])
    assert load_plain(pickle.dumps(data)) == {"b": 1, "a": 2}


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(b"\x80\x02}" + b")" + b"\x85" * 1_000_000 + b"K\x01s.", id="deep key"),
        pytest.param(b"\x80\x02\x8b\x00\x01\x00\x00" + b"\x7f" * 256 + b".", id="giant number"),
        pytest.param(b"\x80\x05\x96\xff\xff\xff\xff\xff\xff\xff\x00.", id="giant bytes"),
        pytest.param(pickle.dumps({1, 2}), id="set"),
        pytest.param(pickle.dumps(Path("x")), id="path"),
        pytest.param(pickle.dumps(bytearray(b"x"), 5), id="bytearray"),
        # What is put in the place of a function cannot be changed.
        pytest.param(b"\x80\x02c_codecs\nencode\nN}X\x01\x00\x00\x00aK\x01s\x86b.", id="attribute"),
        pytest.param(b"\x80\x02cnumpy\ndtype\n)\x81.", id="object"),
        pytest.param(b"\x80\x02cnumpy\ndtype\n)}\x92.", id="object with names"),
        pytest.param(b"(i_codecs\nencode\n.", id="instance"),
    ],
)  # fmt: skip
def test_what_is_no_plain_data_is_refused(data):
    with pytest.raises(PlainPickleError):
        load_plain(data)


def test_an_index_that_would_fill_all_memory_fills_none():
    assert load_plain(b"\x80\x02)r\xff\xff\xff\x7f.") == ()


def test_nothing_of_a_refused_pickle_stays():
    with pytest.raises(PlainPickleError):
        load_plain(b"\x80\x02c_codecs\nencode\nN}X\x0c\x00\x00\x00__defaults__)s\x86b.")
    assert load_plain(pickle.dumps(b"\xff", 0)) == b"\xff"
