"""Being away: a bar at the top, until the person is back."""

from playwright.sync_api import expect
from world import PHONE, WIDE, PageCase


class AwayBar(PageCase):
    def test_the_away_bar_is_shown_until_the_person_is_back(self):
        room = f"away{PageCase.towns}"
        for node in (self.alice, self.bob):
            node.api("PUT", f"/rooms/{room}")
        here = self.open(self.alice, f"#/rooms/{room}", viewport=PHONE)
        there = self.open(self.bob, f"#/rooms/{room}", viewport=WIDE)
        field = here.locator(".talk textarea")
        field.fill("/away at lunch")
        field.press("Enter")
        expect(here.locator("#away-bar")).to_contain_text("You are away: at lunch")
        self.look(here, PHONE, "away-phone")
        expect(there.locator(".talk")).to_contain_text("alice (away)")
        here.get_by_role("button", name="I am back").click()
        expect(here.locator("#away-bar")).to_be_hidden()
        expect(here.locator("#toasts")).to_contain_text("You are back.")
        field.fill("/away")
        field.press("Enter")
        expect(here.locator("#away-bar")).to_contain_text("You are away.")
        field.fill("/back")
        field.press("Enter")
        expect(here.locator("#away-bar")).to_be_hidden()
