"""Opens pages of `fabric --save-html` in a headless Chromium and uses them as a reader does.

    pages.py [--screenshots FOLDER] PAGE...

Checks that nothing is written to the console and nothing is fetched, that tables are sorted by value and
searched, that the theme changes, and that no page is wider than a narrow screen. Prints how long pages take to
load. With a folder it takes pictures of every page, light and dark, wide and narrow.
"""

import os
import sys
from fractions import Fraction

from driver import Browser

# The longest column of numbers in a table that is shown, unfolded.
LONGEST = """
for (const details of document.querySelectorAll('details')) details.open = true;
const tables = Array.from(document.querySelectorAll('table.sortable'));
const longest = tables.reduce((a, b) => a.tBodies[0].rows.length < b.tBodies[0].rows.length ? b : a);
longest.scrollIntoView();
const heads = Array.from(longest.tHead.rows[0].cells);
return [longest.id, heads.findIndex((head) => head.classList.contains('number'))];
"""
COLUMN = """
const table = document.getElementById(arguments[0]);
return Array.from(table.tBodies[0].rows, (row) => row.cells[arguments[1]].textContent);
"""
SORTED = "return document.getElementById(arguments[0]).tHead.rows[0].cells[arguments[1]].ariaSort;"
SHOWN = """
const rows = Array.from(document.getElementById(arguments[0]).tBodies[0].rows);
return rows.filter((row) => row.getClientRects().length > 0).map((row) => row.textContent);
"""
LOAD = "const [t] = performance.getEntriesByType('navigation'); return t.loadEventEnd - t.startTime;"
FETCHED = "return performance.getEntriesByType('resource').map((entry) => entry.name);"
OVERFLOW = "const r = document.documentElement; return [r.scrollWidth, r.clientWidth];"
GROUND = "return getComputedStyle(document.body).backgroundColor;"
UNNAMED = """
const named = (e) => e.getAttribute('aria-label') || e.getAttribute('aria-labelledby') || e.ariaHidden;
const wrong = Array.from(document.querySelectorAll('svg')).filter((e) => !named(e)).length;
const ids = Array.from(document.querySelectorAll('[id]'), (e) => e.id);
const lost = Array.from(document.querySelectorAll('[aria-labelledby],[aria-describedby]')).flatMap((e) =>
  ((e.getAttribute('aria-labelledby') || '') + ' ' + (e.getAttribute('aria-describedby') || ''))
    .split(' ').filter((id) => id && !document.getElementById(id)));
return [wrong, ids.length - new Set(ids).size, lost];
"""


def value(text):
    """The number of a cell as an exact fraction; nothing for cells without one."""
    words = text.removeprefix("between ").split(" ")[0].removesuffix(":1")
    try:
        return Fraction(words)
    except (ValueError, ZeroDivisionError):
        return None


def check(name, holds, found):
    if not holds:
        raise SystemExit(f"error: {name}: {found}")


def sorting(browser, page):
    """Both orders of a column of numbers, and one of words."""
    table, column = browser.run(LONGEST)
    before = browser.run(COLUMN, table, column)
    header = f"#{table} thead th:nth-child({column + 1})"
    for order, reverse in [("descending", True), ("ascending", False)]:
        browser.click(header + " button")
        cells = [value(cell) for cell in browser.run(COLUMN, table, column)]
        numbers = [cell for cell in cells if cell is not None]
        check(f"{page}: aria-sort", browser.run(SORTED, table, column) == order, order)
        check(f"{page}: {order}", numbers == sorted(numbers, reverse=reverse), numbers[:20])
        check(f"{page}: cells without a number", None not in cells[:len(numbers)], cells[:20])
    check(f"{page}: rows", sorted(before) == sorted(browser.run(COLUMN, table, column)), table)
    browser.run("document.querySelector(arguments[0]).focus()", f"#{table} th:first-child button")
    browser.type(f"#{table} th:first-child button", "\ue007")  # Enter
    check(f"{page}: by keyboard", browser.run(SORTED, table, 0) is not None, table)
    check(f"{page}: one order at a time",
          browser.run("return document.querySelectorAll(`#${arguments[0]} [aria-sort]`).length", table) == 1,
          table)
    return table


def searching(browser, page, table):
    """Rows that hold a word, and the count that is announced."""
    field = f"#{table}-search"
    if not browser.run("return document.querySelector(arguments[0]) !== null", field):
        return
    rows = browser.run(SHOWN, table)
    word = rows[len(rows) // 2].split("[")[0].lower()[:6].strip()
    browser.type(field, word)
    shown = browser.run(SHOWN, table)
    expected = [row for row in rows if word in row.lower()]
    check(f"{page}: search for {word}", shown == expected and shown, shown[:3])
    said = browser.run("return document.querySelector(arguments[0]).closest('.tools').querySelector('[aria-live]')"
                       ".textContent", field)
    check(f"{page}: count", said == f"{len(expected)} of {len(rows)} rows", said)
    browser.run("const f = document.querySelector(arguments[0]); f.value = '';"
                "f.dispatchEvent(new Event('input'));", field)
    check(f"{page}: search undone", browser.run(SHOWN, table) == rows, "")


def theme(browser, page):
    """The button changes the theme, whatever that of the system."""
    for scheme in ["light", "dark"]:
        browser.view(1280, scheme=scheme)
        browser.run("delete document.documentElement.dataset.theme")
        first = browser.run(GROUND)
        browser.click("#theme")
        second = browser.run(GROUND)
        browser.click("#theme")
        check(f"{page}: theme {scheme}", second != first == browser.run(GROUND), (first, second))


def narrow(browser, page):
    """Nothing is wider than the screen."""
    for width in [400, 1280]:
        browser.view(width)
        found = browser.run(OVERFLOW)
        check(f"{page}: overflow at {width}", found[0] <= found[1] <= width, found)


def use(browser, path, screenshots):
    page = os.path.basename(path)
    browser.view(1280)
    browser.open(path)
    load = browser.run(LOAD)
    print(f"{page}: {os.path.getsize(path) / 1e6:.2f} MB, loaded in {load:.0f} ms")
    if screenshots:
        stem = os.path.join(screenshots, page.removesuffix(".html"))
        for scheme in ["light", "dark"]:
            for width in [1280, 400]:
                browser.view(width, scheme=scheme)
                browser.screenshot(f"{stem}-{scheme}-{width}.png")
        browser.view(1280)
    found = browser.run(UNNAMED)
    check(f"{page}: names, ids and references", found == [0, 0, []], found)
    searching(browser, page, sorting(browser, page))
    theme(browser, page)
    narrow(browser, page)
    check(f"{page}: nothing is fetched", browser.run(FETCHED) == [], browser.run(FETCHED))
    messages = browser.messages()
    check(f"{page}: console", messages == [], messages)


def main():
    arguments = sys.argv[1:]
    screenshots = None
    if arguments[:1] == ["--screenshots"]:
        screenshots, arguments = arguments[1], arguments[2:]
        os.makedirs(screenshots, exist_ok=True)
    browser = Browser()
    try:
        for path in arguments:
            use(browser, path, screenshots)
    finally:
        browser.close()
    print(f"browser: {len(arguments)} pages as they should be")


main()
