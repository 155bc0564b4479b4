"""What happens while the node, or the way to it, is away."""

import re
import signal

from nodes import Node, until
from playwright.sync_api import expect
from wire import Wire
from world import PageCase, place_field, row


class Away(PageCase):
    ALLOWED = ("ERR_", "Failed to load resource")

    def test_a_node_that_comes_back_is_read_on_by_itself(self):
        node = Node("carol", self.alice)
        self.addCleanup(node.remove)
        node.api("PUT", "/here", {"lat": self.lat, "lon": self.lon})
        self.alice.post("Before", *self.near(30))
        page = self.open(node, allowed=self.ALLOWED)
        expect(row(page, "Before")).to_be_visible()
        node.stop(signal.SIGKILL)
        expect(page.locator("#banner")).to_contain_text("No connection to the node")
        expect(row(page, "Before")).to_be_visible()
        self.alice.post("While it was away", *self.near(60))
        node.start()
        expect(page.locator("#live-state")).to_have_text("online")
        expect(page.locator("#banner")).to_be_hidden()
        expect(row(page, "While it was away")).to_be_visible()
        self.alice.post("And after", *self.near(90))
        expect(row(page, "And after")).to_be_visible()

    def test_what_was_missed_is_told_when_the_stream_goes_on(self):
        wire = Wire(self.alice)
        self.addCleanup(wire.remove)
        page = self.open(wire, "#/rooms/lobby", allowed=self.ALLOWED)
        self.bob.api("POST", "/rooms/lobby/messages", {"text": f"before {self.lat}"})
        expect(page.locator(".line", has_text=f"before {self.lat}")).to_have_count(1)
        asked = []
        page.on("request", lambda request: asked.append(request) if "/v1/stream" in request.url else None)
        wire.cut()
        expect(page.locator("#live-state")).to_have_text("offline")
        for number in range(3):
            self.bob.api("POST", "/rooms/lobby/messages", {"text": f"meanwhile {number} {self.lat}"})
        wire.mend()
        expect(page.locator("#live-state")).to_have_text("online")
        for number in range(3):
            expect(page.locator(".line", has_text=f"meanwhile {number} {self.lat}")).to_have_count(1)
        expect(page.locator(".line", has_text=f"before {self.lat}")).to_have_count(1)
        self.assertRegex(asked[-1].headers.get("last-event-id", ""), r"^[\w-]+-\d+$")

    def test_what_is_written_offline_is_not_lost(self):
        page = self.open(self.alice, allowed=self.ALLOWED)
        page.get_by_role("link", name="New post").click()
        page.get_by_label("Your message").fill("Written in a tunnel")
        page.context.set_offline(True)
        page.get_by_role("button", name="Post", exact=True).click()
        expect(page.locator(".toast.bad")).to_contain_text("It was not posted. No connection to the node")
        expect(page.get_by_label("Your message")).to_have_value("Written in a tunnel")
        page.context.set_offline(False)
        page.get_by_role("button", name="Post", exact=True).click()
        expect(row(page, "Written in a tunnel")).to_have_count(1)
        until(
            lambda: any(
                item.get("text") == "Written in a tunnel"
                for item in self.bob.api("GET", f"/posts/near?lat={self.lat}&lon={self.lon}")["items"]
            ),
            "bob never got it",
        )

    def test_what_nobody_has_taken_yet_is_marked(self):
        node = Node("dora")
        self.addCleanup(node.remove)
        node.api("PUT", "/here", {"lat": self.lat, "lon": self.lon})
        page = self.open(node)
        page.evaluate("location.hash = '#/new'")
        page.get_by_label("Your message").fill("Alone so far")
        page.get_by_role("button", name="Post", exact=True).click()
        expect(row(page, "Alone so far")).to_contain_text("not sent yet")

    def test_a_token_of_another_node_lets_one_look(self):
        self.alice.post("To be looked at", *self.near(10))
        page = self.open(self.alice, token=False)
        page.evaluate(
            "localStorage.setItem('lattice token', 'x'.repeat(22)); localStorage.setItem('lattice here', JSON.stringify({ lat: %r, lon: %r }))"
            % (self.lat, self.lon)
        )
        page.reload()
        expect(page.locator("#banner")).to_contain_text("You can read but not write")
        expect(row(page, "To be looked at")).to_be_visible()
        self.faults = [fault for fault in self.faults if "401" not in fault]

    def test_a_page_without_the_token_may_look_and_not_write(self):
        self.alice.post("For everybody", *self.near(10))
        page = self.open(self.alice, token=False)
        expect(page.locator("#banner")).to_contain_text("You can read but not write")
        expect(page.locator("#new-link")).to_be_hidden()
        page.locator("#here-link").click()
        place_field(page, "Place").fill(f"{self.lat}, {self.lon}")
        page.get_by_role("button", name="I am here").click()
        expect(row(page, "For everybody")).to_be_visible()
        expect(row(page, "For everybody").get_by_role("button", name=re.compile("^Like"))).to_be_disabled()
        self.assertNotEqual(self.alice.api("GET", "/here"), {})
        page.keyboard.press("n")
        expect(page).not_to_have_url(re.compile("new"))
