"""Every small fault that can be put into a source file, as a replacement of a piece of its text.

Left alone: docstrings, type hints, ``__repr__``, logging, the words of errors, strings, assertions,
and what machine code is made from (`with_kernels` brings that back).
"""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass

_COMPARED: dict[type[ast.cmpop], tuple[str, tuple[str, ...]]] = {
    ast.Lt: ("<", ("<=", ">=")),
    ast.LtE: ("<=", ("<", ">")),
    ast.Gt: (">", (">=", "<=")),
    ast.GtE: (">=", (">", "<")),
    ast.Eq: ("==", ("!=",)),
    ast.NotEq: ("!=", ("==",)),
    ast.Is: ("is", ("is not",)),
    ast.IsNot: ("is not", ("is",)),
    ast.In: ("in", ("not in",)),
    ast.NotIn: ("not in", ("in",)),
}
_COMPUTED: dict[type[ast.operator], tuple[str, str]] = {
    ast.Add: ("+", "-"),
    ast.Sub: ("-", "+"),
    ast.Mult: ("*", "//"),
    ast.Div: ("/", "*"),
    ast.FloorDiv: ("//", "*"),
    ast.Mod: ("%", "*"),
    ast.LShift: ("<<", ">>"),
    ast.RShift: (">>", "<<"),
    ast.BitAnd: ("&", "|"),
    ast.BitOr: ("|", "&"),
    ast.BitXor: ("^", "&"),
}
_DEFAULTS = {"int": "0", "float": "0.0", "str": '""', "bytes": 'b""'}
_KERNELS = {"kernel", "inline_kernel", "_intrinsic", "intrinsic"}
_LOGGING = {"log", "_log", "logger", "logging", "warnings"}
_MODULE = "(module)"
_NOT_MUTATED = (ast.Import, ast.ImportFrom, ast.Assert, ast.Pass, ast.Global)


@dataclass(frozen=True)
class Mutant:
    """One fault.

    Attributes
    ----------
    path : str
        Relative to the project's root, with slashes.
    line : int
        From 1.
    start, end : int
        The piece of the file's text (as UTF-8 bytes) that is replaced.
    old, new : str
        The piece, and its replacement.
    kind : str
    where : str
        The outermost function or the method that holds it, "Class.method"; "(module)" for none.
    names : tuple of str
        Outside of functions: the names being defined there.
    """

    path: str
    line: int
    start: int
    end: int
    old: str
    new: str
    kind: str
    where: str
    names: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        """Return a key that is unique among the mutants of a source."""
        return f"{self.path}:{self.start}-{self.end}:{self.new}"

    def apply(self, source: str) -> str:
        """Return the source with the fault in it."""
        data = source.encode()
        return (data[: self.start] + self.new.encode() + data[self.end :]).decode()


def functions_of(source: str) -> list[tuple[int, int, str]]:
    """Return the outermost functions and the methods of a file: first line, last line, name."""
    found: list[tuple[int, int, str]] = []

    def visit(body: list[ast.stmt], prefix: str) -> None:
        for node in body:
            if isinstance(node, ast.ClassDef):
                visit(node.body, f"{prefix}{node.name}.")
            elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                first = min([node.lineno, *(one.lineno for one in node.decorator_list)])
                found.append((first, node.end_lineno or first, prefix + node.name))
            elif isinstance(node, (ast.If, ast.Try)):
                visit(node.body, prefix)

    visit(ast.parse(source).body, "")
    return found


def mutants_of(path: str, source: str, with_kernels: bool = False) -> list[Mutant]:
    """Return all mutants of a file; a few aren't valid Python, see `is_python`."""
    return list(_Finder(path, source, with_kernels).find())


def is_python(mutant: Mutant, source: str) -> bool:
    """Return whether a mutant can be compiled."""
    try:
        compile(mutant.apply(source), mutant.path, "exec", dont_inherit=True)
    except (SyntaxError, ValueError):
        return False
    return True


class _Finder:
    def __init__(self, path: str, source: str, with_kernels: bool) -> None:
        self._path, self._source, self._with_kernels = path, source, with_kernels
        self._data = source.encode()
        lengths = [len(line.encode()) for line in source.splitlines(keepends=True)]
        self._starts = [0]
        for length in lengths:
            self._starts.append(self._starts[-1] + length)
        self._where, self._names = _MODULE, ()
        self._bound: set[str] = set()  # names of the function that have a value already

    def find(self) -> Iterator[Mutant]:
        yield from self._body(ast.parse(self._source).body)

    # Statements

    def _body(self, body: list[ast.stmt]) -> Iterator[Mutant]:
        for i, node in enumerate(body):
            if _is_text(node) or (i == 0 and _is_text(node)):
                continue
            yield from self._statement(node)

    def _statement(self, node: ast.stmt) -> Iterator[Mutant]:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield from self._function(node)
        elif isinstance(node, ast.ClassDef):
            before, self._where = self._where, _join(self._where, node.name)
            yield from self._body(node.body)
            self._where = before
        elif isinstance(node, _NOT_MUTATED) or _is_for_types(node):
            return
        elif isinstance(node, ast.Raise):
            yield self._replaced(node, "pass", "no error raised")
        elif isinstance(node, (ast.Break, ast.Continue)):
            other = "continue" if isinstance(node, ast.Break) else "break"
            yield self._replaced(node, other, "break, continue")
        elif isinstance(node, ast.Return):
            yield from self._return(node)
        else:
            yield from self._plain(node)

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[Mutant]:
        if node.name in ("__repr__", "__str__"):
            return
        decorators = {_last_name(one) for one in node.decorator_list}
        if decorators & _KERNELS and not self._with_kernels:
            return
        if "overload" in decorators or "abstractmethod" in decorators:
            return
        before = self._where, self._bound, getattr(self, "_returns", "")
        is_inner = self._is_in_function
        if not is_inner:
            self._where = _join(self._where, node.name)
        self._bound = {arg.arg for arg in ast.walk(node.args) if isinstance(arg, ast.arg)}
        self._returns = ast.unparse(node.returns) if node.returns else ""
        self._depth = getattr(self, "_depth", 0) + 1
        for default in (*node.args.defaults, *node.args.kw_defaults):
            if default is not None:
                yield from self._expression(default)
        yield from self._body(node.body)
        self._depth -= 1
        self._where, self._bound, self._returns = before

    @property
    def _is_in_function(self) -> bool:
        return getattr(self, "_depth", 0) > 0

    def _return(self, node: ast.Return) -> Iterator[Mutant]:
        if node.value is None:
            return
        if not (isinstance(node.value, ast.Constant) and node.value.value is None):
            if self._returns == "bool":
                if not isinstance(node.value, ast.Constant):
                    yield self._replaced(
                        node.value, f"not ({self._text(node.value)})", "opposite returned"
                    )
            else:
                default = _DEFAULTS.get(self._returns, "None")
                if self._text(node.value) != default:
                    yield self._replaced(node.value, default, "default returned")
        yield from self._expression(node.value)

    def _plain(self, node: ast.stmt) -> Iterator[Mutant]:
        if isinstance(node, ast.Expr):
            if _is_logging(node.value):
                return
            if isinstance(node.value, ast.Call) and self._is_in_function:
                yield self._replaced(node, "pass", "statement removed")
        if isinstance(node, (ast.AugAssign, ast.Delete)) and self._is_in_function:
            yield self._replaced(node, "pass", "statement removed")
        if isinstance(node, (ast.Assign, ast.AnnAssign)):
            yield from self._assignment(node)
        if isinstance(node, (ast.If, ast.While)):
            yield from self._condition(node.test)
        if isinstance(node, ast.Try):
            for handler in node.handlers:
                yield from self._handler(handler)
        before = self._names
        if not self._is_in_function:
            self._names = _defined(node)
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.expr):
                if not (isinstance(node, ast.AnnAssign) and child is node.annotation):
                    yield from self._expression(child)
            elif isinstance(child, ast.withitem):
                yield from self._expression(child.context_expr)
            elif isinstance(child, ast.stmt):
                continue
            elif isinstance(child, ast.ExceptHandler):
                yield from self._body(child.body)
        self._names = before
        if isinstance(node, ast.For):
            self._bound |= _defined(node)
        for name in ("body", "orelse", "finalbody"):
            yield from self._body(getattr(node, name, []) or [])
        for case in getattr(node, "cases", []):
            yield from self._body(case.body)

    def _assignment(self, node: ast.Assign | ast.AnnAssign) -> Iterator[Mutant]:
        """Remove one, except where a name would be left without a value, which proves nothing."""
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        names = {one.id for t in targets for one in ast.walk(t) if isinstance(one, ast.Name)}
        names_set = {
            one.id
            for t in targets
            for one in ast.walk(t)
            if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)
        }
        if node.value is not None and self._is_in_function and names and names_set <= self._bound:
            is_first = "__init__" in self._where and not names_set
            if not is_first:
                yield self._replaced(node, "pass", "statement removed")
        self._bound |= names_set

    def _condition(self, test: ast.expr) -> Iterator[Mutant]:
        if not isinstance(test, (ast.Compare, ast.Constant, ast.UnaryOp)):
            yield self._replaced(test, f"not ({self._text(test)})", "condition turned round")

    def _handler(self, handler: ast.ExceptHandler) -> Iterator[Mutant]:
        if handler.type is None:
            return
        kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
        for kind in kinds:
            yield self._replaced(kind, "ArithmeticError", "other error caught")

    # Expressions

    def _expression(self, node: ast.expr) -> Iterator[Mutant]:
        if isinstance(node, ast.JoinedStr) or _is_logging(node):
            return
        if isinstance(node, ast.Compare):
            yield from self._compare(node)
        elif isinstance(node, ast.BinOp):
            yield from self._computed(node)
        elif isinstance(node, ast.BoolOp):
            yield from self._bool(node)
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            yield self._replaced(node, f"({self._text(node.operand)})", "not removed")
        elif isinstance(node, ast.Constant):
            yield from self._constant(node)
        elif isinstance(node, ast.Slice):
            for bound in (node.lower, node.upper):
                if bound is not None:
                    yield self._replaced(bound, "", "slice bound removed")
        elif isinstance(node, ast.Call):
            yield from self._keywords(node)
        elif isinstance(node, ast.IfExp):
            yield from self._condition(node.test)
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.expr):
                yield from self._expression(child)
            elif isinstance(child, ast.keyword):
                yield from self._expression(child.value)
            elif isinstance(child, ast.comprehension):
                yield from self._expression(child.iter)
                for one in child.ifs:
                    yield from self._condition(one)
                    yield from self._expression(one)

    def _compare(self, node: ast.Compare) -> Iterator[Mutant]:
        sides = [node.left, *node.comparators]
        for op, left, right in zip(node.ops, sides, sides[1:], strict=False):
            old, others = _COMPARED[type(op)]
            for other in others:
                yield from self._between(left, right, old, other, "comparison")

    def _computed(self, node: ast.BinOp) -> Iterator[Mutant]:
        if type(node.op) not in _COMPUTED or _has_text(node.left) or _has_text(node.right):
            return
        old, other = _COMPUTED[type(node.op)]
        yield from self._between(node.left, node.right, old, other, "arithmetic")

    def _bool(self, node: ast.BoolOp) -> Iterator[Mutant]:
        old, other = ("and", "or") if isinstance(node.op, ast.And) else ("or", "and")
        for left, right in zip(node.values, node.values[1:], strict=False):
            yield from self._between(left, right, old, other, "and, or")

    def _constant(self, node: ast.Constant) -> Iterator[Mutant]:
        value = node.value
        if isinstance(value, bool):
            yield self._replaced(node, str(not value), "constant")
        elif isinstance(value, int):
            # One more millisecond than 5000 can't matter.
            for other in (value + 1, value - 1) if value <= 64 else (2 * value, value // 2):
                yield self._replaced(node, f"({other})" if other < 0 else str(other), "constant")
        elif isinstance(value, float):
            # Half a tolerance is as good as the whole one.
            others = (2 * value, value / 2) if value > 1e-3 else (1000 * value, 0.0)
            for other_float in others if value else (1.0,):
                yield self._replaced(node, repr(other_float), "constant")

    def _keywords(self, node: ast.Call) -> Iterator[Mutant]:
        for keyword in node.keywords:
            if keyword.arg is None:
                continue
            start, end = self._span(keyword)
            after = self._data[end:]
            comma = re.match(rb"\s*,", after)
            if comma:
                end += comma.end()
            yield self._mutant(start, end, "", "argument removed", keyword.lineno)

    # Text

    def _between(
        self, left: ast.expr, right: ast.expr, old: str, new: str, kind: str
    ) -> Iterator[Mutant]:
        first, last = self._span(left)[1], self._span(right)[0]
        text = self._data[first:last].decode()
        pattern = r"\b" + old.replace(" ", r"\s+") + r"\b" if old[0].isalpha() else re.escape(old)
        found = re.search(pattern, re.sub(r"#[^\n]*", lambda m: " " * len(m[0]), text))
        if found:
            start = first + len(text[: found.start()].encode())
            end = first + len(text[: found.end()].encode())
            line = left.end_lineno or left.lineno
            yield self._mutant(start, end, new, kind, line + text[: found.start()].count("\n"))

    def _replaced(self, node: ast.AST, new: str, kind: str) -> Mutant:
        start, end = self._span(node)
        return self._mutant(start, end, new, kind, node.lineno)  # type: ignore[attr-defined]

    def _mutant(self, start: int, end: int, new: str, kind: str, line: int) -> Mutant:
        old = self._data[start:end].decode()
        names = tuple(sorted(self._names)) if not self._is_in_function else ()
        return Mutant(self._path, line, start, end, old, new, kind, self._where, names)

    def _text(self, node: ast.AST) -> str:
        start, end = self._span(node)
        return self._data[start:end].decode()

    def _span(self, node: ast.AST) -> tuple[int, int]:
        start = self._starts[node.lineno - 1] + node.col_offset  # type: ignore[attr-defined]
        end = self._starts[node.end_lineno - 1] + node.end_col_offset  # type: ignore[attr-defined]
        return start, end


def _join(prefix: str, name: str) -> str:
    return name if prefix == _MODULE else f"{prefix}.{name}"


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _has_text(node: ast.expr) -> bool:
    """Return whether an expression is text, or a type hint written as ``X | None``."""
    if isinstance(node, ast.JoinedStr):
        return True
    return isinstance(node, ast.Constant) and not isinstance(node.value, (int, float))


def _last_name(node: ast.expr) -> str:
    if isinstance(node, ast.Call):
        return _last_name(node.func)
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


def _is_logging(node: ast.expr) -> bool:
    if not isinstance(node, ast.Call):
        return False
    root: ast.expr = node.func
    while isinstance(root, (ast.Attribute, ast.Call)):
        root = root.func if isinstance(root, ast.Call) else root.value
    names = {getattr(root, "id", "")}
    if isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Attribute):
        names.add(node.func.value.attr)
    return bool(names & (_LOGGING | {"cast"}))


def _is_for_types(node: ast.stmt) -> bool:
    return isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)


def _defined(node: ast.AST) -> set[str]:
    return {
        one.id
        for one in ast.walk(node)
        if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)
    }
