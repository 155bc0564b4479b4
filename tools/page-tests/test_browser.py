"""What a browser remembers: who is signed in, and where they are."""

import json

from nodes import Node
from playwright.sync_api import expect
from world import PHONE, PageCase, place_field, row

# The same browser on a phone: from another host than the node's own, without a token in a file and without a receiver.
PLAIN = ("Cross-Origin-Opener-Policy",)


class SignedIn(PageCase):
    def test_every_tab_is_signed_in_until_somebody_signs_out(self):
        page = self.open(self.alice)
        tab = self.watched(page.context.new_page(), self.alice)
        tab.goto(self.alice.url)
        expect(tab.locator("#new-link")).to_be_visible()
        self.assertNotIn(self.alice.token, tab.url)
        tab.evaluate("location.hash = '#/people/me'")
        tab.get_by_role("button", name="Sign out in this browser").click()
        for one in (tab, page):
            expect(one.locator("#banner")).to_contain_text("You can read but not write")
            expect(one.locator("#new-link")).to_be_hidden()
        self.assertEqual(tab.evaluate("Object.keys(localStorage)"), [])
        tab.goto(self.alice.url)
        expect(tab.locator("#banner")).to_contain_text("You can read but not write")

    def test_a_link_that_is_opened_over_an_open_page_signs_in(self):
        page = self.open(self.alice, token=False)
        expect(page.locator("#new-link")).to_be_hidden()
        page.evaluate("hash => { location.hash = hash }", f"#token={self.alice.token}")
        expect(page.locator("#new-link")).to_be_visible()
        self.assertNotIn("token", page.url)

    def test_half_a_link_leaves_the_address_bar_too(self):
        page = self.open(self.alice)
        page.evaluate("hash => { location.hash = hash }", f"#token={self.alice.token[:9]}")
        self.wait(page, lambda: "token" not in page.url)
        expect(page.locator("#new-link")).to_be_visible()


class Place(PageCase):
    def test_a_place_is_the_browsers_and_moves_nobody_else(self):
        hub = Node("hub", self.alice, host="0.0.0.0")
        self.addCleanup(hub.remove)
        home = {"lat": self.lat, "lon": self.lon}
        hub.api("PUT", "/here", home)
        lat, lon = self.near(60_000)
        hub.post("At the hub", *self.near(10))
        hub.post("At the phone", lat, lon)
        phone = self.open(hub, viewport=PHONE, has_touch=True, allowed=PLAIN)
        # The person with the phone is not where the hub is.
        expect(phone.locator(".empty")).to_contain_text("Where are you? Then you can read the posts near you.")
        phone.get_by_role("link", name="Choose a place").tap()
        expect(phone.get_by_role("button", name="Use the GPS receiver")).to_have_count(0)
        place_field(phone, "Place").fill(f"{lat:.5f}, {lon:.5f}")
        phone.get_by_role("button", name="I am here").tap()
        expect(row(phone, "At the phone")).to_be_visible()
        expect(phone.locator(".row.far")).to_contain_text("60 km S")
        phone.get_by_role("link", name="New post").tap()
        phone.get_by_label("Your message").fill("From the phone")
        phone.get_by_role("button", name="Post", exact=True).tap()
        # The row stands there before the node has the post.
        expect(phone.locator("#polite")).to_contain_text("Posted.")
        expect(row(phone, "From the phone")).to_be_visible()
        posted = next(one for one in hub.api("GET", "/timeline")["items"] if one.get("text") == "From the phone")
        self.assertAlmostEqual(posted["lat"], lat, places=4)
        self.assertEqual(hub.api("GET", "/here"), home)
        tab = self.watched(phone.context.new_page(), hub, PLAIN)
        tab.goto(f"{hub.url}#/posts")
        expect(row(tab, "From the phone")).to_be_visible()
        near = self.bob.post("Just came", *self.near(60_010))
        expect(row(phone, "Just came")).to_be_visible()
        expect(phone.locator("#polite")).to_contain_text("New post by bob")
        self.assertEqual(near["kind"], "post")

    def test_the_node_moves_where_that_is_ticked(self):
        page = self.open(self.alice, "#/here")
        place_field(page, "Place").fill("{:.5f}, {:.5f}".format(*self.near(2_500)))
        page.get_by_label("Also move alice’s place on the node").check()
        page.get_by_role("button", name="I am here").click()
        expect(page.locator(".toast")).to_contain_text("Your place is set.")
        self.assertAlmostEqual(self.alice.api("GET", "/here")["lat"], self.near(2_500)[0], places=4)

    def test_a_place_that_is_none_is_forgotten(self):
        page = self.open(self.alice)
        for kept in ("{", "5", json.dumps({"lat": 91, "lon": 0})):
            page.evaluate("kept => localStorage.setItem('lattice here', kept)", kept)
            page.reload()
            page.evaluate("location.hash = '#/here'")
            expect(page.locator("#place")).to_have_value(f"{self.lat:.5f}, {self.lon:.5f}")
