"""The map answers where one looks: parts of it, pins that stand too close, named places, the list as a sheet, and a reader who moves."""

import re
import urllib.parse

from playwright.sync_api import expect
from world import PHONE, WIDE, PageCase, pin, row

ELSEWHERE = "In this part of the map"


def question(request):
    """What was asked for, {name: number}."""
    return {name: float(values[0]) for name, values in urllib.parse.parse_qs(urllib.parse.urlsplit(request.url).query).items() if name != "after"}


class RegionCase(PageCase):
    def heading(self, page):
        return page.locator("#panel h2")

    def drag(self, page, dx, dy, at=(760, 700)):
        page.mouse.move(*at)
        page.mouse.down()
        page.mouse.move(at[0] + dx, at[1] + dy, steps=6)
        page.mouse.up()

    def open(self, *arguments, **more):
        """The map's code comes when it is first looked at."""
        page = super().open(*arguments, **more)
        expect(page.locator("#map")).not_to_have_attribute("aria-busy", "true")
        return page

    def middle(self, page, one):
        box = one.bounding_box()
        return box["x"] + box["width"] / 2, box["y"] + box["height"]


class Region(RegionCase):
    def test_a_map_that_is_moved_asks_for_what_is_in_view(self):
        near, far = self.bob.post("Beside me", *self.near(20)), self.bob.post("Over the hill", *self.near(0, 6_000))
        page = self.open(self.alice)
        expect(row(page, "Beside me")).to_be_visible()
        expect(self.heading(page)).to_have_text("Near you")
        held = []
        page.route(re.compile(r"/posts/near.*within="), lambda route: held.append(route))
        self.drag(page, -300, 0)
        self.drag(page, -300, 0)
        self.wait(page, lambda: held)
        asked = question(held[0].request)
        # The reader stays where they are; the view is 880 × 744 pixels.
        self.assertAlmostEqual(asked["from_lat"], self.lat, places=5)
        self.assertAlmostEqual(asked["from_lon"], self.lon, places=5)
        self.assertEqual(asked["radius"], 2_000)
        self.assertAlmostEqual(asked["lat"], self.lat, delta=0.002)
        self.assertGreater(asked["lon"], self.lon + 0.02)
        self.assertTrue(2_000 < asked["within"] < 8_000, asked)
        expect(pin(page, near)).to_be_attached()
        expect(row(page, "Beside me")).to_be_attached()
        held[0].continue_()
        expect(self.heading(page)).to_have_text(ELSEWHERE)
        expect(page.locator("#panel .row.far")).to_contain_text("6.0 km E, far")
        expect(pin(page, near)).to_have_count(0)
        expect(pin(page, far)).to_be_visible()
        self.assertNotIn("Over the hill", page.content())
        self.assertEqual(len(held), 1, "one question after two moves")
        self.look(page, WIDE, "region")
        page.get_by_role("button", name="Near you").click()
        expect(self.heading(page)).to_have_text("Near you")
        expect(self.heading(page)).to_be_focused()
        expect(row(page, "Beside me")).to_be_visible()

    def test_a_note_does_not_hold_up_the_map(self):
        page = self.open(self.alice)
        page.keyboard.press("?")
        words = page.locator(".toast p").bounding_box()
        at = (words["x"] + words["width"] / 2, words["y"] + words["height"] / 2)
        self.assertEqual(page.evaluate("(at) => document.elementFromPoint(...at).id", at), "map-canvas")
        self.drag(page, -300, 0, at=at)
        expect(self.heading(page)).to_have_text(ELSEWHERE)
        expect(page.locator(".toast")).to_be_visible()
        page.locator(".toast").get_by_role("button", name="Close").click()
        expect(page.locator(".toast")).to_have_count(0)

    def test_an_answer_to_an_earlier_view_is_dropped(self):
        self.bob.post("Near the first view", *self.near(0, 3_500))
        self.bob.post("Near the second view", *self.near(0, 9_000))
        page = self.open(self.alice)
        expect(row(page, "Too far")).to_have_count(2)
        held = []
        page.route(re.compile(r"/posts/near.*within="), lambda route: route.continue_() if held else held.append(route))
        self.drag(page, -500, 0)
        self.wait(page, lambda: held)
        self.drag(page, -700, 0, at=(1_200, 700))
        expect(page.locator("#panel .row.far")).to_have_count(1)
        expect(page.locator("#panel .row.far")).to_contain_text("9.0 km E")
        held[0].fulfill(json={"items": [], "radius": 2_000})
        page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        expect(page.locator("#panel .row.far")).to_have_count(1)

    def test_the_map_is_centred_once_and_never_pulled_back(self):
        item = self.bob.post("A fixed point", *self.near(0, 300))
        page = self.open(self.alice)
        expect(pin(page, item)).to_be_visible()
        first = self.middle(page, pin(page, item))
        page.set_viewport_size({"width": 1200, "height": 800})
        self.wait(page, lambda: abs(self.middle(page, pin(page, item))[0] - first[0] + 40) < 2)
        self.drag(page, 100, 60)
        expect(self.heading(page)).to_have_text(ELSEWHERE)
        moved = self.middle(page, pin(page, item))
        self.bob.post("Something new", *self.near(0, 320))
        expect(row(page, "Something new")).to_be_visible()
        page.evaluate("location.hash = '#/'")
        expect(page.locator("#stage")).to_be_hidden()
        page.evaluate("location.hash = '#/map'")
        expect(self.heading(page)).to_have_text(ELSEWHERE)
        # Both stand together by now.
        cluster = page.get_by_role("button", name=re.compile("^2 posts"))
        expect(cluster).to_be_visible()
        self.assertAlmostEqual(self.middle(page, cluster)[0], moved[0], delta=30)

    def test_without_a_place_one_sees_where_posts_are_and_reads_none(self):
        self.alice.api("DELETE", "/here")
        self.bob.post("Said at the harbour", *self.near(100))
        page = self.open(self.alice)
        expect(page.locator(".empty")).to_contain_text("Where are you?")
        page.route(
            re.compile(r"/posts/near"),
            lambda route: route.continue_(
                url=re.sub(r"lat=[^&]*&lon=[^&]*", f"lat={self.lat}&lon={self.lon}", route.request.url)
            ),
        )
        page.locator("#zoom-in").click()
        expect(page.locator("#panel .row.far")).to_have_count(1)
        self.assertNotIn("Said at the harbour", page.content())
        self.assertIsNone(re.search(r"\d m [NESW]", page.locator("#panel .row.far").inner_text()))

    def test_show_on_map_fits_the_reader_and_the_post(self):
        item = self.bob.post("Behind the mill", *self.near(900, 900))
        page = self.open(self.alice, f"#/item/{item['id']}")
        expect(page.locator(".item-words")).to_have_text("Behind the mill")
        page.get_by_role("button", name="Show on map").click()
        expect(pin(page, item)).to_have_attribute("aria-pressed", "true")
        me = page.locator(".me-mark").bounding_box()
        there, stage = self.middle(page, pin(page, item)), page.locator("#stage").bounding_box()
        ours = (me["x"] + 11, me["y"] + 11)
        # As much again around both, in the part that the buttons and the foot leave.
        self.assertTrue(0.4 < (ours[1] - there[1]) / stage["height"] <= 0.5, (ours, there, stage))
        self.assertAlmostEqual((there[1] + ours[1]) / 2, stage["y"] + stage["height"] / 2, delta=30)
        page.evaluate("location.hash = '#/posts'")
        expect(row(page, "Behind the mill")).to_be_visible()


class Marks(RegionCase):
    def test_pins_that_are_too_close_are_one_mark_that_parts(self):
        items = [self.bob.post(f"Tent {number}", *self.near(600 + 60 * number)) for number in range(3)]
        alone = self.bob.post("By itself", *self.near(-800))
        page = self.open(self.alice)
        cluster = page.locator(".cluster:visible")
        expect(cluster).to_have_count(1)
        expect(cluster).to_have_text("3")
        expect(cluster).to_have_attribute("aria-label", re.compile(r"^3 posts, 600 m N, 7 min$"))
        expect(pin(page, alone)).to_be_visible()
        for item in items:
            expect(pin(page, item)).to_be_hidden()
        row(page, "Tent 1").hover()
        expect(cluster).to_have_class(re.compile("raised"))
        cluster.click()
        for item in items:
            expect(pin(page, item)).to_be_visible()
        stage = page.locator("#stage").bounding_box()
        for item in items:
            x, y = self.middle(page, pin(page, item))
            self.assertTrue(stage["x"] + 47 < x < stage["x"] + stage["width"] - 47, x)
            self.assertTrue(stage["y"] + 47 < y < stage["y"] + stage["height"] - 47, y)
        expect(self.heading(page)).to_have_text(ELSEWHERE)

    def test_pins_on_one_spot_are_listed(self):
        for number in range(3):
            self.bob.post(f"Same spot {number}", *self.near(600))
        self.bob.post("Somewhere else", *self.near(-600))
        page = self.open(self.alice)
        page.locator(".cluster:visible").click()
        # Already as close as it gets after one step.
        expect(page.locator(".cluster:visible, #panel h2:has-text('3 posts here')").first).to_be_visible()
        if not self.heading(page).inner_text().startswith("3 posts"):
            page.locator(".cluster:visible").click()
        expect(self.heading(page)).to_have_text("3 posts here")
        expect(page.locator("#panel .row")).to_have_count(3)
        page.get_by_role("button", name="Show all").click()
        expect(row(page, "Somewhere else")).to_be_visible()

    def test_a_mark_has_a_dot_while_something_new_is_in_it(self):
        for number in range(2):
            self.bob.post(f"There before {number}", *self.near(600))
        page = self.open(self.alice)
        cluster = page.locator(".cluster:visible")
        expect(cluster).to_have_text("2")
        expect(cluster).not_to_have_class(re.compile("news"))
        self.bob.post("Came just now", *self.near(600))
        expect(cluster).to_have_text("3")
        expect(cluster).to_have_class(re.compile("news"))
        expect(row(page, "Came just now")).to_have_class(re.compile("new"))
        cluster.click()
        expect(page.locator(".cluster:visible")).not_to_have_class(re.compile("news"))

    def test_places_are_marks_and_stand_in_the_list(self):
        self.bob.post("Soup now", *self.near(200, 100), place_name="Kitchen")
        self.bob.post("Who lost a spoon?", *self.near(215, 100))
        self.bob.post("Nobody is here", *self.near(4))
        self.alice.post("Plasters", *self.near(-900), place_name="First aid")
        page = self.open(self.alice)
        expect(row(page, "Soup now")).to_contain_text("Kitchen, 224 m NNE, 3 min")
        expect(row(page, "Who lost a spoon?")).to_contain_text("Kitchen, 237 m NNE, 3 min")
        expect(row(page, "Nobody is here").locator(".where")).to_have_text("Here ✓")
        place = page.get_by_role("button", name="First aid, 900 m S, 11 min, 1 post", exact=True)
        expect(place).to_be_visible()
        expect(place).to_have_attribute("data-kind", "aid")
        page.get_by_role("radio", name="Places").check()
        expect(page.locator(".place-row")).to_have_count(2)
        expect(page.locator(".place-row").first).to_contain_text("Kitchen224 m NNE, 3 min · 2 posts")
        expect(page.locator(".place-row").last).to_contain_text("First aid900 m S, 11 min · 1 post")
        self.look(page, WIDE, "places")
        page.locator(".place-row", has_text="Kitchen").get_by_role("button").click()
        expect(self.heading(page)).to_have_text("Kitchen")
        expect(page.locator("#panel .card")).to_have_count(2)
        page.get_by_role("button", name="Show all").click()
        expect(page.locator("#panel .card")).to_have_count(4)

    def test_every_mark_is_reached_with_the_arrow_keys(self):
        for number in range(2):
            self.bob.post(f"Together {number}", *self.near(700))
        single = self.bob.post("Alone", *self.near(-700), place_name="Gate")
        page = self.open(self.alice)
        expect(page.locator(".cluster:visible")).to_have_count(1)
        page.keyboard.press("g")
        expect(page.locator("#map")).to_be_focused()
        page.keyboard.press("Tab")
        seen = []
        for _ in range(3):
            seen.append(page.evaluate("document.activeElement.className.split(' ')[1]"))
            page.keyboard.press("ArrowRight")
        self.assertEqual(sorted(seen), ["cluster", "pin", "place"])
        expect(pin(page, single)).to_have_attribute("aria-label", "bob, Gate, 700 m S, 8 min, Alone")

    def test_the_order_of_the_list_is_chosen(self):
        self.bob.post("Older and nearer", *self.near(100))
        self.bob.post("Newer and further", *self.near(600))
        page = self.open(self.alice)
        expect(page.locator("#panel .row .words").first).to_have_text("Older and nearer")
        page.get_by_label("Order").select_option("Newest")
        expect(page.locator("#panel .row .words").first).to_have_text("Newer and further")
        expect(page.locator(".list-end")).to_contain_text("That’s all within 2 km.")
        page.get_by_role("button", name="Look within 5 km").click()
        expect(page.get_by_label("Reading distance")).to_have_value("5000")
        expect(page.locator(".list-end")).to_be_hidden()


class Sheet(RegionCase):
    def stop(self, page, name):
        expect(page.locator("#panel")).to_have_attribute("data-stop", name)

    def test_the_list_is_pulled_over_the_map(self):
        for number in range(12):
            self.bob.post(f"Line {number}", *self.near(20 + number))
        page = self.open(self.alice, "#/map", viewport=PHONE)
        self.stop(page, "peek")
        stage, panel = page.locator("#stage").bounding_box(), page.locator("#panel").bounding_box()
        self.assertEqual(panel["height"], 212)
        self.assertAlmostEqual(panel["y"] + panel["height"], stage["y"] + stage["height"], delta=1)
        expect(row(page, "Line 0")).to_be_visible()
        # A quick finger rolls on a little.
        self.drag(page, 0, -(stage["height"] / 2 - 212 - 50), at=(195, panel["y"] + 12))
        self.stop(page, "half")
        self.drag(page, 0, -stage["height"] / 3, at=(195, page.locator("#panel").bounding_box()["y"] + 12))
        self.stop(page, "whole")
        self.assertAlmostEqual(page.locator("#panel").bounding_box()["y"], stage["y"] + 72, delta=1)
        expect(page.locator("#find-posts")).to_be_visible()
        row(page, "Line 11").scroll_into_view_if_needed()
        expect(row(page, "Line 11")).to_be_visible()
        page.locator("#panel").evaluate("(panel) => { panel.scrollTop = 0 }")
        self.drag(page, 0, 700, at=(195, page.locator("#panel").bounding_box()["y"] + 12))
        self.stop(page, "peek")
        # The part that is left above it is where the reader is shown.
        me = page.locator(".me-mark").bounding_box()
        self.assertLess(me["y"] + me["height"], page.locator("#panel").bounding_box()["y"])

    def test_the_sheet_has_a_button_and_keys(self):
        self.bob.post("One line", *self.near(20))
        page = self.open(self.alice, "#/map", viewport=PHONE)
        for label, after in (("Show more of the list", "half"), ("Show the whole list", "whole"), ("Show the map", "peek")):
            page.get_by_role("button", name=label).click()
            self.stop(page, after)
        handle = page.locator(".sheet-handle")
        handle.focus()
        for key, after in (("ArrowUp", "half"), ("ArrowUp", "whole"), ("ArrowUp", "whole"), ("ArrowDown", "half"), ("Enter", "whole")):
            page.keyboard.press(key)
            self.stop(page, after)
        expect(handle).to_have_attribute("aria-expanded", "true")
        self.look(page, PHONE, "sheet-whole")

    def test_a_search_is_typed_on_the_map_of_a_phone(self):
        self.bob.post("Blankets behind the chapel", *self.near(200))
        self.bob.post("Nothing of that kind", *self.near(210))
        page = self.open(self.alice, "#/map", viewport=PHONE)
        page.get_by_role("searchbox", name="Search places and posts").fill("blankets")
        page.keyboard.press("Enter")
        expect(page.locator("#panel .row")).to_have_count(1)
        self.stop(page, "half")
        expect(self.heading(page)).to_have_text("“blankets”")


class Moving(RegionCase):
    def test_a_reader_who_moves_hears_what_can_be_read_now(self):
        self.bob.post("Under the bridge", *self.near(0, 2_300))
        here = {"latitude": self.lat, "longitude": self.lon}
        page = self.open(self.alice, "#/here", geolocation=here, permissions=["geolocation"])
        page.get_by_role("button", name="Use my location").click()
        expect(page.locator(".toast")).to_have_text(re.compile("Your place is set."))
        expect(page.locator("#panel .row.far")).to_have_count(1)
        self.drag(page, 120, 0, at=(1_000, 300))
        expect(self.heading(page)).to_have_text(ELSEWHERE)
        expect(page.locator("#panel .row.far")).to_have_count(1)
        mark = page.locator(".pin:visible")
        before = self.middle(page, mark)
        lat, lon = self.near(0, 400)
        page.context.set_geolocation({"latitude": lat, "longitude": lon})
        expect(row(page, "Under the bridge")).to_contain_text("1.9 km E, far")
        expect(page.locator(".toast")).to_contain_text("You can read 1 more post now.")
        self.assertEqual(self.middle(page, mark), before, "the map was pulled back")
        page.get_by_role("button", name="Show", exact=True).click()
        expect(row(page, "Under the bridge").locator("a")).to_be_focused()
        # Less than ten metres are no move.
        asked = []
        page.on("request", lambda request: asked.append(request.url) if "/posts/near" in request.url else None)
        page.context.set_geolocation({"latitude": self.near(5)[0], "longitude": lon})
        lat, lon = self.near(0, 340)
        page.context.set_geolocation({"latitude": lat, "longitude": lon})
        expect(row(page, "Under the bridge")).to_contain_text("2.0 km E, far")
        self.assertEqual(len(asked), 1, asked)
