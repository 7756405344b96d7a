"""The built site in a real browser: it fits phones, stays offline, finds what is searched for."""

import functools
import http.server
import json
import shutil
import threading
from pathlib import Path
from urllib.parse import urlsplit

import pytest

selenium = pytest.importorskip("selenium", reason="selenium is not installed")

from selenium import webdriver  # noqa: E402
from selenium.webdriver.common.by import By  # noqa: E402
from selenium.webdriver.support.ui import WebDriverWait  # noqa: E402

SITE = Path(__file__).parents[1] / "build" / "docs" / "html"
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
DRIVER = shutil.which("chromedriver")
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
)
PAGES = (
    "index.html",
    "tour.html",
    "which_geometry.html",
    "geometries.html",
    "guide/index.html",
    "guide/components.html",
    "guide/displays.html",
    "guide/search.html",
    "guide/spaces.html",
    "gallery/index.html",
    "gallery/geometries/plot_unit_balls.html",
    "api/prototypes.html",
    "api/stubs/noneuclid.prototypes.GLVQ.html",
    "api/stubs/noneuclid.spaces.Sobolev.html",
    "literature/index.html",
    "literature/hebbian.html",
    "literature/proximities.html",
    "changelog.html",
)
WIDER = """
const width = document.documentElement.clientWidth;
const scrolls = (e) => { for (; e && e !== document.body; e = e.parentElement) {
  if (['auto', 'scroll', 'hidden', 'clip'].includes(getComputedStyle(e).overflowX)) return true; }
  return false; };
return [...document.querySelectorAll('main *')]
  .filter((e) => e.getBoundingClientRect().right > width + 1 && !scrolls(e))
  .slice(0, 5).map((e) => e.tagName + '.' + e.className + ': ' + e.textContent.slice(0, 60));
"""

pytestmark = [
    pytest.mark.skipif(not SITE.is_dir(), reason="the site is not built: run `make docs` first"),
    pytest.mark.skipif(
        not (CHROMIUM and DRIVER),
        reason="no browser: install Debian's chromium and chromium-driver to run these tests",
    ),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
]


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *args):
        pass


@pytest.fixture(scope="module")
def address():
    handler = functools.partial(Quiet, directory=str(SITE))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    for flag in (*FLAGS, f"--user-data-dir={tmp_path_factory.mktemp('profile')}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"performance": "ALL", "browser": "ALL"})
    driver = webdriver.Chrome(options, webdriver.ChromeService(DRIVER))
    yield driver
    driver.quit()


def resize(browser, width):
    metrics = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 500}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)


def requested(browser):
    events = [json.loads(entry["message"])["message"] for entry in browser.get_log("performance")]
    sent = (e["params"] for e in events if e["method"] == "Network.requestWillBeSent")
    return {urlsplit(one["request"]["url"]) for one in sent}


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("page", PAGES)
def test_pages_fit_and_stay_offline(browser, address, page, width):
    assert (SITE / page).is_file()
    resize(browser, width)
    browser.get_log("browser")
    browser.get(f"{address}/{page}")
    WebDriverWait(browser, 20).until(
        lambda b: b.execute_script("return document.readyState === 'complete'")
    )
    overflow = browser.execute_script(
        "return document.documentElement.scrollWidth - document.documentElement.clientWidth"
    )
    assert overflow <= 1, browser.execute_script(WIDER)
    log = browser.get_log("browser")
    assert not [entry["message"] for entry in log if entry["level"] in ("SEVERE", "WARNING")]
    hosts = {url.hostname for url in requested(browser) if url.scheme in ("http", "https", "ws")}
    assert hosts <= {"127.0.0.1"}


def test_formulas_are_set(browser, address):
    resize(browser, 390)
    browser.get(f"{address}/guide/components.html")
    WebDriverWait(browser, 20).until(lambda b: b.find_elements(By.CSS_SELECTOR, "mjx-container"))
    WebDriverWait(browser, 20).until(
        lambda b: not b.find_elements(By.CSS_SELECTOR, "mjx-merror, mjx-container:empty")
    )
    overflow = "return document.documentElement.scrollWidth <= document.documentElement.clientWidth"
    assert browser.execute_script(overflow), browser.execute_script(WIDER)


@pytest.mark.parametrize(("words", "found"), [("Sobolev", "Sobolev"), ("landmark", "landmark")])
def test_search_finds(browser, address, words, found):
    resize(browser, 390)
    browser.get(f"{address}/search.html?q={words}")

    def results():  # they come one after the other
        return browser.find_elements(By.CSS_SELECTOR, "#search-results li")

    WebDriverWait(browser, 20).until(lambda _: len(results()) > 3)
    WebDriverWait(browser, 20).until(lambda _: found.lower() in results()[0].text.lower())


def test_pictures_are_there(browser, address):
    resize(browser, 1280)
    for page in ("index.html", "gallery/index.html", "which_geometry.html", "tour.html"):
        browser.get(f"{address}/{page}")
        broken = browser.execute_script(
            "return [...document.images].filter((i) => i.loading !== 'lazy' && i.complete &&"
            " !i.naturalWidth).map((i) => i.src)"
        )
        assert not broken
