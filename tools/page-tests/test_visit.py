"""Somebody comes with a browser and no token: looks around, gets a name, comes back, and goes."""

import json
import re

from nodes import Node
from playwright.sync_api import expect
from world import LOOKS, PHONE, WIDE, PageCase, place_field, row

# Chromium says on its console when something is refused; that is what these tests are about.
REFUSED = ("Failed to load resource",)


class VisitCase(PageCase):
    """A node of its own that lets people in, linked to alice."""

    def setUp(self):
        super().setUp()
        self.hub = Node("hub", self.alice, options=("--visitors",))
        self.addCleanup(self.hub.remove)

    def visit(self, where="#/posts", size=PHONE, **more):
        return self.open(self.hub, where, token=False, viewport=size, allowed=REFUSED, **more)

    def come(self, name, where="#/posts", size=PHONE, **more):
        """A browser of somebody who came in. `page.code` is their recovery code."""
        page = self.visit(size=size, **more)
        page.get_by_label("What’s your name?").fill(name)
        page.get_by_role("dialog").get_by_role("button", name="Come in", exact=True).click()
        page.code = page.locator(".code-card code").inner_text()
        page.get_by_role("button", name="I wrote it down").click()
        expect(page.locator("#who")).to_contain_text(name)
        if where:
            page.evaluate("hash => { location.hash = hash }", where)
        return page

    def id_of(self, page):
        """Other nodes may have had people of the same name."""
        return page.evaluate("async () => (await (await fetch('/v1/visit')).json()).you.id")

    def write(self, page, text):
        page.get_by_label("Message", exact=True).fill(text)
        page.get_by_label("Message", exact=True).press("Enter")

    def line(self, page, text):
        return page.locator(".line", has_text=text)

    def sheet(self, page):
        return page.get_by_role("dialog")


class Visit(VisitCase):
    def test_somebody_comes_in_and_writes_without_a_reload(self):
        for look, size, scheme in LOOKS:
            name = f"Jonna {look}"
            page = self.visit(size=size, color_scheme=scheme)
            page.evaluate("window.stays = true")
            expect(self.sheet(page)).to_contain_text("Works without internet.")
            expect(page.get_by_label("What’s your name?")).to_be_focused()
            page.get_by_label("What’s your name?").fill(name)
            expect(page.get_by_text("Free", exact=True)).to_be_visible()
            self.look(page, size, f"visit-name-{look}")
            page.keyboard.press("Enter")
            expect(self.sheet(page)).to_contain_text(
                "Come back from another phone. Write this code down. Anyone who has it is you."
            )
            expect(page.locator(".code-card code")).to_have_text(re.compile(r"^\w{4}-\w{4}-\w{4}-\w{4}$"))
            self.look(page, size, f"visit-code-{look}")
            page.get_by_role("button", name="I wrote it down").click()
            expect(self.sheet(page)).to_have_count(0)
            expect(page.locator("#who")).to_contain_text(name)
            expect(page.locator("#banner")).to_be_hidden()
            page.evaluate("location.hash = '#/rooms/lobby'")
            page.get_by_label("Message", exact=True).fill(f"hello from {name}")
            page.keyboard.press("Enter")
            line = page.locator(".line", has_text=f"hello from {name}")
            expect(line.locator(".by")).to_have_text(name)
            said = self.hub.api("GET", "/rooms/lobby/messages")["items"][-1]
            self.assertEqual((said["text"], said["from"]["name"]), (f"hello from {name}", name))
            self.hub.api("POST", "/rooms/lobby/messages", {"text": f"welcome, {name}"})
            expect(page.locator(".line", has_text=f"welcome, {name}")).to_be_visible()
            self.assertTrue(page.evaluate("window.stays"))
            page.reload()
            expect(page.locator("#who")).to_contain_text(name)
            expect(self.sheet(page)).to_have_count(0)

    def test_a_name_that_somebody_has_is_not_given_twice(self):
        self.come("Mara").context.close()
        for size in (PHONE, WIDE):
            page = self.visit(size=size)
            page.get_by_label("What’s your name?").fill("mara")
            expect(page.locator(".sheet .fault")).to_have_text("There is already a mara here.")
            expect(page.get_by_role("button", name="Come in as mara 2")).to_be_visible()
            self.look(page, size, f"visit-taken-{size['width']}")
            page.get_by_role("button", name="Use mara 3").click()
            expect(page.get_by_label("What’s your name?")).to_have_value("mara 3")
            expect(page.get_by_text("Free", exact=True)).to_be_visible()
            page.context.close()
        page = self.visit()
        page.get_by_label("What’s your name?").fill("hub")
        page.get_by_role("button", name="Come in as hub 2").click()
        expect(page.locator(".code-card code")).to_be_visible()

    def test_who_looks_around_reads_and_is_asked_for_a_name_when_writing(self):
        self.hub.post("Soup now", *self.near(10))
        mine = self.hub.api("POST", "/rooms/lobby/messages", {"text": "anybody here?"})
        page = self.visit()
        page.get_by_role("button", name="Just look around").click()
        expect(page.locator("#banner")).to_contain_text("You are looking around.")
        page.evaluate("location.hash = '#/rooms/lobby'")
        line = page.locator(".line", has_text="anybody here?")
        expect(line).to_be_visible()
        # The owner's words are not theirs.
        expect(page.get_by_role("button", name="Delete")).to_have_count(0)
        self.look(page, PHONE, "visit-looking")
        page.get_by_label("Message", exact=True).fill("me, too")
        page.keyboard.press("Enter")
        expect(self.sheet(page)).to_be_visible()
        page.keyboard.press("Escape")
        expect(page.get_by_label("Message", exact=True)).to_have_value("me, too")
        expect(page.locator(".toast")).to_have_count(0)
        page.get_by_label("Message", exact=True).press("Enter")
        page.get_by_label("What’s your name?").fill("Pim")
        page.keyboard.press("Enter")
        page.get_by_role("button", name="I wrote it down").click()
        expect(page.locator(".line", has_text="me, too").locator(".by")).to_have_text("Pim")
        expect(page.locator(".line", has_text="me, too")).to_have_count(1)
        self.assertEqual(self.hub.api("GET", "/rooms/lobby/messages")["items"][-2]["id"], mine["id"])

    def test_what_needs_a_name_asks_for_it(self):
        page = self.visit()
        page.get_by_role("button", name="Just look around").click()
        page.get_by_role("link", name="New post").click()
        expect(self.sheet(page)).to_be_visible()
        page.keyboard.press("Escape")
        expect(page).to_have_url(re.compile("#/posts$"))
        page.get_by_role("link", name="New post").click()
        page.get_by_label("What’s your name?").fill("Kofi")
        page.keyboard.press("Enter")
        page.get_by_role("button", name="I wrote it down").click()
        page.get_by_label("Your message").fill("Two seats to Leeds")
        place_field(page).fill("{:.5f}, {:.5f}".format(*self.near(5)))
        page.get_by_role("button", name="Post", exact=True).click()
        expect(page.locator("#polite")).to_contain_text("Posted.")
        posted = self.hub.api("GET", "/posts/near?lat={}&lon={}&radius=250".format(*self.near(5)))["items"]
        self.assertEqual([one["author"]["name"] for one in posted], ["Kofi"])

    def test_a_like_waits_for_a_name(self):
        lat, lon = self.near(20)
        self.hub.post("Soup now", lat, lon)
        page = self.visit()
        page.evaluate("here => localStorage.setItem('lattice here', here)", json.dumps({"lat": lat, "lon": lon}))
        page.reload()
        page.get_by_role("button", name="Just look around").click()
        # The page of the owner would say so.
        expect(row(page, "Soup now").locator(".name")).to_have_text("hub")
        row(page, "Soup now").get_by_role("button", name="Like, 0 likes").click()
        page.get_by_label("What’s your name?").fill("Alva")
        page.keyboard.press("Enter")
        page.get_by_role("button", name="I wrote it down").click()
        expect(row(page, "Soup now").get_by_role("button", name="Unlike, 1 like")).to_be_visible()

    def test_a_code_brings_somebody_back_on_another_phone(self):
        jonna = self.come("Jonna")
        for size in (PHONE, WIDE):
            page = self.visit(size=size)
            page.get_by_role("button", name="I’ve been here before").click()
            page.get_by_label("Type your recovery code.").fill("aaaa-bbbb-cccc-dddd")
            page.keyboard.press("Enter")
            expect(self.sheet(page)).to_contain_text(re.compile(r"That code is not right\. \d tr(y|ies) left\."))
            self.look(page, size, f"visit-return-{size['width']}")
            page.get_by_label("Type your recovery code.").fill(jonna.code.upper().replace("-", " "))
            page.keyboard.press("Enter")
            expect(page.locator("#who")).to_contain_text("Jonna")
            expect(self.sheet(page)).to_have_count(0)
            page.context.close()


class You(VisitCase):
    def test_a_new_code_and_signing_out(self):
        for size in (PHONE, WIDE):
            name = f"Lena {size['width']}"
            page = self.come(name, "#/people/me", size=size)
            page.get_by_role("button", name="Make a new code").click()
            expect(page.locator(".code-card code")).to_be_visible()
            expect(page.get_by_text("Write this code down. Anyone who has it is you.")).to_be_visible()
            page.get_by_role("button", name="Sign out on this phone").scroll_into_view_if_needed()
            self.look(page, size, f"visit-you-{size['width']}")
            self.assertNotEqual(page.locator(".code-card code").inner_text(), page.code)
            tab = self.watched(page.context.new_page(), self.hub, REFUSED)
            tab.goto(self.hub.url)
            expect(tab.locator("#who")).to_contain_text(name)
            page.get_by_role("button", name="Sign out on this phone").click()
            for one in (page, tab):
                expect(self.sheet(one)).to_be_visible()
            self.assertEqual(page.context.cookies(), [])
            self.assertEqual(page.evaluate("Object.keys(localStorage)"), [])
            page.context.close()

    def test_a_password_opens_another_browser_too(self):
        page = self.come("Mara", "#/people/me")
        page.get_by_text("Set a password instead").click()
        page.get_by_label("Password, 8 characters or more").fill("short")
        page.get_by_role("button", name="Set the password").click()
        expect(page.locator("details", has_text="Set a password instead").locator(".fault")).not_to_be_empty()
        page.get_by_label("Password, 8 characters or more").fill("lantern by the lake")
        page.get_by_role("button", name="Set the password").click()
        expect(page.locator(".toast")).to_contain_text("Your password is set.")
        other = self.visit(size=WIDE)
        other.get_by_role("button", name="I’ve been here before").click()
        other.get_by_role("button", name="I have a password").click()
        other.get_by_label("Your name").fill("Mara")
        other.get_by_label("Your password").fill("lantern by the pond")
        other.keyboard.press("Enter")
        expect(other.locator(".sheet .fault").first).to_contain_text("not right")
        self.look(other, WIDE, "visit-password")
        other.get_by_label("Your password").fill("lantern by the lake")
        other.keyboard.press("Enter")
        expect(other.locator("#who")).to_contain_text("Mara")
        expect(self.sheet(other)).to_have_count(0)

    def test_the_owner_sees_visitors_and_removes_one(self):
        jonna, pim = self.come("Jonna"), self.come("Pim", "#/rooms/lobby")
        for size in (PHONE, WIDE):
            page = self.open(self.hub, "#/people", viewport=size)
            page.get_by_role("link", name="Visitors").click()
            expect(page.locator("#panel")).to_contain_text("2 of 200")
            expect(page.get_by_role("img", name=f"QR code of {self.hub.url}")).to_be_visible()
            expect(row(page, "Jonna")).to_contain_text("Here now")
            row(page, "Jonna").get_by_role("button", name="Remove").click()
            expect(row(page, "Jonna")).to_contain_text(
                "Jonna is signed out on every phone. What Jonna wrote stays."
            )
            self.look(page, size, f"visitors-{size['width']}")
            row(page, "Jonna").get_by_role("button", name="Keep").click()
        row(page, "Jonna").get_by_role("button", name="Remove").click()
        page.get_by_role("button", name="Remove Jonna").last.click()
        expect(page.locator("#panel")).to_contain_text("1 of 200")
        expect(row(page, "Jonna")).to_have_count(0)
        # An open page notices, and asks for a name again.
        expect(self.sheet(jonna)).to_be_visible()
        expect(jonna.locator("#banner")).to_contain_text("You are looking around.")
        expect(pim.locator("#who")).to_contain_text("Pim")

    def test_a_node_that_lets_nobody_in_any_more(self):
        page = self.come("Idris")
        self.hub.stop()
        self.hub.options = ()
        self.hub.start()
        expect(page.locator("#banner")).to_contain_text("Scan the code at the hub again")
        expect(self.sheet(page)).to_have_count(0)
        self.faults = [fault for fault in self.faults if "ERR_" not in fault]

    def test_the_browser_shows_notifications_while_nobody_looks(self):
        page = self.come("Runa", "#/people/me")
        # The browser's own are outside the page.
        page.evaluate("""() => {
            window.shown = [];
            window.Notification = class {
                static permission = "default";
                static async requestPermission() { return (this.permission = "granted"); }
                constructor(title, { body, data }) { window.shown.push([title, body, data.hash]); }
                addEventListener() {}
            };
        }""")
        page.get_by_label("Show notifications while this page is in the background").check()
        self.bob.api("POST", "/rooms/lobby/messages", {"text": "@Runa while you look"})
        new = lambda: page.evaluate("async () => (await (await fetch('/v1/notifications')).json()).new")
        self.wait(page, lambda: new() == 1)
        self.assertEqual(page.evaluate("shown"), [])
        page.evaluate("Object.defineProperty(document, 'visibilityState', { get: () => 'hidden', configurable: true })")
        self.bob.api("POST", "/rooms/lobby/messages", {"text": "@Runa come to the gate"})
        self.wait(page, lambda: page.evaluate("shown.length") == 1)
        [[title, _, where]] = page.evaluate("shown")
        self.assertEqual(title, "bob mentioned you in #lobby “@Runa come to the gate”")
        self.assertEqual(where, "#/rooms/lobby")
        page.get_by_label("Show notifications while this page is in the background").uncheck()
        self.bob.api("POST", "/rooms/lobby/messages", {"text": "@Runa and now?"})
        self.wait(page, lambda: new() == 3)
        self.assertEqual(page.evaluate("shown.length"), 1)

    def test_somebody_says_where_they_are_after_coming_in(self):
        page = self.visit()
        page.get_by_label("What’s your name?").fill("Amara")
        page.get_by_label("Choose next").check()
        page.get_by_role("dialog").get_by_role("button", name="Come in", exact=True).click()
        page.get_by_role("button", name="I wrote it down").click()
        expect(page.get_by_role("heading", name="Where are you?")).to_be_visible()

    def test_somebody_takes_the_key_to_another_camp(self):
        page = self.come("Lena", "#/people/me")
        page.get_by_text("Take my key with me").click()
        page.get_by_label("Passphrase for the file").fill("short")
        page.get_by_role("button", name="Save the key").click()
        expect(page.get_by_role("alert").filter(has_text="8 to")).to_be_visible()
        page.get_by_label("Passphrase for the file").fill("take me along")
        with page.expect_download() as saved:
            page.get_by_role("button", name="Save the key").click()
        file = saved.value.path()
        self.assertRegex(saved.value.suggested_filename, r"^lattice-\w{4}\.key$")
        lena = self.lena_of(self.hub)
        camp = Node("camp", options=("--visitors", "--mesh", "other"))
        self.addCleanup(camp.remove)
        other = self.open(camp, None, token=False, viewport=PHONE, allowed=REFUSED)
        other.get_by_role("button", name="I’ve been here before").click()
        other.get_by_role("button", name="I have a key").click()
        other.get_by_label("Your name here").fill("Lena")
        other.get_by_label("Its passphrase").fill("leave me here")
        other.get_by_role("dialog").get_by_role("button", name="Come in", exact=True).click()
        expect(other.get_by_role("alert").filter(has_text="Choose the file with your key.")).to_be_visible()
        other.get_by_label("The file with your key").set_input_files(file)
        other.get_by_role("dialog").get_by_role("button", name="Come in", exact=True).click()
        expect(other.get_by_role("alert").filter(has_text="passphrase is not the one")).to_be_visible()
        self.look(other, PHONE, "visit-key-phone")
        other.get_by_label("Its passphrase").fill("take me along")
        other.get_by_role("dialog").get_by_role("button", name="Come in", exact=True).click()
        other.get_by_role("button", name="I wrote it down").click()
        expect(other.locator("#who")).to_contain_text("Lena")
        self.assertEqual(self.lena_of(camp), lena)

    def lena_of(self, node):
        [lena] = [one for one in node.api("GET", "/visitors")["items"] if one["name"] == "Lena"]
        return lena["id"]
