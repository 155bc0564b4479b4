"""A camp as a whole: two visitors with browsers, the owner with another one, and somebody at a terminal of another machine."""

from nodes import until
from playwright.sync_api import expect
from test_photos import photo
from test_visit import VisitCase
from world import PHONE, WIDE, place_field

TABLET = {"width": 820, "height": 1180}
# Chromium says on its console that the hub is away.
AWAY = ("Failed to load resource", "net::ERR_", "Failed to fetch")


class Camp(VisitCase):
    def talk(self, size):
        """Jonna and Tomasz, and the owner, all in the lobby."""
        name = lambda who: f"{who} {size['width']}"
        pages = [self.come(name(who), "#/rooms/lobby", size=size) for who in ("Jonna", "Tomasz")]
        pages.append(self.open(self.hub, "#/rooms/lobby", viewport=size, allowed=AWAY))
        return (*pages, name)

    def heard(self, pages, text):
        for page in pages:
            expect(self.line(page, text)).to_have_count(1)

    def test_all_talk_post_and_answer_and_get_their_hub_back(self):
        for size in (PHONE, TABLET, WIDE):
            with self.subTest(size=size["width"]):
                self.day(size)

    def day(self, size):
        jonna, tomasz, owner, name = self.talk(size)
        said = f"The soup is ready {size['width']}"
        self.bob.command("say", "lobby", said)
        self.heard((jonna, tomasz, owner), said)
        self.write(jonna, f"I bring bowls {size['width']}")
        self.heard((tomasz, owner), f"I bring bowls {size['width']}")
        lines = lambda: [line["text"] for line in self.bob.api("GET", "/rooms/lobby/messages")["items"]]
        until(lambda: f"I bring bowls {size['width']}" in lines(), "the terminal does not hear Jonna")

        # Jonna posts a photo; Tomasz and the terminal see it.
        lat, lon = self.near(30)
        jonna.evaluate("location.hash = '#/new'")
        jonna.get_by_label("Your message").fill(f"Supper {size['width']}")
        jonna.get_by_role("group", name="Photo").locator("input[type=file]").first.set_input_files(
            [{"name": "soup.jpg", "mimeType": "image/jpeg", "buffer": photo()}])
        place_field(jonna).fill(f"{lat:.5f}, {lon:.5f}")
        jonna.get_by_role("button", name="Post", exact=True).click()
        found = lambda: [
            one for one in self.bob.api("GET", f"/posts/near?lat={lat}&lon={lon}&radius=250")["items"]
            if one["text"] == f"Supper {size['width']}" and "photo" in one]
        until(found, "the terminal does not see the photo")
        tomasz.evaluate("id => { location.hash = `#/item/${id}` }", found()[0]["id"])
        expect(tomasz.locator("#panel")).to_contain_text(f"Supper {size['width']}")
        expect(tomasz.locator("#panel img").first).to_be_visible()

        # Tomasz answers privately.
        tomasz.evaluate("id => { location.hash = `#/chat/${id}` }", self.id_of(jonna))
        self.write(tomasz, "Keep me a bowl")
        expect(self.line(tomasz, "Keep me a bowl").locator(".delivery")).to_have_text("Delivered")
        jonna.evaluate("id => { location.hash = `#/chat/${id}` }", self.id_of(tomasz))
        expect(self.line(jonna, "Keep me a bowl")).to_have_count(1)
        self.assertNotIn("Keep me a bowl", str(owner.content()))

        # The hub goes, and comes back: what was written meanwhile is sent.
        self.hub.stop()
        expect(jonna.locator("#banner")).to_contain_text("No connection")
        self.write(jonna, "I keep you two")
        expect(self.line(jonna, "I keep you two")).to_contain_text("Waiting for the hub")
        self.hub.start()
        expect(jonna.get_by_text("Connected again. 1 message sent.").first).to_be_visible()
        expect(self.line(tomasz, "I keep you two")).to_have_count(1)
        expect(self.line(jonna, "I keep you two")).not_to_contain_text("Waiting")
        for page in (jonna, tomasz, owner):
            page.context.close()
