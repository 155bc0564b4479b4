"""Whatever strangers write is text: in posts, names, rooms, comments, titles and places."""

import re
import urllib.request
from datetime import datetime, timedelta, timezone

from nodes import Node, until
from playwright.sync_api import expect
from world import PageCase, is_linked, row

ATTACKS = [
    "<img src=x onerror=alert(1)>",
    "<script>window.hacked=1</script>",
    "<svg/onload=alert(2)>",
    "[click](javascript:alert(3))",
    "javascript:alert(4)",
    "\"'><iframe srcdoc='<script>alert(5)</script>'>",
    "{{constructor.constructor('alert(6)')()}}",
    "</textarea><style>*{display:none}</style>",
]
# What a name may hold of it: the node itself refuses angle brackets there.
NAME = "\"onload=alert(7) x='&lt;b&gt;"
# Right-to-left override, isolates, a bell and a colour of a terminal.
MARKS = "invoice\u202efdp.exe \u2067left\u2069 \x07\x1b[31mred"


class Strangers(PageCase):
    def check(self, page):
        found = page.evaluate("""() => ({
          hacked: window.hacked ?? null,
          foreign: [...document.querySelectorAll('#panel script, #panel img, #panel iframe, #panel style, #panel a[href^="javascript" i], #pins script, #pins img, #toasts img')].length,
          scripts: document.scripts.length,
          styles: document.querySelectorAll('style, [onerror], [onload], [onclick]').length,
        })""")
        self.assertEqual(found, {"hacked": None, "foreign": 0, "scripts": 1, "styles": 0})

    def test_posts_comments_and_events_are_text(self):
        for number, words in enumerate(ATTACKS):
            item = self.bob.post(words[:140], *self.near(10 + number), place_name=words[:60])
            self.bob.api("POST", f"/items/{item['id']}/comments", {"text": words[:140]})
        starts = (datetime.now(timezone.utc) + timedelta(days=1)).strftime("%Y-%m-%dT%H:%M:%SZ")
        self.bob.api(
            "POST",
            "/events",
            {
                "event": {
                    "name": ATTACKS[0],
                    "address": ATTACKS[1],
                    "lat": self.lat,
                    "lon": self.lon,
                    "started_at": starts,
                }
            },
        )
        page = self.open(self.alice)
        for words in ATTACKS:
            expect(page.locator("#panel .row .words").get_by_text(words, exact=True)).to_have_count(1)
        self.check(page)
        row(page, ATTACKS[0]).locator("a").click()
        expect(page.locator(".comments .words")).to_have_text(ATTACKS[0])
        self.check(page)
        page.evaluate("location.hash = '#/events'")
        expect(row(page, ATTACKS[0])).to_contain_text(ATTACKS[1])
        self.check(page)

    def test_marks_that_turn_lines_around_do_not_get_through(self):
        self.bob.post(MARKS, *self.near(5))
        self.bob.api("POST", "/rooms/lobby/messages", {"text": MARKS})
        page = self.open(self.alice)
        expect(row(page, "invoice")).to_contain_text("invoicefdp.exe left [31mred")
        page.evaluate("location.hash = '#/rooms/lobby'")
        expect(page.locator(".line", has_text="invoice").last).to_contain_text("invoicefdp.exe left [31mred")
        self.assertIsNone(re.search("[\u202a-\u202e\u2066-\u2069\x07\x1b]", page.locator("body").inner_text()))

    def test_names_and_lines_are_text(self):
        stranger = Node(NAME, self.alice)
        self.addCleanup(stranger.remove)
        until(lambda: is_linked(stranger), "the stranger does not link")
        stranger.api("PATCH", "/people/me", {"about": ATTACKS[0]})
        stranger.post("Named badly", *self.near(5))
        for words in ATTACKS:
            stranger.api("POST", "/rooms/lobby/messages", {"text": words})
        page = self.open(self.alice)
        expect(row(page, "Named badly")).to_contain_text(NAME)
        self.check(page)
        for where in ("#/rooms/lobby", "#/people", "#/mesh"):
            page.evaluate("hash => { location.hash = hash }", where)
            expect(page.locator("#panel")).to_contain_text(NAME)
            self.check(page)

    def test_an_address_that_somebody_made_up_is_the_list_of_posts(self):
        page = self.open(self.alice)
        for where in (
            "#/item/<img src=x onerror=alert(8)>",
            "#/search/<img src=x onerror=alert(9)>",
            "#/rooms/<script>alert(10)</script>",
            "#/people/..%2f..%2fme",
        ):
            page.evaluate("hash => { location.hash = hash }", where)
            expect(page.locator("#panel h2")).to_be_visible()
            self.check(page)
        # Whatever the node made of those, it was no fault of the page.
        self.faults = [fault for fault in self.faults if "Failed to load resource" not in fault]

    def test_the_token_is_in_no_address(self):
        page = self.open(self.alice, where=None)
        self.assertNotIn(self.alice.token, page.url)
        # Other servers of this machine are sent the cookies of this one, whatever their port.
        self.assertEqual(page.evaluate("document.cookie"), "")
        self.assertEqual(page.context.cookies(), [])
        self.assertEqual(page.evaluate("history.length"), 2, "the link itself is not to be come back to")
        page.reload()
        expect(page.locator("#new-link")).to_be_visible()

    def test_the_page_is_served_with_a_policy_that_runs_nothing_inline(self):
        with urllib.request.urlopen(self.alice.url, timeout=30) as answer:
            policy, html = answer.headers["Content-Security-Policy"], answer.read().decode()
        self.assertIn("default-src 'none'", policy)
        self.assertIn("script-src 'self'", policy)
        self.assertNotIn("unsafe", policy)
        self.assertIsNone(re.search(r"<style|<script(?![^>]*\bsrc=)|\bon\w+=|\bstyle=|javascript:|https?://", html))
        page = self.open(self.alice, allowed=("Content Security Policy", "violates"))
        page.evaluate(
            """() => { const script = document.createElement('script'); script.textContent = 'window.hacked = 1'; document.body.append(script);
            const image = document.createElement('div'); image.innerHTML = '<img src=x onerror="window.hacked = 2">'; document.body.append(image) }"""
        )
        self.wait(page, lambda: page.evaluate("document.querySelector('img')?.complete"))
        self.assertIsNone(page.evaluate("window.hacked ?? null"))
        self.faults = [fault for fault in self.faults if "404" not in fault]
