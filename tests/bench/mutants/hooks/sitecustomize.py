"""Loaded by every Python process of a mutation run: puts the mutant in place of one module.

No file changes, so no machine code is compiled again; child processes get the mutant, too.
With ``MUTANTS_TRACE`` it notes instead which functions a child process calls.
"""

import os
import sys

if "MUTANT_MODULE" in os.environ:
    from importlib.abc import MetaPathFinder
    from importlib.machinery import ModuleSpec, SourceFileLoader
    from importlib.util import spec_from_file_location

    class _Loader(SourceFileLoader):
        def get_code(self, fullname: str):  # noqa: ARG002
            with open(os.environ["MUTANT_SOURCE"], encoding="utf-8") as file:
                return compile(file.read(), self.path, "exec", dont_inherit=True)

    class _Finder(MetaPathFinder):
        def find_spec(self, fullname, path=None, target=None) -> "ModuleSpec | None":  # noqa: ARG002
            if fullname != os.environ["MUTANT_MODULE"]:
                return None
            file = os.environ["MUTANT_FILE"]
            return spec_from_file_location(fullname, file, loader=_Loader(fullname, file))

    sys.meta_path.insert(0, _Finder())

if "MUTANTS_TRACE" in os.environ and "MUTANTS_TEST" in os.environ:
    import atexit

    from mutants_trace import Tracer

    _tracer = Tracer(os.environ["MUTANTS_ROOT"])
    _tracer.start()
    atexit.register(_tracer.save_as_child)
