"""What is urgent: a bar on top until it is dismissed, in all browsers of a person."""

import re

from axe_playwright_python.sync_playwright import Axe
from nodes import until
from playwright.sync_api import expect
from world import PHONE, WIDE, PageCase


class Urgent(PageCase):
    """One test: of each person three are urgent in a day, whatever test says them."""

    def setUp(self):
        super().setUp()
        self.room = f"urgent{PageCase.towns}"
        for node in (self.alice, self.bob):
            node.api("PUT", f"/rooms/{self.room}")

    def rows(self, page):
        return page.locator("#urgent-bar .urgent-row")

    def test_what_is_urgent_stands_on_top_until_it_is_dismissed(self):
        first, second = self.open(self.alice, viewport=WIDE), self.open(self.alice, viewport=PHONE)
        there = self.open(self.bob, f"#/rooms/{self.room}")
        there.get_by_label("Message", exact=True).fill("/urgent The bridge is out")
        there.keyboard.press("Enter")
        for page in (first, second):
            expect(self.rows(page)).to_have_count(1)
            expect(self.rows(page)).to_contain_text(re.compile(rf"The bridge is out\s*bob in #{self.room}"))
            expect(page.locator("#urgent")).to_contain_text("Urgent, by bob: The bridge is out")
        found = Axe().run(first).response["violations"]
        self.assertEqual([one["id"] for one in found], [])
        second.reload()
        expect(self.rows(second)).to_have_count(1)
        first.get_by_role("link", name="The bridge is out").click()
        expect(first.locator(".line", has_text="The bridge is out").locator(".urgent-mark")).to_have_text("urgent")
        first.get_by_role("button", name="Got it: what bob said").click()
        for page in (first, second):
            expect(self.rows(page)).to_have_count(0)
        second.reload()
        expect(second.locator("#who")).to_contain_text("alice")
        expect(self.rows(second)).to_have_count(0)
        expect(self.rows(there)).to_have_count(0)

        # A post, far from everybody.
        there.evaluate("location.hash = '#/new'")
        there.get_by_label("Your message").fill("Water at the gate")
        urgent = there.get_by_role("switch", name="Urgent")
        expect(there.locator("label", has=urgent)).to_contain_text("Pinned for everybody. 2 left today.")
        urgent.check()
        there.get_by_role("button", name="Post", exact=True).click()
        expect(self.rows(first)).to_contain_text(re.compile(r"Water at the gate\s*bob"))
        self.alice.api("POST", "/urgent/dismissed", {})
        expect(self.rows(first)).to_have_count(0)

        # The third, and a fourth that is none.
        for text, is_urgent in (("third", True), ("fourth", False)):
            said = self.bob.api("POST", f"/rooms/{self.room}/messages", {"text": text, "urgent": True})
            self.assertEqual(said.get("urgent", False), is_urgent)
        expect(self.rows(first)).to_contain_text("third")
        there.evaluate("location.hash = '#/'")
        there.evaluate("location.hash = '#/new'")
        expect(there.locator("label", has=urgent)).to_contain_text("None left today, this goes out as usual.")
        until(lambda: len(self.alice.api("GET", f"/rooms/{self.room}/messages")["items"]) == 3, "all arrive")
        expect(self.rows(first)).to_have_count(1)
        self.alice.api("POST", "/urgent/dismissed", {})

    def test_a_sound_is_played_only_where_it_is_allowed(self):
        page = self.open(self.alice, "#/notifications")
        page.get_by_text("What you hear of").click()
        box = page.get_by_label("A sound for what is urgent")
        expect(box).not_to_be_checked()
        box.check()
        page.reload()
        page.get_by_text("What you hear of").click()
        expect(page.get_by_label("A sound for what is urgent")).to_be_checked()
        page.get_by_label("A sound for what is urgent").uncheck()
        self.assertIsNone(page.evaluate("localStorage.getItem('lattice sound')"))
