"""How kernels are compiled, and the machine instructions numba does not offer.

Kernels are compiled at their first call, never at import, and release the GIL: threads of an
ordinary ``ThreadPoolExecutor`` run them side by side. numba's own thread pool (``parallel=True``)
is not used anywhere: its ``workqueue`` layer aborts the process when two threads enter it.
"""

import gc
from functools import cached_property
from typing import Any

import numba
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.cpu import CPUTargetOptions
from numba.core.registry import CPUDispatcher
from numba.extending import intrinsic

from engine.platform.kernel_cache import KernelCache

_intrinsic: Any = intrinsic
_numba: Any = numba  # its type hints lack the options below

gc.freeze()  # numba's many objects stay alive: the collector need not scan them each time

# No reference counts (_nrt): numba counts references to arrays inside inner loops, which made the
# solver ten times slower. Kernels therefore cannot allocate; their callers hand them the arrays.
# A numba that lost this private option compiles the same kernels to slower code.
_OPTIONS = {"nogil": True, "error_model": "numpy"}
if hasattr(CPUTargetOptions, "_nrt"):
    _OPTIONS["_nrt"] = False

_INLINE_OPTIONS = {
    **_OPTIONS,
    "nopython": True,
    "boundscheck": None,
    "forceinline": True,
    "no_cfunc_wrapper": True,
    "no_cpython_wrapper": True,
}


def kernel(function: Any) -> Any:
    dispatcher = _numba.njit(no_cfunc_wrapper=True, **_OPTIONS)(function)
    if hasattr(dispatcher, "_cache"):  # otherwise kernels compile at each start
        dispatcher._cache = cache = KernelCache(function)
        compile_one = dispatcher.compile

        def compile_and_release(signature: Any) -> Any:
            try:
                return compile_one(signature)
            finally:
                cache.release()

        dispatcher.compile = compile_and_release
    return dispatcher


class _InlineKernel(CPUDispatcher):
    """A function that is compiled into the kernels that call it.

    It has no entry of its own for Python, which would take a third of the time of compiling it.
    Called from Python, as tests do, it is compiled once more as a kernel. It is one of numba's own
    dispatchers: those are what kernels for a graphics card compile for the card.
    """

    @cached_property
    def _alone(self) -> Any:
        return kernel(self.py_func)

    def __call__(self, *args: Any) -> Any:
        return self._alone(*args)


def inline_kernel(function: Any) -> Any:
    if _numba.config.DISABLE_JIT:
        return function
    return _InlineKernel(function, targetoptions=_INLINE_OPTIONS)


@_intrinsic
def popcount(_context: Any, _word: Any) -> Any:
    def generate(_ctx: Any, builder: Any, _signature: Any, args: Any) -> Any:
        return builder.ctpop(args[0])

    return types.uint64(types.uint64), generate


@_intrinsic
def trailing_zeros(_context: Any, _word: Any) -> Any:
    def generate(_ctx: Any, builder: Any, _signature: Any, args: Any) -> Any:
        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 1))

    return types.uint64(types.uint64), generate


@_intrinsic
def atomic_or(_context: Any, words: Any, i: Any, _mask: Any) -> Any:
    """Do ``words[i] |= mask`` (uint64 array, index, uint64) atomically."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        array = context.make_array(signature.args[0])(context, builder, args[0])
        pointer = cgutils.get_item_pointer(
            context, builder, signature.args[0], array, [args[1]], wraparound=False
        )
        builder.atomic_rmw("or", pointer, args[2], "monotonic")
        return context.get_dummy_value()

    return types.void(words, i, types.uint64), generate


@_intrinsic
def prefetch(_context: Any, array: Any, _i: Any) -> Any:
    """Prefetch ``array[i]`` (i is a uint64) without waiting for it.

    Each access to a distant place in a large array costs the latency of memory: prefetched
    together, these latencies overlap.
    """

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        number = ir.IntType(32)
        pointer = builder.bitcast(
            _address(context, builder, signature, args), ir.IntType(8).as_pointer()
        )
        kind = ir.FunctionType(ir.VoidType(), [pointer.type, number, number, number])
        fetch = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0")
        builder.call(fetch, [pointer, number(0), number(3), number(1)])  # to read, keep, data
        return context.get_dummy_value()

    return types.void(array, types.uint64), generate


@_intrinsic
def pair_at(_context: Any, array: Any, _i: Any) -> Any:
    """Return the two numbers ``array[2 * i]`` and ``array[2 * i + 1]`` (uint64 array and index).

    With indices of single numbers, the compiler computes the two addresses separately, which takes
    twice as many instructions.
    """

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        data = context.make_array(signature.args[0])(context, builder, args[0]).data
        pairs = builder.bitcast(data, ir.ArrayType(ir.IntType(64), 2).as_pointer())
        sides = [ir.Constant(ir.IntType(32), side) for side in (0, 1)]
        both = [builder.load(builder.gep(pairs, [args[1], side])) for side in sides]
        return context.make_tuple(builder, signature.return_type, both)

    return types.UniTuple(types.uint64, 2)(array, types.uint64), generate


def _apart(module: Any) -> Any:
    """Return the alias scope of writes by `put`, which the compiler then separates from tables."""
    return module.add_metadata([module.add_metadata(["queue", module.add_metadata(["apart"])])])


def _address(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    data = context.make_array(signature.args[0])(context, builder, args[0]).data
    return builder.gep(data, [args[1]])


@_intrinsic
def table_at(_context: Any, array: Any, _i: Any) -> Any:
    """Return ``array[i]`` (i is a uint64) of an array that no `put` in the same loop writes to.

    The compiler cannot infer this for ordinary accesses. With it, several iterations of a loop are
    vectorized, where the machine can gather several numbers of a table with one instruction.
    """

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        value = builder.load(_address(context, builder, signature, args))
        value.set_metadata("noalias", _apart(builder.module))
        return value

    return array.dtype(array, types.uint64), generate


@_intrinsic
def queued(_context: Any, array: Any, _i: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        value = builder.load(_address(context, builder, signature, args))
        value.set_metadata("alias.scope", _apart(builder.module))
        return value

    return array.dtype(array, types.uint64), generate


@_intrinsic
def put(_context: Any, array: Any, _i: Any, _value: Any) -> Any:
    """Do ``array[i] = value`` (i is a uint64); see `table_at`."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        store = builder.store(args[2], _address(context, builder, signature, args))
        store.set_metadata("alias.scope", _apart(builder.module))
        return context.get_dummy_value()

    return types.void(array, types.uint64, array.dtype), generate


def _rows_apart(module: Any, rows: Any) -> Any:
    domain = module.add_metadata(["rows apart"])  # no text
    return module.add_metadata([module.add_metadata([f"row {row}", domain]) for row in rows])


_ROWS, _WORDS = range(4), [(i, k) for i in range(4) for k in range(4)]


@_intrinsic
def load_apart(_context: Any, array: Any, _first: Any, _step: Any) -> Any:
    """``array[first], array[first + step]``, and so on (uint64 numbers); see `store_apart`."""
    fours = types.UniTuple(types.UniTuple(array.dtype, 4), 4)

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        at, vector = (
            _address(context, builder, signature, args),
            context.get_value_type(fours)(None),
        )
        for place in _WORDS:
            value = builder.load(at)
            value.set_metadata("noalias", _rows_apart(builder.module, _ROWS))
            vector, at = builder.insert_value(vector, value, place), builder.gep(at, [args[2]])
        return vector

    return fours(array, types.uint64, types.uint64), generate


@_intrinsic(prefer_literal=True)
def store_apart(_context: Any, array: Any, row: Any, _i: Any, _step: Any, fours: Any) -> Any:
    """Write four times four items to a row of an array, the first at i, the others in steps.

    The number of the row (0 to 3) must be a constant. It tells the compiler what it does not find
    out: that the rows of an array do not overlap. Otherwise it does not vectorize the loop, because
    of all the address comparisons that would take.
    """
    if not isinstance(row, types.IntegerLiteral) or row.literal_value not in _ROWS:
        return None
    number = row.literal_value

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        into = context.make_array(signature.args[0])(context, builder, args[0])
        n = builder.extract_value(into.shape, 1)
        start = builder.mul(n, ir.Constant(n.type, number))
        at = builder.gep(into.data, [builder.add(start, args[2])])
        others = [other for other in _ROWS if other != number]
        for place in _WORDS:
            store = builder.store(builder.extract_value(args[4], place), at)
            store.set_metadata("alias.scope", _rows_apart(builder.module, [number]))
            store.set_metadata("noalias", _rows_apart(builder.module, others))
            at = builder.gep(at, [args[3]])
        return context.get_dummy_value()

    return types.void(array, row, types.uint64, types.uint64, fours), generate


@_intrinsic
def widest_vectors(_context: Any) -> Any:
    """Let this kernel use vectors of 512 bits where the machine has them.

    By default LLVM stays at 256 bits on many of them, because on some a core runs slower for a
    while after wide vectors: right for kernels that seldom use them, not for one that does nothing
    else.
    """

    def generate(context: Any, builder: Any, _signature: Any, _args: Any) -> Any:
        # llvmlite's own method does not support attributes with a value.
        set.add(builder.function.attributes, '"prefer-vector-width"="512"')  # no text
        return context.get_dummy_value()

    return types.void(), generate
