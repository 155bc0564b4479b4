"""Posts that are kept on the node until their author publishes them."""

import re

from nodes import until
from playwright.sync_api import expect
from test_photos import PhotoCase, photo
from test_visit import VisitCase
from world import PHONE, WIDE, PageCase, place_field, row


class Drafts(PageCase):
    def tearDown(self):
        for draft in self.drafts():
            self.alice.api("DELETE", f"/drafts/{draft['number']}")
        super().tearDown()

    def drafts(self):
        return self.alice.api("GET", "/drafts")["drafts"]

    def texts(self):
        return [draft["text"] for draft in self.drafts()]

    def keep(self, page, words):
        page.get_by_label("Your message").fill(words)
        page.get_by_role("button", name="Keep as draft").click()
        expect(row(page, words)).to_be_visible()
        expect(page.get_by_label("Your message")).to_have_value("")

    def check_drafts(self, size, name, **context):
        # The other waits for nothing but posts.
        there = self.open(self.bob)
        page = self.open(self.alice, "#/new", viewport=size, **context)
        expect(page.get_by_label("Your message")).to_be_visible()
        expect(page.locator(".kept-posts")).to_be_hidden()
        self.keep(page, "Bridge out")
        expect(page.locator("#toasts")).to_contain_text("Kept as a draft. Only you see it.")
        self.keep(page, "Second\nline")
        self.keep(page, "Third")
        self.assertEqual(self.texts(), ["Bridge out", "Second\nline", "Third"])
        expect(page.locator(".kept-posts .row")).to_have_count(3)
        expect(row(page, "Bridge out")).to_contain_text("Written now")
        expect(row(page, "Bridge out")).to_contain_text("Here")
        self.look(page, size, f"drafts-{name}")
        # One goes, and comes back.
        row(page, "Second").get_by_role("button", name="Delete").click()
        expect(row(page, "Second")).to_have_count(0)
        page.get_by_role("button", name="Undo").click()
        expect(row(page, "Second")).to_be_visible()
        row(page, "Second").get_by_role("button", name="Delete").click()
        page.locator("#toasts").get_by_role("button", name="Undo").wait_for()
        page.evaluate("document.getElementById('toasts').firstElementChild.leave()")
        until(lambda: self.texts() == ["Bridge out", "Third"], "the draft is not deleted")
        row(page, "Bridge out").get_by_role("button", name="Publish", exact=True).click()
        expect(row(page, "Bridge out")).to_have_count(0)
        expect(row(there, "Bridge out")).to_be_visible()
        self.assertEqual(self.texts(), ["Third"])
        expect(page.get_by_role("button", name="Publish all")).to_be_hidden()
        # A draft of the terminal is there, too.
        self.alice.api("POST", "/drafts", {"text": "From elsewhere", "lat": self.lat, "lon": self.lon})
        page.evaluate("location.hash = '#/posts'")
        expect(row(page, "Bridge out")).to_be_visible()
        page.evaluate("location.hash = '#/new'")
        expect(row(page, "From elsewhere")).to_be_visible()
        page.get_by_role("button", name="Publish all").click()
        expect(page.locator(".kept-posts")).to_be_hidden()
        expect(row(there, "Third")).to_be_visible()
        expect(row(there, "From elsewhere")).to_be_visible()
        self.assertEqual(self.texts(), [])

    def test_drafts_are_kept_published_and_deleted(self):
        self.check_drafts(WIDE, "wide")

    def test_the_same_on_a_phone(self):
        self.check_drafts(PHONE, "phone", has_touch=True)

    def test_a_post_that_was_a_draft_says_when_it_was_written(self):
        def older(context):
            def answer(route):
                reply = route.fetch()
                text = re.sub(r'"at":"[^"]+","expires"', '"at":"2026-11-29T12:00:00.000Z","expires"', reply.text())
                route.fulfill(response=reply, body=re.sub(r'"written_at":"[^"]+"', '"written_at":"2026-11-29T09:00:00.000Z"', text))

            context.route(re.compile(r"/v1/(posts/near|items/)"), answer)

        self.alice.api("POST", "/drafts", {"text": "Bridge out", "lat": self.lat, "lon": self.lon})
        item = self.alice.api("POST", "/drafts/publish", {})["items"][0]
        page = self.open(self.alice, prepare=older)
        expect(row(page, "Bridge out")).to_contain_text("written 3 h earlier")
        page.evaluate(f"location.hash = '#/item/{item['id']}'")
        expect(page.locator(".item .meta").filter(has_text="written")).to_be_visible()

    def test_a_draft_that_cannot_be_kept_stays_in_the_form(self):
        page = self.open(self.alice, "#/new", allowed=("507",))
        page.route(
            "**/v1/drafts",
            lambda route: route.fulfill(status=507, json={"code": "diskFull", "detail": "The disk is full."})
            if route.request.method == "POST"
            else route.continue_(),
        )
        page.get_by_label("Your message").fill("Bridge out")
        page.get_by_role("button", name="Keep as draft").click()
        expect(page.locator("#toasts")).to_contain_text("It was not kept. The disk is full.")
        expect(page.get_by_label("Your message")).to_have_value("Bridge out")


class WithPhotos(PhotoCase):
    def test_a_draft_keeps_its_photo_until_it_is_published(self):
        page = self.open(self.alice, "#/new")
        page.get_by_label("Your message").fill("Bridge out")
        # The button waits for the upload.
        field = self.choose(page, photo())
        page.get_by_role("button", name="Keep as draft").click()
        expect(row(page, "Bridge out")).to_contain_text("with a photo")
        expect(field.locator(".preview-words")).to_be_hidden()
        row(page, "Bridge out").get_by_role("button", name="Publish", exact=True).click()
        there = self.open(self.bob)
        self.shown(row(there, "Bridge out").locator("img"))


class OfVisitors(VisitCase):
    def test_a_visitor_has_drafts_of_their_own(self):
        self.hub.api("POST", "/drafts", {"text": "The owner's", "lat": self.lat, "lon": self.lon})
        page = self.come("Jonna", "#/new")
        expect(page.get_by_label("Your message")).to_be_visible()
        place_field(page).fill(f"{self.lat}, {self.lon}")
        page.get_by_label("Your message").fill("Of Jonna")
        page.get_by_role("button", name="Keep as draft").click()
        expect(page.locator(".kept-posts .row")).to_have_count(1)
        expect(row(page, "Of Jonna")).to_be_visible()
        row(page, "Of Jonna").get_by_role("button", name="Publish", exact=True).click()
        expect(page.locator(".kept-posts")).to_be_hidden()
        self.assertEqual([draft["text"] for draft in self.hub.api("GET", "/drafts")["drafts"]], ["The owner's"])
        posts = self.hub.api("GET", f"/posts/near?lat={self.lat}&lon={self.lon}")["items"]
        self.assertEqual([(item["text"], item["author"]["name"]) for item in posts], [("Of Jonna", "Jonna")])
