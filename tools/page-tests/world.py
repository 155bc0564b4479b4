"""What the tests share: two nodes that are linked, a browser, and pages in it that complain of whatever should not be."""

import atexit
import math
import mimetypes
import os
import re
import socket
import sys
import time
import unittest
import urllib.parse
import urllib.request

from axe_playwright_python.sync_playwright import Axe
from nodes import Node, until
from playwright.sync_api import TimeoutError, expect, sync_playwright

# Generous: how long a thing takes is not what is tested here.
WAIT_MS = int(os.environ.get("PAGE_TESTS_WAIT_MS", "30000"))
# The page's files as they are in this folder, in place of those in the program: to try a change without building.
PAGE_FOLDER = os.environ.get("PAGE_TESTS_FOLDER")
WIDE = {"width": 1280, "height": 800}
PHONE = {"width": 390, "height": 800}
LOOKS = [("light", WIDE, "light"), ("dark", WIDE, "dark"), ("phone", PHONE, "light"), ("phone-dark", PHONE, "dark")]
expect.set_options(timeout=WAIT_MS)

_shared = {}


def browser():
    if "browser" not in _shared:
        _shared["playwright"] = sync_playwright().start()
        # Chromium's own sandbox needs rights that containers seldom give.
        _shared["browser"] = _shared["playwright"].chromium.launch(
            executable_path=os.environ["PAGE_TESTS_CHROMIUM"],
            args=["--no-sandbox", f"--host-resolver-rules=MAP {socket.gethostname()} 127.0.0.1"],
        )
    return _shared["browser"]


def nodes():
    """alice and bob, linked."""
    if "nodes" not in _shared:
        alice = Node("alice")
        _shared["nodes"] = (alice, Node("bob", alice))
    alice, bob = _shared["nodes"]
    until(lambda: is_linked(alice) and is_linked(bob), "alice and bob do not link")
    return alice, bob


def is_linked(node):
    return any(peer["state"] == "connected" for peer in node.api("GET", "/peers")["items"])


@atexit.register
def _end():
    if "playwright" in _shared:
        _shared["browser"].close()
        _shared["playwright"].stop()
    for node in _shared.get("nodes", ()):
        node.remove()


class PageCase(unittest.TestCase):
    """Each test has browsers of its own, and a town of its own, so that none sees what another left."""

    towns = 0
    # Taken of pages whose test failed.
    pictures = 0

    def setUp(self):
        self.alice, self.bob = nodes()
        PageCase.towns += 1
        # 200 km and more from each other: further than a list reaches.
        self.lat, self.lon = 10.0 + 3 * (PageCase.towns % 20), -60.0 + 5 * (PageCase.towns // 20)
        self.faults = []
        for node in (self.alice, self.bob):
            node.api("PUT", "/here", {"lat": self.lat, "lon": self.lon})

    def tearDown(self):
        self.assertEqual(self.faults, [], "the page complained")

    def open(self, node, where="#/posts", token=True, allowed=(), prepare=None, **context):
        """A browser of its own at a view of a node. `allowed`: words of complaints that belong to the test.
        `prepare`: what is done to its answers."""
        made = browser().new_context(
            viewport=context.pop("viewport", WIDE),
            reduced_motion=context.pop("reduced_motion", "reduce"),
            # What it keeps is a matter of test_offline alone: elsewhere it would answer in place of the node.
            service_workers=context.pop("service_workers", "block"),
            **context,
        )
        self.addCleanup(made.close)
        if PAGE_FOLDER:
            self._serve_folder(made, node)
        if prepare:
            prepare(made)
        page = self.watched(made.new_page(), node, allowed)
        self.addCleanup(self._tell, page)
        page.goto(node.link if token else node.url)
        expect(page.locator("#live-state")).to_have_text("online")
        if where:
            page.evaluate("hash => { location.hash = hash }", where)
        return page

    def _tell(self, page):
        """After a failure: a picture of the page, and what lies over it in words."""
        result = self._outcome.result
        if page.is_closed() or not any(test is self for test, _ in result.failures + result.errors):
            return
        PageCase.pictures += 1
        name = f"failed-{self._testMethodName}-{PageCase.pictures}.png"
        page.screenshot(path=os.path.join(os.environ["PAGE_TESTS_PICTURES"], name))
        over = page.evaluate("[...document.querySelectorAll('#toasts > *, dialog[open]')].map((one) => one.innerText)")
        print(f"\n{name}: {page.url.split('#')[-1]}, over it: {over}", file=sys.stderr)

    def watched(self, page, node, allowed=()):
        """The same page; what it complains of is noted."""
        page.set_default_timeout(WAIT_MS)
        page.on("pageerror", lambda error: self.faults.append(str(error)))
        page.on("dialog", lambda dialog: (self.faults.append(f"dialog: {dialog.message}"), dialog.dismiss()))
        page.on("console", lambda message: self._heard(message, allowed))
        page.on("request", lambda request: self._asked(request, node))
        return page

    def look(self, page, size, name):
        """Takes a picture, asks axe, and sees that nothing is too wide."""
        with self.subTest(look=name):
            page.screenshot(path=os.path.join(os.environ["PAGE_TESTS_PICTURES"], f"{name}.png"))
            found = Axe().run(page).response["violations"]
            self.assertEqual([f"{one['id']}: {one['help']}: {[node['html'][:160] for node in one['nodes'][:3]]}" for one in found], [])
            self.assertLessEqual(page.evaluate("document.documentElement.scrollWidth"), size["width"])
            wide = page.evaluate("[...document.querySelectorAll('.lines, #panel')].map(one => one.scrollWidth - one.clientWidth)")
            self.assertEqual([one for one in wide if one > 0], [], "something is wider than its panel")

    def wait(self, page, condition):
        """Until something is true: asked from here, because the page's policy lets nothing be evaluated in it later."""
        end = time.monotonic() + WAIT_MS / 1_000
        while time.monotonic() < end:
            if condition():
                return
            page.wait_for_timeout(10)
        self.fail("it never came")

    def press(self, page, line, button):
        """Presses a button that a line shows under the pointer. The line may move away, as when the rooms above it are listed."""
        def pressed():
            line.hover()
            try:
                button.click(timeout=1_000)
            except TimeoutError:
                return False
            return True

        self.wait(page, pressed)

    def near(self, metres_north, metres_east=0):
        """A place so far from where everybody is in this test."""
        return self.lat + metres_north / 111_195, self.lon + metres_east / 111_195 / math.cos(math.radians(self.lat))

    def _serve_folder(self, context, node):
        with urllib.request.urlopen(node.url, timeout=30) as answer:
            headers = {
                name: value
                for name, value in answer.headers.items()
                if name.lower() in ("content-security-policy", "cache-control", "x-content-type-options")
            }

        def serve(route):
            path = urllib.parse.urlsplit(route.request.url).path
            file = os.path.join(PAGE_FOLDER, path.lstrip("/") or "index.html")
            kind = mimetypes.guess_type(file)[0] or "application/octet-stream"
            if os.path.isfile(file):
                route.fulfill(path=file, headers={**headers, "Content-Type": kind})
            else:
                route.fulfill(status=404)

        context.route(re.compile(re.escape(node.url) + r"(page/.*)?(#.*)?$"), serve)

    def _heard(self, message, allowed):
        # Most tests do without one.
        allowed = (*allowed, "Service Worker registration blocked")
        if message.type in ("error", "warning") and not any(words in message.text for words in allowed):
            self.faults.append(f"{message.type}: {message.text}")

    def _asked(self, request, node):
        if not request.url.startswith((node.url, "data:", "blob:")):
            self.faults.append(f"the page asked elsewhere: {request.url}")


def place_field(page, label="Where?"):
    """The field for a place. A press on Change opens it."""
    field = page.get_by_label(label, exact=True)
    expect(field).to_be_attached()
    if not field.is_visible():
        page.locator("summary", has_text="Change").click()
    return field


def row(page, text):
    return page.locator("#panel .row").filter(has_text=text)


def pin(page, item):
    return page.locator(f'.pin[data-id="{item["id"]}"]')
