"""The command ``site``: builds the pages to look at, and serves them to this machine if asked. To an exit code."""

import argparse
import os
import re
from functools import partial
from http import HTTPStatus
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Final

from pipeline.base.settings import FailedError, Settings, SiteSettings, UsageError, resolve_out, resolve_settings
from pipeline.base.suggest import check_names
from pipeline.cli.console import out, say
from pipeline.config import Config, configure, find_config
from pipeline.publishing.lock import lock_out_root
from pipeline.publishing.runs import load_runs
from pipeline.publishing.sites import SITE, publish_site
from pipeline.publishing.store import latest_snapshot
from pipeline.viewing.selection import Selection

FIRST_PAGE: Final = "index.html"
HOST: Final = "127.0.0.1"


_OURS: Final = re.compile(rf"(?:{re.escape(HOST)}|localhost)(?::\d{{1,5}})?")


class PageHandler(SimpleHTTPRequestHandler):
    """Serves pages to who asks for this machine: a page of elsewhere whose name leads here shall not read them."""

    error_message_format = "%(code)d %(message)s\n"
    error_content_type = "text/plain;charset=utf-8"

    def send_head(self) -> Any:  # noqa: ANN401  # what the library opens
        """Open what is asked for; refuse other hosts, and names that no file can have."""
        if not _OURS.fullmatch(self.headers["Host"] or HOST):
            self.send_error(HTTPStatus.MISDIRECTED_REQUEST, f"expected the host {HOST} or localhost")
            return None
        try:
            return super().send_head()
        except ValueError:  # a zero byte, or half a character
            self.send_error(HTTPStatus.NOT_FOUND, "File not found")
            return None


def site(options: argparse.Namespace) -> int:
    """Build the pages: 0, or 1 if nothing is published or they cannot be written; the old ones stay then.

    Raises ``UsageError`` where they shall be served at a port that is not free, before anything is built.
    """
    if not options.serve:
        return _build(options)
    folder = resolve_out(os.environ, options.out) / SITE
    try:
        server = ThreadingHTTPServer((HOST, options.port), partial(PageHandler, directory=str(folder)))
    except OSError as error:
        raise UsageError(f"--port must be one that is free, not {options.port}: {error.strerror}") from error
    with server:
        if code := _build(options):
            return code
        out(f"serving {folder} at http://{HOST}:{server.server_port}/ until Ctrl-C")
        server.serve_forever()
    return 0


def _build(options: argparse.Namespace) -> int:
    """Build the pages and print the first one; return the exit code."""
    config = find_config(os.environ, options.known, options.config)
    settings = resolve_settings(os.environ, raw=options.raw, out=options.out, keep=options.keep, reads=False)
    problem = build_site(configure(settings, config), config.site if config else SiteSettings(), options.event)
    if problem is not None:
        say(f"failed: {problem}")
        return 1
    out(str(settings.out / SITE / FIRST_PAGE))
    return 0


def build_site(settings: Settings, wanted: SiteSettings, event: str | None = None) -> str | None:
    """Build the pages of the newest snapshot; return what went wrong, None if all is well. Data are never harmed."""
    from pipeline.site.build import make_sections  # noqa: PLC0415  # a refresh without pages starts sooner
    from pipeline.site.news import remember  # noqa: PLC0415  # likewise

    try:
        with lock_out_root(settings, say):
            snapshot = latest_snapshot(settings.out)
            if snapshot is None:
                return f"nothing is published below {settings.out}"
            selection = Selection(snapshot, event=event)
            if event is not None and not selection.events():
                check_names("no such event", [event], Selection(snapshot).events())
            memory, lines = remember(settings.out, snapshot)
            for line in lines:
                say(line)
            sections = make_sections(selection, wanted, settings, load_runs(settings.out), memory)
            publish_site(settings.out, snapshot.id, sections, settings.keep)
    except (OSError, FailedError) as error:
        return f"the pages are those of before: {error}"
    return None


def build_after(settings: Settings, config: Config | None) -> tuple[list[str], str | None]:
    """Build the pages after a refresh if the configuration says so.

    Returns the line that names the first page, if they were built, and one on what went wrong.
    """
    if config is None or not config.site.build:
        return [], None
    problem = build_site(settings, config.site)
    return ([], f"failed: site: {problem}") if problem else ([f"pages: {settings.out / SITE / FIRST_PAGE}"], None)
