"""Pins at the top of a room, until they are removed."""

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect
from world import PHONE, WIDE, PageCase


class Pins(PageCase):
    def setUp(self):
        super().setUp()
        self.room = f"pins{PageCase.towns}"
        for node in (self.alice, self.bob):
            node.api("PUT", f"/rooms/{self.room}")

    def pins(self, page):
        return page.locator(".room-pin")

    def test_a_line_is_pinned_and_unpinned(self):
        self.bob.api("POST", f"/rooms/{self.room}/messages", {"text": "meet at the gate"})
        here = self.open(self.alice, f"#/rooms/{self.room}", viewport=WIDE)
        there = self.open(self.bob, f"#/rooms/{self.room}", viewport=PHONE)
        line = here.locator(".line", has_text="meet at the gate")
        self.press(here, line, line.get_by_role("group", name="Actions").get_by_role("button", name="Pin"))
        for page in (here, there):
            expect(self.pins(page)).to_have_count(1)
            expect(self.pins(page)).to_contain_text("alicemeet at the gate")
        found = Axe().run(here).response["violations"]
        self.assertEqual([one["id"] for one in found], [])
        expect(there.locator("#polite")).to_contain_text("alice pinned: meet at the gate")
        expect(self.pins(there).get_by_role("button", name="Unpin")).to_have_count(0)
        self.pins(there).get_by_role("button", name="meet at the gate").click()
        expect(there.locator(".line", has_text="meet at the gate")).to_be_focused()

        # Bob pins a text with another program.
        self.bob.api("PUT", f"/rooms/{self.room}/pins", {"text": "bring a cup"})
        for page in (here, there):
            expect(self.pins(page).first).to_contain_text("bring a cup")
        here.get_by_role("button", name="1 of 2").click()
        here.get_by_role("button", name="Unpin: meet at the gate").click()
        for page in (here, there):
            expect(self.pins(page)).to_have_count(1)
        self.bob.api("DELETE", f"/rooms/{self.room}/pins")
        for page in (here, there):
            expect(self.pins(page)).to_have_count(0)

    def test_a_text_is_pinned_by_a_command(self):
        here = self.open(self.alice, f"#/rooms/{self.room}", viewport=WIDE)
        field = here.locator(".talk textarea")
        field.fill("/pin bring a cup")
        field.press("Enter")
        expect(self.pins(here)).to_contain_text("alicebring a cup")
        expect(here.locator(".line")).to_have_count(0)
        field.fill("/unpin")
        field.press("Enter")
        expect(self.pins(here)).to_have_count(0)
        field.fill("/pin")
        field.press("Enter")
        expect(here.locator("#toasts")).to_contain_text("Type a text after /pin.")
        expect(field).to_have_value("/pin")
