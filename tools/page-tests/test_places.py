"""Places that people name: on the map, in lists, in a view of their own, made, changed and posted at; and posts that are locked."""

import re

from playwright.sync_api import expect
from world import PHONE, WIDE, PageCase, row


def there(item):
    return item["lat"], item["lon"]


class Places(PageCase):
    def test_a_place_is_a_square_a_row_and_a_view(self):
        camp = self.bob.place("Camp", *self.near(900), text="All of it")
        kitchen = self.bob.place(
            "Swan", *self.near(200, 100), kind="kitchen", hours="8 to 20", text="Bring a bowl", part_of=camp["id"]
        )
        self.bob.place("Nurse", *self.near(-300), kind="First aid")
        self.bob.post("Soup now", *self.near(200, 100), at_place=kitchen["id"])
        self.bob.post("Not there", *self.near(-1_500))
        page = self.open(self.alice)
        expect(row(page, "Soup now")).to_contain_text("Swan, 224 m NNE, 3 min")
        square = page.get_by_role("button", name="Swan, 224 m NNE, 3 min, kitchen · 8 to 20, 1 post", exact=True)
        expect(square).to_have_attribute("data-kind", "pot")
        expect(page.locator(".place[data-kind=aid]")).to_be_visible()
        page.get_by_role("radio", name="Places").check()
        rows = page.locator(".place-row")
        expect(rows).to_have_count(3)
        expect(rows.nth(0)).to_contain_text("Swankitchen · 8 to 20 · 224 m NNE, 3 min · 1 post")
        expect(rows.nth(1)).to_contain_text("NurseFirst aid · 300 m S, 4 min")
        self.look(page, WIDE, "places-made")
        rows.nth(0).get_by_role("button").click()
        expect(page.get_by_role("heading", name="Swan", exact=True)).to_be_visible()
        panel = page.locator("#panel")
        for words in ("kitchen · 8 to 20, in Camp", "224 m NNE, 3 min", "Bring a bowl", "1 post here"):
            expect(panel).to_contain_text(words)
        expect(page.get_by_role("link", name="Show Camp")).to_be_visible()
        expect(page.get_by_role("list", name="Posts here").locator(".row")).to_have_count(1)
        expect(page.get_by_role("button", name="Edit")).to_have_count(0)
        page.get_by_role("button", name="0 likes", exact=True).click()
        expect(page.get_by_role("button", name="1 like", exact=True)).to_be_visible()
        page.get_by_label("Your comment").fill("Is there tea?")
        page.get_by_role("button", name="Comment", exact=True).click()
        expect(page.locator(".comments")).to_contain_text("Is there tea?")
        self.look(page, WIDE, "place")
        self.wait(page, lambda: self.bob.api("GET", f"/items/{kitchen['id']}")["item"]["likes"] == 1)
        page.evaluate("location.hash = '#/posts'")
        square.click()
        expect(page.get_by_role("heading", name="Swan", exact=True)).to_be_visible()

    def test_a_search_finds_places(self):
        self.bob.place("Quiet barn", *self.near(0, 250), kind="library", hours="always")
        page = self.open(self.alice, "#/search/quiet")
        found = row(page, "Quiet barn")
        expect(found.locator(".dates")).to_have_text("library · always")
        expect(found.locator(".where")).to_have_text("250 m E, 3 min")
        expect(found.locator(".face")).to_have_class(re.compile("place-square"))
        # Its square stands on the map, and no pin.
        expect(page.locator(".place:visible")).to_have_count(1)
        expect(page.locator(".pin")).to_have_count(0)
        found.get_by_role("link").click()
        expect(page.get_by_role("heading", name="Quiet barn")).to_be_visible()

    def test_who_named_a_place_changes_and_deletes_it(self):
        made = self.alice.place("Tap", *self.near(50), kind="water", hours="always")
        page = self.open(self.alice, f"#/item/{made['id']}")
        page.get_by_role("button", name="Edit").click()
        expect(page.get_by_role("button", name="water", exact=True)).to_have_attribute("aria-pressed", "true")
        page.get_by_label("Name of the place").fill("Tap at the gate")
        page.get_by_label("Hours (optional)").fill("")
        page.get_by_label("What is there?").fill("Let it run first")
        page.get_by_role("button", name="Save").click()
        expect(page.get_by_role("heading", name="Tap at the gate")).to_be_visible()
        expect(page.locator(".item-place")).to_contain_text("water")
        expect(page.locator(".item-place")).not_to_contain_text("always")
        expect(page.locator(".item-text")).to_have_text("Let it run first")

        def is_changed():
            item = self.bob.api("GET", f"/items/{made['id']}")["item"]
            return (item["title"], item["category"], item.get("hours"), item.get("text")) == (
                "Tap at the gate", "water", None, "Let it run first",
            )

        self.wait(page, is_changed)
        page.get_by_role("button", name="Delete").click()
        self.wait(page, lambda: self.bob.api("GET", f"/items/{made['id']}")["item"]["state"] == "deleted_by_author")
        page.evaluate("location.hash = '#/posts'")
        expect(page.locator(".place:visible")).to_have_count(0)

    def test_an_editor_changes_a_place_and_moves_it_to_where_they_are(self):
        alice = self.alice.api("GET", "/me")["id"]
        made = self.bob.place("Soup kitchen", *self.near(80), kind="kitchen", editors=[alice])
        page = self.open(self.alice, f"#/item/{made['id']}")
        page.get_by_role("button", name="Edit").click()
        page.get_by_label("Hours (optional)").fill("8 to 22")
        page.get_by_label("What is there?").fill("Bring a cup")
        page.get_by_label("It is where I am now, 80 m from there").check()
        page.get_by_role("button", name="Save").click()
        expect(page.locator(".item-place")).to_contain_text("8 to 22")

        def is_changed():
            item = self.bob.api("GET", f"/items/{made['id']}")["item"]
            return (item["hours"], item["text"], item["lat"]) == ("8 to 22", "Bring a cup", self.lat)

        self.wait(page, is_changed)
        # Who changed what stands below, the newest first.
        history = page.locator(".history")
        history.locator("summary").click()
        changes = history.get_by_role("listitem")
        expect(changes.nth(0)).to_contain_text(re.compile("alice: hours 8 to 22, text Bring a cup, moved 80 m [NESW]"))
        expect(changes.nth(1)).to_contain_text("bob: made it")
        # Nobody stands five metres away from where they are.
        page.get_by_role("button", name="Edit").click()
        expect(page.get_by_label("What is there?")).to_be_visible()
        expect(page.get_by_role("checkbox", name="It is where I am now")).to_have_count(0)
        # Only its author deletes it.
        page.get_by_role("button", name="Cancel").click()
        expect(page.get_by_role("button", name="Delete")).to_have_count(0)


class Naming(PageCase):
    def test_a_place_is_named_from_the_new_button(self):
        page = self.open(self.alice, viewport=PHONE)
        page.locator("#map-new").click()
        page.get_by_role("radio", name="Place").check()
        page.get_by_label("Name of the place").fill("Big tent")
        page.get_by_role("button", name="stage").click()
        expect(page.get_by_label("Kind (optional)")).to_have_value("stage")
        page.get_by_label("Hours (optional)").fill("evenings")
        page.get_by_label("What is there? (optional)").fill("Music")
        self.look(page, PHONE, "new-place")
        page.get_by_role("button", name="Save").click()
        expect(page.get_by_role("heading", name="Big tent")).to_be_visible()
        [made] = self.alice.api("GET", f"/places?lat={self.lat}&lon={self.lon}&within=1000")["items"]
        self.assertEqual((made["title"], made["category"], made["hours"], made["text"]), ("Big tent", "stage", "evenings", "Music"))

    def test_what_is_here_already_is_shown_before_another_one_is_made(self):
        first = self.bob.place("Water point", *self.near(5))
        page = self.open(self.alice, "#/new/place", allowed=("409",))
        page.get_by_role("button", name="Save").click()
        expect(page.locator(".fault").first).to_have_text("Enter a name.")
        page.get_by_label("Name of the place").fill("Water")
        page.get_by_role("button", name="Save").click()
        expect(page.locator("#panel")).to_contain_text("Is it one of these?")
        self.look(page, WIDE, "place-similar")
        page.get_by_role("button", name="It is this one").click()
        expect(page.get_by_role("heading", name="Water point")).to_be_visible()
        self.assertIn(first["id"], page.url)
        page.evaluate("location.hash = '#/new/place'")
        page.get_by_label("Name of the place").fill("Water")
        page.get_by_role("button", name="Save").click()
        page.get_by_role("button", name="Make another one").click()
        expect(page.get_by_role("heading", name="Water", exact=True)).to_be_visible()
        self.assertEqual(len(self.alice.api("GET", f"/places?lat={self.lat}&lon={self.lon}&within=1000")["items"]), 2)

    def test_a_point_of_the_map_gets_a_name(self):
        page = self.open(self.alice)
        expect(page.locator(".me-mark")).to_be_visible()
        page.locator("#map-canvas").click(position={"x": 300, "y": 200})
        page.get_by_role("button", name="Name this place").click()
        expect(page.locator(".place-field summary")).to_contain_text("Place chosen on the map")
        page.get_by_label("Name of the place").fill("Look-out")
        page.get_by_role("button", name="Save").click()
        expect(page.get_by_role("heading", name="Look-out")).to_be_visible()
        expect(page.locator("#panel")).to_contain_text("NW")


class Here(PageCase):
    def test_one_is_at_the_nearest_named_place(self):
        self.bob.place("Far barn", *self.near(900))
        kitchen = self.bob.place("Kitchen", *self.near(300), kind="kitchen")
        page = self.open(self.alice, "#/here")
        offers = page.get_by_role("group", name="Places near you").get_by_role("button")
        expect(offers).to_have_text(["I’m at Kitchen", "I’m at Far barn"])
        self.look(page, WIDE, "here-places")
        offers.first.click()
        expect(page.locator("#here-link")).to_have_text("Kitchen")
        expect(page.locator(".toast")).to_contain_text("You are at: Kitchen.")
        page.evaluate("location.hash = '#/new'")
        expect(page.locator(".place-field summary")).to_contain_text("At Kitchen")
        page.get_by_label("Your message").fill("Soup")
        page.get_by_role("button", name="Post", exact=True).click()
        expect(row(page, "Soup").locator("a")).to_have_attribute("href", re.compile("item"))
        expect(row(page, "Soup")).to_contain_text("Kitchen, here ✓")
        [post] = [one for one in self.alice.api("GET", "/timeline?limit=100")["items"] if one["text"] == "Soup" and abs(one["lat"] - kitchen["lat"]) < 0.001]
        self.assertEqual(post["at_place"], kitchen["id"])
        # Chosen in the form, another place is where it goes; a rough place does not say at which it is.
        page.evaluate("location.hash = '#/new'")
        page.get_by_role("button", name="At Far barn").click()
        expect(page.locator(".place-field summary")).to_contain_text("At Far barn")
        page.locator("summary", has_text="Stays for").click()
        page.get_by_label("Place that others see").select_option("within about 150 m")
        with page.expect_request(lambda one: one.method == "POST" and one.url.endswith("/posts")) as asked:
            page.get_by_label("Your message").fill("Somewhere here")
            page.get_by_role("button", name="Post", exact=True).click()
        self.assertNotIn("at_place", asked.value.post_data_json)
        self.assertAlmostEqual(asked.value.post_data_json["lat"], self.near(900)[0], places=4)
        expect(row(page, "Somewhere here")).to_be_visible()

    def test_a_visitor_without_a_place_is_offered_the_named_ones(self):
        self.alice.api("DELETE", "/here")
        self.bob.place(f"Gate {PageCase.towns}", *self.near(0))
        page = self.open(self.alice, "#/here")
        page.get_by_role("button", name=f"I’m at Gate {PageCase.towns}").click()
        expect(page.locator("#here-link")).to_have_text(f"Gate {PageCase.towns}")


class Locked(PageCase):
    def test_a_locked_post_is_read_by_who_is_near(self):
        page = self.open(self.alice, "#/new")
        page.get_by_label("Your message").fill("Under the third stone")
        page.locator("summary", has_text="Stays for").click()
        page.get_by_label("Lock").select_option("only within 50 m")
        page.get_by_role("button", name="Post", exact=True).click()
        mine = row(page, "Under the third stone")
        expect(mine.locator("a")).to_have_attribute("href", re.compile("item"))
        mine.locator("a").click()
        expect(page.locator("#panel")).to_contain_text("locked: others read it within 50 m")
        lat, lon = self.near(200)
        self.bob.api("PUT", "/here", {"lat": lat, "lon": lon})
        other = self.open(self.bob, "#/here", geolocation={"latitude": lat, "longitude": lon}, permissions=["geolocation"])
        other.get_by_role("button", name="Use my location").click()
        card = other.locator("#panel .row.far")
        expect(card).to_contain_text("You can read this within 50 m.")
        expect(card.locator(".where")).to_have_text("200 m S, 2 min")
        expect(card.locator(".face")).to_have_class(re.compile("locked"))
        expect(card.get_by_role("button")).to_have_count(0)
        self.look(other, WIDE, "locked")
        lat, lon = self.near(20)
        other.context.set_geolocation({"latitude": lat, "longitude": lon})
        expect(other.locator(".toast")).to_contain_text("You can read 1 more post now.")
        other.get_by_role("button", name="Show", exact=True).click()
        expect(row(other, "Under the third stone").locator("a")).to_be_focused()
