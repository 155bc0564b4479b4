"""The map itself: a base map below it, the way around the globe, a finger, and where one is."""

import contextlib
import os
import re
import shutil
import sqlite3
import struct
import tempfile
import zlib

from nodes import Node, until
from playwright.sync_api import expect
from world import PHONE, WIDE, PageCase, pin, place_field, row


def image(red, green, blue):
    """A PNG of one colour."""

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = (b"\0" + bytes((red, green, blue)) * 256) * 256
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", struct.pack(">IIBBBBB", 256, 256, 8, 2, 0, 0, 0))
        + chunk(b"IDAT", zlib.compress(rows))
        + chunk(b"IEND", b"")
    )


# A copy is read: the browser warns on its console of a canvas that is read often.
PIXEL = """() => {
  const copy = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  copy.drawImage(document.getElementById("map-canvas"), 7, 70, 1, 1, 0, 0, 1, 1);
  return [...copy.getImageData(0, 0, 1, 1).data].slice(0, 3);
}"""


class Map(PageCase):
    def is_at(self, page, lat, lon):
        """The place that the page keeps; on the screen it has no numbers."""
        expect(page.locator("#here-link")).to_have_text("Here ✓")
        page.wait_for_function(
            """([lat, lon]) => {
              const kept = JSON.parse(localStorage.getItem("lattice here"));
              return kept !== null && Math.abs(kept.lat - lat) < 5e-5 && Math.abs(kept.lon - lon) < 5e-5;
            }""",
            arg=[lat, lon],
        )

    def test_a_base_map_is_drawn_where_the_node_has_one(self):
        me = self.alice.api("GET", "/me")
        me["basemap"] = {"minzoom": 0, "maxzoom": 6, "attribution": "© the makers <b>of</b> it"}
        asked = []

        def routes(context):
            context.route("**/v1/me", lambda route: route.fulfill(json=me))
            context.route(
                "**/tiles/**",
                lambda route: (
                    asked.append(route.request),
                    route.fulfill(body=image(200, 30, 40), content_type="image/png"),
                ),
            )

        page = self.open(self.alice, prepare=routes)
        self.wait(page, lambda: page.evaluate(PIXEL) == [200, 30, 40])
        expect(page.locator("#attribution")).to_have_text("© the makers <b>of</b> it")
        self.assertTrue(all(re.search(r"/tiles/[0-6]/\d+/\d+$", one.url) for one in asked))
        self.assertTrue(all(one.headers.get("authorization") == f"Bearer {self.alice.token}" for one in asked))

    def made_map(self, name, colour, attribution):
        """A map of the whole world in one colour, as MBTiles."""
        folder = tempfile.mkdtemp(prefix="page-map-")
        self.addCleanup(shutil.rmtree, folder)
        file = os.path.join(folder, name)
        with contextlib.closing(sqlite3.connect(file)) as tiles, tiles:
            tiles.execute("CREATE TABLE metadata (name TEXT, value TEXT)")
            tiles.execute(
                "CREATE TABLE tiles (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data BLOB)"
            )
            facts = [("name", "Small"), ("format", "png"), ("bounds", "-180,-85,180,85"), ("attribution", attribution)]
            tiles.executemany("INSERT INTO metadata VALUES (?, ?)", facts)
            places = [(zoom, x, y) for zoom in (0, 1) for x in range(2**zoom) for y in range(2**zoom)]
            tiles.executemany("INSERT INTO tiles VALUES (?, ?, ?, ?)", [(*place, image(*colour)) for place in places])
        return file

    def test_a_base_map_of_a_file_is_drawn(self):
        node = Node("erin", options=["--basemap", self.made_map("small.mbtiles", (30, 160, 60), "by hand")])
        self.addCleanup(node.remove)
        node.api("PUT", "/here", {"lat": self.lat, "lon": self.lon})
        page = self.open(node)
        self.wait(page, lambda: page.evaluate(PIXEL) == [30, 160, 60])
        expect(page.locator("#attribution")).to_contain_text("by hand")

    def test_a_map_that_somebody_shares_is_offered_and_drawn(self):
        giver = Node("giver")
        self.addCleanup(giver.remove)
        node = Node("taker", giver, options=["--visitors"])
        self.addCleanup(node.remove)
        giver.command("map", "add", self.made_map("camp <b>.mbtiles", (90, 40, 160), "drawn by giver"), "--share")
        until(lambda: node.api("GET", "/maps")["shared"], "the map is not heard of")
        node.api("PUT", "/here", {"lat": self.lat, "lon": self.lon})
        visitor = self.open(node, token=False)
        visitor.get_by_role("button", name="Just look around").click()
        visitor.evaluate("location.hash = '#/map'")
        expect(visitor.locator("#attribution")).to_have_text("The hub has no map yet.")
        page = self.open(node)
        foot = page.locator("#attribution")
        expect(foot).to_contain_text("giver has a map: camp <b>.mbtiles")
        self.look(page, WIDE, "map-offer")
        foot.get_by_role("button", name="Get it").click()
        self.wait(page, lambda: page.evaluate(PIXEL) == [90, 40, 160])
        expect(foot).to_have_text("drawn by giver")
        visitor.reload()
        visitor.evaluate("location.hash = '#/map'")
        self.wait(visitor, lambda: visitor.evaluate(PIXEL) == [90, 40, 160])

    def test_without_a_base_map_there_is_a_grid_and_a_word_how_to_add_one(self):
        page = self.open(self.alice)
        expect(page.locator("#attribution")).to_have_text("No map yet: lattice map add FILE.mbtiles adds one.")
        expect(page.locator("#scale")).to_have_text(re.compile(r"^\d+ k?m$"))
        page = self.open(self.alice, token=False)
        page.evaluate("location.hash = '#/map'")
        expect(page.locator("#attribution")).to_have_text("The hub has no map yet.")

    def test_a_base_map_that_does_not_answer_leaves_the_map_as_it_is(self):
        me = self.alice.api("GET", "/me")
        me["basemap"] = {"minzoom": 0, "maxzoom": 6}
        item = self.bob.post("Still here", *self.near(100))

        def routes(context):
            context.route("**/v1/me", lambda route: route.fulfill(json=me))
            context.route("**/tiles/**", lambda route: route.fulfill(status=404))

        page = self.open(self.alice, prepare=routes, allowed=("404",))
        expect(pin(page, item)).to_be_visible()
        self.wait(page, lambda: min(page.evaluate(PIXEL)) > 200)

    def test_the_map_is_dragged_and_zoomed(self):
        item = self.bob.post("A fixed point", *self.near(0, 300))
        page = self.open(self.alice)
        expect(pin(page, item)).to_be_visible()
        before = pin(page, item).bounding_box()
        page.mouse.move(700, 600)
        page.mouse.down()
        page.mouse.move(760, 640, steps=5)
        page.mouse.up()
        after = pin(page, item).bounding_box()
        self.assertAlmostEqual(after["x"] - before["x"], 60, delta=2)
        self.assertAlmostEqual(after["y"] - before["y"], 40, delta=2)
        expect(page.locator("#map-card")).to_be_hidden()
        tip = (after["x"] + after["width"] / 2, after["y"] + after["height"])
        page.mouse.move(tip[0] + 30, tip[1] + 30)
        page.mouse.wheel(0, -500)
        self.wait(page, lambda: abs(pin(page, item).bounding_box()["x"] - after["x"]) > 10)
        page.locator("#recentre").click()
        self.assertAlmostEqual(pin(page, item).bounding_box()["x"], before["x"], delta=1)

    def test_a_place_is_said_by_its_name_and_in_numbers_only_when_asked(self):
        number = re.compile(r"\d\.\d{4}")
        page = self.open(self.alice)
        expect(page.locator("#here-link")).to_have_text("Here ✓")
        self.bob.post("Soup now", *self.near(12), place_name="Kitchen")
        expect(page.locator("#here-link")).to_have_text("Kitchen")
        line = page.locator(".place-field summary")
        page.evaluate("location.hash = '#/new'")
        expect(line).to_have_text(re.compile("At Kitchen *You are here *Change"))
        # Elsewhere on the map there is no name.
        page.locator("#map-canvas").click(position={"x": 80, "y": 80})
        expect(line).to_have_text(re.compile(r"Place chosen on the map *\d.* NW, .*Change"))
        self.assertIsNone(number.search(page.locator("#panel").inner_text()))
        for where in ("#/here", "#/people/me", "#/posts"):
            page.evaluate("hash => { location.hash = hash }", where)
            expect(page.locator("#panel")).to_contain_text("Kitchen")
            self.assertIsNone(number.search(page.locator("body").inner_text()))
        page.locator("#map-canvas").click(position={"x": 80, "y": 80})
        card = page.locator("#map-card")
        expect(card.locator("p")).to_have_text(re.compile(r"^\d.* NW, "))
        card.get_by_text("Coordinates").click()
        expect(card.locator("details span")).to_have_text(re.compile(r"^-?\d+\.\d{5}, -?\d+\.\d{5}$"))

    def test_where_one_is_comes_from_the_browser(self):
        page = self.open(
            self.alice,
            "#/here",
            geolocation={"latitude": self.lat + 1, "longitude": self.lon},
            permissions=["geolocation"],
        )
        page.get_by_role("button", name="Use my location").click()
        self.is_at(page, self.lat + 1, self.lon)
        # Nobody said that the node moves, too.
        self.assertAlmostEqual(self.alice.api("GET", "/here")["lat"], self.lat, places=4)

    def test_where_one_is_comes_from_the_receiver_or_it_says_why_not(self):
        page = self.open(self.alice, "#/here", allowed=("503",))
        answers = [
            lambda route: route.fulfill(
                status=503, json={"detail": "gpsd does not answer: start it, or type where you are"}
            ),
            lambda route: route.fulfill(json={"lat": self.lat, "lon": self.lon + 1}),
        ]
        page.route("**/here/gpsd", lambda route: answers.pop(0)(route))
        page.get_by_role("button", name="Use the GPS receiver").click()
        expect(page.locator("#panel [role=status]")).to_have_text(
            "Gpsd does not answer: start it, or type where you are."
        )
        page.get_by_role("button", name="Use the GPS receiver").click()
        self.is_at(page, self.lat, self.lon + 1)

    def test_whoever_says_not_where_he_is_is_asked(self):
        self.alice.api("DELETE", "/here")
        page = self.open(self.alice)
        expect(page.locator(".empty")).to_contain_text("Where are you? Then you can read the posts near you.")
        page.get_by_role("link", name="Choose a place").click()
        place_field(page, "Place").fill("north of the river")
        page.get_by_role("button", name="I am here").click()
        expect(page.locator("#place-fault")).to_have_text("That is not a place. Write it like 40.7128, -74.0060.")
        page.locator("#map-canvas").click(position={"x": 400, "y": 300})
        page.get_by_role("button", name="I am here").click()
        expect(page.locator("#here-link")).to_have_text("Here ✓")
        self.assertEqual(self.alice.api("GET", "/here"), {})

    def test_a_telephone_shows_the_list_over_the_map(self):
        item = self.bob.post("On the small screen", *self.near(200, 100))
        page = self.open(self.alice, viewport=PHONE, has_touch=True)
        expect(row(page, "On the small screen")).to_be_visible()
        expect(page.locator("#map")).to_be_visible()
        page.get_by_role("link", name="Map", exact=True).tap()
        expect(page.locator("#panel")).to_have_attribute("data-stop", "peek")
        pin(page, item).tap()
        expect(row(page, "On the small screen")).to_have_attribute("aria-current", "true")
        row(page, "On the small screen").locator("a").tap()
        expect(page.locator(".item-words")).to_have_text("On the small screen")
        expect(page.locator("#map")).to_be_hidden()
        page.get_by_role("button", name="Show on map").tap()
        expect(pin(page, item)).to_be_visible()
        page.locator("#map-canvas").tap(position={"x": 60, "y": 250})
        page.get_by_role("button", name="Post here").tap()
        expect(page.get_by_label("Your message")).to_be_visible()
        page.get_by_label("Your message").fill("By thumb")
        page.locator(".place-field summary").tap()
        page.get_by_role("link", name="Choose on the map").tap()
        page.locator("#map-canvas").tap(position={"x": 90, "y": 200})
        page.get_by_role("button", name="Post here").tap()
        expect(page.get_by_label("Your message")).to_have_value("By thumb")
        page.get_by_role("button", name="Post", exact=True).tap()
        expect(row(page, "By thumb")).to_be_visible()
