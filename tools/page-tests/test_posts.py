"""Posts that appear, pins that stay, distances, and what is taken back when the node does not agree."""

import json
import re

from nodes import until
from playwright.sync_api import expect
from world import PageCase, pin, place_field, row

WATCH = """() => {
  window.touched = [];
  new MutationObserver((changes) => { for (const change of changes) {
    const pin = change.target.closest?.('.pin');
    if (pin) window.touched.push(pin.dataset.id);
    for (const node of [...change.addedNodes, ...change.removedNodes]) if (node.dataset?.id) window.touched.push(node.dataset.id);
  } }).observe(document.getElementById('pins'), { subtree: true, childList: true, characterData: true, attributeFilter: ['class', 'style', 'aria-label', 'aria-pressed'] });
}"""


class Posts(PageCase):
    def test_a_post_made_in_one_browser_appears_in_the_other(self):
        here, there = self.open(self.alice), self.open(self.bob)
        here.get_by_role("link", name="New post").click()
        here.get_by_label("Your message").fill("Water at the gate")
        here.get_by_role("button", name="Post", exact=True).click()
        expect(row(here, "Water at the gate")).to_have_count(1)
        arrived = row(there, "Water at the gate")
        expect(arrived).to_have_count(1)
        expect(arrived).to_contain_text("alice")
        expect(there.locator(".pin")).to_have_count(1)
        expect(there.locator("#polite")).to_contain_text("New post by alice")
        expect(arrived.locator("time")).to_have_attribute("title", re.compile(r"\d{4}.*\d\d:\d\d:\d\d"))

    def test_a_place_that_is_clicked_at_is_where_the_post_goes(self):
        page = self.open(self.alice)
        expect(page.locator(".me-mark")).to_be_visible()
        page.locator("#map-canvas").click(position={"x": 300, "y": 200})
        card = page.locator("#map-card")
        # How far that is stands first, the coordinates below it.
        expect(card.locator("p").first).to_have_text(re.compile(r"^\d.* [NESW]+, (\d+ min|far)$"))
        self.assertIsNone(re.search(r"\d\.\d{5}", card.inner_text()), "coordinates are the last resort")
        place = card.locator("details span").text_content()
        card.get_by_role("button", name="Post here").click()
        expect(page.locator(".place-field summary")).to_contain_text("Place chosen on the map")
        field = place_field(page)
        expect(field).to_have_value(place)
        page.locator("#map-canvas").click(position={"x": 500, "y": 400})
        expect(field).not_to_have_value(place)
        place_field(page).fill(place)
        page.get_by_label("Your message").fill("Just there")
        page.keyboard.press("Control+Enter")
        # Until the node has it, it is no link.
        expect(row(page, "Just there").locator("a")).to_have_attribute("href", re.compile("item"))
        self.assertTrue(
            any(
                item["text"] == "Just there" and abs(item["lat"] - float(place.split(",")[0])) < 1e-4
                for item in self.alice.api("GET", "/timeline?limit=100")["items"]
            )
        )

    def test_what_is_too_far_is_grey_and_without_words_until_one_is_nearer(self):
        item = self.bob.post("A secret of the hill", *self.near(3_000))
        page = self.open(self.alice)
        far = page.locator("#panel .row.far")
        expect(far).to_contain_text("Too far to read.")
        expect(far).to_contain_text("3.0 km N, far")
        expect(far.get_by_role("button")).to_have_count(0)
        expect(page.locator(".list-status")).to_contain_text("0 posts. 1 is too far to read.")
        expect(pin(page, item)).to_have_class(re.compile(r"\bfar\b"))
        self.assertNotIn("secret", page.content())
        page.get_by_label("Reading distance").select_option("5 km")
        expect(row(page, "A secret of the hill")).to_be_visible()
        expect(pin(page, item)).not_to_have_class(re.compile(r"\bfar\b"))
        page.get_by_label("Reading distance").select_option("2 km")
        expect(far).to_be_visible()
        page.locator("#here-link").click()
        place_field(page, "Place").fill("{:.5f}, {:.5f}".format(*self.near(2_500)))
        page.get_by_role("button", name="I am here").click()
        expect(row(page, "A secret of the hill")).to_be_visible()
        expect(row(page, "A secret of the hill")).to_contain_text("N")

    def test_only_pins_that_changed_are_touched(self):
        # So far from each other that each has a pin of its own.
        kept = [self.bob.post(f"Kept {number}", *self.near(400 * number, 50)) for number in range(1, 5)]
        gone = self.bob.post("Goes away", *self.near(-500))
        page = self.open(self.alice)
        expect(page.locator(".pin")).to_have_count(5)
        page.evaluate(WATCH)
        fresh = self.bob.post("Comes now", *self.near(-1_200))
        expect(pin(page, fresh)).to_be_visible()
        self.bob.api("DELETE", f"/items/{gone['id']}")
        page.evaluate("document.getElementById('search').form.requestSubmit()")
        expect(pin(page, gone)).to_have_count(0)
        touched = set(page.evaluate("window.touched"))
        self.assertEqual(touched & {item["id"] for item in kept}, set(), "pins that stayed were touched")
        self.assertEqual({fresh["id"], gone["id"]} - touched, set())

    def test_a_pin_highlights_its_row_and_a_row_its_pin(self):
        first, second = self.bob.post("First", *self.near(400)), self.bob.post("Second", *self.near(-400, 300))
        page = self.open(self.alice)
        pin(page, second).click()
        expect(row(page, "Second")).to_have_attribute("aria-current", "true")
        expect(pin(page, second)).to_have_attribute("aria-pressed", "true")
        row(page, "First").hover()
        expect(pin(page, first)).to_have_class(re.compile("raised"))
        row(page, "First").locator("a").focus()
        expect(pin(page, first)).to_have_attribute("aria-pressed", "true")
        expect(row(page, "Second")).not_to_have_attribute("aria-current", "true")
        pin(page, first).click()
        expect(page).to_have_url(re.compile(first["id"]))

    def test_a_late_answer_never_takes_the_place_of_a_newer_one(self):
        self.bob.post("Inside of two kilometres", *self.near(1_000))
        page = self.open(self.alice)
        expect(row(page, "Inside of two kilometres")).to_be_visible()
        held = []
        page.route(re.compile(r"/posts/near.*radius=250"), lambda route: held.append(route))
        page.get_by_label("Reading distance").select_option("250 m")
        self.wait(page, lambda: held)
        page.get_by_label("Reading distance").select_option("5 km")
        expect(row(page, "Inside of two kilometres")).to_be_visible()
        for route in held:
            # The page has let go of it by now; what it would have said must not be seen.
            route.fulfill(json={"items": [], "radius": 250})
        page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        expect(row(page, "Inside of two kilometres")).to_be_visible()

    def test_a_like_that_is_refused_is_taken_back_with_a_word_why(self):
        item = self.bob.post("Like me", *self.near(50))
        page = self.open(self.alice, allowed=("503",))
        held = []
        page.route(re.compile(r"/like$"), lambda route: held.append(route))
        like = row(page, "Like me").get_by_role("button", name=re.compile("^Like"))
        like.click()
        expect(row(page, "Like me").get_by_role("button", name="Unlike, 1 like")).to_have_attribute(
            "aria-pressed", "true"
        )
        self.wait(page, lambda: held)
        held[0].fulfill(
            status=503,
            content_type="application/problem+json",
            body=json.dumps(
                {
                    "title": "x",
                    "status": 503,
                    "code": "diskFull",
                    "detail": "the disk is full: make room, then try again",
                }
            ),
        )
        expect(row(page, "Like me").get_by_role("button", name="Like, 0 likes")).to_have_attribute(
            "aria-pressed", "false"
        )
        expect(page.locator(".toast.bad")).to_contain_text(
            "Your like was not saved. The disk is full: make room, then try again."
        )
        self.assertEqual(self.alice.api("GET", f"/items/{item['id']}")["item"]["likes"], 0)

    def test_a_post_that_is_refused_comes_back_to_the_form(self):
        page = self.open(self.alice, "#/new", allowed=("422",))
        page.route(
            re.compile(r"/v1/posts$"),
            lambda route: route.fulfill(
                status=422, json={"code": "invalid", "detail": "the text says nothing: write something"}
            ),
        )
        page.get_by_label("Your message").fill("Nobody will see this")
        page.get_by_role("button", name="Post", exact=True).click()
        expect(page.get_by_label("Your message")).to_have_value("Nobody will see this")
        expect(page.locator("form > .fault")).to_contain_text("write something")
        page.get_by_role("button", name="Cancel").click()
        expect(row(page, "Nobody will see this")).to_have_count(0)

    def test_letters_are_counted_as_readers_do(self):
        page = self.open(self.alice, "#/new")
        text = page.get_by_label("Your message")
        text.fill("👨‍👩‍👧🇩🇪é")
        expect(page.locator(".counter")).to_have_text("137 left")
        text.fill("x" * 143)
        expect(page.locator(".counter")).to_have_text("3 too many")
        page.get_by_role("button", name="Post", exact=True).click()
        expect(page.locator(".field .fault").first).to_have_text("3 characters too many. Make it shorter.")
        expect(text).to_be_focused()

    def test_comments_edits_and_deletions_reach_the_other(self):
        item = self.bob.post("Who has a lamp?", *self.near(20))
        page, other = self.open(self.alice), self.open(self.bob, f"#/item/{item['id']}")
        row(page, "Who has a lamp?").locator("a").click()
        field = page.get_by_label("Your comment")
        # At the end of the view, whatever its height.
        panel, bar = page.locator("#panel").bounding_box(), page.locator(".comment-bar").bounding_box()
        self.assertAlmostEqual(bar["y"] + bar["height"], panel["y"] + panel["height"], delta=1)
        field.fill("x" * 112)
        expect(page.locator(".counter")).to_have_text("28 left")
        field.fill("I have one")
        expect(page.locator(".counter")).to_be_hidden()
        page.get_by_role("button", name="Comment", exact=True).click()
        expect(page.locator(".comments .row")).to_contain_text("I have one")
        expect(other.locator(".comments .row")).to_contain_text("I have one")
        other.get_by_role("button", name="Edit").click()
        other.get_by_label("New text").fill("Who has two lamps?")
        other.get_by_role("button", name="Save").click()
        expect(page.locator(".item-words")).to_have_text("Who has two lamps?")
        other.get_by_role("button", name="Delete").click()
        expect(other.locator(".item-words")).to_have_text("Deleted by its author")
        expect(other.get_by_role("heading", name="Post")).to_be_focused()
        # Until the note goes, nothing is asked of the node, and it can be taken back.
        other.locator(".toast").get_by_role("button", name="Undo").click()
        expect(other.locator(".item-words")).to_have_text("Who has two lamps?")
        self.assertEqual(self.bob.api("GET", f"/items/{item['id']}")["item"]["state"], "shown")
        other.get_by_role("button", name="Delete").click()
        expect(page.locator(".item-words")).to_have_text("Deleted by its author")

    def test_a_deletion_that_is_refused_is_taken_back_and_one_is_sent_as_the_page_closes(self):
        item = self.alice.post("Not for long", *self.near(20))
        page = self.open(self.alice, f"#/item/{item['id']}", allowed=("503",))
        refusal = {"status": 503, "json": {"detail": "the node is busy: try again"}}
        page.route("**/v1/items/**", lambda route: route.fulfill(**refusal) if route.request.method == "DELETE" else route.continue_())
        page.get_by_role("button", name="Delete").click()
        expect(page.locator(".toast.bad")).to_contain_text("It was not deleted. The node is busy")
        expect(page.locator(".item-words")).to_have_text("Not for long")
        page.unroute_all()
        page.get_by_role("button", name="Delete").click()
        expect(page.locator(".toast")).to_contain_text("Deleted.")
        page.goto("about:blank")
        until(lambda: self.alice.api("GET", f"/items/{item['id']}")["item"]["state"] == "deleted_by_author", "it was not sent")

    def test_what_has_not_come_yet_cannot_be_answered(self):
        item = self.bob.post("Who has a rope?", *self.near(20))
        page = self.open(self.alice)
        held = []
        page.route(f"**/v1/items/{item['id']}*", lambda route: route.continue_() if held else held.append(route))
        row(page, "Who has a rope?").locator("a").click()
        self.wait(page, lambda: held)
        expect(page.get_by_role("heading", name="Post")).to_be_visible()
        expect(page.get_by_label("Your comment")).to_be_hidden()
        held[0].continue_()
        page.get_by_label("Your comment").fill("I have")
        page.get_by_role("button", name="Comment", exact=True).click()
        expect(page.locator(".comments .row")).to_contain_text("I have")

    def test_words_are_searched_for(self):
        self.bob.post("Blankets behind the chapel", *self.near(200))
        self.bob.post("Nothing of the kind", *self.near(210))
        page = self.open(self.alice)
        page.locator("#search").fill("blankets chapel")
        page.keyboard.press("Enter")
        expect(row(page, "Blankets behind the chapel")).to_be_visible()
        expect(page.locator("#panel .row")).to_have_count(1)
        page.locator("#search").fill("nobodywrotethis")
        page.keyboard.press("Enter")
        expect(page.locator(".empty")).to_contain_text("Nothing found for “nobodywrotethis”. Try another word.")

    def test_a_list_is_continued_where_it_ended(self):
        for number in range(60):
            self.bob.post(f"Number {number:02}", *self.near(10 + number))
        page = self.open(self.alice)
        expect(page.locator("#panel .row")).to_have_count(50)
        page.get_by_role("button", name="Show more").click()
        expect(page.locator("#panel .row")).to_have_count(60)
        expect(row(page, "Number 50").locator("a")).to_be_focused()

    def test_news_neither_lose_what_was_asked_for_nor_close_the_list(self):
        for number in range(110):
            self.bob.post(f"Number {number:03}", *self.near(10 + number))
        page = self.open(self.alice, prepare=lambda context: context.clock.install())
        expect(page.locator("#panel .row")).to_have_count(50)
        held = []
        page.route(re.compile(r"/posts/near.*after="), lambda route: route.continue_() if held else held.append(route))
        more = page.get_by_role("button", name="Show more")
        more.click()
        self.wait(page, lambda: held)
        self.bob.post("Quicker than the rest", *self.near(1))
        # What comes after it on the stream is here, and so it is.
        unread = page.locator("#chats-badge")
        self.bob.api("POST", "/rooms/lobby/messages", {"text": f"said after it {self.lat}"})
        expect(unread).to_be_visible()
        # It asks again after a while of quiet, which is over now.
        page.clock.run_for(2_000)
        held[0].continue_()
        expect(row(page, "Number 099")).to_be_visible()
        expect(row(page, "Quicker than the rest")).to_be_visible()
        more.click()
        expect(page.locator("#panel .row")).to_have_count(111)
        self.bob.post("And the last", *self.near(2))
        expect(row(page, "And the last")).to_be_visible()
        expect(page.locator("#panel .row")).to_have_count(112)
