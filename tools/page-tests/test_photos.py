"""Photos: added to posts, events and profiles on one node; in lists, on the map and in full on another."""

import io
import json
import os
import re
import urllib.request
from datetime import datetime, timedelta

from nodes import until
from PIL import Image
from playwright.sync_api import expect
from test_files import PHONE, TOUCH, picture
from wire import Wire
from world import LOOKS, PageCase, pin, row

ALT = "A red scarf on the branch of an oak"
HOSTILE = "<img src=x onerror=alert(1)>\u202egnp.exe"
GPS = 0x8825
READY = re.compile(r"^Ready, \d.* (kB|bytes), no location inside$")


def photo(size=(1200, 900), colour=(200, 60, 40)):
    """As a telephone makes it: with the place where it was taken."""
    image = Image.open(io.BytesIO(picture(size, colour)))
    exif = Image.Exif()
    exif.get_ifd(GPS).update({1: "N", 2: (43.0, 19.0, 21.0), 3: "W", 4: (1.0, 59.0, 20.0)})
    file = io.BytesIO()
    image.save(file, "JPEG", quality=90, exif=exif)
    return file.getvalue()


def noise(megapixels=2):
    """A photo of some megabytes."""
    file = io.BytesIO()
    Image.effect_noise((1_000 * megapixels, 1_000), 90).convert("RGB").save(file, "JPEG", quality=95)
    return file.getvalue()


class PhotoCase(PageCase):
    def upload(self, node, content):
        """What another program does before it posts."""
        request = urllib.request.Request(f"http://127.0.0.1:{node.port}/v1/uploads", data=content, method="POST")
        request.add_header("Authorization", f"Bearer {node.token}")
        request.add_header("Content-Type", "application/octet-stream")
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.loads(answer.read())["upload"]

    def post(self, node, text, content=None, alt=ALT, north=60, **more):
        added = {"upload": self.upload(node, content or photo()), **({"alt": alt} if alt else {})}
        return node.post(text, *self.near(north), photo=added, **more)

    def bytes_of(self, node, path):
        request = urllib.request.Request(f"http://127.0.0.1:{node.port}/v1{path}")
        request.add_header("Authorization", f"Bearer {node.token}")
        with urllib.request.urlopen(request, timeout=30) as answer:
            return answer.read()

    def choose(self, page, content, name="scarf.jpg", kind="image/jpeg"):
        field = page.get_by_role("group", name="Photo")
        field.locator("input[type=file]").first.set_input_files([{"name": name, "mimeType": kind, "buffer": content}])
        return field

    def ready(self, field):
        expect(field.locator(".preview-words")).to_have_text(READY)

    def shown(self, image, width=86, height=86):
        """The one picture has come, and is as large as it should be."""
        expect(image).to_be_visible()
        self.wait(image.page, lambda: image.evaluate_all("all => all.map((one) => [one.naturalWidth, one.naturalHeight])") == [[width, height]])

    def slow(self, page, bytes_per_second):
        """Nothing leaves the page faster than this; -1 is as fast as it can."""
        session = page.context.new_cdp_session(page)
        session.send("Network.enable")
        limits = {"offline": False, "latency": 0, "downloadThroughput": -1, "uploadThroughput": bytes_per_second}
        session.send("Network.emulateNetworkConditions", limits)
        return session

    def uploads_left(self, node):
        """Files of uploads that are under way."""
        return os.listdir(os.path.join(node.folder, "data", "lattice.blobs", "new"))


class Adding(PhotoCase):
    def test_a_photo_is_made_ready_while_one_writes_and_seen_by_others(self):
        here, there = self.open(self.alice, "#/new"), self.open(self.bob, **TOUCH)
        field = self.choose(here, photo())
        expect(field.get_by_label("Describe the photo (optional)")).to_be_focused()
        self.shown(field.locator(".preview"), 1200, 900)
        here.get_by_label("Your message").fill("Found on the jetty")
        self.ready(field)
        expect(here.locator("#polite")).to_contain_text("The photo is ready.")
        field.get_by_label("Describe the photo (optional)").fill(ALT)
        here.get_by_role("button", name="Post", exact=True).click()
        for page in (here, there):
            thumbnail = row(page, "Found on the jetty").get_by_role("img", name=ALT)
            self.shown(thumbnail)
        row(there, "Found on the jetty").locator("a").tap()
        full = there.get_by_role("figure").get_by_role("img", name=ALT)
        self.shown(full, 560, 420)
        expect(there.locator("figcaption")).to_have_text(ALT)
        found = self.bob.api("GET", f"/posts/near?lat={self.lat}&lon={self.lon}")["items"]
        item = next(one for one in found if one["text"] == "Found on the jetty")
        for which in ("photo", "thumbnail"):
            content = self.bytes_of(self.bob, f"/items/{item['id']}/{which}")
            self.assertEqual(content[:2], b"\xff\xd8")
            self.assertNotIn(b"Exif", content)
        # Nothing of the form is left.
        here.evaluate("location.hash = '#/new'")
        expect(here.locator(".preview")).to_be_hidden()

    def test_the_original_is_shared_without_its_place(self):
        here, there = self.open(self.alice, "#/new"), self.open(self.bob, **TOUCH)
        field = self.choose(here, photo((900, 700)))
        here.get_by_label("Your message").fill("Scarf in full")
        field.get_by_label(re.compile("^Share the picture itself, too")).check()
        self.ready(field)
        here.get_by_role("button", name="Post", exact=True).click()
        row(there, "Scarf in full").locator("a").tap()
        expect(there.get_by_role("heading", name="Original")).to_be_visible()
        there.get_by_role("button", name="Show photo.jpg").tap()
        self.shown(there.locator(".line-file img"), 900, 700)
        found = next(one for one in self.bob.api("GET", "/files")["items"] if one["name"] == "photo.jpg")
        content = self.bytes_of(self.bob, f"/files/{found['id']}/content")
        self.assertNotIn(GPS, Image.open(io.BytesIO(content)).getexif())

    def test_the_button_waits_for_the_upload_and_then_posts(self):
        page = self.open(self.alice, "#/new")
        session = self.slow(page, 40_000)
        field = self.choose(page, noise())
        page.get_by_label("Your message").fill("Sent when it is ready")
        expect(field.locator(".preview-words")).to_have_text(re.compile(r"^Preparing, \d+%$"))
        expect(field.get_by_role("progressbar")).to_be_visible()
        page.get_by_role("button", name="Post", exact=True).click()
        waiting = page.get_by_role("button", name="Waiting for the photo…")
        expect(waiting).to_have_attribute("aria-disabled", "true")
        expect(page.locator("#polite")).to_contain_text("Waiting for the photo.")
        # Pressed again, nothing happens twice.
        waiting.click(force=True)
        session.send("Network.emulateNetworkConditions",
                     {"offline": False, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1})
        self.shown(row(page, "Sent when it is ready").locator(".thumbnail"))
        expect(row(page, "Sent when it is ready")).to_have_count(1)
        expect(page.locator(".toast").first).to_contain_text("Posted.")

    def test_what_one_leaves_while_it_waits_is_not_posted(self):
        page = self.open(self.alice, "#/new")
        self.slow(page, 40_000)
        field = self.choose(page, noise())
        page.get_by_label("Your message").fill("Not yet")
        page.get_by_role("button", name="Post", exact=True).click()
        expect(page.get_by_role("button", name="Waiting for the photo…")).to_be_visible()
        page.evaluate("location.hash = '#/people'")
        expect(page.locator(".toast")).to_contain_text("Not sent yet: what you wrote is kept under New post.")
        page.evaluate("location.hash = '#/new'")
        expect(page.get_by_label("Your message")).to_have_value("Not yet")
        expect(field.locator(".preview-words")).to_contain_text("Preparing")
        expect(page.get_by_role("button", name="Post", exact=True)).to_be_enabled()
        # The form is given up, and its photo with it.
        page.get_by_role("button", name="Cancel", exact=True).click()
        until(lambda: self.uploads_left(self.alice) == [], "the upload is still there")

    def test_a_cancelled_upload_leaves_nothing_behind(self):
        page = self.open(self.alice, "#/new")
        self.slow(page, 40_000)
        field = self.choose(page, noise())
        expect(field.locator(".preview-words")).to_have_text(re.compile(r"^Preparing, [1-9]\d*%$"))
        until(lambda: self.uploads_left(self.alice) != [], "no upload begins")
        field.get_by_role("button", name="Cancel the upload").press("Enter")
        expect(field.get_by_role("button", name="Photo")).to_be_focused()
        expect(field.locator(".preview")).to_be_hidden()
        expect(page.locator("#polite")).to_contain_text("The upload is cancelled.")
        until(lambda: self.uploads_left(self.alice) == [], "the upload is still there")

    def test_a_photo_that_is_removed_is_gone_from_the_node(self):
        page = self.open(self.alice, "#/new")
        with page.expect_response("**/v1/uploads") as answered:
            field = self.choose(page, photo())
        self.ready(field)
        upload = answered.value.json()["upload"]
        with page.expect_response(f"**/v1/uploads/{upload}") as removed:
            field.get_by_role("button", name="Remove the photo").click()
        self.assertEqual(removed.value.status, 204)
        with self.assertRaisesRegex(AssertionError, "POST /posts: 4"):
            self.alice.post("With a photo that is gone", *self.near(10), photo={"upload": upload})
        page.get_by_label("Your message").fill("Without a photo")
        page.get_by_role("button", name="Post", exact=True).click()
        expect(row(page, "Without a photo")).to_be_visible()
        expect(row(page, "Without a photo").locator(".thumbnail")).to_be_hidden()

    def test_what_comes_too_late_to_be_cancelled_is_taken_back(self):
        wire = Wire(self.alice)
        self.addCleanup(wire.remove)
        page = self.open(wire, "#/new")
        # All of the page is here.
        expect(page.locator("#map")).not_to_have_attribute("aria-busy", "true")
        wire.answers.clear()
        field = self.choose(page, photo())
        expect(field.locator(".preview-words")).to_have_text("Preparing, 100%")
        field.get_by_role("button", name="Cancel the upload").click()
        expect(field.locator(".preview")).to_be_hidden()
        with page.expect_response(re.compile(r"/v1/uploads/\w+$")) as taken:
            wire.answers.set()
        self.assertEqual((taken.value.request.method, taken.value.status), ("DELETE", 204))
        until(lambda: self.uploads_left(self.alice) == [], "the upload is still there")

    def test_what_is_no_picture_says_so_and_can_be_replaced_or_removed(self):
        page = self.open(self.alice, "#/new", allowed=("422",))
        field = self.choose(page, b"not a picture", "notes.jpg")
        fault = field.get_by_role("alert")
        expect(fault).not_to_be_empty()
        self.look(page, {"width": 1280, "height": 800}, "photo-refused")
        page.get_by_label("Your message").fill("Nearly")
        page.get_by_role("button", name="Post", exact=True).click()
        # It is not posted without its photo unless that is removed.
        expect(field.get_by_role("button", name="Try again")).to_be_focused()
        page.keyboard.press("Enter")
        expect(field.get_by_role("button", name="Remove the photo")).to_be_visible()
        expect(fault).not_to_be_empty()
        self.choose(page, picture(kind="WEBP"), "right.webp", "image/webp")
        self.ready(field)
        expect(fault).to_be_hidden()
        self.choose(page, picture(), "right.png", "image/png")
        self.ready(field)
        page.get_by_role("button", name="Post", exact=True).click()
        self.shown(row(page, "Nearly").locator(".thumbnail"))

    def test_a_photo_above_the_limit_is_not_sent(self):
        page = self.open(self.alice, "#/new")
        sent = []
        page.on("request", lambda request: sent.append(request.url) if "/v1/uploads" in request.url else None)
        page.evaluate("""() => {
          const data = new DataTransfer();
          data.items.add(new File([new Uint8Array(64 * 1_048_576 + 1)], "huge.jpg", { type: "image/jpeg" }));
          const input = document.querySelector(".view input[type=file]");
          input.files = data.files;
          input.dispatchEvent(new Event("change"));
        }""")
        expect(page.get_by_role("group", name="Photo").get_by_role("alert")).to_have_text(
            "This photo is larger than 64 MiB. Choose a smaller one.")
        self.assertEqual(sent, [])

    def test_a_refused_post_keeps_its_photo(self):
        page = self.open(self.alice, "#/new", allowed=("503",))
        field = self.choose(page, photo())
        self.ready(field)
        field.get_by_label("Describe the photo (optional)").fill(ALT)
        page.get_by_label("Your message").fill("Second time lucky")
        page.route("**/v1/posts", lambda route: route.fulfill(
            status=503, json={"title": "x", "status": 503, "code": "diskFull", "detail": "the disk is full"}), times=1)
        page.get_by_role("button", name="Post", exact=True).click()
        expect(page.locator("form > .fault")).to_have_text("The disk is full.")
        self.ready(page.get_by_role("group", name="Photo"))
        page.get_by_role("button", name="Post", exact=True).click()
        self.shown(row(page, "Second time lucky").get_by_role("img", name=ALT))

    def test_a_photo_that_the_node_forgot_is_sent_again(self):
        page = self.open(self.alice, "#/new", allowed=("404",))
        with page.expect_response("**/v1/uploads") as answered:
            field = self.choose(page, photo())
        self.ready(field)
        self.alice.api("DELETE", f"/uploads/{answered.value.json()['upload']}")
        page.get_by_label("Your message").fill("An hour later")
        page.get_by_role("button", name="Post", exact=True).click()
        expect(field.get_by_role("alert")).to_have_text("The photo is no longer ready. Try again.")
        field.get_by_role("button", name="Try again").click()
        self.ready(field)
        page.get_by_role("button", name="Post", exact=True).click()
        self.shown(row(page, "An hour later").locator(".thumbnail"))

    def test_a_description_may_not_be_too_long(self):
        page = self.open(self.alice, "#/new")
        field = self.choose(page, photo())
        self.ready(field)
        page.get_by_label("Your message").fill("Described")
        field.get_by_label("Describe the photo (optional)").fill("ä" * 501)
        page.get_by_role("button", name="Post", exact=True).click()
        expect(field.get_by_role("alert")).to_have_text("The description is too long. Make it shorter.")
        expect(field.get_by_label("Describe the photo (optional)")).to_be_focused()

    def test_an_event_has_a_photo(self):
        page = self.open(self.alice, "#/new/event")
        field = self.choose(page, photo())
        self.ready(field)
        page.get_by_label("Name of the event").fill("Singing at the jetty")
        page.get_by_label("Starts").fill((datetime.now() + timedelta(days=1)).strftime("%Y-%m-%dT18:00"))
        field.get_by_label("Describe the photo (optional)").fill("A fire")
        page.get_by_role("button", name="Create event").click()
        self.shown(row(page, "Singing at the jetty").get_by_role("img", name="A fire"))
        other = self.open(self.bob, "#/events")
        self.shown(row(other, "Singing at the jetty").get_by_role("img", name="A fire"))

    def test_a_telephone_offers_its_camera(self):
        page = self.open(self.alice, "#/new", **TOUCH)
        field = page.get_by_role("group", name="Photo")
        with page.expect_file_chooser() as chooser:
            field.get_by_role("button", name="Take a photo").tap()
        self.assertEqual(chooser.value.element.get_attribute("capture"), "environment")
        chooser.value.set_files([{"name": "taken.jpg", "mimeType": "image/jpeg", "buffer": photo()}])
        self.ready(field)
        for name in ("Choose", "Take another", "Remove the photo"):
            box = field.get_by_role("button", name=name).bounding_box()
            self.assertGreaterEqual(min(box["width"], box["height"]), 44)
        wide = self.open(self.alice, "#/new")
        expect(wide.get_by_role("button", name="Photo", exact=True)).to_be_visible()
        expect(wide.get_by_role("button", name="Take a photo")).to_have_count(0)

    def test_everything_of_it_is_reached_by_keyboard(self):
        page = self.open(self.alice, "#/new")
        expect(page.get_by_label("Your message")).to_be_focused()
        page.keyboard.type("Typed")
        page.keyboard.press("Tab")
        button = page.get_by_role("button", name="Photo", exact=True)
        expect(button).to_be_focused()
        with page.expect_file_chooser() as chooser:
            button.press("Enter")
        self.assertEqual(chooser.value.element.get_attribute("accept"), "image/jpeg,image/png,image/webp")
        chooser.value.set_files([{"name": "scarf.jpg", "mimeType": "image/jpeg", "buffer": photo()}])
        field = page.get_by_role("group", name="Photo")
        self.ready(field)
        expect(field.get_by_label("Describe the photo (optional)")).to_be_focused()
        page.keyboard.type(ALT)
        for keys, name in (("Shift+Tab", "Remove the photo"), ("Tab", None), ("Tab", None), ("Tab", "Choose")):
            page.keyboard.press(keys)
            if name:
                expect(field.get_by_role("button", name=name)).to_be_focused()
        page.get_by_label("Your message").focus()
        page.keyboard.press("Control+Enter")
        expect(row(page, "Typed").get_by_role("img", name=ALT)).to_be_visible()


class Looking(PhotoCase):
    def test_thumbnails_stand_in_pins_and_in_the_list_below_the_map(self):
        item = self.post(self.bob, "Lost my red scarf")
        plain = self.bob.post("Nothing to see", *self.near(-1_200, 900))
        page = self.open(self.alice, "#/map", **TOUCH)
        self.shown(pin(page, item).locator("img"))
        self.assertGreaterEqual(pin(page, item).bounding_box()["width"], 40)
        expect(pin(page, plain).locator("img")).to_be_hidden()
        expect(pin(page, item)).to_have_attribute("aria-label", re.compile("bob.*Lost my red scarf"))
        pin(page, item).tap()
        self.shown(row(page, "Lost my red scarf").get_by_role("img", name=ALT))
        self.look(page, PHONE, "phone-photo-map")

    def test_a_thumbnail_is_asked_for_once(self):
        self.post(self.bob, "Seen in two places")
        asked = []
        page = self.open(self.alice, prepare=lambda context: self.count(context, "/thumbnail", asked))
        self.shown(row(page, "Seen in two places").locator(".thumbnail"))
        self.shown(page.locator(".pin img"))
        row(page, "Seen in two places").locator("a").click()
        expect(page.get_by_role("figure")).to_be_visible()
        page.keyboard.press("Escape")
        self.shown(row(page, "Seen in two places").locator(".thumbnail"))
        self.assertEqual(len(asked), 1)

    def count(self, context, words, asked):
        context.on("request", lambda request: asked.append(request.url) if words in request.url else None)

    def test_nothing_moves_when_the_photo_comes(self):
        item = self.post(self.bob, "Tall", photo((600, 1000)))
        held = []
        page = self.open(self.alice)
        page.route(f"**/v1/items/{item['id']}/photo*", lambda route: held.append(route))
        page.evaluate(f"location.hash = '#/item/{item['id']}'")
        self.wait(page, lambda: held)
        frame = page.locator(".photo-frame")
        before = frame.bounding_box()
        self.assertAlmostEqual(before["height"] / before["width"], 560 / 336, delta=0.02)
        expect(page.locator(".photo img")).to_have_attribute("width", "336")
        # What stands below it, which the time of the post does not move.
        caption = page.locator("figcaption")
        below = caption.bounding_box()
        held[0].continue_()
        self.shown(page.locator(".photo img"), 336, 560)
        self.assertEqual(frame.bounding_box(), before)
        self.assertEqual(caption.bounding_box(), below)

    def test_a_photo_that_nobody_has_now_can_be_asked_for_again(self):
        item = self.post(self.bob, "Not here")
        page = self.open(self.alice, allowed=("503",))
        away = {"title": "x", "status": 503, "code": "notHere", "detail": "nobody who is connected has this photo"}
        path = f"**/v1/items/{item['id']}/photo*"
        page.route(path, lambda route: route.fulfill(status=503, json=away))
        page.evaluate(f"location.hash = '#/item/{item['id']}'")
        figure = page.get_by_role("figure")
        expect(figure.get_by_role("status")).to_have_text("Nobody who is connected has this photo.")
        # The words of the picture stand there meanwhile.
        expect(page.locator("figcaption")).to_have_text(ALT)
        self.look(page, {"width": 1280, "height": 800}, "photo-missing")
        again = figure.get_by_role("button", name="Try again")
        again.press("Enter")
        expect(again).to_be_focused()
        page.unroute(path)
        again.press("Enter")
        self.shown(figure.get_by_role("img", name=ALT), 560, 420)
        expect(figure).to_be_focused()
        expect(again).to_be_hidden()

    def test_a_photo_stays_while_one_likes_and_comments(self):
        item = self.post(self.bob, "Like me")
        asked = []
        page = self.open(self.alice, f"#/item/{item['id']}", prepare=lambda context: self.count(context, "/photo", asked))
        image = page.get_by_role("figure").get_by_role("img", name=ALT)
        self.shown(image, 560, 420)
        address = image.get_attribute("src")
        page.locator('[data-act="like"]').click()
        expect(page.locator('[data-act="like"]')).to_contain_text("1 like")
        page.get_by_label("Your comment").fill("What a scarf")
        page.get_by_role("button", name="Comment", exact=True).click()
        expect(row(page, "What a scarf")).to_be_visible()
        expect(image).to_have_attribute("src", address)
        # The script of that name is another thing.
        self.assertEqual([one for one in asked if "/v1/" in one], [f"{self.alice.url}v1/items/{item['id']}/photo"])

    def test_what_is_too_far_or_deleted_shows_no_photo(self):
        far = self.post(self.bob, "Far away", north=4_000)
        gone = self.post(self.bob, "Soon gone")
        page = self.open(self.alice)
        self.shown(row(page, "Soon gone").locator(".thumbnail"))
        page.evaluate(f"location.hash = '#/item/{gone['id']}'")
        # Nothing of it is on its way when it goes.
        self.shown(page.get_by_role("figure").locator("img"), 560, 420)
        self.bob.api("DELETE", f"/items/{gone['id']}")
        expect(page.get_by_role("figure")).to_have_count(0)
        page.evaluate("location.hash = '#/posts'")
        expect(page.locator(".row.far")).to_have_count(1)
        expect(page.locator(".row.far .thumbnail")).to_be_hidden()
        expect(pin(page, far).locator("img")).to_be_hidden()

    def test_words_and_pictures_of_strangers_do_no_harm(self):
        item = self.post(self.bob, "From a stranger", alt=HOSTILE)
        large = io.BytesIO()
        Image.new("L", (3_000, 3_000)).save(large, "JPEG")
        # No picture, and one that unfolds to more than a thumbnail is.
        for content in (b"no picture", large.getvalue()):
            page = self.open(self.alice, prepare=lambda context, content=content: context.route(
                f"**/v1/items/{item['id']}/thumbnail*", lambda route: route.fulfill(body=content, content_type="image/jpeg")))
            thumbnail = row(page, "From a stranger").locator(".thumbnail")
            expect(thumbnail).to_have_attribute("src", re.compile("^blob:"))
            expect(thumbnail).to_be_hidden()
        page.evaluate(f"location.hash = '#/item/{item['id']}'")
        expect(page.locator("figcaption")).to_have_text("<img src=x onerror=alert(1)>gnp.exe")
        self.shown(page.get_by_role("figure").locator("img"), 560, 420)

    def test_it_looks_right_on_every_screen(self):
        item = self.post(self.bob, "Lost my red scarf. My grandmother knitted it. It hung here on Friday, now it’s gone.", place_name="Old oak")
        self.post(self.alice, "Tall", photo((600, 1_000), (60, 120, 200)), alt="", north=300)
        self.bob.post("Soup now. Bring a bowl", *self.near(-200))
        for name, size, scheme in LOOKS:
            size = PHONE if name.startswith("phone") else size
            touch = {"has_touch": True, "is_mobile": True} if size == PHONE else {}
            page = self.open(self.alice, viewport=size, color_scheme=scheme, **touch)
            self.shown(row(page, "Lost my red scarf").locator(".thumbnail"))
            self.shown(row(page, "Tall").get_by_role("img", name="Photo"))
            self.look(page, size, f"photo-list-{name}")
            page.evaluate(f"location.hash = '#/item/{item['id']}'")
            self.shown(page.get_by_role("figure").locator("img"), 560, 420)
            self.look(page, size, f"photo-item-{name}")
            page.evaluate("location.hash = '#/new'")
            self.look(page, size, f"photo-new-{name}")
            field = self.choose(page, photo())
            self.ready(field)
            field.get_by_label("Describe the photo (optional)").fill(ALT)
            self.look(page, size, f"photo-ready-{name}")
            page.get_by_role("button", name="Cancel", exact=True).click()


class People(PhotoCase):
    def face(self, page, name):
        return row(page, name).locator(".face img")

    def test_a_person_has_a_photo_until_they_remove_it(self):
        page, other = self.open(self.alice, "#/people/me"), self.open(self.bob, "#/people")
        page.get_by_text("Edit", exact=True).click()
        field = self.choose(page, photo((900, 900), (30, 120, 80)))
        self.ready(field)
        page.get_by_role("button", name="Save").click()
        expect(page.locator(".toast")).to_contain_text("Profile saved.")
        self.shown(page.locator(".item-head .face img"))
        self.shown(self.face(other, "alice"))
        box = self.face(other, "alice").bounding_box()
        self.assertEqual((box["width"], box["height"]), (44, 44))
        # Who has none is a letter.
        expect(row(other, "bob").locator(".face")).to_have_text("B")
        self.look(other, {"width": 1280, "height": 800}, "photo-people")
        row(other, "alice").locator("a").click()
        self.shown(other.locator(".item-head .face img"))
        self.look(other, {"width": 1280, "height": 800}, "photo-person")
        page.get_by_text("Edit", exact=True).click()
        page.get_by_label("Remove your photo").check()
        page.get_by_role("button", name="Save").click()
        expect(page.get_by_label("Remove your photo")).to_have_count(0)
        expect(page.locator(".item-head .face")).to_have_text("A")
        other.evaluate("location.hash = '#/people'")
        expect(row(other, "alice")).to_be_visible()
        expect(self.face(other, "alice")).to_have_count(0)

    def test_posts_and_comments_show_who_left_them(self):
        mine = self.alice.post("Who left this?", *self.near(20))
        theirs = self.bob.post("Nobody knows me", *self.near(40))
        self.bob.api("POST", f"/items/{mine['id']}/comments", {"text": "You did"})
        self.alice.api("POST", f"/items/{mine['id']}/comments", {"text": "Indeed"})
        self.addCleanup(lambda: self.alice.api("PATCH", "/people/me", {"photo": None}))
        page = self.open(self.bob)
        expect(row(page, "Who left this?").locator(".face")).to_have_text("A")
        asked = []
        page.on("request", lambda request: asked.append(request.url) if "/people/" in request.url else None)
        self.alice.api("PATCH", "/people/me", {"photo": {"upload": self.upload(self.alice, photo((900, 900), (30, 120, 80)))}})
        self.shown(self.face(page, "Who left this?"))
        box = self.face(page, "Who left this?").bounding_box()
        self.assertEqual((box["width"], box["height"]), (40, 40))
        # Whose name stands beside it needs no other.
        expect(self.face(page, "Who left this?")).to_have_attribute("alt", "")
        expect(row(page, "Nobody knows me").locator(".face")).to_have_text("B")
        expect(self.face(page, "Nobody knows me")).to_have_count(0)
        row(page, "Who left this?").locator("a").click()
        self.shown(page.locator(".item-head .face img"))
        self.shown(self.face(page, "Indeed"))
        expect(self.face(page, "You did")).to_have_count(0)
        self.assertEqual(asked, [f"{self.bob.url}v1/people/{mine['author']['id']}/thumbnail"])
        self.look(page, {"width": 1280, "height": 800}, "photo-authors-item")
        # Another photo comes by itself, and goes so.
        address = self.face(page, "Indeed").get_attribute("src")
        self.alice.api("PATCH", "/people/me", {"photo": {"upload": self.upload(self.alice, photo((700, 900), (200, 180, 20)))}})
        expect(self.face(page, "Indeed")).not_to_have_attribute("src", address)
        self.shown(self.face(page, "Indeed"))
        phone = self.open(self.bob, **TOUCH)
        self.shown(self.face(phone, "Who left this?"))
        self.look(phone, PHONE, "phone-photo-authors")
        self.alice.api("PATCH", "/people/me", {"photo": None})
        expect(self.face(page, "Indeed")).to_have_count(0)
        expect(page.locator(".item-head .face")).to_have_text("A")
        self.assertEqual(theirs["author"].get("photo"), None)

    def test_a_photo_that_was_not_saved_is_taken_back(self):
        page = self.open(self.alice, "#/people/me", **TOUCH)
        page.get_by_text("Edit", exact=True).click()
        with page.expect_response("**/v1/uploads") as answered:
            field = self.choose(page, photo())
        self.ready(field)
        self.look(page, PHONE, "phone-photo-me")
        upload = answered.value.json()["upload"]
        with page.expect_response(f"**/v1/uploads/{upload}") as removed:
            page.evaluate("location.hash = '#/people'")
        self.assertEqual(removed.value.status, 204)

    def photos(self, page):
        return page.get_by_role("region", name="Photos")

    def test_a_person_has_a_grid_of_their_photos(self):
        items = [self.post(self.bob, f"Photo {number} of {PageCase.towns}", alt=f"Picture {number}", north=20 + number) for number in range(4)]
        silent = self.post(self.bob, f"Without words {PageCase.towns}", alt="", north=30)
        self.bob.post(f"Nothing to see {PageCase.towns}", *self.near(40))
        page = self.open(self.alice, "#/people", **TOUCH)
        row(page, "bob").locator("a").tap()
        grid = self.photos(page).get_by_role("list", name="Photos")
        for number in range(4):
            expect(grid.get_by_role("link", name=f"Picture {number}").first).to_be_visible()
        expect(grid.get_by_role("link", name=f"Photo: Without words {PageCase.towns}")).to_be_visible()
        expect(grid).not_to_contain_text("Nothing to see")
        self.shown(grid.locator(f'a[href="#/item/{silent["id"]}"] img'))
        # Three beside each other, as large as a finger needs.
        boxes = [grid.locator("li").nth(at).bounding_box() for at in range(4)]
        self.assertEqual(len({box["y"] for box in boxes[:3]}), 1)
        self.assertGreater(boxes[3]["y"], boxes[0]["y"])
        self.assertGreaterEqual(min(boxes[0]["width"], boxes[0]["height"]), 86)
        self.look(page, PHONE, "phone-photo-grid")
        grid.locator(f'a[href="#/item/{items[2]["id"]}"]').tap()
        self.shown(page.get_by_role("figure").get_by_role("img", name="Picture 2"), 560, 420)
        # What is deleted goes, and what is new comes.
        page.go_back()
        expect(grid.locator(f'a[href="#/item/{items[0]["id"]}"]')).to_be_visible()
        self.bob.api("DELETE", f"/items/{items[0]['id']}")
        expect(grid.locator(f'a[href="#/item/{items[0]["id"]}"]')).to_have_count(0)
        new = self.post(self.bob, f"One more of {PageCase.towns}", alt="The newest", north=50)
        expect(grid.locator("li").first.locator("a")).to_have_attribute("href", f"#/item/{new['id']}")

    def test_the_grid_is_one_stop_of_the_keyboard(self):
        for number in range(5):
            self.post(self.bob, f"Key {number} of {PageCase.towns}", alt=f"Key {number} of {PageCase.towns}", north=20 + number)
        page = self.open(self.alice, f"#/people/{self.bob.api('GET', '/me')['id']}", viewport=PHONE)
        grid = self.photos(page).get_by_role("list", name="Photos")
        links = grid.locator("a")
        expect(links.first).to_have_accessible_name(f"Key 4 of {PageCase.towns}")
        expect(grid.locator('a[tabindex="0"]')).to_have_count(1)
        links.first.focus()
        page.keyboard.press("ArrowRight")
        expect(links.nth(1)).to_be_focused()
        page.keyboard.press("ArrowDown")
        expect(links.nth(4)).to_be_focused()
        page.keyboard.press("ArrowLeft")
        expect(links.nth(3)).to_be_focused()
        page.keyboard.press("ArrowUp")
        expect(links.first).to_be_focused()
        page.keyboard.press("Enter")
        expect(page.get_by_role("figure").get_by_role("img", name=f"Key 4 of {PageCase.towns}")).to_be_visible()

    def test_who_has_no_photos_has_no_grid(self):
        page = self.open(self.bob, "#/people/me")
        page.get_by_text("Edit", exact=True).click()
        expect(page.get_by_label("A few words about you").or_(page.get_by_role("button", name="Save")).first).to_be_visible()
        other = self.open(self.alice, f"#/people/{self.alice.api('GET', '/me')['id']}", token=False)
        expect(other.locator(".item-head")).to_be_visible()
        expect(self.photos(other)).to_have_count(0)

    def test_who_may_only_look_sees_photos_near_a_place(self):
        # What people write whom the node follows can be read from anywhere.
        self.alice.api("DELETE", f"/people/{self.bob.api('GET', '/me')['id']}/follow")
        near = self.post(self.bob, f"Seen by all {PageCase.towns}", alt=f"Near {PageCase.towns}")
        self.post(self.bob, f"Too far {PageCase.towns}", alt=f"Far {PageCase.towns}", north=50_000)
        asked = []
        page = self.open(
            self.alice, token=False, prepare=lambda context: context.on("request", lambda request: asked.append(request)))
        bob = f"#/people/{self.bob.api('GET', '/me')['id']}"
        page.evaluate(f"location.hash = '{bob}'")
        expect(page.locator(".item-head")).to_be_visible()
        # Without a place nothing is asked for that would be refused.
        expect(self.photos(page)).to_have_count(0)
        self.assertEqual([one.url for one in asked if "/v1/timeline" in one.url], [])
        page.evaluate("location.hash = '#/here'")
        page.locator("#place").fill(f"{self.lat}, {self.lon}")
        page.get_by_role("button", name="I am here").click()
        expect(row(page, f"Seen by all {PageCase.towns}")).to_be_visible()
        page.evaluate(f"location.hash = '{bob}'")
        grid = self.photos(page).get_by_role("list", name="Photos")
        self.shown(grid.get_by_role("link", name=f"Near {PageCase.towns}").locator("img"))
        expect(grid.get_by_role("link", name=f"Far {PageCase.towns}")).to_have_count(0)
        grid.locator(f'a[href="#/item/{near["id"]}"]').click()
        self.shown(page.get_by_role("figure").get_by_role("img", name=f"Near {PageCase.towns}"), 560, 420)
        self.assertEqual([one.url for one in asked if one.headers.get("authorization")], [])
