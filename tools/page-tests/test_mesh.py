"""The mesh where people visit a machine: they belong to it, in the picture and in the table."""

from playwright.sync_api import expect
from test_visit import VisitCase
from world import LOOKS, WIDE


class Mesh(VisitCase):
    def row(self, page, name):
        return page.locator("tbody tr", has=page.locator("th > a", has_text=name))

    def test_visitors_are_people_of_a_machine(self):
        jonna, tomasz = self.come("Jonna", where="#/mesh", size=WIDE), self.come("Tomasz", where=None)
        expect(self.row(jonna, "hub").locator("td").first).to_have_text("This machine")
        expect(self.row(jonna, "hub").locator(".mesh-people")).to_have_text("2 visitors: Jonna, Tomasz")
        owner = self.open(self.hub, "#/mesh")
        far = self.open(self.bob, "#/mesh")
        expect(self.row(owner, "hub").locator("td").first).to_have_text("This machine")
        expect(self.row(far, "bob").locator("td").first).to_have_text("This machine")
        expect(self.row(far, "hub").locator("td").first).not_to_have_text("This machine")
        for page in (jonna, owner, far):
            # Who came first stands first.
            expect(self.row(page, "hub").locator(".mesh-people")).to_contain_text("2 visitors")
            for name in ("Jonna", "Tomasz"):
                expect(self.row(page, name)).to_have_count(0)
                expect(self.row(page, "hub").locator(".mesh-people")).to_contain_text(name)
            expect(page.locator(".graph .node")).to_have_count(3)
            expect(page.get_by_role("heading", name="3 machines, 5 people")).to_be_visible()
            expect(page.locator(".graph .node", has_text="hub")).to_contain_text("2 visitors")
        expect(jonna.locator(".graph .node.me")).to_contain_text("hub")
        far.locator(".mesh-people a", has_text="Tomasz").click()
        expect(far.get_by_role("heading", name="Tomasz", exact=True)).to_be_visible()

    def test_the_mesh_in_every_look(self):
        for look, size, scheme in LOOKS:
            page = self.come(f"Jonna {look}", where="#/mesh", size=size, color_scheme=scheme)
            expect(self.row(page, "hub").locator(".mesh-people")).to_be_visible()
            self.look(page, size, f"mesh-visitors-{look}")
