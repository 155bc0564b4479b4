"""Whom one trusts, whom one does not want to hear, and rooms that are muted."""

from nodes import until
from playwright.sync_api import expect
from test_visit import VisitCase
from world import LOOKS, WIDE


class Marks(VisitCase):
    def profile(self, page, other):
        page.evaluate("hash => { location.hash = hash }", f"#/people/{other}")

    def marks(self, page):
        return page.evaluate("async () => (await (await fetch('/v1/marks')).json())")

    def number(self, page):
        shown = page.locator(".compare-number span")
        expect(shown).to_have_count(12)
        return shown.all_inner_texts()

    def test_two_people_compare_their_number(self):
        jonna, tomasz = self.come("Jonna"), self.come("Tomasz", size=WIDE)
        of_jonna, of_tomasz = self.id_of(jonna), self.id_of(tomasz)
        self.profile(jonna, of_tomasz)
        self.profile(tomasz, of_jonna)
        expect(jonna.get_by_role("heading", name="Is this really Tomasz?")).to_be_visible()
        digits = self.number(jonna)
        self.assertEqual([len(group) for group in digits], [5] * 12)
        self.assertEqual(digits, self.number(tomasz))
        for page in (jonna, tomasz):
            page.get_by_role("button", name="Show words instead").click()
        words = self.number(jonna)
        self.assertTrue(all(word.isalpha() for word in words))
        self.assertEqual(words, self.number(tomasz))
        expect(jonna.get_by_text("not verified")).to_be_visible()
        jonna.get_by_role("button", name="It’s the same").click()
        expect(jonna.get_by_role("heading", name="You verified Tomasz")).to_be_visible()
        expect(jonna.get_by_text("not verified")).to_have_count(0)
        self.assertEqual(self.marks(jonna)["verified"], [of_tomasz])
        # The other one answers for themselves.
        self.assertEqual(self.marks(tomasz)["verified"], [])
        jonna.reload()
        expect(jonna.get_by_role("heading", name="You verified Tomasz")).to_be_visible()
        jonna.get_by_role("button", name="Compare again").click()
        jonna.get_by_role("button", name="It’s different").click()
        expect(jonna.get_by_role("alert").filter(has_text="Do not trust")).to_have_text(
            "Do not trust this name. Ask Tomasz for their code.")
        expect(jonna.get_by_text("not verified")).to_be_visible()
        self.assertEqual(self.marks(jonna)["verified"], [])

    def test_somebody_elses_key_has_another_number(self):
        jonna, tomasz = self.come("Jonna"), self.come("Tomasz")
        impostor = self.come("Tomasz 2")
        self.profile(jonna, self.id_of(impostor))
        self.profile(tomasz, self.id_of(jonna))
        self.assertNotEqual(self.number(jonna), self.number(tomasz))

    def test_a_muted_person_is_not_shown_until_they_are_again(self):
        jonna, tomasz = self.come("Jonna", where="#/rooms/lobby", size=WIDE), self.come("Tomasz", where="#/rooms/lobby")
        self.write(tomasz, "before it")
        expect(self.line(jonna, "before it")).to_be_visible()
        self.profile(jonna, self.id_of(tomasz))
        jonna.get_by_role("button", name="Mute Tomasz", exact=True).click()
        expect(jonna.get_by_role("button", name="Unmute Tomasz")).to_be_visible()
        self.assertEqual(self.marks(jonna)["ignored"], [self.id_of(tomasz)])
        jonna.evaluate("location.hash = '#/rooms/lobby'")
        self.write(tomasz, "while muted")
        self.hub.api("POST", "/rooms/lobby/messages", {"text": "by the hub"})
        expect(self.line(jonna, "by the hub")).to_be_visible()
        for words in ("before it", "while muted"):
            expect(self.line(jonna, words)).to_have_count(0)
        # Private messages of theirs are neither told nor listed.
        tomasz.evaluate("hash => { location.hash = hash }", f"#/chat/{self.id_of(jonna)}")
        self.write(tomasz, "psst")
        until(lambda: "psst" in str(jonna.evaluate(
            "async () => (await (await fetch('/v1/conversations')).json()).items")), "it does not come")
        jonna.reload()
        expect(self.line(jonna, "by the hub")).to_be_visible()
        expect(jonna.locator(".chat", has_text="Tomasz")).to_have_count(0)
        expect(self.line(jonna, "while muted")).to_have_count(0)
        self.profile(jonna, self.id_of(tomasz))
        jonna.get_by_role("button", name="Unmute Tomasz").click()
        expect(jonna.get_by_role("button", name="Mute Tomasz", exact=True)).to_be_visible()
        jonna.evaluate("location.hash = '#/rooms/lobby'")
        for words in ("before it", "while muted"):
            expect(self.line(jonna, words)).to_be_visible()
        expect(jonna.locator(".chat", has_text="Tomasz")).to_have_count(1)

    def test_a_muted_room_counts_for_nothing(self):
        page = self.come("Jonna", where="#/rooms/lobby", size={"width": 1280, "height": 800})
        self.hub.api("PUT", "/rooms/larder")
        page.evaluate("async () => { await fetch('/v1/rooms/larder', { method: 'PUT' }) }")
        page.evaluate("location.hash = '#/rooms/larder'")
        page.get_by_role("button", name="Mute this room").click()
        expect(page.get_by_role("button", name="Unmute this room")).to_be_visible()
        self.assertEqual(self.marks(page)["muted"], ["#larder"])
        page.evaluate("location.hash = '#/rooms/lobby'")
        expect(page.get_by_role("button", name="Mute this room")).to_be_visible()
        # Other rooms may have lines of other tests.
        page.evaluate("""async () => {
          for (const { room, peer } of (await (await fetch("/v1/unread")).json()).items) {
            const headers = { "content-type": "application/json" };
            await fetch("/v1/unread", { method: "PUT", headers, body: JSON.stringify({ room, peer }) });
          }
        }""")
        badge = page.locator("#chats-badge")
        expect(badge).to_be_hidden()
        self.hub.api("POST", "/rooms/larder/messages", {"text": "soup"})
        expect(page.locator(".chat", has_text="#larder").locator(".badge.muted")).to_contain_text("1")
        expect(badge).to_be_hidden()
        page.evaluate("location.hash = '#/rooms/larder'")
        expect(self.line(page, "soup")).to_be_visible()
        page.get_by_role("button", name="Unmute this room").click()
        expect(page.get_by_role("button", name="Mute this room")).to_be_visible()
        # The soup was read, however short somebody looked. Only now does the node count this room.
        page.evaluate("location.hash = '#/rooms/lobby'")
        self.hub.api("POST", "/rooms/larder/messages", {"text": "bread"})
        expect(badge).to_have_text("1")

    def test_the_card_in_every_look(self):
        other = self.come("Tomasz")
        for look, size, scheme in LOOKS:
            page = self.come(f"Jonna {look}", size=size, color_scheme=scheme)
            self.profile(page, self.id_of(other))
            self.number(page)
            self.look(page, size, f"compare-{look}")
