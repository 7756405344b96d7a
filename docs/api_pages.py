"""Pages of the API: one per sub-package, a stub per public name, and where references lead."""

import importlib
import inspect
import pkgutil
import re
from pathlib import Path

from docutils import nodes

PACKAGES = {
    "spaces": "Geometries of vectors: products, norms, distances, gradients.",
    "kernels": "Functions of two objects, over any space.",
    "proximities": "Objects known by their similarities or dissimilarities to others.",
    "prototypes": "Classifiers, regressors, maps and neural gas: prototypes in every geometry.",
    "pca": "Principal components in every geometry, robust ones included.",
    "information": "Entropies, divergences, dependence, tests, independent components.",
    "spikes": "Spike trains and other sequences of events.",
    "curves": "Curves as they are measured.",
    "search": "Which geometry suits the data?",
    "datasets": "Data files, and generators whose right answer is known.",
    "displays": "Figures.",
    "report": "From data to one page.",
    "testing": "What holds for every space, kernel, cost, metric; to check your own.",
    "numerics": "Arrays in, arrays out: what all of it computes with.",
}
INDEX = """# Reference

Every public name, with its parameters, what it returns and an example that the tests run. The most
used names can also be imported from `noneuclid` itself.

```{{toctree}}
:maxdepth: 1

{pages}
```

| | |
|---|---|
{rows}

"""


def public(package):
    """The public names of a sub-package, with what they name."""
    module = importlib.import_module(f"noneuclid.{package}")
    return {name: getattr(module, name) for name in module.__all__}


def owner(name, value):
    """The sub-package in which a name is documented: that of its module, if public there."""
    home = getattr(value, "__module__", "").split(".")
    if len(home) < 2 or home[0] != "noneuclid" or home[1] not in PACKAGES:
        return None
    return home[1] if name in importlib.import_module(f"noneuclid.{home[1]}").__all__ else None


def homes():
    """The full name of every public name, once: {"GLVQ": "noneuclid.prototypes.GLVQ"}."""
    found = {}
    for package in PACKAGES:
        for name, value in public(package).items():
            found.setdefault(name, f"noneuclid.{owner(name, value) or package}.{name}")
    return {"load": "noneuclid.load", "save": "noneuclid.save"} | found


def heading(package, name, value):
    """The room a name lives in, where a sub-package has rooms; else what it is."""
    module = getattr(value, "__module__", "").split(".")
    here = importlib.import_module(f"noneuclid.{package}").__path__
    rooms = {info.name for info in pkgutil.iter_modules(here) if info.ispkg}
    if len(module) > 2 and module[2] in rooms:
        return module[2].replace("_", " ").capitalize()
    if inspect.isclass(value):
        return "Classes"
    return "Functions" if callable(value) else "Constants"


def page(package, names, first=""):
    """One sub-package: tables of its names by room, and the stubs behind them."""
    groups = {}
    for name, value in names.items():
        groups.setdefault(heading(package, name, value), []).append(name)
    lines = [f"# noneuclid.{package}", "", PACKAGES[package], "", first]
    for title in sorted(groups, key=lambda t: (t in ("Classes", "Functions", "Constants"), t)):
        lines += [f"## {title}", "", "```{eval-rst}", f".. currentmodule:: noneuclid.{package}"]
        if title == "Constants":
            lines += [f".. autodata:: {name}" for name in groups[title]]
        else:
            lines += ["", ".. autosummary::", "   :toctree: stubs", "   :nosignatures:", ""]
            lines += [f"   {name}" for name in sorted(groups[title])]
        lines += ["```", ""]
    return "\n".join(lines)


def write(folder: Path):
    """Write the pages, only those that changed: the rest need not be built again."""
    folder.mkdir(exist_ok=True)
    where = homes()
    for package in PACKAGES:
        own = {n: v for n, v in public(package).items() if where[n].split(".")[1] == package}
        _put(folder / f"{package}.md", page(package, own))
    top = ["## noneuclid", "", "```{eval-rst}", ".. currentmodule:: noneuclid", ""]
    top += [".. autosummary::", "   :toctree: stubs", "   :nosignatures:", "", "   load", "   save"]
    rows = "\n".join(f"| [{p}]({p}.md) | {said} |" for p, said in PACKAGES.items())
    index = INDEX.format(pages="\n".join(PACKAGES), rows=rows) + "\n".join([*top, "```", ""])
    _put(folder / "index.md", index)


def _put(path, text):
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")


def skip(app, what, name, obj, skipped, options):
    """Methods are shown on every class that has them, but for those of scikit-learn and Python."""
    if isinstance(obj, property):
        obj = obj.fget
    module = getattr(inspect.unwrap(getattr(obj, "fn", obj)), "__module__", None)
    if skipped or name.startswith("_"):
        return True
    return not str(module or "noneuclid").startswith("noneuclid") or None


# A name such as n_components_ that is no literal would be a reference.
_FITTED = re.compile(r"(?<![`\w.:])([A-Za-z]\w*)_(?=[\s,.;)\]]|$)")


def process(app, what, name, obj, options, lines):
    """Show names of what is fitted as they are, also outside of literals."""
    for k, line in enumerate(lines):
        if "`" not in line and not line.lstrip().startswith((">>>", "...", "..")):
            lines[k] = _FITTED.sub(r"\1\\_", line)


_HOMES = {}


def resolve(app, env, node, contnode):
    """Lead a reference to where its last name is documented; names of others stay words."""
    if node.get("refdomain") != "py":
        return None
    _HOMES.update(_HOMES or homes())
    target = node["reftarget"].strip("~.")
    if not target.startswith("noneuclid") and target.split(".")[0] not in _HOMES and "." in target:
        return contnode  # numpy.ndarray, sklearn.svm.SVC
    for text in (target, target.rsplit(".", 1)[0]):
        full = _HOMES.get(text.rsplit(".", 1)[-1])
        if full is None:
            continue
        last = target.rsplit(".", 1)[-1]
        goal = full if text == target else f"{full}.{last}"
        domain = env.get_domain("py")
        found = domain.objects.get(goal) or domain.objects.get(full)
        if found:
            uri = app.builder.get_relative_uri(node["refdoc"], found.docname)
            anchor = goal if goal in domain.objects else full
            return nodes.reference("", "", contnode, internal=True, refuri=f"{uri}#{anchor}")
    return None if _is_lost(target) else contnode


def _is_lost(target):
    """Whether a name of ours is not there at all."""
    parts = target.split(".")
    if parts[0] != "noneuclid":
        return False
    for k in range(len(parts), 0, -1):
        try:
            value = importlib.import_module(".".join(parts[:k]))
        except ImportError:
            continue
        for part in parts[k:]:
            value = getattr(value, part, None)
        return value is None
    return True
