"""Everything by keyboard alone."""

import re

from playwright.sync_api import expect
from world import PageCase, pin, row


class Keyboard(PageCase):
    def test_a_post_is_written_found_liked_and_opened(self):
        self.bob.post("Further off", *self.near(500))
        page = self.open(self.alice)
        expect(row(page, "Further off")).to_be_visible()
        page.keyboard.press("n")
        expect(page.get_by_label("Your message")).to_be_focused()
        page.keyboard.type("Typed n without a mouse /")
        page.keyboard.press("Control+Enter")
        mine = row(page, "Typed n without a mouse /")
        expect(mine.locator("a")).to_have_attribute("href", re.compile("item"))
        page.keyboard.press("/")
        expect(page.locator("#search")).to_be_focused()
        page.keyboard.type("nothing")
        expect(page.locator("#search")).to_have_value("nothing")
        page.keyboard.press("Escape")
        page.keyboard.press("Escape")
        page.keyboard.press("4")
        expect(page.locator("tbody")).to_contain_text("bob")
        page.keyboard.type("/rain")
        expect(page.locator("#search")).to_have_value("rain")
        page.keyboard.press("Escape")
        page.keyboard.press("Escape")
        page.keyboard.press("2")
        expect(mine).to_be_visible()
        self.tab_to(page, ".row-link")
        page.keyboard.press("Home")
        expect(mine).to_have_attribute("aria-current", "true")
        page.keyboard.press("ArrowDown")
        expect(row(page, "Further off").locator("a")).to_be_focused()
        expect(row(page, "Further off")).to_have_attribute("aria-current", "true")
        page.keyboard.press("l")
        expect(row(page, "Further off").get_by_role("button", name="Unlike, 1 like")).to_be_visible()
        page.keyboard.press("End")
        page.keyboard.press("Enter")
        expect(page.get_by_role("heading", name="Post")).to_be_focused()
        expect(page.locator(".item-words")).to_have_text("Further off")
        page.keyboard.press("Escape")
        expect(row(page, "Further off")).to_be_visible()

    def test_the_map_is_moved_and_pointed_at(self):
        item = self.bob.post("East of here", *self.near(0, 400))
        page = self.open(self.alice)
        expect(pin(page, item)).to_be_visible()
        page.keyboard.press("g")
        expect(page.locator("#map")).to_be_focused()
        before = pin(page, item).bounding_box()["x"]
        page.keyboard.press("ArrowRight")
        self.assertAlmostEqual(pin(page, item).bounding_box()["x"], before - 60, delta=2)
        page.keyboard.press("+")
        page.keyboard.press("Enter")
        expect(page.locator("#map-card")).to_be_visible()
        page.keyboard.press("Escape")
        expect(page.locator("#map-card")).to_be_hidden()
        page.keyboard.press("h")
        page.keyboard.press("Tab")
        expect(pin(page, item)).to_be_focused()
        page.keyboard.press("Enter")
        expect(row(page, "East of here")).to_have_attribute("aria-current", "true")
        page.keyboard.press("Enter")
        expect(page).to_have_url(re.compile(item["id"]))

    def test_every_part_is_reached_and_the_focus_is_always_seen(self):
        self.bob.post("Something to stand on", *self.near(100))
        page = self.open(self.alice)
        expect(row(page, "Something to stand on")).to_be_visible()
        page.locator("#skip").focus()
        seen = []
        for _ in range(40):
            page.keyboard.press("Tab")
            at = page.evaluate(
                """() => { const at = document.activeElement; if (!at || at === document.body) return null;
              const own = getComputedStyle(at), row = at.closest('.row'), around = row ? getComputedStyle(row) : own, beside = at.nextElementSibling ? getComputedStyle(at.nextElementSibling) : own;
              return { name: at.id || at.className || at.tagName, outlined: [own, around, beside].some((style) => style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) > 1) } }"""
            )
            if at is None:
                break
            seen.append(at["name"])
            self.assertTrue(at["outlined"], f"nobody sees that the focus is at {at['name']}")
        for name in ("here-link", "new-link", "map", "zoom-in", "search", "row-link"):
            self.assertIn(name, seen)
        self.assertLess(seen.index("search"), seen.index("row-link"))
        self.assertLess(seen.index("row-link"), seen.index("map"))
        self.assertEqual(len([name for name in seen if name == "row-link"]), 1, "a list is one stop")

    def test_a_question_mark_tells_the_keys(self):
        page = self.open(self.alice)
        page.keyboard.press("?")
        expect(page.locator(".toast")).to_contain_text("/ search")
        for key, words in (("2", "map"), ("3", "people"), ("4", "mesh"), ("1", "chats")):
            page.keyboard.press(key)
            expect(page.locator(f'.tabs a[data-tab="{words}"]')).to_have_attribute("aria-current", "page")

    def tab_to(self, page, selector):
        for _ in range(30):
            page.keyboard.press("Tab")
            if page.evaluate("selector => document.activeElement.matches(selector)", selector):
                return
        self.fail(f"Tab never comes to {selector}")
