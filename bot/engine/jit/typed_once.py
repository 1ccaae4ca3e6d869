"""Compiling with fewer repetitions: numba infers the types of helpers once, and those of operators.

numba can copy a helper too, before it infers types. But then it parses, copies and types the helper at each call again,
with all that it calls itself: a third of the time in which the solver was compiled (commit 98ff859c).
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any

import numba
from numba import types
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler_lock import global_compiler_lock
from numba.extending import lower_builtin

_core: Any = numba.core
"""The parts of numba that have no types for the type checker."""
_RETURNED: dict[Any, Any] = {}
"""The signature of a call, by function and types of the arguments."""


class _Copied(JITCodeLibrary):
    """The code of a helper: only its copies in the callers are optimised and become machine code."""

    def _optimize_final_module(self) -> None:
        pass

    def _finalize_final_module(self) -> None:
        self._finalized = True


def helper(compiled: Any, signature: Any) -> Callable[..., Any]:
    """Return a function that kernels call by this ``signature``, and Python code as ``compiled``."""
    arguments, result = _core.sigutils.normalize_signature(signature)
    typed = _core.typing.signature(result, *arguments)
    function = compiled.py_func

    @wraps(function)
    def called(*values: Any) -> Any:
        return compiled(*values)

    def compiled_in(context: Any) -> Any:
        flags = _core.compiler.Flags()
        flags.forceinline = flags.no_rewrites = flags.no_compile = True
        flags.no_cpython_wrapper = flags.no_cfunc_wrapper = True
        library = _Copied(context.codegen(), function.__name__)  # type: ignore[no-untyped-call]
        return _core.compiler.compile_internal(
            context.typing_context, context, library, function, arguments, result, flags, {}
        )

    def generate(context: Any, builder: Any, _signature: Any, values: Any) -> Any:
        known = context.cached_internal_func
        if called not in known:
            known[called] = compiled_in(context)
        found = known[called]
        context.active_code_library.add_linking_library(found.library)
        return context.call_internal(builder, found.fndesc, typed, values)

    templates = _core.typing.templates
    template = templates.make_concrete_template(function.__name__, called, [typed])
    templates.infer_global(called, types.Function(template))
    lower_builtin(called, *arguments)(generate)  # type: ignore[no-untyped-call]
    return called


def compile_for(dispatcher: Any, signature: Any) -> None:
    """Compile for this signature only, as `numba.njit(signature)` does; the function may call itself."""
    with global_compiler_lock, _core.typeinfer.register_dispatcher(dispatcher), _quick_compiling():
        dispatcher.compile(signature)
        dispatcher.disable_compile()


@contextmanager
def _quick_compiling() -> Iterator[None]:
    """Compile with fewer repetitions: outside, numba works as it always does.

    What an operator or a function returns for arguments of some types is looked up once: compiling the solver, numba
    looked up 3,057 times what it had found 209 times, an eighth of the time. The garbage collector pauses: it took 11 %
    of the time and found little (both at commit 98ff859c).
    """
    look_up, is_collecting = types.Function.get_call_type, gc.isenabled()

    def remembered(self: Any, context: Any, arguments: Any, keywords: Any) -> Any:
        if keywords:
            return look_up(self, context, arguments, keywords)
        key = self, tuple(arguments)
        if key not in _RETURNED:
            _RETURNED[key] = look_up(self, context, arguments, keywords)
        return _RETURNED[key]

    gc.disable()
    types.Function.get_call_type = remembered  # type: ignore[assignment, method-assign]
    try:
        yield
    finally:
        types.Function.get_call_type = look_up  # type: ignore[method-assign]
        if is_collecting:
            gc.enable()
