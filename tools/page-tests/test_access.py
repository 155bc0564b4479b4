"""Every view in light, in dark and at the width of a phone: axe finds nothing, nothing is cut off, and a picture is kept."""

import os

from playwright.sync_api import expect
from world import LOOKS, WIDE, PageCase


class Access(PageCase):
    def test_every_view_is_clean(self):
        far, item = self.bob.post("Too far to be read here", *self.near(4_000)), self.bob.post(
            "Soup now, bring a bowl", *self.near(300, 200), place_name="North gate"
        )
        self.bob.api("POST", f"/items/{item['id']}/comments", {"text": "On my way"})
        self.alice.post("Water at the gate", *self.near(-400, 100), blur=7)
        self.bob.api("POST", "/rooms/lobby/messages", {"text": "anybody at the gate?"})
        self.alice.api("POST", "/rooms/lobby/messages", {"text": "waves", "style": "acts"})
        self.bob.api(
            "POST",
            "/events",
            {
                "event": {
                    "name": "Concert",
                    "address": "Bandshell",
                    "lat": self.lat,
                    "lon": self.lon,
                    "started_at": "2026-12-31T18:00:00Z",
                }
            },
        )
        views = {
            "posts": ("#/posts", ".row >> text=Soup now"),
            "map": ("#/map", f'.pin[data-id="{far["id"]}"]'),
            "item": (f"#/item/{item['id']}", ".comments >> text=On my way"),
            "new": ("#/new", "#place"),
            "event": ("#/new/event", "#event-name"),
            "here": ("#/here", "#place"),
            "events": ("#/events", "h2 >> text=Events"),
            "rooms": ("#/rooms/lobby", ".line >> nth=0"),
            "messages": ("#/messages/gate", "mark >> text=gate"),
            "people": ("#/people", ".row >> text=bob"),
            "me": ("#/people/me", "#my-name"),
            "notifications": ("#/notifications", "h2 >> text=Notifications"),
            "mesh": ("#/mesh", "tbody >> text=bob"),
        }
        for look, size, scheme in LOOKS:
            page = self.open(self.alice, viewport=size, color_scheme=scheme)
            for name, (where, sign) in views.items():
                if name == "map" and size == WIDE:
                    continue
                page.evaluate("hash => { location.hash = hash }", where)
                expect(page.locator(sign).first).to_be_attached()
                self.look(page, size, f"{name}-{look}")
            page.context.close()

    def test_the_text_can_be_twice_as_large(self):
        self.bob.post("Large letters are letters, too", *self.near(10))
        page = self.open(self.alice, viewport={"width": 640, "height": 700})
        page.evaluate("document.documentElement.style.fontSize = '32px'")
        expect(page.locator(".row")).to_contain_text("Large letters")
        self.assertLessEqual(page.evaluate("document.documentElement.scrollWidth"), 640)
        page.screenshot(path=os.path.join(os.environ["PAGE_TESTS_PICTURES"], "posts-large.png"))
