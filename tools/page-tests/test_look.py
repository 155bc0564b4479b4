"""How views look before they have come, from right to left, in forced colours and without motion."""

import re

from playwright.sync_api import expect
from world import PHONE, WIDE, PageCase, pin

TOUCH = {"viewport": PHONE, "has_touch": True, "is_mobile": True}


def right_to_left(context):
    context.add_init_script("addEventListener('DOMContentLoaded', () => { document.documentElement.dir = 'rtl' })")


class Waiting(PageCase):
    def test_still_blocks_stand_where_something_is_on_its_way(self):
        item = self.bob.post("Slowly", *self.near(20))
        self.bob.api("POST", "/rooms/lobby/messages", {"text": "slowly, too"})
        bob = self.bob.api("GET", "/me")["id"]
        page = self.open(self.alice, "#/mesh")
        for where, path, shown in (
            ("#/people", r"/people\?", ".row"), ("#/notifications", r"/notifications\?limit=100", None), ("#/following", "/timeline", None),
            (f"#/rooms/slow{PageCase.towns}", "/rooms/slow", None), (f"#/item/{item['id']}", f"/items/{item['id']}", ".item-words"),
            (f"#/people/{bob}", f"/people/{bob}", ".hint"), ("#/messages/slowly", "/search/lines", None),
        ):  # fmt: skip
            with self.subTest(where=where):
                page.route(re.compile(path), lambda route: None)
                page.evaluate("hash => { location.hash = hash }", where)
                blocks = page.locator("#panel .waits:empty").first
                expect(blocks).to_be_visible()
                style = blocks.evaluate("one => { const { animationName, animationDuration } = getComputedStyle(one); return [animationName, animationDuration] }")
                self.assertEqual(style, ["late", "0.3s"], "nothing is shown for a moment")
                self.assertIsNone(re.search("Loading|Searching", page.locator("#panel").inner_text()))
                # What was held goes on.
                page.unroute_all()
                expect(page.locator("#panel .waits:empty")).to_have_count(0)
                if shown:
                    expect(page.locator("#panel").locator(shown).first).to_be_visible()


class Direction(PageCase):
    def middle(self, element):
        expect(element).to_be_visible()
        box = element.bounding_box()
        return box["x"] + box["width"] / 2

    def test_everything_but_the_map_is_mirrored_for_readers_from_right_to_left(self):
        item = self.bob.post("Soup now", *self.near(0, 300), place_name="Kitchen")
        self.alice.api("POST", "/rooms/lobby/messages", {"text": "mine"})
        self.bob.api("POST", "/rooms/lobby/messages", {"text": "שלום"})
        views = {
            "posts": ("#/posts", ".row >> text=Soup now"), "item": (f"#/item/{item['id']}", ".item-words"), "new": ("#/new", ".option"),
            "here": ("#/here", ".option"), "rooms": ("#/rooms/lobby", ".line"), "people": ("#/people", ".row >> text=bob"),
            "me": ("#/people/me", "#my-name"), "notifications": ("#/notifications", "h2"), "mesh": ("#/mesh", "tbody >> text=bob"),
            "messages": ("#/messages/soup", ".search, #top-search"),
        }  # fmt: skip
        for look, size, touch in (("wide", WIDE, {}), ("phone", PHONE, TOUCH)):
            page = self.open(self.alice, prepare=right_to_left, **{"viewport": size, **touch})
            for name, (where, sign) in views.items():
                page.evaluate("hash => { location.hash = hash }", where)
                expect(page.locator(sign).first).to_be_attached()
                self.look(page, size, f"rtl-{name}-{look}")
            page.evaluate("location.hash = '#/rooms/lobby'")
            mine, theirs = page.locator(".line.mine .block").last, page.locator(".line:not(.mine, .follows) .line-face").last
            expect(mine).to_be_visible()
            self.assertLess(self.middle(mine), self.middle(theirs))
            page.evaluate("hash => { location.hash = hash }", f"#/item/{item['id']}")
            back = page.get_by_role("button", name="Back")
            self.assertGreater(self.middle(back), self.middle(page.get_by_role("heading", name="Post")))
            self.assertEqual(back.locator("svg").evaluate("one => getComputedStyle(one).transform"), "matrix(-1, 0, 0, 1, 0, 0)")
            page.evaluate("location.hash = '#/map'")
            expect(pin(page, item)).to_be_visible()
            # What is east stands to the right, as on any map.
            self.assertGreater(self.middle(pin(page, item)), self.middle(page.locator(".me-mark")))
            self.assertLess(self.middle(page.locator("#zoom-in")), size["width"] / 2 + (200 if size is WIDE else 0))


class Needs(PageCase):
    def test_forced_colours_keep_borders_and_nothing_moves_where_that_is_asked(self):
        self.bob.post("Soup now", *self.near(30))
        page = self.open(self.alice, "#/new", forced_colors="active", **TOUCH)
        switch = page.get_by_role("switch", name="Urgent")
        self.assertEqual(switch.evaluate("one => getComputedStyle(one).borderTopStyle"), "solid")
        for where in ("#/posts", "#/people", "#/rooms/lobby", "#/new"):
            page.evaluate("hash => { location.hash = hash }", where)
            expect(page.locator("#panel > .view")).to_be_visible()
            moving = page.evaluate("""[...document.querySelectorAll('body *')].filter((one) => {
                const { animationName, transitionDuration } = getComputedStyle(one);
                return (animationName !== 'none' && !one.matches('.waits')) || transitionDuration !== '0s';
            }).map((one) => one.className)""")
            self.assertEqual(moving, [])
            self.look(page, PHONE, f"forced-{where[2:].replace('/', '-')}")
