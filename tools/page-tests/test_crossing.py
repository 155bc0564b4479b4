"""Which of a person's records may cross bridges to other networks."""

from playwright.sync_api import expect
from world import PHONE, PageCase


class Crossing(PageCase):
    def test_nothing_crosses_until_the_person_allows_it(self):
        room = f"park{PageCase.towns}"
        self.alice.api("PUT", f"/rooms/{room}")
        page = self.open(self.alice, "#/people/me", viewport=PHONE)
        page.get_by_text("Other networks").click()
        part = page.locator("details.crossing")
        expect(part).to_contain_text("Nothing of yours crosses bridges to other networks.")
        part.get_by_label("Let my posts, profile and private messages cross bridges").check()
        expect(part).to_contain_text("Until ")
        part.get_by_label(f"#{room}").check()
        expect(part.get_by_label(f"#{room}")).to_be_checked()
        self.wait(page, lambda: self.alice.api("GET", "/bridge")["rooms"] == [f"#{room}"])
        self.look(page, PHONE, "crossing-phone")
        page.reload()
        page.get_by_text("Other networks").click()
        expect(part.get_by_label(f"#{room}")).to_be_checked()
        part.get_by_label("Let my posts, profile and private messages cross bridges").uncheck()
        expect(part).to_contain_text("Nothing of yours crosses bridges to other networks.")
        self.wait(page, lambda: self.alice.api("GET", "/bridge")["allows"] is False)
