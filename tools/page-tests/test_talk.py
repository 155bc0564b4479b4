"""Rooms: lines to and fro, and history."""

from playwright.sync_api import expect
from world import PageCase


class Talk(PageCase):
    def setUp(self):
        super().setUp()
        self.room = f"town{PageCase.towns}"
        for node in (self.alice, self.bob):
            node.api("PUT", f"/rooms/{self.room}")

    def test_a_line_said_in_one_browser_is_heard_in_the_other(self):
        here, there = self.open(self.alice, f"#/rooms/{self.room}"), self.open(self.bob, f"#/rooms/{self.room}")
        expect(there.get_by_role("heading", name=f"#{self.room}")).to_be_visible()
        here.get_by_label("Message", exact=True).fill("anybody at the gate?")
        here.keyboard.press("Enter")
        expect(here.locator(".line", has_text="anybody at the gate?")).to_have_count(1)
        line = there.locator(".line", has_text="anybody at the gate?")
        expect(line).to_have_count(1)
        expect(line.locator(".by")).to_have_text("alice")
        expect(there.locator("#polite")).to_contain_text("alice: anybody at the gate?")
        there.get_by_label("Message", exact=True).fill("/me waves")
        there.keyboard.press("Enter")
        expect(here.locator(".line.acts")).to_contain_text("waves")
        expect(here.locator(".line .tag", has_text="sending")).to_have_count(0)

    def test_earlier_lines_come_in_front_and_the_reader_stays_where_he_is(self):
        for number in range(80):
            self.bob.api("POST", f"/rooms/{self.room}/messages", {"text": f"line {number:02} of many"})
        page = self.open(self.bob, f"#/rooms/{self.room}")
        expect(page.locator(".line")).to_have_count(60)
        expect(page.locator(".line").last).to_be_in_viewport()
        page.locator(".lines").evaluate("(lines) => { lines.scrollTop = 0 }")
        first = page.locator(".line", has_text="line 20 of many")
        # What is above the lines may still be loading, so their own top is what counts.
        place = "(line) => line.getBoundingClientRect().top - line.closest('.lines').getBoundingClientRect().top"
        before = first.evaluate(place)
        page.get_by_role("button", name="Earlier messages").click()
        expect(page.locator(".line")).to_have_count(80)
        self.assertLess(abs(first.evaluate(place) - before), 2)
        self.assertEqual(
            page.locator(".line .text").all_inner_texts(), [f"line {number:02} of many" for number in range(80)]
        )

    def test_a_line_that_is_refused_comes_back(self):
        page = self.open(self.alice, f"#/rooms/{self.room}", allowed=("503",))
        page.route(
            "**/messages",
            lambda route: (
                route.fulfill(status=503, json={"detail": "as much waits as can: try again when somebody is there"})
                if route.request.method == "POST"
                else route.continue_()
            ),
        )
        page.get_by_label("Message", exact=True).fill("too much")
        page.keyboard.press("Enter")
        expect(page.locator(".toast.bad")).to_contain_text("Not sent. As much waits as can")
        expect(page.get_by_label("Message", exact=True)).to_have_value("too much")
        expect(page.locator(".line")).to_have_count(0)

    def test_rooms_are_joined_and_left(self):
        page = self.open(self.alice, "#/")
        page.get_by_role("button", name="Join or make a room").click()
        page.get_by_label("Room to join").fill("harbour")
        page.keyboard.press("Enter")
        expect(page.get_by_role("heading", name="#harbour")).to_be_visible()
        self.assertIn("#harbour", self.alice.api("GET", "/me")["rooms"])
        page.get_by_role("button", name="Leave this room").click()
        expect(page.get_by_role("heading", name="#harbour")).to_have_count(0)
        self.assertNotIn("#harbour", self.alice.api("GET", "/me")["rooms"])
