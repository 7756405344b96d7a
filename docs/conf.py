"""How the site is built: ``make docs``. Nothing is fetched, neither here nor by the reader."""

import importlib.util
import shutil
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import api_pages
import pictures
import root_pages

from noneuclid import __version__

HERE = Path(__file__).parent

project = "noneuclid"
author = "the noneuclid developers"
project_copyright = author
release = version = __version__

extensions = [
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.mathjax",
    "numpydoc",
    "myst_parser",
    "sphinx_design",
    "sphinx_gallery.gen_gallery",
    "sphinxcontrib.bibtex",
]
exclude_patterns = [
    "_build",
    "pictures",
    "gallery/**/*.ipynb",
    "gallery/**/*.py",
    "gallery/**/*.json",
]
templates_path = ["_templates"]
root_doc = "index"
nitpicky = True

myst_enable_extensions = ["colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 3
bibtex_bibfiles = ["references.bib"]
bibtex_default_style = "plain"
bibtex_reference_style = "author_year"

# Types stand in the docstrings, in words; signatures stay short enough for a phone.
autodoc_typehints = "none"
autodoc_member_order = "groupwise"
autosummary_generate = True
autosummary_imported_members = True
numpydoc_show_class_members = False
numpydoc_xref_param_type = False

html_theme = "pydata_sphinx_theme"
html_title = f"noneuclid {release}"
html_static_path = ["_static"]
html_favicon = "_static/favicon.svg"
html_context = {"default_mode": "auto"}
html_css_files = ["site.css"]
html_js_files = ["site.js"]
html_show_sourcelink = False
html_copy_source = False
html_sidebars = {"index": [], "literature/**": []}
html_theme_options = {
    "logo": {"text": "noneuclid"},
    "navigation_with_keys": False,
    "show_toc_level": 2,
    "show_nav_level": 1,
    "header_links_before_dropdown": 6,
    "secondary_sidebar_items": ["page-toc"],
    "footer_start": ["copyright"],
    "footer_end": [],
}

# MathJax comes from a package, and lies beside the pages.
mathjax_path = "mathjax/tex-chtml.js"
_MATHJAX = Path(importlib.util.find_spec("sphinx-mathjax-offline").origin).parent / "static"

sphinx_gallery_conf = {
    "examples_dirs": str(HERE.parent / "examples"),
    "gallery_dirs": "gallery",
    "filename_pattern": r"plot_\w+\.py$",
    "ignore_pattern": r"(^|/)(?!plot_)\w+\.py$",
    "within_subsection_order": "FileNameSortKey",
    "subsection_order": [
        f"../examples/{room}"
        for room in ("geometries", "objects", "components", "maps", "distributions", "decisions")
    ]
    + ["*"],
    "doc_module": ("noneuclid",),
    "backreferences_dir": "gallery/backreferences",
    "reset_modules": ("figure_style.reset",),
    "image_srcset": ["2x"],
    "thumbnail_size": (420, 300),
    "show_memory": False,
    "min_reported_time": 60,
    "write_computation_times": False,
    "remove_config_comments": True,
    "parallel": True,
    "plot_gallery": True,
    "abort_on_example_error": False,
}


def setup(app):
    """Pages of the API, and pictures, are made before they are read."""
    api_pages.write(HERE / "api")
    pictures.draw(HERE / "pictures")
    app.connect("source-read", root_pages.read)
    app.connect("autodoc-skip-member", api_pages.skip)
    app.connect("autodoc-process-docstring", api_pages.process, priority=900)
    app.connect("missing-reference", api_pages.resolve)
    app.connect("build-finished", _copy_mathjax)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def _copy_mathjax(app, error):
    """Only what is used: one script and its fonts, 2 of 40 megabytes."""
    if error is not None or app.builder.format != "html":
        return
    source, target = _MATHJAX / "mathjax", Path(app.outdir) / "_static" / "mathjax"
    fonts = Path("output/chtml/fonts/woff-v2")
    shutil.copytree(source / fonts, target / fonts, dirs_exist_ok=True)
    shutil.copy(source / "tex-chtml.js", target)
