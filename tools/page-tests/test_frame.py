"""The frame around all views: bars and tabs, what a phone leaves out, what stands beside a chat, notes, and light and dark."""

import re

from playwright.sync_api import expect
from world import PHONE, WIDE, PageCase

MIDDLE = {"width": 900, "height": 700}
TOUCH = {"viewport": PHONE, "has_touch": True, "is_mobile": True}


class Frame(PageCase):
    def test_the_page_opens_on_chats_with_the_list_and_a_conversation(self):
        self.bob.api("POST", "/rooms/lobby/messages", {"text": f"first sight {self.lat}"})
        page = self.open(self.alice, where=None)
        expect(page.locator('.tabs a[data-tab="chats"]')).to_have_attribute("aria-current", "page")
        expect(page.get_by_role("list", name="Rooms").get_by_role("link", name="#lobby")).to_contain_text("bob: first sight")
        expect(page.locator(".lines")).to_be_visible()
        expect(page.locator("#stage")).to_be_hidden()
        expect(page.locator("#mesh-name")).to_have_text(self.alice.api("GET", "/me")["mesh"])
        phone = self.open(self.alice, where=None, **TOUCH)
        expect(phone.locator(".chat", has_text="#lobby")).to_contain_text("bob: first sight")
        expect(phone.locator(".lines")).to_be_hidden()
        expect(phone.locator("#top-title")).to_have_text("Chats")

    def test_a_phone_has_tabs_except_in_a_conversation_an_item_and_while_writing(self):
        item = self.bob.post("Soup now", *self.near(10))
        page = self.open(self.alice, where=None, **TOUCH)
        tabs = page.get_by_role("navigation", name="Main")
        expect(tabs.get_by_role("link")).to_have_text([re.compile("^Chats"), "Map", "People", re.compile("^Notifications")])
        box = page.locator(".tabs").bounding_box()
        self.assertEqual((round(box["y"] + box["height"]), round(box["width"])), (PHONE["height"], PHONE["width"]))
        self.assertGreaterEqual(box["height"], 60)
        page.locator(".chat", has_text="#lobby").tap()
        expect(page.get_by_role("heading", name="#lobby")).to_be_visible()
        expect(tabs).to_be_hidden()
        page.get_by_role("link", name="Back to the chats").tap()
        expect(tabs).to_be_visible()
        for name, where in (("Map", "#/map"), ("People", "#/people"), ("Notifications", "#/notifications"), ("Chats", "#/")):
            tabs.get_by_role("link", name=name).tap()
            expect(page).to_have_url(re.compile(f"{where}$"))
            expect(tabs.locator("[aria-current]")).to_have_text(re.compile(f"^{name}"))
        # The map has no bar: oneself stands in its search.
        page.evaluate("location.hash = '#/map'")
        me = page.locator("#map-search").get_by_role("link", name="You: alice")
        expect(me).to_be_visible()
        self.assertEqual(me.bounding_box()["width"], 44)
        self.look(page, PHONE, "map-me-phone")
        me.tap()
        expect(page).to_have_url(re.compile("#/people/me$"))
        page.evaluate("location.hash = '#/people'")
        expect(page.locator(".top").get_by_role("link", name="You: alice")).to_be_visible()
        for where in (f"#/item/{item['id']}", "#/new", "#/here", "#/people/me"):
            page.evaluate("hash => { location.hash = hash }", where)
            expect(tabs).to_be_hidden()
        page.evaluate("location.hash = '#/people'")
        page.get_by_role("link", name="Mesh", exact=True).tap()
        expect(page.locator("tbody")).to_contain_text("bob")
        expect(tabs.locator("[aria-current]")).to_have_text("People")

    def test_only_posts_and_what_belongs_to_them_have_the_map_beside_them(self):
        page = self.open(self.alice)
        for where, has_map in (("#/", False), ("#/posts", True), ("#/people", False), ("#/here", True), ("#/notifications", False),
                               ("#/new", True), ("#/people/me", False), ("#/mesh", False)):  # fmt: skip
            page.evaluate("hash => { location.hash = hash }", where)
            (expect(page.locator("#map")).to_be_visible if has_map else expect(page.locator("#map")).to_be_hidden)()
        page.evaluate("location.hash = '#/posts'")
        self.assertEqual(page.locator("#panel").bounding_box()["width"], 400)

    def test_who_is_there_stands_beside_a_chat_until_it_is_closed(self):
        room = f"frame{PageCase.towns}"
        for node in (self.alice, self.bob):
            node.api("PUT", f"/rooms/{room}")
        page = self.open(self.alice, f"#/rooms/{room}", viewport=WIDE)
        about = page.get_by_role("region", name="About this chat")
        expect(about).to_contain_text("Here now, 2")
        expect(about.get_by_role("link", name="bob")).to_be_visible()
        expect(page.locator(".talk-head")).to_contain_text("2 people here now")
        button = page.get_by_role("button", name="People in this chat")
        expect(button).to_have_attribute("aria-pressed", "true")
        about.get_by_role("button", name="Close").click()
        expect(about).to_be_hidden()
        expect(button).to_be_focused()
        button.click()
        expect(about).to_be_visible()
        for size in (MIDDLE, PHONE):
            other = self.open(self.alice, f"#/rooms/{room}", viewport=size)
            about = other.get_by_role("region", name="About this chat")
            expect(other.get_by_label("Message", exact=True)).to_be_visible()
            expect(about).to_be_hidden()
            other.get_by_role("button", name="People in this chat").click()
            expect(about.get_by_role("link", name="bob")).to_be_visible()
            self.look(other, size, f"about-{size['width']}")

    def test_a_person_to_write_to_is_chosen_from_the_list(self):
        page = self.open(self.alice, "#/")
        page.get_by_role("button", name="Write to a person").click()
        page.get_by_role("dialog").get_by_role("button", name="bob").click()
        expect(page.get_by_placeholder("Message bob")).to_be_visible()
        expect(page.locator("#panel")).to_contain_text("Only you two can read this")

    def test_one_note_at_a_time_goes_by_itself_and_never_over_the_tabs(self):
        page = self.open(self.alice, "#/", **TOUCH)
        page.keyboard.press("?")
        toast = page.locator(".toast")
        expect(toast).to_have_count(1)
        top, tabs = toast.bounding_box(), page.locator(".tabs").bounding_box()
        self.assertLessEqual(top["y"] + top["height"], tabs["y"])
        page.keyboard.press("?")
        expect(toast).to_have_count(1)
        expect(toast).to_have_count(0)

    def test_a_note_can_be_read_before_the_next_takes_its_place(self):
        page = self.open(self.alice, "#/rooms/lobby", prepare=lambda context: context.clock.install())
        field = page.get_by_label("Message", exact=True)
        field.fill("/pin")
        now = page.evaluate("Date.now()") / 1_000
        page.clock.pause_at(now + 10)
        field.press("Enter")
        toast, said = page.locator(".toast"), page.locator("#polite")
        first, second = "Type a text after /pin.", re.compile("^Shortcuts: ")
        expect(toast).to_contain_text(first)
        page.locator("#panel").focus()
        page.keyboard.press("?")
        page.clock.run_for(1_900)
        expect(toast.locator("p")).to_have_text(first)
        expect(said).to_have_text(first)
        page.clock.run_for(200)
        expect(toast.locator("p")).to_have_text(second)
        expect(said).to_have_text(second)
        # Who closes one has the next at once.
        page.keyboard.press("?")
        toast.get_by_role("button", name="Close").click()
        expect(toast.locator("p")).to_have_text(second)
        # It stays under the pointer.
        page.mouse.move(600, 300)
        page.clock.run_for(4_100)
        expect(toast).to_have_count(0)

    def test_light_or_dark_is_chosen(self):
        page = self.open(self.alice, "#/people/me")
        paper = "getComputedStyle(document.body).backgroundColor"
        self.assertEqual(page.evaluate(paper), "rgb(255, 255, 255)")
        page.get_by_role("radio", name="Dark").check(force=True)
        self.assertEqual(page.evaluate(paper), "rgb(16, 24, 22)")
        page.reload()
        expect(page.get_by_role("radio", name="Dark")).to_be_checked()
        self.assertEqual(page.evaluate(paper), "rgb(16, 24, 22)")
        self.look(page, WIDE, "look-dark")
        page.get_by_role("radio", name="Automatic").check(force=True)
        self.assertEqual(page.evaluate(paper), "rgb(255, 255, 255)")
        page.emulate_media(color_scheme="dark")
        self.assertEqual(page.evaluate(paper), "rgb(16, 24, 22)")

    def test_the_bell_counts_and_opens_what_is_new(self):
        self.alice.api("POST", "/notifications/seen")
        page = self.open(self.alice, "#/")
        self.bob.api("POST", "/rooms/lobby/messages", {"text": "alice, to the gate"})
        bell = page.get_by_role("link", name="Notifications")
        expect(bell.locator(".badge")).to_have_text("1")
        bell.click()
        popover = page.get_by_role("dialog", name="Notifications")
        expect(popover.locator(".row.new", has_text="bob mentioned you in #lobby")).to_have_count(1)
        expect(bell.locator(".badge")).to_be_hidden()
        expect(page).to_have_url(re.compile("#/$"))
        self.assertEqual(popover.bounding_box()["width"], 392)
        for look in ("light", "dark"):
            page.emulate_media(color_scheme=look)
            self.look(page, WIDE, f"popover-{look}")
        # What comes while it is open is new, too.
        self.bob.api("POST", "/rooms/lobby/messages", {"text": "alice, bring a lamp"})
        expect(popover.locator(".row", has_text="bring a lamp")).to_have_count(1)
        page.keyboard.press("Escape")
        expect(popover).to_be_hidden()
        expect(bell).to_be_focused()
        page.keyboard.press("Enter")
        expect(popover).to_be_visible()
        page.mouse.click(300, 400)
        expect(popover).to_be_hidden()
        expect(bell).to_be_focused()
        bell.click()
        popover.get_by_role("link", name="bob mentioned you in #lobby “alice, bring a lamp”").click()
        expect(popover).to_be_hidden()
        expect(page.get_by_role("heading", name="#lobby")).to_be_visible()
        bell.click()
        popover.get_by_role("link", name="Show all").click()
        expect(popover).to_be_hidden()
        expect(page.get_by_role("heading", name="Notifications")).to_be_visible()
        bell.click()
        expect(popover).to_be_hidden()
        phone = self.open(self.alice, "#/", **TOUCH)
        phone.get_by_role("link", name="Notifications").tap()
        expect(phone).to_have_url(re.compile("#/notifications$"))
        expect(phone.get_by_role("dialog")).to_have_count(0)
