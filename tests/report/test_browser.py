"""The page in a real browser: it loads, points, clicks, fits, and stays offline."""

import json
import shutil

import numpy as np
import pytest
from small_analyses import analysed

from noneuclid.report import Analysis, Fact, Facts, Section, Table, render
from noneuclid.report.figures import scatter

selenium = pytest.importorskip("selenium", reason="selenium is not installed")

from selenium import webdriver  # noqa: E402
from selenium.webdriver.common.action_chains import ActionChains  # noqa: E402
from selenium.webdriver.common.by import By  # noqa: E402
from selenium.webdriver.common.keys import Keys  # noqa: E402

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
DRIVER = shutil.which("chromedriver")

pytestmark = pytest.mark.skipif(
    not (CHROMIUM and DRIVER),
    reason="no browser: install Debian's chromium and chromium-driver to run these tests",
)


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    for flag in (
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--disable-dev-shm-usage",
        f"--user-data-dir={tmp_path_factory.mktemp('profile')}",
    ):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"performance": "ALL", "browser": "ALL"})
    driver = webdriver.Chrome(options, webdriver.ChromeService(DRIVER))
    yield driver
    driver.quit()


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    path = tmp_path_factory.mktemp("page") / "report.html"
    path.write_text(render(analysed("sequences"), analysed("curves")), encoding="utf-8")
    return path


def resize(browser, width, height=900):
    metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)


@pytest.fixture
def page(browser, path):
    resize(browser, 1280)
    browser.get(path.as_uri())
    return browser


def find(page, selector):
    return page.find_element(By.CSS_SELECTOR, selector)


def into_view(page, element):
    page.execute_script(
        "arguments[0].scrollIntoView({block: 'center', behavior: 'instant'})", element
    )


def test_no_errors_and_no_requests(browser, path):
    browser.get("about:blank")  # leaves the browser's own start page
    browser.get_log("browser")
    browser.get_log("performance")
    browser.get(path.as_uri())
    assert browser.get_log("browser") == []
    messages = [json.loads(entry["message"])["message"] for entry in browser.get_log("performance")]
    requests = [
        m["params"]["request"]["url"]
        for m in messages
        if m["method"] == "Network.requestWillBeSent"
    ]
    assert path.as_uri() in requests
    assert [url for url in requests if url != path.as_uri() and not url.startswith("data:")] == []


@pytest.mark.parametrize("width", [320, 390, 768, 1280])
def test_no_horizontal_scroll(page, width):
    resize(page, width)
    page.execute_script("document.querySelectorAll('details').forEach(d => d.open = true)")
    scroll, inner = page.execute_script("return [document.documentElement.scrollWidth, innerWidth]")
    assert inner == width
    assert scroll <= width


def test_tables_fit_a_phone_and_say_what_their_numbers_are(page):
    resize(page, 390)
    shifted = page.execute_script(
        "return [...document.querySelectorAll('.scroll')]"
        ".filter(s => s.scrollWidth > s.clientWidth + 1).map(s => s.ariaLabel)"
    )
    assert shifted == []
    shown = "getComputedStyle(document.querySelector('.cards td'), '::before').content"
    first = find(page, ".cards td").get_attribute("data-label")
    assert page.execute_script(f"return {shown}") == f'"{first}"'
    heads = page.execute_script(
        "const f = document.querySelector('.cards'); return [[...f.querySelectorAll('thead th')]"
        ".slice(1).map(h => h.textContent), [...f.querySelector('tbody tr').querySelectorAll('td')]"
        ".map(c => c.dataset.label)]"
    )
    assert heads[0] == heads[1]
    resize(page, 1280)
    assert page.execute_script(f"return {shown}") == "none"


def test_names_of_axes_and_numbers_do_not_overlap(page):
    """Nor on a phone, where letters are larger than the drawing was made for."""
    for width in (390, 1280):
        resize(page, width)
        overlaps = page.execute_script(
            """const box = e => e.getBoundingClientRect();
            const apart = (a, b) => a.right <= b.left + 1 || b.right <= a.left + 1
                || a.bottom <= b.top + 2 || b.bottom <= a.top + 2;
            const found = [];
            for (const svg of document.querySelectorAll('svg.plot')) {
                const labels = [...svg.querySelectorAll('.label')];
                const ticks = [...svg.querySelectorAll('.tick')].filter(t => t.textContent);
                for (const a of labels) for (const b of ticks)
                    if (!apart(box(a), box(b))) found.push([svg.ariaLabel.slice(0, 40),
                        a.textContent, b.textContent]);
            }
            return found;"""
        )
        assert overlaps == []


def test_letters_are_readable_on_a_phone(page):
    resize(page, 390)
    heights = page.execute_script(
        "return [...document.querySelectorAll('.plot text')].map(t => t.getBoundingClientRect())"
        ".map(b => Math.min(b.height, b.width * 5)).filter(h => h > 0)"
    )
    sizes = page.execute_script(
        "const s = document.querySelector('svg.plot'); "
        "return parseFloat(getComputedStyle(s).fontSize) * s.clientWidth / s.viewBox.baseVal.width"
    )
    assert heights
    assert sizes >= 9.5


def test_pointing_at_an_object_shows_what_it_is(page):
    figure = find(page, "figure[data-interactive]")
    into_view(page, figure)
    data = json.loads(find(page, "figure[data-interactive] script").get_attribute("textContent"))
    # An object that no other and no prototype covers.
    i = page.execute_script(
        """const svg = arguments[0].querySelector('svg.plot');
        return [...svg.querySelectorAll('.object')].findIndex(o => {
            const b = o.getBoundingClientRect();
            return document.elementFromPoint(b.x + b.width / 2, b.y + b.height / 2) === o;
        })""",
        figure,
    )
    target = figure.find_element(By.CSS_SELECTOR, f'.object[data-i="{i}"]')
    ActionChains(page).move_to_element(target).perform()
    tip = figure.find_element(By.CSS_SELECTOR, ".tip")
    assert tip.is_displayed()
    lines = tip.text.split("\n")
    assert lines[0] == data["names"][i]
    assert lines[1] == f"class: {data['classes'][data['codes'][i]]}"
    nearest = data["nearest"][i]
    label = data["prototypes"][nearest]["label"]
    assert lines[2].startswith(f"nearest prototype: P{nearest + 1} ({label}), distance ")


def test_choosing_a_prototype_shows_its_typical_objects(page):
    figure = find(page, "figure[data-interactive]")
    prototype = figure.find_element(By.CSS_SELECTOR, ".prototype")
    into_view(page, prototype)
    data = json.loads(find(page, "figure[data-interactive] script").get_attribute("textContent"))
    ActionChains(page).click(prototype).perform()
    panel = figure.find_element(By.CSS_SELECTOR, ".panel")
    chosen = data["prototypes"][0]
    for i in chosen["typical"]:
        assert data["names"][i] in panel.text
    assert prototype.get_attribute("aria-pressed") == "true"
    marked = figure.find_elements(By.CSS_SELECTOR, ".object.typical")
    assert {int(m.get_attribute("data-i")) for m in marked} == set(chosen["typical"])
    assert len(page.find_elements(By.CSS_SELECTOR, "tr.chosen")) == 1
    ActionChains(page).click(prototype).perform()
    assert prototype.get_attribute("aria-pressed") == "false"
    assert not figure.find_elements(By.CSS_SELECTOR, ".object.typical")


def test_the_table_chooses_prototypes_too(page):
    button = find(page, "tr[data-prototype='1'] button")
    into_view(page, button)
    button.click()
    pressed = page.find_elements(By.CSS_SELECTOR, ".prototype[aria-pressed='true']")
    assert [p.get_attribute("data-prototype") for p in pressed] == ["1"]


def test_the_keyboard_does_what_the_mouse_does(page):
    figure = find(page, "figure[data-interactive]")
    svg = figure.find_element(By.CSS_SELECTOR, "svg.plot")
    into_view(page, svg)
    page.execute_script("arguments[0].focus()", svg)
    data = json.loads(find(page, "figure[data-interactive] script").get_attribute("textContent"))
    ActionChains(page).send_keys(Keys.ARROW_RIGHT).perform()
    tip = figure.find_element(By.CSS_SELECTOR, ".tip")
    assert tip.text.split("\n")[0] == data["names"][0]
    ActionChains(page).send_keys(Keys.ARROW_LEFT).perform()
    assert tip.text.split("\n")[0] == data["names"][-1]
    prototype = figure.find_element(By.CSS_SELECTOR, ".prototype")
    page.execute_script("arguments[0].focus()", prototype)
    ActionChains(page).send_keys(Keys.ENTER).perform()
    assert prototype.get_attribute("aria-pressed") == "true"
    ActionChains(page).send_keys(Keys.ESCAPE).perform()
    assert prototype.get_attribute("aria-pressed") == "false"


def test_on_paper_explanations_are_open_and_navigation_is_gone(page):
    page.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    try:
        page.execute_script("dispatchEvent(new Event('beforeprint'))")
        assert not find(page, "nav").is_displayed()
        assert find(page, "details.how p").is_displayed()
        kept = "return getComputedStyle(document.querySelector(arguments[0])).breakInside"
        assert page.execute_script(kept, "figure.drawing") == "avoid"
        assert page.execute_script(kept, ".lead") == "avoid"
    finally:
        page.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})


HOSTILE = "</script><img src=x onerror=\"document.title='run'\">{{ 7 * 7 }}\u202eabc\x1b[31m\u200b"


def test_names_of_the_data_do_nothing(browser, tmp_path):
    """What the data call themselves is text for the browser, in every element and in the tip."""
    points = np.arange(16.0).reshape(8, 2) ** 0.5
    labels = np.array([HOSTILE + "1", HOSTILE + "2"] * 4)
    words = {"title": HOSTILE, "reading": HOSTILE, "how": HOSTILE, "axes": (HOSTILE, HOSTILE)}
    figure = scatter(points, [HOSTILE] * 8, labels, extra=[HOSTILE] * 8, **words)
    table = Table(HOSTILE, [HOSTILE, HOSTILE], [[HOSTILE, HOSTILE]], HOSTILE, HOSTILE)
    section = Section(HOSTILE, [figure, table, Facts([Fact(HOSTILE, HOSTILE, HOSTILE)])], HOSTILE)
    found = Analysis(HOSTILE, HOSTILE, [HOSTILE], [section], HOSTILE, notes=[HOSTILE])
    path = tmp_path / "page.html"
    path.write_text(render(found), encoding="utf-8")
    resize(browser, 1280)
    browser.get("about:blank")
    browser.get_log("browser")
    browser.get(path.as_uri())
    shown = (
        HOSTILE.replace("\u202e", "\\u202e").replace("\x1b", "\\x1b").replace("\u200b", "\\u200b")
    )
    assert browser.title == shown
    assert not browser.find_elements(By.CSS_SELECTOR, "img")
    assert find(browser, "h1").text == shown
    assert find(browser, "pre code").get_attribute("textContent") == shown
    svg = find(browser, "svg.plot")
    into_view(browser, svg)
    browser.execute_script("arguments[0].focus()", svg)
    ActionChains(browser).send_keys(Keys.ARROW_RIGHT).perform()
    assert find(browser, ".tip").text.split("\n") == [shown, f"class: {shown}1", shown]
    assert "49" not in find(browser, "main").text
    assert browser.get_log("browser") == []
