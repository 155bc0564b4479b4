"""Messages are found again: in rooms and in private, with those around them."""

import re

from nodes import until
from playwright.sync_api import expect
from world import PageCase


class Search(PageCase):
    def setUp(self):
        super().setUp()
        self.room = f"search{PageCase.towns}"
        for node in (self.alice, self.bob):
            node.api("PUT", f"/rooms/{self.room}")

    def say(self, node, text):
        said = node.api("POST", f"/rooms/{self.room}/messages", {"text": text})["id"]
        path = f"/rooms/{self.room}/messages"
        until(lambda: any(one["id"] == said for one in self.alice.api("GET", path)["items"]), f"“{text}” does not arrive")

    def rows(self, page):
        return page.get_by_role("list", name="Found messages").locator("> li")

    def test_a_message_is_found_with_those_around_it(self):
        word = f"ferry{PageCase.towns}"
        for text in ("anybody there?", f"the {word.upper()} leaves at nine", "too early for me"):
            self.say(self.bob, text)
        self.bob.command("send", self.alice.api("GET", "/me")["id"], f"which {word} do you take?")
        until(lambda: len(self.alice.api("GET", f"/search/lines?words={word}")["items"]) == 2, "both are not found")
        page = self.open(self.alice, f"#/rooms/{self.room}")
        expect(page.locator(".line")).to_have_count(3)
        page.locator("#panel h2").focus()
        page.keyboard.press("/")
        page.keyboard.type(f"{word} ")
        page.keyboard.press("Enter")
        expect(page).to_have_url(re.compile(f"#/messages/{word}$"))
        expect(self.rows(page)).to_have_count(2)
        expect(self.rows(page).first).to_contain_text("private message")
        in_room = self.rows(page).nth(1)
        expect(in_room.locator("mark")).to_have_text(word.upper())
        in_room.get_by_role("button", name="leaves at nine").click()
        around = in_room.get_by_role("list", name="Messages around it")
        expect(around.locator("li")).to_have_text(
            ["bob anybody there?", f"bob the {word.upper()} leaves at nine", "bob too early for me"]
        )
        in_room.get_by_role("button", name="leaves at nine").click()
        expect(around).to_be_hidden()
        in_room.get_by_role("link", name=f"#{self.room}").click()
        expect(page.get_by_role("heading", name=f"#{self.room}")).to_be_visible()
        page.go_back()
        expect(self.rows(page)).to_have_count(2)

    def test_what_is_not_there_says_what_to_try(self):
        page = self.open(self.alice, "#/messages/nobodysaidthis", allowed=("422",))
        expect(page.locator("#panel")).to_contain_text("Nothing found. Try fewer words")
        page.locator("#search").fill("  ")
        page.keyboard.press("Enter")
        expect(page).to_have_url(re.compile("nobodysaidthis"))
        page.locator("#search").fill("(*\"")
        page.keyboard.press("Enter")
        expect(page.locator("#panel")).to_contain_text("Give a word to search for.")

    def test_older_ones_come_on_demand(self):
        word = f"bridge{PageCase.towns}"
        for number in range(33):
            self.say(self.bob, f"{word} {number}")
        page = self.open(self.alice, f"#/messages/{word}")
        expect(self.rows(page)).to_have_count(30)
        expect(self.rows(page).first).to_contain_text(f"{word} 32")
        page.get_by_role("button", name="Show older messages").click()
        expect(self.rows(page)).to_have_count(33)
        expect(page.get_by_role("button", name="Show older messages")).to_be_hidden()
