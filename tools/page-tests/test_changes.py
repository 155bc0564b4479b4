"""What others do, or one does oneself elsewhere, shows by itself: these pages never ask on their own account."""

import re

from nodes import Node, until
from playwright.sync_api import Error, expect
from world import PageCase, is_linked, place_field, row


def no_clocks(context):
    """Nothing that is asked from time to time is asked."""
    context.add_init_script("window.setInterval = () => 0")


class Changes(PageCase):
    def page_of(self, node, where="#/posts", **more):
        return self.open(node, where, prepare=no_clocks, **more)

    def test_likes_of_others_show_in_the_list(self):
        item = self.alice.post("Like me from afar", *self.near(20))
        page = self.page_of(self.alice)
        expect(row(page, "Like me from afar").get_by_role("button", name="Like, 0 likes")).to_be_visible()
        until(lambda: self.has(self.bob, item), "bob never got it")
        self.bob.api("PUT", f"/items/{item['id']}/like")
        expect(row(page, "Like me from afar").get_by_role("button", name="Like, 1 like")).to_be_visible()
        self.bob.api("DELETE", f"/items/{item['id']}/like")
        expect(row(page, "Like me from afar").get_by_role("button", name="Like, 0 likes")).to_be_visible()

    def test_what_is_said_of_an_open_post_shows(self):
        item = self.alice.post("What do you say?", *self.near(20))
        page, looker = self.page_of(self.alice, f"#/item/{item['id']}"), self.page_of(self.alice, token=False)
        looker.evaluate("id => { location.hash = `#/item/${id}` }", item["id"])
        looker.get_by_role("link", name="Choose a place").click()
        place_field(looker, "Place").fill(f"{self.lat}, {self.lon}")
        looker.get_by_role("button", name="I am here").click()
        looker.evaluate("id => { location.hash = `#/item/${id}` }", item["id"])
        until(lambda: self.has(self.bob, item), "bob never got it")
        comment = self.bob.api("POST", f"/items/{item['id']}/comments", {"text": "Nothing"})
        for one in (page, looker):
            expect(one.locator(".comments .row")).to_contain_text("Nothing")
        self.bob.api("PATCH", f"/items/{comment['id']}", {"text": "A lot"})
        for one in (page, looker):
            expect(one.locator(".comments .row")).to_contain_text("A lot")
        self.bob.api("DELETE", f"/items/{comment['id']}")
        for one in (page, looker):
            expect(one.locator(".comments .row")).to_contain_text("Deleted by its author")
            expect(one.get_by_role("heading", name="No comments yet")).to_be_visible()

    def test_what_is_said_while_a_post_is_asked_for_shows(self):
        item = self.alice.post("What was that?", *self.near(20))
        until(lambda: self.has(self.bob, item), "bob never got it")
        open_already, page = self.page_of(self.alice, f"#/item/{item['id']}"), self.page_of(self.alice)
        expect(open_already.get_by_role("heading", name="No comments yet")).to_be_visible()
        held = []

        def hold_the_first(route):
            if held:
                route.continue_()
            else:
                held.append((route, route.fetch()))

        page.route(f"**/v1/items/{item['id']}*", hold_the_first)
        page.evaluate("id => { location.hash = `#/item/${id}` }", item["id"])
        until(lambda: (page.wait_for_timeout(20), held)[1], "the post is never asked for")
        self.bob.api("POST", f"/items/{item['id']}/comments", {"text": "Nothing"})
        expect(open_already.locator(".comments .row")).to_contain_text("Nothing")
        try:
            held[0][0].fulfill(response=held[0][1])
        except Error:
            pass  # The page has given that question up.
        expect(page.locator(".comments .row")).to_contain_text("Nothing")

    def test_whom_others_follow_and_what_they_post_shows_in_their_profiles(self):
        alice, bob = (one.api("GET", "/people/me")["id"] for one in (self.alice, self.bob))
        his, hers = self.page_of(self.alice, f"#/people/{bob}"), self.page_of(self.alice, "#/people/me")
        expect(hers.get_by_text("0 followers")).to_be_visible()
        self.bob.api("PUT", f"/people/{alice}/follow")
        expect(hers.get_by_text("1 follower")).to_be_visible()
        expect(his.get_by_text("1 following")).to_be_visible()
        posts = self.bob.api("GET", "/people/me")["posts"] + 1
        self.bob.post("Counted", *self.near(20))
        expect(his.get_by_text(f"{posts} post")).to_be_visible()

    def test_what_is_not_there_takes_no_comment(self):
        page = self.page_of(self.alice, "#/item/dead", allowed=["404"])
        expect(page.get_by_text("nothing with the id dead")).to_be_visible()
        expect(page.get_by_role("button", name="Comment")).to_have_count(0)

    def test_of_what_lies_at_one_place_the_newest_is_first(self):
        for text in ("First", "Second", "Third"):
            self.alice.post(text, *self.near(0))
        page = self.page_of(self.alice)
        expect(page.locator("#panel .row .words")).to_have_text(["Third", "Second", "First"])

    def test_what_one_does_elsewhere_shows_in_every_tab(self):
        item = self.bob.post("Two tabs", *self.near(20))
        until(lambda: self.has(self.alice, item), "alice never got it")
        first, second = self.page_of(self.alice), self.page_of(self.alice)
        row(first, "Two tabs").get_by_role("button", name="Like, 0 likes").click()
        expect(row(second, "Two tabs").get_by_role("button", name="Unlike, 1 like")).to_be_visible()
        self.alice.post("From a terminal", *self.near(40))
        for page in (first, second):
            expect(row(page, "From a terminal")).to_have_count(1)

    def test_a_page_that_another_process_serves_is_told_the_same(self):
        node = Node("fay", self.alice, attached=True)
        self.addCleanup(node.remove)
        node.api("PUT", "/here", {"lat": self.lat, "lon": self.lon})
        until(lambda: is_linked(node), "they do not link")
        page = self.page_of(node)
        item = self.alice.post("Far from this process", *self.near(20))
        here = row(page, "Far from this process")
        expect(here).to_have_count(1)
        self.bob.api("PUT", f"/items/{until(lambda: self.has(self.bob, item) and item['id'], 'bob never got it')}/like")
        expect(here.get_by_role("button", name="Like, 1 like")).to_be_visible()
        mine = node.post("My own", *self.near(40))
        expect(row(page, "My own")).to_have_count(1)
        until(lambda: self.has(self.alice, mine), "alice never got it")
        self.alice.api("POST", f"/items/{mine['id']}/comments", {"text": "Seen"})
        expect(row(page, "My own").get_by_role("button", name="1 comment")).to_have_text("1")

    def test_who_is_called_otherwise_is_called_so_at_once(self):
        self.bob.post("By whom?", *self.near(20))
        page = self.page_of(self.alice)
        expect(row(page, "By whom?").locator(".name")).to_have_text("bob")
        self.bob.api("PATCH", "/people/me", {"name": "robert"})
        self.addCleanup(self.bob.api, "PATCH", "/people/me", {"name": "bob"})
        expect(row(page, "By whom?").locator(".name")).to_have_text("robert")

    def test_what_waited_is_out_when_somebody_comes(self):
        node = Node("dora")
        self.addCleanup(node.remove)
        node.api("PUT", "/here", {"lat": self.lat, "lon": self.lon})
        page, talk = self.page_of(node, "#/new"), self.page_of(node, "#/rooms/lobby")
        page.get_by_label("Your message").fill("Alone so far")
        page.get_by_role("button", name="Post", exact=True).click()
        mark = row(page, "Alone so far").get_by_text("not sent yet")
        expect(mark).to_be_visible()
        expect(page.locator(".toast")).to_contain_text("It is sent when somebody connects.")
        talk.get_by_label("Message", exact=True).fill("anybody?")
        talk.keyboard.press("Enter")
        expect(talk.locator(".line", has_text="anybody?")).to_contain_text("not sent yet")
        other = Node("erin", node)
        self.addCleanup(other.remove)
        expect(mark).to_be_hidden()
        expect(talk.locator(".line", has_text="anybody?")).not_to_contain_text("not sent yet")
        until(lambda: is_linked(node), "they do not link")
        page.get_by_role("link", name="New post").click()
        page.get_by_label("Your message").fill("Not alone")
        page.get_by_role("button", name="Post", exact=True).click()
        expect(page.locator(".toast").last).to_contain_text(re.compile(r"Posted\.(?! It is)"))
        expect(row(page, "Not alone").get_by_text("not sent yet")).to_be_hidden()

    def test_a_comment_on_what_was_taken_back_meanwhile_comes_back_with_that_word(self):
        item = self.bob.post("Gone in a moment", *self.near(20))
        until(lambda: self.has(self.alice, item), "alice never got it")
        page = self.page_of(self.alice, f"#/item/{item['id']}", allowed=("410",))
        held = []
        page.route(re.compile(r"/comments$"), lambda route: held.append(route))
        page.get_by_label("Your comment").fill("Wait for me")
        page.get_by_role("button", name="Comment", exact=True).click()
        self.wait(page, lambda: held)
        expect(page.locator(".comments .row")).to_contain_text("Wait for me")
        self.bob.api("DELETE", f"/items/{item['id']}")
        expect(page.locator(".item-words")).to_have_text("Deleted by its author")
        held[0].continue_()
        expect(page.locator(".toast.bad")).to_contain_text(
            "Your comment was not saved. This post was deleted by its author"
        )
        expect(page.locator(".comments .row")).to_have_count(0)
        expect(page.get_by_label("Your comment")).to_have_value("Wait for me")
        expect(page.get_by_role("button", name="Comment", exact=True)).to_be_disabled()

    def test_a_like_of_what_was_taken_back_meanwhile_is_taken_back_too(self):
        item = self.bob.post("Like me quickly", *self.near(20))
        until(lambda: self.has(self.alice, item), "alice never got it")
        page = self.page_of(self.alice, allowed=("410",))
        held = []
        page.route(re.compile(r"/like$"), lambda route: held.append(route))
        row(page, "Like me quickly").get_by_role("button", name="Like, 0 likes").click()
        self.wait(page, lambda: held)
        self.bob.api("DELETE", f"/items/{item['id']}")
        expect(row(page, "Like me quickly")).to_have_count(0)
        held[0].continue_()
        expect(page.locator(".toast.bad")).to_contain_text(
            "Your like was not saved. This post was deleted by its author"
        )

    @staticmethod
    def has(node, item):
        """Whether it is there by now."""
        try:
            return node.api("GET", f"/items/{item['id']}")["item"]["state"] == "shown"
        except AssertionError:
            return False
