"""Authors change, remove and describe the photo of their post or event."""

import re
from datetime import datetime, timedelta, timezone

from nodes import until
from playwright.sync_api import expect
from test_files import PHONE
from test_photos import ALT, PhotoCase, noise, photo
from world import LOOKS, row

DESCRIPTION = "Describe the photo (optional)"


class Editing(PhotoCase):
    def edit(self, page):
        page.locator('[data-act="edit"]').click()
        return page.get_by_role("group", name="Photo")

    def save(self, page):
        page.get_by_role("button", name="Save").click()
        expect(page.locator('[data-act="edit"]')).to_be_focused()

    def full(self, page, name):
        return page.get_by_role("figure").get_by_role("img", name=name)

    def item(self, node, item):
        return node.api("GET", f"/items/{item['id']}")["item"]

    def test_a_photo_takes_the_place_of_another(self):
        item = self.post(self.alice, "My scarf")
        page, other = self.open(self.alice, f"#/item/{item['id']}"), self.open(self.bob, f"#/item/{item['id']}")
        self.shown(self.full(page, ALT), 560, 420)
        field = self.edit(page)
        self.shown(self.full(page, ALT), 560, 420)
        expect(field.get_by_label(DESCRIPTION)).to_have_value(ALT)
        self.choose(page, photo((600, 1_000), (30, 60, 200)))
        self.ready(field)
        expect(page.get_by_role("figure")).to_be_hidden()
        # The words for the photo before are not those for this one.
        expect(field.get_by_label(DESCRIPTION)).to_have_value("")
        field.get_by_label(DESCRIPTION).fill("A blue scarf")
        self.save(page)
        for one in (page, other):
            self.shown(self.full(one, "A blue scarf"), 336, 560)
            expect(one.locator(".item-words")).to_have_text("My scarf")
        page.evaluate("location.hash = '#/posts'")
        self.shown(row(page, "My scarf").get_by_role("img", name="A blue scarf"))

    def test_other_words_leave_the_photo_as_it_is(self):
        item = self.post(self.alice, "My hat")
        before = self.bytes_of(self.alice, f"/items/{item['id']}/photo")
        page, other = self.open(self.alice, f"#/item/{item['id']}"), self.open(self.bob, f"#/item/{item['id']}")
        field = self.edit(page)
        field.get_by_label(DESCRIPTION).fill("ä" * 501)
        page.get_by_role("button", name="Save").click()
        expect(field.get_by_role("alert")).to_have_text("The description is too long. Make it shorter.")
        field.get_by_label(DESCRIPTION).fill("A straw hat")
        page.get_by_label("New text").fill("My straw hat")
        self.save(page)
        for one in (page, other):
            self.shown(self.full(one, "A straw hat"), 560, 420)
            expect(one.locator(".item-words")).to_have_text("My straw hat")
        self.edit(page).get_by_label(DESCRIPTION).fill("")
        self.save(page)
        self.shown(self.full(other, "Photo"), 560, 420)
        self.assertEqual(self.bytes_of(self.alice, f"/items/{item['id']}/photo"), before)
        self.assertNotIn("alt", self.item(self.alice, item)["photo"])

    def test_a_photo_is_removed_when_one_saves(self):
        item = self.post(self.alice, "Soon bare")
        page = self.open(self.alice, f"#/item/{item['id']}")
        field = self.edit(page)
        remove = field.get_by_role("button", name="Remove the photo")
        remove.press("Enter")
        expect(field.get_by_role("button", name="Photo", exact=True)).to_be_focused()
        expect(page.locator("#polite")).to_contain_text("The photo is removed when you save.")
        expect(field.get_by_text("The photo is removed when you save.")).to_be_visible()
        page.get_by_role("button", name="Cancel", exact=True).click()
        self.shown(self.full(page, ALT), 560, 420)
        self.assertIn("photo", self.item(self.alice, item))
        self.edit(page).get_by_role("button", name="Remove the photo").click()
        self.save(page)
        expect(page.get_by_role("figure")).to_have_count(0)
        self.assertNotIn("photo", self.item(self.alice, item))
        # And comes again.
        field = self.edit(page)
        expect(field.get_by_text("The photo is removed when you save.")).to_be_hidden()
        self.choose(page, photo())
        self.ready(field)
        self.save(page)
        self.shown(self.full(page, "Photo"), 560, 420)

    def test_what_is_cancelled_leaves_nothing_behind(self):
        item = self.post(self.alice, "As it was")
        page = self.open(self.alice, f"#/item/{item['id']}")
        field = self.edit(page)
        with page.expect_response("**/v1/uploads") as answered:
            self.choose(page, photo())
        self.ready(field)
        # The new one goes, and the one before is there again.
        taken = f"**/v1/uploads/{answered.value.json()['upload']}"
        with page.expect_response(taken) as removed:
            field.get_by_role("button", name="Remove the photo").click()
        self.assertEqual(removed.value.status, 204)
        self.shown(self.full(page, ALT), 560, 420)
        expect(field.get_by_label(DESCRIPTION)).to_have_value(ALT)
        for leave in (
            lambda: page.get_by_role("button", name="Cancel", exact=True).click(),
            lambda: page.evaluate("location.hash = '#/posts'"),
        ):
            with page.expect_response("**/v1/uploads") as answered:
                self.choose(page, photo())
            self.ready(field)
            with page.expect_response(f"**/v1/uploads/{answered.value.json()['upload']}") as removed:
                leave()
            self.assertEqual(removed.value.status, 204)
            if page.url.endswith(item["id"]):
                expect(page.locator('[data-act="edit"]')).to_be_focused()
                self.edit(page)
        page.evaluate(f"location.hash = '#/item/{item['id']}'")
        self.slow(page, 40_000)
        field = self.edit(page)
        self.choose(page, noise())
        expect(field.locator(".preview-words")).to_have_text(re.compile(r"^Preparing, [1-9]\d*%$"))
        page.get_by_role("button", name="Save").click()
        expect(page.get_by_role("button", name="Waiting for the photo…")).to_be_visible()
        page.get_by_role("button", name="Cancel", exact=True).click()
        until(lambda: self.uploads_left(self.alice) == [], "the upload is still there")
        self.shown(self.full(page, ALT), 560, 420)
        self.assertNotIn("edited_at", self.item(self.alice, item))

    def test_what_others_do_meanwhile_does_not_end_the_form(self):
        item = self.post(self.alice, "Liked while edited")
        page = self.open(self.alice, f"#/item/{item['id']}")
        field = self.edit(page)
        field.get_by_label(DESCRIPTION).fill("Half of a sen")
        self.bob.api("PUT", f"/items/{item['id']}/like")
        expect(page.locator(".view > p.small-text")).to_contain_text("bob likes it")
        expect(field.get_by_label(DESCRIPTION)).to_have_value("Half of a sen")
        field.get_by_label(DESCRIPTION).fill("Half of a sentence")
        self.save(page)
        expect(page.locator('[data-act="like"]')).to_contain_text("1 like")
        self.shown(self.full(page, "Half of a sentence"), 560, 420)

    def test_what_was_not_saved_can_be_saved_again(self):
        item = self.post(self.alice, "Twice")
        page = self.open(self.alice, f"#/item/{item['id']}", allowed=("503", "404"))
        field = self.edit(page)
        with page.expect_response("**/v1/uploads") as answered:
            self.choose(page, photo((600, 1_000)))
        self.ready(field)
        page.get_by_label("New text").fill("Twice, thrice")
        path = f"**/v1/items/{item['id']}"
        full = {"title": "x", "status": 503, "code": "diskFull", "detail": "the disk is full"}
        page.route(path, lambda route: route.fulfill(status=503, json=full) if route.request.method == "PATCH" else route.continue_())
        page.get_by_role("button", name="Save").click()
        expect(page.locator(".toast.bad").last).to_contain_text("Your changes were not saved.")
        expect(page.get_by_label("New text")).to_have_value("Twice, thrice")
        self.ready(field)
        page.unroute(path)
        # The node forgets what nobody names within the hour.
        self.alice.api("DELETE", f"/uploads/{answered.value.json()['upload']}")
        page.get_by_role("button", name="Save").click()
        expect(field.get_by_role("alert")).to_have_text("The photo is no longer ready. Try again.")
        field.get_by_role("button", name="Try again").click()
        self.ready(field)
        self.save(page)
        expect(page.locator(".item-words")).to_have_text("Twice, thrice")
        self.shown(self.full(page, "Photo"), 336, 560)

    def test_an_event_without_a_text_gets_a_photo_and_a_comment_none(self):
        starts = (datetime.now(timezone.utc) + timedelta(days=1)).strftime("%Y-%m-%dT%H:%M:%SZ")
        event = {"name": "Singing", "lat": self.lat, "lon": self.lon, "started_at": starts}
        item = self.alice.api("POST", "/events", {"event": event})
        comment = self.alice.api("POST", f"/items/{item['id']}/comments", {"text": "Bring wood"})
        page = self.open(self.alice, f"#/item/{item['id']}")
        field = self.edit(page)
        self.choose(page, photo())
        self.ready(field)
        field.get_by_label(DESCRIPTION).fill("A fire")
        self.save(page)
        self.shown(self.full(page, "A fire"), 560, 420)
        self.assertEqual((self.item(self.alice, item)["title"], self.item(self.alice, item)["photo"]["alt"]), ("Singing", "A fire"))
        page.evaluate(f"location.hash = '#/item/{comment['id']}'")
        expect(page.get_by_role("heading", name="Comment", exact=True)).to_be_visible()
        expect(self.edit(page)).to_have_count(0)
        page.get_by_label("New text").fill("Bring dry wood")
        self.save(page)
        expect(page.locator(".item-words")).to_have_text("Bring dry wood")

    def test_everything_of_it_is_reached_by_keyboard(self):
        item = self.post(self.alice, "Keys alone")
        page = self.open(self.alice, f"#/item/{item['id']}")
        self.shown(self.full(page, ALT), 560, 420)
        page.locator('[data-act="edit"]').press("Enter")
        expect(page.get_by_label("New text")).to_be_focused()
        field = page.get_by_role("group", name="Photo")
        for reached in (
            field.get_by_role("button", name="Remove the photo"), field.get_by_label(DESCRIPTION),
            field.get_by_role("button", name="Choose"), page.get_by_role("button", name="Save"),
            page.get_by_role("button", name="Cancel", exact=True),
        ):
            page.keyboard.press("Tab")
            expect(reached).to_be_focused()
        page.keyboard.press("Enter")
        expect(page.locator('[data-act="edit"]')).to_be_focused()

    def test_it_looks_right_on_every_screen(self):
        item = self.post(self.alice, "Lost my red scarf. It hung here on Friday.")
        for name, size, scheme in LOOKS:
            size = PHONE if name.startswith("phone") else size
            touch = {"has_touch": True, "is_mobile": True} if size == PHONE else {}
            page = self.open(self.alice, f"#/item/{item['id']}", viewport=size, color_scheme=scheme, **touch)
            self.shown(self.full(page, ALT), 560, 420)
            field = self.edit(page)
            field.scroll_into_view_if_needed()
            self.look(page, size, f"photo-edit-{name}")
            self.choose(page, photo((900, 900), (30, 120, 80)))
            self.ready(field)
            field.scroll_into_view_if_needed()
            self.look(page, size, f"photo-edit-ready-{name}")
            field.get_by_role("button", name="Remove the photo").click()
            field.get_by_role("button", name="Remove the photo").click()
            expect(field.get_by_text("The photo is removed when you save.")).to_be_visible()
            self.look(page, size, f"photo-edit-removed-{name}")
            page.get_by_role("button", name="Cancel", exact=True).click()
