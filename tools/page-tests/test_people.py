"""People, what they do, events, and the picture of the mesh."""

import re
from datetime import datetime, timedelta

from playwright.sync_api import expect
from world import PageCase, row


class People(PageCase):
    def test_whom_one_follows_is_shown_under_following(self):
        self.bob.post("Only for followers of bob", *self.near(90_000))
        page = self.open(self.alice, "#/people")
        bob = row(page, "bob")
        bob.get_by_role("button", name="Follow bob").click()
        expect(bob.get_by_role("button", name="Do not follow bob")).to_be_visible()
        page.evaluate("location.hash = '#/following'")
        expect(row(page, "Only for followers of bob")).to_be_visible()
        self.alice.api("DELETE", f"/people/{self.bob.api('GET', '/me')['id']}/follow")

    def test_what_others_did_is_told(self):
        mine = self.alice.post("Ask me anything", *self.near(10))
        other = self.open(self.bob)
        row(other, "Ask me anything").get_by_role("button", name=re.compile("^Like")).click()
        expect(row(other, "Ask me anything").get_by_role("button", name="Unlike, 1 like")).to_be_visible()
        page = self.open(self.alice, "#/activity")
        expect(page.locator(".row", has_text="bob likes “Ask me anything”")).to_have_count(1)
        page.locator(".row", has_text="bob likes “Ask me anything”").locator("a").click()
        expect(page).to_have_url(re.compile(mine["id"]))
        expect(page.locator("#panel")).to_contain_text("bob likes it")

    def test_a_profile_is_changed(self):
        page = self.open(self.alice, "#/people/me")
        page.get_by_label("About you").fill("at the north gate")
        page.get_by_label("Colour of your pins").fill("#b01030")
        page.get_by_role("button", name="Save").click()
        expect(page.locator(".toast")).to_contain_text("Your profile is what others see now.")
        me = self.alice.api("GET", "/people/me")
        self.assertEqual((me["about"], me["colour"]), ("at the north gate", "#b01030"))
        other = self.open(self.bob, "#/people")
        expect(row(other, "at the north gate")).to_have_count(1)

    def test_an_event_is_announced_and_attended(self):
        page = self.open(self.alice, "#/new/event")
        page.get_by_role("button", name="Announce").click()
        expect(page.locator("form .fault").last).to_have_text("Say what it is called.")
        starts = datetime.now() + timedelta(days=1)
        page.get_by_label("What is it called?").fill("Concert")
        page.get_by_label("It starts").fill(starts.strftime("%Y-%m-%dT18:00"))
        page.get_by_label("Address").fill("Bandshell")
        page.get_by_role("button", name="Announce").click()
        expect(row(page, "Concert")).to_contain_text("18:00")
        other = self.open(self.bob, "#/events")
        expect(row(other, "Concert")).to_contain_text("Bandshell")
        row(other, "Concert").get_by_role("button", name=re.compile("^I come")).click()
        expect(row(other, "Concert").get_by_role("button", name="Do not come, 1 comes")).to_be_visible()
        expect(row(page, "Concert")).to_contain_text("1 comes")

    def test_the_mesh_is_a_picture_and_a_table(self):
        page = self.open(self.alice, "#/mesh", reduced_motion="no-preference")
        expect(page.locator(".graph .node")).to_have_count(2)
        expect(page.locator(".graph .link.mine")).to_have_count(1)
        expect(page.locator("tbody tr", has_text="bob")).to_contain_text("linked")
        expect(page.locator("tbody tr", has_text="bob")).to_contain_text("ms")
        page.evaluate("""() => { window.pulses = 0; new MutationObserver((changes) => {
            for (const change of changes) for (const node of change.addedNodes) if (node.classList?.contains('pulse')) window.pulses += 1;
        }).observe(document.querySelector('.graph'), { subtree: true, childList: true }) }""")
        self.bob.api("POST", "/rooms/lobby/messages", {"text": "on my way"})
        self.wait(page, lambda: page.evaluate("window.pulses") > 0)
        expect(page.locator(".graph .pulse")).to_have_count(0)
