"""Python programs that give the numbers of a report again."""

import ast
import functools
import importlib
import re
from typing import Any

import noneuclid

_SCIKIT = ("model_selection", "preprocessing", "pipeline", "neighbors", "svm")
_NOT_FOR_PROGRAMS = ("displays", "numerics", "report", "testing")


@functools.cache
def known_names() -> dict[str, str]:
    """Where every public name of the package, and what a comparison needs, is imported from."""
    rooms = [room for room in noneuclid._SUBPACKAGES if room not in _NOT_FOR_PROGRAMS]
    modules = [f"sklearn.{name}" for name in _SCIKIT] + [f"noneuclid.{room}" for room in rooms]
    found = {name: module for module in modules for name in importlib.import_module(module).__all__}
    own = {name: home.split("._")[0] for name, home in noneuclid._HOME_OF.items()}
    return found | own


def program(lines: list[str]) -> str:
    """The lines, after the imports that they need and those among them.

    Examples
    --------
    >>> print(program(["import math", "print(Lp(math.pi))"]))
    from noneuclid.spaces import Lp
    import math
    <BLANKLINE>
    print(Lp(math.pi))
    <BLANKLINE>
    """
    given = [line for line in lines if re.match(r"(import|from) \w", line)]
    body = "\n".join(line for line in lines if line not in given)
    tree = ast.walk(ast.parse("\n".join([*given, body])))
    names = [node for node in tree if isinstance(node, ast.Name)]
    defined = {node.id for node in names if not isinstance(node.ctx, ast.Load)}
    wanted: dict[str, set[str]] = {}
    for name in {node.id for node in names} - defined:
        if name in known_names():
            wanted.setdefault(known_names()[name], set()).add(name)
    imports = [f"from {home} import {', '.join(sorted(wanted[home]))}" for home in sorted(wanted)]
    return "\n".join([*imports, *dict.fromkeys(given), "", body, ""])


def expression(learner: Any) -> str:
    """The call that makes an estimator, without its defaults.

    Examples
    --------
    >>> from noneuclid.prototypes import GLVQ
    >>> expression(GLVQ(space="l1", random_state=0))
    "GLVQ(random_state=0, space='l1')"
    """
    text = re.sub(r"\s+", " ", learner.__repr__(N_CHAR_MAX=10_000))
    return text.replace("( ", "(").replace(" )", ")")
