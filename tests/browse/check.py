"""Looks at built sites with a browser, as people do: what it shows, runs and asks for, on phones, in print.

    python tests/browse/check.py FOLDER

FOLDER is what ``tests.browse.prepare`` made. The browser is that of ``CHROMIUM``, else one on the PATH. Every kind of
page of each site is looked at; the exit code is 1 if anything is wrong, and each fault is one line.
"""

import os
import re
import shutil
import sys
import unicodedata
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from io import BytesIO
from pathlib import Path
from threading import Thread

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, ConsoleMessage, Page, sync_playwright
from pypdf import PdfReader

WIDTHS = (360, 768, 1400, 2600)
RULES = {"resultTypes": ["violations"], "preload": False}  # preloading of styles would break the policy of the page


def main(folder: Path) -> int:
    """Look at all sites; return the exit code."""
    program = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
    if program is None:
        sys.stderr.write("no browser: expected one in CHROMIUM or on the PATH\n")
        return 1
    faults = []
    looked = 0
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        for site in sorted(folder.glob("*/site")) + sorted(folder.glob("*/out/site")):
            for file in kinds(site.resolve()):
                looked += 1
                faults += [f"{site.parent.name}: {file.name[:60]}: {fault}" for fault in look(browser, file)]
            faults += [f"{site.parent.name}: {fault}" for fault in linked(site.resolve())]
            if (site / "search.html").exists():
                faults += [f"{site.parent.name}: search: {fault}" for fault in search(browser, site.resolve())]
            for picks in sorted(site.resolve().glob("*/picks.html")):
                programme = picks.with_name("index.html")
                if picks.with_name("items.js").exists():
                    faults += [f"{programme.parent.name}: {fault}" for fault in find_in_all(browser, programme)]
                    programme = next(picks.parent.glob("day-*.html"))
                faults += [f"{programme.parent.name}: {fault}" for fault in pick(browser, programme)]
                faults += [f"{programme.parent.name}: {fault}" for fault in find(browser, programme)]
                faults += [f"{programme.parent.name}: {fault}" for fault in find_person(browser, picks)]
        browser.close()
    for fault in faults:
        sys.stdout.write(f"{fault}\n")
    sys.stdout.write(f"{looked} pages, {len(faults)} faults\n")
    return 1 if faults or not looked else 0


def kinds(site: Path) -> Iterator[Path]:
    """Yield one page of each kind, but every timetable; of the hostile programme every page."""
    yield from sorted(site.glob("*.html"))
    for index in sorted(site.glob("*/index.html")):
        whole = [
            index.with_name(f"{name}.html") for name in ("index", "picks", "people", "papers", "changes", "untimed")
        ]
        whole += sorted(index.parent.glob("day-????-??-??.html"))
        yield from (each for each in whole if each.exists())
        others = sorted({*index.parent.glob("*.html")} - {*whole})
        yield from others if index.parent.name.startswith("hostile") else others[:1]


def look(browser: Browser, file: Path) -> Iterator[str]:
    """Yield what is wrong with a page: light and dark, narrow and wide, without JavaScript, printed."""
    for scheme in ("light", "dark"):
        with_script = browser.new_context(color_scheme=scheme, viewport={"width": 1400, "height": 900})
        page = with_script.new_page()
        said = watch(page)
        page.goto(file.as_uri())
        for violation in Axe().run(page, options=RULES).response["violations"]:
            targets = [node["target"] for node in violation["nodes"][:2]]
            yield f"{scheme}: axe {violation['id']}: {violation['help']}: {targets}"
        if scheme == "light":
            for width in WIDTHS:
                page.set_viewport_size({"width": width, "height": 900})
                if (found := page.evaluate("document.documentElement.scrollWidth")) > width:
                    yield f"{found} pixels wide at {width}"
            yield from printed(page)
        if page.title() == "run":
            yield "a text of the programme was run"
        yield from said
        with_script.close()
    plain = browser.new_context(java_script_enabled=False)
    page = plain.new_page()
    page.goto(file.as_uri())
    for place in page.locator(".talk .title").all()[:20]:
        if not place.is_visible() and not place.locator("xpath=ancestor::details").count():
            yield "a title is not visible without JavaScript"
    plain.close()


def watch(page: Page, here: str = "file:") -> list[str]:
    """Return a list that gets what the page says on the console, and what it asks for from elsewhere."""
    said: list[str] = []

    def tell(message: ConsoleMessage) -> None:
        if not message.location["url"].endswith("/favicon.ico"):  # a browser asks a server for one
            said.append(f"console: {message.text[:200]}")

    page.on("console", tell)
    page.on("pageerror", lambda error: said.append(f"error: {error}"))
    page.on("request", lambda asked: None if asked.url.startswith((here, "blob:")) else said.append(asked.url))
    return said


def printed(page: Page) -> Iterator[str]:
    """Yield the titles that a print of the page lacks."""
    titles = [text for text in page.locator(".talk .title").all_text_contents() if len(text) < 200]
    if not titles:
        return
    pdf = PdfReader(BytesIO(page.pdf(format="A4")))
    text = bare("".join(sheet.extract_text() for sheet in pdf.pages))
    missing = [title for title in titles if bare(title) not in text]
    if missing:
        yield f"a print lacks {len(missing)} of {len(titles)} titles, such as {missing[0][:60]!r}"


def bare(text: str) -> str:
    """Return the ASCII letters and digits of a text: lines, hyphens and ligatures of a print are its own."""
    return re.sub(r"[^A-Za-z0-9]", "", unicodedata.normalize("NFKD", text)).casefold()


def pick(browser: Browser, programme: Path) -> Iterator[str]:
    """Yield what is wrong with picks: by keyboard, as a link, in another browser, as a calendar."""
    here = browser.new_context(accept_downloads=True)
    page = here.new_page()
    page.goto(programme.as_uri())
    page.locator(".pick").first.focus()
    page.keyboard.press("Enter")
    if page.locator("#mine").inner_text() != "My picks (1)":
        yield "a pick by keyboard is not counted"
    page.locator("[name=picks]").press("Space")
    if page.locator(".talk:visible").count() != page.locator(".talk.picked").count():
        yield "not only picks are shown"
    page.locator("#mine").press("Enter")
    page.wait_for_url("**/picks.html#*")
    link = page.url
    if page.evaluate("JSON.parse(document.getElementById('data').textContent).items[location.hash.slice(1)].ics"):
        with page.expect_download() as download:
            page.locator("#save").click()
        calendar = Path(download.value.path()).read_text("utf-8")
        if calendar.count("BEGIN:VEVENT") < 1 or not calendar.startswith("BEGIN:VCALENDAR"):
            yield "the calendar of picks has no event"
    elif page.locator("#save").is_visible():
        yield "a pick without a time can be saved as a calendar"
    there = browser.new_context().new_page()
    there.goto(programme.as_uri())
    there.locator(".pick").nth(1).click()
    there.goto(f"{link},0123456789abcdef")
    there.reload()
    told = there.locator("#told").inner_text()
    if "1 picked before is not in the programme any more" not in told:
        yield f"a pick that went is not told: {told}"
    own = there.evaluate("Object.values(localStorage).map((each) => JSON.parse(each).length)")
    if own != [1]:
        yield f"opening a link changed own picks: {own}"
    there.locator("#add").click()
    if there.evaluate("Object.values(localStorage).map((each) => JSON.parse(each).length)") != [2]:
        yield "the picks of a link are not added"


def find(browser: Browser, programme: Path) -> Iterator[str]:
    """Yield what is wrong with the box that finds: words of a title, a link to what was found, all again."""
    page = browser.new_page(viewport={"width": 1400, "height": 900})
    page.goto(programme.as_uri())
    talk = page.locator(".talk:has(.title)").last
    words = bare_words(talk.locator(".title").text_content() or "")
    every = page.locator(".talk:not([hidden])").count()
    page.locator("[name=q]").fill(" ".join(words[:3]))
    left = page.locator(".talk:not([hidden])")
    if talk.is_hidden() or (words and not 0 < left.count() <= every):
        yield f"{words[:3]} do not find their talk"
    if int(re.sub(r"\D", "", page.locator("#found").inner_text()) or 0) != (left.count() if words else 0):
        yield "the number of what was found is wrong"
    again = browser.new_page()
    again.goto(page.url)
    if again.locator(".talk:not([hidden])").count() != left.count():
        yield "the link to what was found shows something else"
    if page.locator("[type=reset]").is_visible() != bool(words):
        yield "the button that shows all is there without need, or lacks"
    if words:
        page.locator("[type=reset]").click()
        page.wait_for_timeout(100)
    if page.locator(".talk:not([hidden])").count() != every:
        yield "not all is shown again"


def find_person(browser: Browser, picks: Path) -> Iterator[str]:
    """Yield what is wrong with finding a person: a name leaves few people, of which it is one."""
    file = picks.with_name("people.html")
    if not file.exists():
        return
    page = browser.new_page(viewport={"width": 390, "height": 844})
    page.goto(file.as_uri())
    people = page.locator(".index > li")
    name = people.last.locator("strong").text_content() or ""
    page.locator("[name=q]").fill(name)
    left = page.locator(".index > li:not([hidden])")
    if people.last.is_hidden() or int(page.locator("#found").inner_text().split()[0]) != left.count():
        yield f"{name!r} does not find its person"


def find_in_all(browser: Browser, index: Path) -> Iterator[str]:
    """Yield what is wrong with finding in all days of a big programme, and with a link from when it was one page."""
    page = browser.new_page()
    said = watch(page)
    page.goto(index.as_uri())
    days = page.locator("section.part h2 a").evaluate_all("each => each.map(one => one.getAttribute('href'))")
    there = browser.new_page()
    there.goto(index.with_name(days[0]).as_uri())
    talk = there.locator(".talk[id]:has(.title)").first
    words, anchor = bare_words(talk.locator(".title").text_content() or "")[:4], talk.get_attribute("id") or ""
    there.locator("[name=q]").fill(" ".join(words))
    there.locator("#all").click()
    hits = there.locator(f"#hits a[href$='#{anchor}']")
    hits.first.wait_for(timeout=5000)
    if there.locator("#hits li").count() != int(re.sub(r"\D", "", there.locator("#found").inner_text())):
        yield "the number of what was found in all days is wrong"
    hits.first.click()
    if not there.locator(f"#{anchor}").is_visible():
        yield f"{words} lead to {there.url}, where {anchor} is not"
    page.goto(f"{index.as_uri()}#{anchor}")
    page.wait_for_url(f"**/{days[0]}#{anchor}", timeout=5000)
    yield from said


def search(browser: Browser, site: Path) -> Iterator[str]:
    """Yield what is wrong with the search of a site: from the folder it says what to do, from a server it finds."""
    page = browser.new_page()
    page.goto((site / "search.html").as_uri())
    if not page.locator("#folder").is_visible() or page.locator("#search").is_visible():
        yield "from the folder it does not say what to do"
    file = next(each for each in sorted(site.glob("*-????????/*.html")) if re.search(r"-[0-9a-f]{8}\.html$", each.name))
    page.goto(file.as_uri())
    title = page.locator("h1").inner_text()
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(site))) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        here = f"http://127.0.0.1:{server.server_port}/"
        page = browser.new_page(viewport={"width": 360, "height": 900})
        said = watch(page, here)
        page.goto(f"{here}search.html")
        page.locator("[name=q]").fill(title)
        hit = page.locator(f"#hits a[href='{file.relative_to(site)}']")
        hit.wait_for(timeout=20_000)
        if (found := page.evaluate("document.documentElement.scrollWidth")) > 360:
            yield f"{found} pixels wide at 360"
        for violation in Axe().run(page, options=RULES).response["violations"]:
            yield f"axe {violation['id']}: {violation['help']}"
        again = browser.new_page()
        again.goto(page.url)
        again.locator("#hits a").first.wait_for(timeout=20_000)
        hit.click()
        if page.locator("h1").inner_text() != title:
            yield f"{title!r} leads to {page.url}"
        page.goto(f"{here}search.html")
        page.locator("[name=q]").fill("<img src=x onerror=alert(1)> zzzzzz")
        page.locator("#found", has_text="found").wait_for(timeout=20_000)
        yield from said
        server.shutdown()


class Quiet(SimpleHTTPRequestHandler):
    """Serves a site and says nothing."""

    def log_message(self, *_: object) -> None:
        """Say nothing."""


def linked(site: Path) -> Iterator[str]:
    """Yield the links of pages and feeds of a site that lead to nothing in it."""
    address = re.compile(r"<link rel=\"canonical\" href=\"(.*)/\"")
    for file in (*site.rglob("*.html"), *site.rglob("*.xml")):
        text = file.read_text("utf-8")
        for link in re.findall(r"<(?:a|link)\b[^>]*? href=\"([^\"#]+)", text):
            if ":" not in link and not (file.parent / link).exists():
                yield f"{file.relative_to(site)}: {link} leads to nothing"
    for first in address.finditer((site / "index.html").read_text("utf-8")):
        for file in site.glob("feeds/*.xml"):
            for link in re.findall(r"<link [^>]*href=\"([^\"#]+)", file.read_text("utf-8")):
                if not (site / link.removeprefix(f"{first[1]}/")).exists():
                    yield f"{file.name}: {link} leads to nothing"


def bare_words(text: str) -> list[str]:
    """Return the words of a text that a person would type."""
    return re.findall(r"[A-Za-z]{3,}", text)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
