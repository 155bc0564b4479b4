"""Files and pictures in rooms: shared on one node; fetched, saved and looked at on another."""

import io
import json
import os
import re
import subprocess
import tempfile
import urllib.parse
import urllib.request

from nodes import Node, until
from PIL import Image
from playwright.sync_api import expect
from world import LOOKS, WIDE, PageCase, is_linked

PHONE = {"width": 390, "height": 844}
TOUCH = {"viewport": PHONE, "has_touch": True, "is_mobile": True}
MAP = os.urandom(184_000)
LARGE = os.urandom(3_000_000)
HOSTILE = "<img src=x onerror=alert(1)>\u202egnp.exe"


def picture(size=(640, 480), colour=(30, 90, 110), kind="PNG"):
    made = Image.linear_gradient("L").resize(size)
    made = Image.merge("RGB", [made.point(lambda value, part=part: (value + part) // 2) for part in colour])
    file = io.BytesIO()
    made.save(file, kind)
    return file.getvalue()


class FileCase(PageCase):
    def setUp(self):
        super().setUp()
        self.room = f"files{PageCase.towns}"
        for node in (self.alice, self.bob):
            node.api("PUT", f"/rooms/{self.room}")
            # A long list of rooms would leave other tests no space for lines.
            self.addCleanup(node.api, "DELETE", f"/rooms/{self.room}")

    def share(self, node, name, content):
        """Shares a file as another program would, and waits until both nodes know it. Its id."""
        query = urllib.parse.urlencode({"name": name, "room": self.room})
        request = urllib.request.Request(f"http://127.0.0.1:{node.port}/v1/files?{query}", data=content, method="POST")
        request.add_header("Authorization", f"Bearer {node.token}")
        request.add_header("Content-Type", "application/octet-stream")
        with urllib.request.urlopen(request, timeout=30) as answer:
            file = json.loads(answer.read())["id"]
        until(lambda: all(self.knows(one, file) for one in (self.alice, self.bob)), f"{name} does not arrive")
        return file

    def files(self, node):
        return node.api("GET", f"/files?room={self.room}")["items"]

    def knows(self, node, file):
        lines = node.api("GET", f"/rooms/{self.room}/messages")["items"]
        return any(one.get("file") == file for one in lines) and any(one["id"] == file for one in self.files(node))

    def page_of(self, node, **more):
        page = self.open(node, f"#/rooms/{self.room}", **more)
        expect(page.get_by_role("button", name="Attach files")).to_be_enabled()
        return page

    def attach(self, page, *files):
        page.locator("input[type=file]").set_input_files(
            [{"name": name, "mimeType": kind, "buffer": content} for name, kind, content in files]
        )

    def card(self, page, name):
        return page.locator(".line .file-card").and_(page.get_by_role("group", name=f"File {name}"))

    def frame(self, page, name):
        """A picture in its line, once it is shown."""
        frame = page.get_by_role("button", name=f"Show the picture {name}")
        expect(frame.locator("img")).to_be_visible()
        return frame

    def saved(self, page, button):
        """What the browser saves: its name and its bytes."""
        with page.expect_download() as download:
            button.click()
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "file")
            download.value.save_as(path)
            with open(path, "rb") as file:
                return download.value.suggested_filename, file.read()

    def slow(self, page, bytes_per_second):
        """Nothing leaves the page faster than this."""
        session = page.context.new_cdp_session(page)
        session.send("Network.enable")
        limits = {"offline": False, "latency": 0, "downloadThroughput": -1, "uploadThroughput": bytes_per_second}
        session.send("Network.emulateNetworkConditions", limits)

    def type_in_chat(self, node, *lines):
        """What a person types in a terminal, while the node runs."""
        command = [os.environ["PAGE_TESTS_PROGRAM"], "chat", "--data-dir", os.path.join(node.folder, "data")]
        ours = {name: value for name, value in os.environ.items() if not name.startswith("LATTICE_")}
        environment = {**ours, "XDG_RUNTIME_DIR": node.folder, "HOME": node.folder, "XDG_CONFIG_HOME": node.folder}
        chat = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment, text=True)
        self.addCleanup(chat.wait, 20)
        self.addCleanup(chat.stdin.close)
        chat.stdin.write("".join(f"{line}\n" for line in lines))
        chat.stdin.flush()


class Files(FileCase):
    def test_a_telephone_takes_a_photo_while_nothing_is_written(self):
        page = self.page_of(self.alice, **TOUCH)
        camera, field = page.get_by_role("button", name="Take a photo"), page.get_by_label("Message", exact=True)
        plus = page.get_by_role("button", name="Attach files").bounding_box()
        box = camera.bounding_box()
        self.assertEqual((box["width"], box["height"], box["y"]), (44, 44, plus["y"]))
        self.assertAlmostEqual(box["x"], plus["x"] + plus["width"], delta=8)
        field.fill("words")
        expect(camera).to_be_hidden()
        field.fill("")
        with page.expect_file_chooser() as chooser:
            camera.tap()
        self.assertEqual([chooser.value.element.get_attribute(name) for name in ("capture", "accept")], ["environment", "image/*"])
        chooser.value.set_files([{"name": "image.jpg", "mimeType": "image/jpeg", "buffer": picture(kind="JPEG")}])
        until(lambda: [one for one in self.files(self.bob) if re.fullmatch(r"picture [\d-]+ [\d.]+jpg", one["name"])], "it does not arrive")
        # Nothing is left of where it was taken.
        exif = Image.Exif()
        exif.get_ifd(0x8825).update({1: "N", 2: (43.0, 19.0, 21.0), 3: "W", 4: (1.0, 59.0, 20.0)})
        taken = io.BytesIO()
        Image.new("RGB", (3_000, 1_500), "teal").save(taken, "JPEG", exif=exif)
        self.assertIn(b"Exif", taken.getvalue())
        before = {one["id"] for one in self.files(self.alice)}
        with page.expect_file_chooser() as chooser:
            camera.tap()
        chooser.value.set_files([{"name": "image.jpg", "mimeType": "image/jpeg", "buffer": taken.getvalue()}])
        until(lambda: len(self.files(self.alice)) > len(before), "it is not shared")
        photo = next(one for one in self.files(self.alice) if one["id"] not in before)
        request = urllib.request.Request(f"{self.alice.url}v1/files/{photo['id']}/content", headers={"Authorization": f"Bearer {self.alice.token}"})
        with urllib.request.urlopen(request) as answer:
            bare = answer.read()
        self.assertNotIn(b"Exif", bare)
        self.assertEqual(Image.open(io.BytesIO(bare)).size, (2_048, 1_024))
        # Any file again.
        with page.expect_file_chooser() as chooser:
            page.get_by_role("button", name="Attach files").tap()
        self.assertIsNone(chooser.value.element.get_attribute("capture"))
        expect(self.page_of(self.alice).get_by_role("button", name="Take a photo")).to_have_count(0)

    def test_a_file_is_attached_fetched_and_saved(self):
        here, there = self.page_of(self.alice), self.page_of(self.bob, **TOUCH)
        self.attach(here, ("map.pdf", "application/pdf", MAP))
        for page in (here, there):
            expect(self.card(page, "map.pdf")).to_contain_text("184 kB")
            expect(page.locator(".line")).to_have_count(1)
        expect(here.locator(".uploads")).to_be_hidden()
        # The words of the author are still there for those who listen.
        expect(there.locator(".line .text")).to_have_text("shares the file map.pdf (184.0 kB)")
        button = there.get_by_role("button", name="Get map.pdf")
        for side in ("width", "height"):
            self.assertGreaterEqual(button.bounding_box()[side], 44)
        self.look(there, PHONE, "phone-file")
        button.click()
        save = there.get_by_role("button", name="Save map.pdf")
        self.assertEqual(self.saved(there, save), ("map.pdf", MAP))
        self.assertEqual(self.saved(here, here.get_by_role("button", name="Save map.pdf")), ("map.pdf", MAP))

    def test_files_go_one_after_the_other_and_can_be_cancelled(self):
        here = self.page_of(self.alice)
        self.slow(here, 150_000)
        self.attach(here, ("first.zip", "application/zip", LARGE), ("second.mp3", "audio/mpeg", MAP), ("third.txt", "", b"three"))
        cards = here.locator(".uploads .file-card")
        expect(cards).to_have_count(3)
        expect(cards.nth(0)).to_contain_text("left")
        expect(cards.nth(1)).to_contain_text("184 kB, waits")
        expect(here.locator("#polite")).to_contain_text("Uploading first.zip.")
        expect(here.locator("#polite")).to_contain_text(re.compile(r"Uploading first.zip, \d+ percent."))
        # Another room is opened meanwhile.
        here.evaluate("location.hash = '#/rooms/lobby'")
        expect(cards.nth(1)).to_contain_text(f"waits in #{self.room}")
        here.evaluate(f"location.hash = '#/rooms/{self.room}'")
        here.get_by_role("button", name="Cancel second.mp3").click()
        expect(cards).to_have_count(2)
        here.get_by_role("button", name="Cancel first.zip").press("Enter")
        expect(self.card(here, "third.txt")).to_contain_text("5 bytes")
        expect(here.locator(".uploads")).to_be_hidden()
        self.assertEqual([file["name"] for file in self.files(self.alice)], ["third.txt"])

    def test_a_refused_file_says_why_and_can_be_sent_again(self):
        here = self.page_of(self.alice, allowed=("507",))
        full = {"title": "x", "status": 507, "code": "diskFull", "detail": "the disk is full: make room, then try again"}
        here.route("**/v1/files?name=*", lambda route: route.fulfill(status=507, json=full), times=1)
        self.attach(here, ("map.pdf", "application/pdf", MAP))
        card = here.locator(".uploads .file-card")
        words = "The disk is full: make room, then try again."
        expect(card).to_contain_text(f"Not shared. {words}")
        expect(here.locator("#urgent")).to_have_text(f"map.pdf is not shared. {words}")
        self.look(here, WIDE, "file-refused")
        card.get_by_role("button", name="Try again map.pdf").click()
        expect(self.card(here, "map.pdf")).to_be_visible()
        expect(here.locator(".uploads")).to_be_hidden()

    def test_files_of_a_private_room_are_for_those_in_it(self):
        public, self.room = self.room, f"secret{PageCase.towns}"
        for node in (self.alice, self.bob):
            self.type_in_chat(node, f"/join #{self.room} correct horse {PageCase.towns}")
            self.addCleanup(node.api, "DELETE", f"/rooms/{self.room}")
            until(lambda node=node: any(one["name"] == f"#{self.room}" and one["private"] for one in node.api("GET", "/rooms")["items"]),
                  "there is no private room")
        here, there = self.page_of(self.alice), self.page_of(self.bob, **TOUCH)
        for page in (here, there):
            expect(page.locator("#panel")).to_contain_text("Encrypted: only people in this room can read it.")
        expect(here.get_by_role("button", name="Attach files. Encrypted: only people in this room can read it.")).to_be_visible()
        self.drag(here, ".lines")
        expect(here.locator(".drop-words")).to_have_text(
            f"Drop to share in #{self.room}. Encrypted: only people in this room can read it.")
        self.hand(here, ".lines", "drop", "fire.png", "image/png", list(picture()))
        expect(here.locator("#polite")).to_contain_text(f"fire.png is shared in #{self.room}.")
        self.frame(here, "fire.png")
        self.attach(here, ("map.pdf", "application/pdf", MAP))
        expect(self.card(there, "map.pdf")).to_contain_text("184 kB, encrypted")
        self.look(there, PHONE, "phone-file-private")
        there.get_by_role("button", name="Get map.pdf").tap()
        save = there.get_by_role("button", name="Save map.pdf")
        self.assertEqual(self.saved(there, save), ("map.pdf", MAP))
        there.get_by_role("button", name="Show fire.png").tap()
        self.frame(there, "fire.png")
        # Nothing of it is said in the public room.
        here.evaluate(f"location.hash = '#/rooms/{public}'")
        expect(here.get_by_role("button", name="Attach files", exact=True)).to_be_visible()
        expect(here.locator("#panel .soft", has_text="Encrypted")).to_have_count(0)

    def drag(self, page, where):
        """Holds a file over an element."""
        page.evaluate(
            """where => {
              const data = new DataTransfer();
              data.items.add(new File(["1"], "fire.png", { type: "image/png" }));
              document.querySelector(where).dispatchEvent(new DragEvent("dragover", { bubbles: true, cancelable: true, dataTransfer: data }));
            }""", where)

    def test_what_is_dropped_or_pasted_is_shared(self):
        here = self.page_of(self.alice)
        self.hand(here, ".lines", "drop", "notes.txt", "text/plain")
        expect(self.card(here, "notes.txt")).to_be_visible()
        self.hand(here, ".say textarea", "paste", "image.png", "image/png", list(picture()))
        name = until(lambda: next((one["name"] for one in self.files(self.alice) if one["type"] == "image/png"), None), "no picture")
        self.assertRegex(name, r"^picture \d{4}-\d\d-\d\d \d\d\.\d\d\.png$")
        self.frame(here, name)

    def hand(self, page, where, kind, name, type, content=(1, 2, 3)):
        """Drops or pastes a file."""
        page.evaluate(
            """([where, kind, name, type, content]) => {
              const data = new DataTransfer();
              data.items.add(new File([new Uint8Array(content)], name, { type }));
              const how = { bubbles: true, cancelable: true };
              document.querySelector(where).dispatchEvent(kind === "drop"
                ? new DragEvent("drop", { ...how, dataTransfer: data }) : new ClipboardEvent("paste", { ...how, clipboardData: data }));
            }""",
            [where, kind, name, type, list(content)],
        )

    def test_a_file_that_nobody_has_waits_until_somebody_comes(self):
        # Nodes of its own, because one of them stops.
        self.alice = Node("anna")
        self.addCleanup(self.alice.remove)
        self.bob = Node("ben", self.alice)
        self.addCleanup(self.bob.remove)
        until(lambda: is_linked(self.alice) and is_linked(self.bob), "anna and ben do not link")
        for node in (self.alice, self.bob):
            node.api("PUT", f"/rooms/{self.room}")
        self.share(self.alice, "songs.zip", LARGE)
        there = self.page_of(self.bob)
        expect(self.card(there, "songs.zip")).to_contain_text("3.0 MB")
        self.alice.stop()
        until(lambda: not is_linked(self.bob), "ben still sees anna")
        there.get_by_role("button", name="Get songs.zip").press("Enter")
        expect(self.card(there, "songs.zip")).to_contain_text("Waiting: nobody here has it now")
        expect(there.get_by_role("button", name="Stop fetching songs.zip")).to_be_focused()
        self.look(there, WIDE, "file-waiting")
        self.alice.start()
        expect(there.get_by_role("button", name="Save songs.zip")).to_be_visible(timeout=120_000)
        expect(there.locator("#polite")).to_contain_text("songs.zip is saved here.")

    def test_fetching_shows_how_far_it_is_and_stops(self):
        file = self.share(self.alice, "camp-map.pdf", LARGE)
        there = self.page_of(self.bob)
        state = {"state": "coming", "here": 300_000, "stoppable": True}
        asked = []

        def answer(route):
            asked.append(route.request.method)
            if route.request.method == "DELETE":
                state["state"] = "shared"
            else:
                state["here"] += 300_000
            known = next(one for one in self.files(self.bob) if one["id"] == file)
            route.fulfill(json={**known, **state})

        there.route(f"**/v1/files/{file}*", answer)
        there.route(f"**/v1/files/{file}/fetch", answer)
        there.get_by_role("button", name="Get camp-map.pdf").click()
        expect(self.card(there, "camp-map.pdf")).to_contain_text("kB/s")
        expect(self.card(there, "camp-map.pdf")).to_contain_text(" s left")
        self.look(there, WIDE, "file-coming")
        there.get_by_role("button", name="Stop fetching camp-map.pdf").click()
        expect(self.card(there, "camp-map.pdf")).to_contain_text("Stopped at ")
        expect(there.get_by_role("button", name="Go on camp-map.pdf")).to_be_focused()
        self.assertIn("DELETE", asked)

    def test_a_large_file_is_written_as_it_comes_or_left_to_the_terminal(self):
        file = self.share(self.alice, "film.mp4", MAP)

        def enlarge(context):
            context.route("**/v1/files?room=*", lambda route: route.fulfill(
                json={"items": [{**one, "size": 70_000_000} for one in self.files(self.alice)]}))
            context.add_init_script(PICKER)

        here = self.page_of(self.alice, prepare=enlarge)
        save = here.get_by_role("button", name="Save film.mp4")
        save.click()
        expect(here.locator("#toasts")).to_contain_text("film.mp4 is saved.")
        self.assertEqual(here.evaluate("written"), ["film.mp4", len(MAP)])
        here.evaluate("window.showSaveFilePicker = undefined")
        save.click()
        expect(here.locator("#toasts")).to_contain_text(f"In a terminal: lattice file get {file[:12]}")

    def test_names_of_strangers_are_only_text(self):
        self.share(self.alice, HOSTILE, MAP)
        self.share(self.alice, f"{'long name ' * 14}.tar", MAP)
        there = self.page_of(self.bob, prepare=lambda context: context.route("**/v1/files?room=*", self.disguise))
        names = there.locator(".file-name")
        expect(names.first).to_have_text("<img src=x onerror=alert(1)>gnp.exe")
        expect(there.locator("#panel img:visible")).to_have_count(0)
        expect(there.locator(".file-end").nth(1)).to_have_text(".tar")
        self.look(there, WIDE, "file-names")

    def disguise(self, route):
        """The name as a node would give it that does not clean names."""
        answer = route.fetch()
        items = answer.json()["items"]
        for one in items:
            if one["name"].startswith("<img"):
                one["name"] = HOSTILE
        route.fulfill(response=answer, json={"items": items})

    def test_a_file_that_is_unknown_leaves_the_words_of_its_author(self):
        file = self.share(self.alice, "old.txt", b"old")
        there = self.open(self.bob, allowed=("404",), prepare=lambda context: (
            context.route("**/v1/files?room=*", lambda route: route.fulfill(json={"items": []})),
            context.route(f"**/v1/files/{file}", lambda route: route.fulfill(status=404, json={"detail": "unknown"}))))
        there.evaluate(f"location.hash = '#/rooms/{self.room}'")
        expect(there.locator(".line .text")).to_have_text("shares the file old.txt (3 bytes)")
        expect(there.locator(".file-card")).to_be_hidden()


class Persons(FileCase):
    """Files that one person sends another."""

    def person_page(self, node, other, **more):
        page = self.open(node, f"#/people/{other.api('GET', '/me')['id']}", **more)
        expect(page.get_by_role("button", name="Attach files")).to_be_visible()
        return page

    def group(self, page, name):
        return page.locator(".person-files").get_by_role("group", name=f"File {name}")

    def test_a_file_is_sent_to_one_person(self):
        here, there = self.person_page(self.alice, self.bob), self.person_page(self.bob, self.alice, **TOUCH)
        expect(here.get_by_role("region", name="Files")).to_contain_text("Only you two can read this")
        name = f"allergies-{PageCase.towns}.ods"
        self.attach(here, (name, "application/vnd.oasis.opendocument.spreadsheet", MAP))
        expect(here.locator("#polite")).to_contain_text(f"{name} is shared with bob.")
        for page, by in ((here, "You"), (there, "alice")):
            expect(self.group(page, name)).to_contain_text("184 kB, encrypted")
            expect(page.locator(".person-files li", has_text=name).locator(".meta")).to_contain_text(by)
        self.look(there, PHONE, "phone-person-files")
        there.get_by_role("button", name=f"Get {name}").tap()
        self.assertEqual(self.saved(there, there.get_by_role("button", name=f"Save {name}")), (name, MAP))
        expect(self.group(here, name)).to_contain_text("184 kB, encrypted, delivered")
        expect(self.group(there, name)).not_to_contain_text("delivered")
        # In no room.
        self.assertEqual(self.files(self.bob), [])
        self.look(here, WIDE, "person-files")

    def test_a_file_goes_to_the_person_it_was_chosen_for(self):
        here = self.person_page(self.alice, self.bob)
        self.slow(here, 300_000)
        name = f"recording-{PageCase.towns}.mp3"
        self.attach(here, (name, "audio/mpeg", LARGE))
        expect(here.locator(".uploads")).to_contain_text("left")
        # What one looks at meanwhile changes nothing.
        here.evaluate("location.hash = '#/people'")
        expect(here.locator(".row").first).to_be_visible()
        here.evaluate(f"location.hash = '#/people/{self.bob.api('GET', '/me')['id']}'")
        expect(here.locator(".uploads .file-card").or_(self.group(here, name)).first).to_be_visible()
        expect(self.group(here, name)).to_contain_text("3.0 MB, encrypted")
        self.assertEqual([one["with"]["name"] for one in self.alice.api("GET", f"/files?person={self.bob.api('GET', '/me')['id']}")["items"]
                          if one["name"] == name], ["bob"])

    def test_oneself_gets_no_files(self):
        page = self.open(self.alice, "#/people/me")
        page.get_by_text("Edit", exact=True).click()
        expect(page.get_by_label("About you")).to_be_visible()
        expect(page.get_by_role("button", name="Attach files")).to_have_count(0)


class Pictures(FileCase):
    def test_pictures_are_shown_in_their_lines_and_in_full(self):
        pictures = {"fire.png": picture(colour=(250, 120, 20)), "lake.jpg": picture((480, 640), (20, 90, 160), "JPEG")}
        for name, content in pictures.items():
            self.share(self.alice, name, content)
        here = self.page_of(self.alice)
        fire, lake = (self.frame(here, name) for name in pictures)
        self.assertEqual(fire.bounding_box()["width"], 216)
        self.assertEqual(lake.bounding_box()["height"], 162)
        fire.press("Enter")
        full = here.get_by_role("dialog")
        expect(full.locator("img")).to_have_attribute("alt", "fire.png")
        expect(full.get_by_role("status")).to_contain_text("fire.png from alice, 1 of 2")
        here.keyboard.press("ArrowRight")
        expect(full.get_by_role("status")).to_contain_text("lake.jpg from alice, 2 of 2")
        expect(full.locator("img")).to_have_js_property("naturalHeight", 640)
        here.keyboard.press("ArrowRight")
        expect(full.get_by_role("status")).to_contain_text("2 of 2")
        # Keys of the page mean nothing meanwhile.
        here.keyboard.press("n")
        self.assertEqual(self.saved(here, full.get_by_role("button", name="Save")), ("lake.jpg", pictures["lake.jpg"]))
        self.look(here, WIDE, "picture-full")
        here.keyboard.press("Escape")
        expect(full).to_have_count(0)
        expect(fire).to_be_focused()
        self.assertTrue(here.url.endswith(f"#/rooms/{self.room}"))

    def test_a_small_picture_that_is_elsewhere_is_shown_when_asked_for(self):
        there = self.page_of(self.bob, **TOUCH)
        self.share(self.alice, "fire.webp", picture(kind="WEBP"))
        there.get_by_role("button", name="Show fire.webp").tap()
        frame = self.frame(there, "fire.webp")
        expect(there.get_by_role("button", name="Get fire.webp")).to_have_count(0)
        frame.tap()
        expect(there.get_by_role("dialog").locator("img")).to_have_js_property("complete", True)
        self.look(there, PHONE, "phone-picture-full")
        there.get_by_role("dialog").get_by_role("button", name="Close").tap()
        expect(there.get_by_role("dialog")).to_have_count(0)

    def test_what_is_no_picture_stays_a_file(self):
        self.share(self.alice, "broken.png", b"\x89PNG and no more of it")
        here = self.page_of(self.alice)
        expect(here.get_by_role("button", name="Save broken.png")).to_be_visible()

    def test_nothing_moves_when_pictures_come(self):
        for number in range(4):
            self.share(self.alice, f"{number}.png", picture(colour=(60 * number, 120, 90)))
        self.alice.api("POST", f"/rooms/{self.room}/messages", {"text": "the last line"})
        here = self.open(self.alice, prepare=lambda context: context.add_init_script(SHIFTS))
        here.evaluate(f"location.hash = '#/rooms/{self.room}'")
        self.frame(here, "3.png")
        expect(here.locator(".line", has_text="the last line")).to_be_in_viewport()
        here.locator(".line", has_text="0.png").scroll_into_view_if_needed()
        self.frame(here, "0.png")
        self.assertEqual(here.evaluate("shifted"), [])

    def test_it_looks_right_on_every_screen(self):
        self.share(self.bob, "menu.ods", MAP)
        self.share(self.alice, "fire.jpg", picture(colour=(250, 120, 20), kind="JPEG"))
        self.alice.api("POST", f"/rooms/{self.room}/messages", {"text": "Fire’s lit, tables are out"})
        for name, size, scheme in LOOKS:
            size = PHONE if name.startswith("phone") else size
            touch = {"has_touch": True, "is_mobile": True} if size == PHONE else {}
            page = self.page_of(self.alice, viewport=size, color_scheme=scheme, **touch)
            self.slow(page, 90_000)
            self.frame(page, "fire.jpg")
            self.attach(page, (f"A long name of a recording from {name}.mp3", "audio/mpeg", LARGE), ("second.zip", "", MAP))
            expect(page.locator(".uploads")).to_contain_text("left")
            self.look(page, size, f"files-{name}")
            for _ in range(2):
                page.locator(".uploads").get_by_role("button").last.click()
            expect(page.locator(".uploads")).to_be_hidden()


# A place to save to, without the dialog of the browser.
PICKER = """
window.written = ["", 0];
window.showSaveFilePicker = async ({ suggestedName }) => ({
  createWritable: async () => {
    written[0] = suggestedName;
    return new WritableStream({ write(piece) { written[1] += piece.length; } });
  },
});
"""

# What moved in the lines without anybody having asked for it.
SHIFTS = """
window.shifted = [];
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) {
    const moved = entry.sources.filter((source) => source.node?.parentElement?.closest(".lines-in .line") || source.node?.matches?.(".line"));
    if (!entry.hadRecentInput && moved.length > 0) shifted.push(entry.value);
  }
}).observe({ type: "layout-shift", buffered: true });
"""
