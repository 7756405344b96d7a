"""Pages beside the README that are read on the site too, with links that fit both places."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGES = {"contributing": "CONTRIBUTING.md", "changelog": "CHANGELOG.md", "security": "SECURITY.md"}


def read(app, docname, source):
    """Put the text of the page at the root in the place of the page that stands for it."""
    if docname in PAGES:
        text = (ROOT / PAGES[docname]).read_text(encoding="utf-8")
        text = re.sub(r"\]\((?!http|#|docs/)", "](../", text)
        source[0] = text.replace("](docs/", "](")
    for page, name in PAGES.items():
        source[0] = source[0].replace(f"](../{name}", f"]({page}.md")
    source[0] = source[0].replace("](../README.md", "](index.md")
