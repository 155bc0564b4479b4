"""The card of the mesh: shown once to those who take it, and in the view of the mesh, with the defaults that it sets."""

from playwright.sync_api import expect
from world import WIDE, PageCase

CARD = {
    "name": "Camp <b>by</b> the lake",
    "description": "All are welcome.",
    "welcome": "Hello \u202eand good day!",
    "rules": "Quiet after ten.\nNo fires.",
    "radius_choices": [100, 700],
    "text_length": 20,
}


class Card(PageCase):
    def setUp(self):
        super().setUp()
        self.addCleanup(self.bob.command, "mesh", "forget")
        self.addCleanup(self.alice.command, "mesh", "forget")

    def test_a_card_greets_once_and_sets_defaults(self):
        tap = self.alice.place("Tap", *self.near(400), kind="water")
        self.alice.place("Stage", *self.near(40))
        area = {"lat": self.lat, "lon": self.lon, "metres": 900}
        mine = self.alice.api("PUT", "/mesh", {**CARD, "area": area, "pins": [tap["id"]]})
        self.assertEqual((mine["mine"], mine["pins"]), (True, [{"id": tap["id"], "name": "Tap"}]))
        # Its author is not greeted. Another person is, once the card that they chose is here.
        author = self.open(self.alice)
        expect(author.locator("#mesh-name")).to_have_text(CARD["name"])
        expect(author.get_by_role("dialog")).to_have_count(0)
        stranger = self.open(self.bob)
        expect(stranger.locator("#mesh-name")).not_to_have_text(CARD["name"])
        self.bob.command("mesh", "take", mine["signer"])
        dialog = stranger.get_by_role("dialog")
        expect(dialog.get_by_role("heading", name=CARD["name"])).to_be_visible()
        for words in ("Hello and good day!", "House rules", "Quiet after ten.", "No fires."):
            expect(dialog).to_contain_text(words)
        self.look(stranger, WIDE, "card-welcome")
        dialog.get_by_role("button", name="Got it").click()
        expect(dialog).to_have_count(0)
        stranger.reload()
        expect(stranger.locator("#mesh-name")).to_have_text(CARD["name"])
        expect(dialog).to_have_count(0)
        # What it sets: how far one reads, how long a text is, which place is first.
        expect(stranger.get_by_label("Reading distance").locator("option")).to_have_text(["100 m", "700 m"])
        stranger.get_by_role("radio", name="Places").check()
        rows = stranger.locator(".place-row")
        expect(rows.nth(0)).to_contain_text("Tappinned")
        expect(rows.nth(1)).to_contain_text("Stage")
        with self.assertRaisesRegex(AssertionError, "422"):
            self.bob.post("This is longer than twenty", *self.near(0))
        # Who has set no place sees the area of the mesh: two places 360 m apart do not stand on one spot.
        self.bob.api("DELETE", "/here")
        lost = self.open(self.bob)
        lost.get_by_role("button", name="Got it").click()

        def spread():
            boxes = [one.bounding_box() for one in lost.locator(".place:visible").all()]
            heights = [box["y"] for box in boxes if box]
            return max(heights) - min(heights) if len(heights) == 2 else 0

        self.wait(lost, lambda: spread() > 40)
        stranger.evaluate("location.hash = '#/mesh'")
        card = stranger.get_by_label("About this mesh")
        for words in ("All are welcome.", "Signed by alice", "Places: Tap", "100 m, 700 m", "up to 20 characters", "Quiet after ten."):
            expect(card).to_contain_text(words)
        self.look(stranger, WIDE, "card-mesh")
        # New distances come without a reload.
        self.alice.api("PUT", "/mesh", {**CARD, "area": area, "pins": [tap["id"]], "radius_choices": [300, 900, 2000]})
        stranger.evaluate("location.hash = '#/posts'")
        choice = stranger.get_by_label("Reading distance")
        expect(choice.locator("option")).to_have_text(["300 m", "900 m", "2 km"])
        expect(choice).to_have_value("900")
        # What bob signs counts at his node alone.
        self.bob.api("PUT", "/mesh", {"name": "Bob's camp"})
        expect(author.locator("#mesh-name")).to_have_text(CARD["name"])
        expect(stranger.locator("#mesh-name")).to_have_text("Bob's camp")
