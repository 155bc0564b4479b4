"""People, what they do, events, and the picture of the mesh."""

import re
from datetime import datetime, timedelta

from nodes import Node
from playwright.sync_api import expect
from world import PageCase, row


class People(PageCase):
    def test_whom_one_follows_is_shown_under_following(self):
        self.bob.post("Only for followers of bob", *self.near(90_000))
        page = self.open(self.alice, "#/people")
        bob = row(page, "bob")
        bob.get_by_role("button", name="Follow bob").click()
        expect(bob.get_by_role("button", name="Unfollow bob")).to_be_visible()
        page.evaluate("location.hash = '#/following'")
        expect(row(page, "Only for followers of bob")).to_be_visible()
        self.alice.api("DELETE", f"/people/{self.bob.api('GET', '/me')['id']}/follow")

    def test_people_are_found_by_a_part_of_their_name(self):
        names = ["Zoë", "Tomasz", "Álvaro", "alva"]
        people = [
            {"id": str(number) * 64, "short": f"yyy{number}", "name": name, "me": False, "posts": 0, "followers": 0, "following": 0, "followed": False}
            for number, name in enumerate(names)
        ]  # fmt: skip

        def pages(route):
            part = people[2:] if "after=" in route.request.url else people[:2]
            route.fulfill(json={"items": part, **({} if part[0] is people[2] else {"next": "x"})})

        page = self.open(self.alice, "#/people", prepare=lambda context: context.route("**/v1/people?*", pages))
        field = page.get_by_role("searchbox", name="Find a person")
        shown = page.locator("#panel .row .name")
        expect(shown).to_have_text(names)
        for typed, found in (("zoe", ["Zoë"]), ("ALV", ["Álvaro", "alva"]), ("asz", ["Tomasz"]), ("", names)):
            field.fill(typed)
            expect(shown).to_have_text(found)
        field.fill("nobody")
        expect(page.locator("#panel")).to_contain_text("Nobody here is called “nobody”.")
        expect(shown).to_have_count(0)
        expect(field).to_be_focused()

    def test_what_others_did_is_told(self):
        mine = self.alice.post("Ask me anything", *self.near(10))
        other = self.open(self.bob)
        row(other, "Ask me anything").get_by_role("button", name=re.compile("^Like")).click()
        expect(row(other, "Ask me anything").get_by_role("button", name="Unlike, 1 like")).to_be_visible()
        page = self.open(self.alice, "#/notifications")
        expect(page.locator(".row", has_text="bob likes “Ask me anything”")).to_have_count(1)
        page.locator(".row", has_text="bob likes “Ask me anything”").locator("a").click()
        expect(page).to_have_url(re.compile(mine["id"]))
        expect(page.locator("#panel")).to_contain_text("bob likes it")

    def test_what_concerns_one_has_a_number_until_it_is_looked_at(self):
        self.alice.api("POST", "/notifications/seen")
        page = self.open(self.alice, "#/posts")
        expect(page.locator("#bell .badge")).to_be_hidden()
        self.bob.api("POST", "/rooms/lobby/messages", {"text": "alice, look here"})
        expect(page.locator("#bell .badge")).to_have_text("1")
        page.evaluate("location.hash = '#/notifications'")
        told = page.locator(".row.new", has_text="bob mentioned you in #lobby “alice, look here”")
        expect(told).to_have_count(1)
        expect(page.locator("#bell .badge")).to_be_hidden()
        page.get_by_text("What you hear of").click()
        box = page.get_by_label("Your name in a room")
        expect(box).to_be_checked()
        box.uncheck()
        expect(page.locator(".row", has_text="alice, look here")).to_have_count(0)
        box.check()
        expect(page.locator(".row", has_text="alice, look here")).to_have_count(1)
        page.locator(".row", has_text="alice, look here").locator("a").click()
        expect(page.get_by_role("heading", name="#lobby")).to_be_visible()

    def test_a_profile_is_changed(self):
        page = self.open(self.alice, "#/people/me")
        page.get_by_text("Edit", exact=True).click()
        page.get_by_label("About you").fill("at the north gate")
        page.get_by_label("Colour of your pins").fill("#b01030")
        page.get_by_role("button", name="Save").click()
        expect(page.locator(".toast")).to_contain_text("Profile saved.")
        me = self.alice.api("GET", "/people/me")
        self.assertEqual((me["about"], me["colour"]), ("at the north gate", "#b01030"))
        other = self.open(self.bob, "#/people")
        expect(row(other, "at the north gate")).to_have_count(1)

    def test_an_event_is_announced_and_attended(self):
        page = self.open(self.alice, "#/new/event")
        page.get_by_role("button", name="Create event").click()
        expect(page.locator("form > .fault")).to_have_text("Enter a name.")
        starts = datetime.now() + timedelta(days=1)
        page.get_by_label("Name of the event").fill("Concert")
        page.get_by_label("Starts").fill(starts.strftime("%Y-%m-%dT18:00"))
        page.get_by_label("Address (optional)").fill("Bandshell")
        page.get_by_role("button", name="Create event").click()
        expect(row(page, "Concert")).to_contain_text("18:00")
        other = self.open(self.bob, "#/events")
        expect(row(other, "Concert")).to_contain_text("Bandshell")
        row(other, "Concert").get_by_role("button", name=re.compile("^I’m going")).click()
        expect(row(other, "Concert").get_by_role("button", name="I’m not going, 1 going")).to_be_visible()
        expect(row(page, "Concert")).to_contain_text("1 going")

    def test_who_wrote_nothing_about_themselves_has_a_name(self):
        node = Node("dora")
        self.addCleanup(node.remove)
        node.post("Hello", *self.near(10))
        page = self.open(node, "#/people")
        expect(page.locator(".row .name")).to_have_text("dora (you)")
        page.evaluate("location.hash = '#/people/me'")
        expect(page.get_by_role("heading", name="dora")).to_be_visible()

    def test_a_path_of_several_links_is_dashed_and_said_in_words(self):
        me, bob, far = self.alice.api("GET", "/me")["id"], self.bob.api("GET", "/me")["id"], "f" * 64
        picture = {
            "nodes": [
                {"id": me, "short": "me", "name": "alice", "me": True, "here": True, "hops": 0},
                {"id": bob, "short": "bob", "name": "bob", "me": False, "here": True, "hops": 1},
                {"id": far, "short": "ffff", "name": "dave", "me": False, "here": True, "hops": 3},
            ],
            "links": [{"a": me, "b": bob, "hops": 1, "round_trip_ms": 3}, {"a": bob, "b": far, "hops": 2}],
        }
        common = {"here": True, "rooms": [], "source": "neighbour"}
        peers = [
            {**common, "id": bob, "short": "bob", "name": "bob", "state": "connected", "hops": 1},
            {**common, "id": far, "short": "ffff", "name": "dave", "state": "not_connected", "hops": 3, "via": bob,
             "reason": "Network is unreachable"},
            {"here": False, "rooms": [], "name": "eve", "state": "not_connected", "reason": "Connection refused"},
        ]  # fmt: skip

        def routes(context):
            context.route("**/v1/graph", lambda route: route.fulfill(json=picture))
            context.route("**/v1/peers", lambda route: route.fulfill(json={"items": peers}))

        page = self.open(self.alice, "#/mesh", prepare=routes)
        expect(page.locator("tbody tr", has_text="dave").locator("td").first).to_have_text("3 hops, through bob")
        expect(page.locator("tbody tr", has_text="eve").locator("td").first).to_have_text("Not reachable")
        expect(page.locator(".graph .link.path")).to_have_count(1)
        self.assertNotEqual(
            page.locator(".graph .link.path").evaluate("(line) => getComputedStyle(line).strokeDasharray"), "none"
        )
        expect(page.locator(".graph .link.mine")).to_have_count(1)
        for words in ("unreachable", "refused", "neighbour"):
            expect(page.locator("#panel")).not_to_contain_text(words)

    def test_the_mesh_is_a_picture_and_a_table(self):
        page = self.open(self.alice, "#/mesh", reduced_motion="no-preference")
        expect(page.locator(".graph .node")).to_have_count(2)
        expect(page.locator(".graph .link.mine")).to_have_count(1)
        expect(page.locator("tbody tr", has_text="bob")).to_contain_text("Direct")
        expect(page.locator("tbody tr", has_text="bob")).to_contain_text("ms")
        page.evaluate("""() => { window.pulses = 0; new MutationObserver((changes) => {
            for (const change of changes) for (const node of change.addedNodes) if (node.classList?.contains('pulse')) window.pulses += 1;
        }).observe(document.querySelector('.graph'), { subtree: true, childList: true }) }""")
        self.bob.api("POST", "/rooms/lobby/messages", {"text": "on my way"})
        self.wait(page, lambda: page.evaluate("window.pulses") > 0)
        expect(page.locator(".graph .pulse")).to_have_count(0)
