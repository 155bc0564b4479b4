"""Lines of a room: answered, reacted to, edited and deleted, in two browsers; what is unread is counted and marked."""

import re

from nodes import until
from playwright.sync_api import expect
from world import LOOKS, PHONE, WIDE, PageCase

TOUCH = {"viewport": PHONE, "has_touch": True, "is_mobile": True}


class Lines(PageCase):
    def setUp(self):
        super().setUp()
        self.room = f"lines{PageCase.towns}"
        for node in (self.alice, self.bob):
            node.api("PUT", f"/rooms/{self.room}")

    def say(self, node, text, **more):
        """Its id, once both have it."""
        said = node.api("POST", f"/rooms/{self.room}/messages", {"text": text, **more})["id"]
        until(lambda: all(self.has(one, said) for one in (self.alice, self.bob)), f"“{text}” does not arrive")
        return said

    def has(self, node, line):
        return any(one["id"] == line for one in self.lines(node))

    def lines(self, node):
        return node.api("GET", f"/rooms/{self.room}/messages")["items"]

    def page_of(self, node, **more):
        return self.open(node, f"#/rooms/{self.room}", **more)

    def line(self, page, text):
        return page.locator(".line").filter(has=page.locator(".text", has_text=text))

    def act(self, page, text, name):
        """Presses one of the actions that the pointer brings."""
        line = self.line(page, text)
        button = line.get_by_role("group", name="Actions").get_by_role("button", name=name)
        self.press(page, line, button)

    def more(self, page, text, name):
        """One of what is behind More."""
        self.act(page, text, "More")
        page.get_by_role("dialog").get_by_role("button", name=name).click()

    def test_an_answer_shows_what_it_answers(self):
        self.say(self.bob, "two seats left?")
        here, there = self.page_of(self.alice), self.page_of(self.bob)
        self.act(here, "two seats left?", "Reply")
        expect(here.locator(".say-mode")).to_contain_text("Answering bob: two seats left?")
        expect(here.get_by_label("Message", exact=True)).to_be_focused()
        here.keyboard.press("Escape")
        expect(here.locator(".say-mode")).to_be_hidden()
        self.act(here, "two seats left?", "Reply")
        here.keyboard.type("yes, in the blue car")
        here.keyboard.press("Enter")
        for page in (here, there):
            expect(self.line(page, "yes, in the blue car").locator(".quote")).to_contain_text("bobtwo seats left?")
        expect(here.locator(".say-mode")).to_be_hidden()
        expect(there.locator("#polite")).to_contain_text("alice answers you: yes, in the blue car")
        self.line(there, "yes, in the blue car").get_by_role("button", name="Answers bob: two seats left?").click()
        expect(self.line(there, "two seats left?")).to_be_focused()

    def test_a_reaction_is_given_taken_back_and_shown_everywhere(self):
        self.say(self.bob, "at nine?")
        here, there = self.page_of(self.alice), self.page_of(self.bob)
        self.act(here, "at nine?", "React")
        self.line(here, "at nine?").get_by_role("button", name="👍", exact=True).click()
        mine = self.line(here, "at nine?").get_by_role("button", name="👍 1: you")
        expect(mine).to_have_attribute("aria-pressed", "true")
        his = self.line(there, "at nine?").get_by_role("button", name="👍 1: alice")
        expect(his).to_have_attribute("aria-pressed", "false")
        expect(there.locator("#polite")).to_contain_text("alice reacts with 👍 to: at nine?")
        his.click()
        expect(self.line(here, "at nine?").get_by_role("button", name="👍 2: you and bob")).to_be_visible()
        self.line(here, "at nine?").get_by_role("button", name="👍 2: you and bob").click()
        for page, name in ((here, "👍 1: bob"), (there, "👍 1: you")):
            expect(self.line(page, "at nine?").get_by_role("button", name=name)).to_be_visible()
        # Another emoji than the usual ones, and what is none.
        self.act(here, "at nine?", "React")
        field = here.get_by_label("Another emoji")
        field.fill("soup")
        here.keyboard.press("Enter")
        expect(self.line(here, "at nine?").get_by_role("alert")).to_contain_text("“soup” is not one emoji")
        field.fill("🥣")
        here.keyboard.press("Enter")
        expect(self.line(there, "at nine?").get_by_role("button", name="🥣 1: alice")).to_be_visible()
        self.assertEqual(
            [(one["emoji"], len(one["by"])) for one in self.lines(self.bob)[-1]["reactions"]], [("👍", 1), ("🥣", 1)]
        )

    def test_a_line_is_edited_and_deleted_by_its_author_alone(self):
        self.say(self.alice, "supper at sixx")
        self.say(self.bob, "good", reply_to=self.lines(self.bob)[-1]["id"])
        here, there = self.page_of(self.alice), self.page_of(self.bob)
        self.act(there, "supper at sixx", "More")
        expect(there.get_by_role("dialog").get_by_role("button")).to_have_text(["Reply", "Copy text", "Pin for everybody"])
        there.keyboard.press("Escape")
        field = here.get_by_label("Message", exact=True)
        field.fill("a draft")
        self.more(here, "supper at sixx", "Edit")
        expect(here.locator(".say-mode")).to_contain_text("Editing")
        expect(field).to_have_value("supper at sixx")
        here.keyboard.press("Escape")
        expect(field).to_have_value("a draft")
        field.fill("")
        here.keyboard.press("ArrowUp")
        expect(field).to_have_value("supper at sixx")
        field.fill("supper at seven")
        here.keyboard.press("Enter")
        for page in (here, there):
            expect(self.line(page, "supper at seven").locator(".edited")).to_have_text("edited")
            expect(self.line(page, "good").locator(".quote")).to_contain_text("supper at seven")
        expect(there.locator("#polite")).to_contain_text("alice edited: supper at seven")
        self.more(here, "supper at seven", "Delete for everybody")
        expect(self.line(here, "Deleted by its author")).to_have_count(1)
        here.locator(".toast").get_by_role("button", name="Undo").click()
        expect(self.line(here, "supper at seven")).to_have_count(1)
        expect(self.line(there, "supper at seven")).to_have_count(1)
        self.more(here, "supper at seven", "Delete for everybody")
        # The node hears of it once it cannot be taken back any more.
        for page in (here, there):
            gone = self.line(page, "Deleted by its author")
            expect(gone).to_have_count(1)
            gone.hover()
            expect(gone.get_by_role("button")).to_have_count(0)
            expect(self.line(page, "good").locator(".quote")).to_contain_text("deleted by its author")
            expect(page.get_by_text("supper at")).to_have_count(0)

    def drag(self, page, at, by, steps=8):
        """A finger on a line goes `by` pixels, and stays there."""
        touch = page.context.new_cdp_session(page)
        for step in range(steps + 1):
            point = {"x": at[0] + by[0] * step / steps, "y": at[1] + by[1] * step / steps}
            touch.send("Input.dispatchTouchEvent", {"type": "touchMove" if step else "touchStart", "touchPoints": [point]})
        return lambda: touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})

    def test_a_message_that_a_finger_drags_is_answered(self):
        self.say(self.bob, "two seats left?")
        page = self.page_of(self.alice, reduced_motion="no-preference", **TOUCH)
        line = self.line(page, "two seats left?")
        expect(line).to_be_visible()
        mode = page.locator(".say-mode")
        middle = lambda: line.bounding_box()["y"] + 20
        moved = lambda: line.evaluate("one => new DOMMatrix(getComputedStyle(one).transform).m41")
        for start, way, answers in ((100, 50, False), (300, -90, False), (10, 120, False), (100, 90, True)):
            let_go = self.drag(page, (start, middle()), (way, 4))
            # It comes with the next frame.
            self.wait(page, lambda way=way: round(moved()) == {50: 50, 90: 80}.get(way, 0))
            let_go()
            self.wait(page, lambda: moved() == 0)
            (expect(mode).to_contain_text("Answering bob: two seats left?") if answers else expect(mode).to_be_hidden())
        page.get_by_role("button", name="Stop answering").tap()
        # The other way where people read from right to left.
        page.evaluate("document.documentElement.dir = 'rtl'")
        let_go = self.drag(page, (300, middle()), (-90, 0))
        self.wait(page, lambda: round(moved()) == -80)
        let_go()
        expect(mode).to_be_visible()
        page.get_by_role("button", name="Stop answering").tap()
        page.evaluate("document.documentElement.dir = 'ltr'")
        page.emulate_media(reduced_motion="reduce")
        let_go = self.drag(page, (100, middle()), (90, 0))
        expect(line).to_have_class(re.compile("answers"))
        self.assertEqual(moved(), 0)
        let_go()
        expect(mode).to_be_visible()

    def test_what_is_refused_is_taken_back(self):
        self.say(self.alice, "mine")
        page = self.page_of(self.alice, allowed=("503", "410"))
        refusal = {"status": 503, "json": {"detail": "the node is busy: try again"}}
        page.route("**/v1/lines/**", lambda route: route.fulfill(**refusal))
        self.act(page, "mine", "React")
        self.line(page, "mine").get_by_role("button", name="🎉", exact=True).click()
        expect(page.locator(".toast.bad").last).to_contain_text("Your reaction was not saved. The node is busy")
        expect(page.locator(".chip:visible")).to_have_count(0)
        self.more(page, "mine", "Edit")
        page.get_by_label("Message", exact=True).fill("ours")
        page.keyboard.press("Enter")
        expect(page.locator(".toast.bad").last).to_contain_text("The text was not changed.")
        expect(self.line(page, "mine")).to_have_count(1)
        expect(page.get_by_label("Message", exact=True)).to_have_value("ours")
        expect(page.locator(".say-mode")).to_contain_text("Editing")
        page.keyboard.press("Escape")
        self.more(page, "mine", "Delete for everybody")
        expect(page.locator(".toast.bad").last).to_contain_text("It was not deleted.")
        expect(self.line(page, "mine")).to_have_count(1)

    def test_lines_change_under_the_reader_without_moving(self):
        first = self.say(self.bob, "line 00 of many")
        for number in range(1, 50):
            self.bob.api("POST", f"/rooms/{self.room}/messages", {"text": f"line {number:02} of many"})
        page = self.page_of(self.bob)
        expect(page.locator(".line")).to_have_count(50)
        page.locator(".lines").evaluate("lines => { lines.scrollTop = lines.scrollHeight / 2 }")
        looked_at = page.locator(".line", has_text="line 30 of many")
        expect(looked_at).to_be_in_viewport()
        lines = page.locator(".lines")

        def place():
            """In the list: the rooms above it may come meanwhile."""
            return looked_at.bounding_box()["y"] - lines.bounding_box()["y"]

        before = place()
        until(lambda: self.has(self.alice, first), "alice never got it")
        self.alice.api("PUT", f"/lines/{first}/reactions/%F0%9F%91%8D")
        expect(page.locator(".line", has_text="line 00 of many").locator(".chip").first).to_contain_text("1")
        self.assertAlmostEqual(place(), before, delta=1)

    def test_everything_is_done_by_keyboard(self):
        self.say(self.bob, "his line")
        self.say(self.alice, "my line")
        page = self.page_of(self.alice)
        expect(page.locator(".line")).to_have_count(2)
        page.get_by_label("Message", exact=True).focus()
        for _ in range(12):
            page.keyboard.press("Shift+Tab")
            if page.evaluate("document.activeElement.closest('.line') !== null"):
                break
        expect(self.line(page, "my line")).to_be_focused()
        page.keyboard.press("ArrowUp")
        expect(self.line(page, "his line")).to_be_focused()
        expect(self.line(page, "his line").get_by_role("group", name="Actions")).to_be_visible()
        page.keyboard.press("e")
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        expect(self.line(page, "his line").get_by_role("button", name="❤️ 1: you")).to_be_visible()
        expect(self.line(page, "his line")).to_be_focused()
        page.keyboard.press("e")
        page.keyboard.press("Escape")
        expect(self.line(page, "his line")).to_be_focused()
        page.keyboard.press("r")
        expect(page.locator(".say-mode")).to_contain_text("Answering bob: his line")
        page.keyboard.press("Escape")
        self.line(page, "his line").focus()
        page.keyboard.press("End")
        page.keyboard.press("Delete")
        expect(self.line(page, "Deleted by its author")).to_be_focused()

    def test_a_telephone_shows_the_actions_at_a_tap_or_when_a_finger_stays(self):
        self.say(self.bob, "tap me")
        page = self.page_of(self.alice, **TOUCH)
        line = self.line(page, "tap me")
        sheet = page.get_by_role("dialog", name="Actions for this message")
        expect(line.get_by_role("group", name="Actions")).to_be_hidden()
        line.locator(".text").tap()
        expect(sheet.get_by_role("button", name="Reply")).to_be_visible()
        page.touchscreen.tap(100, 60)
        expect(sheet).to_be_hidden()
        # By ear or by keyboard there is a button.
        line.focus()
        line.get_by_role("button", name="Actions").press("Enter")
        sheet.get_by_role("button", name="🙏", exact=True).tap()
        expect(line.get_by_role("button", name="🙏 1: you")).to_be_visible()
        expect(sheet).to_be_hidden()
        line.locator(".text").dispatch_event("pointerdown", {"pointerType": "touch", "bubbles": True})
        sheet.get_by_role("button", name="Another emoji").tap()
        sheet.get_by_label("Another emoji").last.fill("🥣")
        page.keyboard.press("Enter")
        expect(line.get_by_role("button", name="🥣 1: you")).to_be_visible()
        line.locator(".text").tap()
        sheet.get_by_role("button", name="Reply").tap()
        expect(page.locator(".say-mode")).to_contain_text("Answering bob: tap me")
        page.get_by_role("button", name="Stop answering").tap()
        expect(page.locator(".say-mode")).to_be_hidden()
        # A keyboard on the screen adds a line with Enter; a button sends.
        field = page.get_by_label("Message", exact=True)
        field.fill("one")
        field.press("Enter")
        page.keyboard.type("two")
        expect(field).to_have_value("one\ntwo")
        page.get_by_role("button", name="Send").tap()
        expect(page.locator(".line.mine .text")).to_have_text("one\ntwo")

    def test_what_is_not_sent_is_kept_in_each_room(self):
        for node in (self.alice, self.bob):
            node.api("PUT", "/rooms/lobby")
        page = self.page_of(self.alice)
        field = page.get_by_label("Message", exact=True)
        field.fill("Thanks, the plasters are where")
        entry = page.locator(".room-list a", has_text=f"#{self.room}")
        page.locator(".room-list a", has_text="#lobby").click()
        expect(field).to_have_value("")
        expect(entry).to_contain_text("Draft: Thanks, the plasters are where")
        page.reload()
        page.evaluate("location.hash = '#/rooms/lobby'")
        expect(entry).to_contain_text("Draft:")
        page.keyboard.press("Alt+ArrowDown")
        entry.click()
        expect(field).to_have_value("Thanks, the plasters are where")
        field.press("Enter")
        expect(self.line(page, "Thanks, the plasters are where")).to_have_count(1)
        self.assertIsNone(page.evaluate("localStorage.getItem('lattice drafts')"))

    def test_code_is_kept_as_it_is_and_addresses_can_be_followed(self):
        self.say(self.bob, "like this:\n```\nlpr -P camp  menu.txt\n# *two* copies\n```\nsee http://hub.local/menu.html.")
        page = self.page_of(self.alice)
        line = self.line(page, "like this:")
        self.assertEqual(line.locator("pre").inner_text(), "lpr -P camp  menu.txt\n# *two* copies")
        expect(line.locator("a")).to_have_attribute("href", "http://hub.local/menu.html")
        expect(line.locator("a")).to_have_attribute("rel", "noopener noreferrer")

    def test_lines_of_one_person_stand_together_and_those_that_name_you_stand_out(self):
        self.say(self.bob, "It is in the box")
        self.say(self.bob, "behind the stage")
        self.say(self.bob, "@alice can you bring it?")
        self.say(self.alice, "on my way")
        page = self.page_of(self.alice)
        expect(page.locator(".line")).to_have_count(4)
        expect(self.line(page, "It is in the box").locator("time")).to_be_visible()
        expect(page.locator(".line.follows .text")).to_have_text(["behind the stage", "@alice can you bring it?"])
        expect(page.locator(".line.mention .named")).to_have_text("@alice")
        expect(page.locator(".line.mention")).to_have_count(1)
        # Your own stand at the other side.
        mine, theirs = (self.line(page, text).locator(".block").bounding_box() for text in ("on my way", "It is in the box"))
        self.assertGreater(mine["x"], theirs["x"] + theirs["width"])

    def test_who_may_only_look_sees_reactions_and_no_actions(self):
        line = self.say(self.bob, "look at this")
        self.alice.api("PUT", f"/lines/{line}/reactions/%F0%9F%91%8D")
        page = self.open(self.alice, f"#/rooms/{self.room}", token=False)
        page.evaluate("room => { location.hash = `#/rooms/${room}` }", self.room)
        chip = self.line(page, "look at this").locator(".chip")
        expect(chip.first).to_contain_text("1")
        expect(chip.first).to_be_disabled()
        self.line(page, "look at this").hover()
        expect(self.line(page, "look at this").get_by_role("group", name="Actions")).to_have_count(0)

    def test_a_line_that_only_members_read_can_be_answered_and_reacted_to(self):
        bob = self.bob.api("GET", "/me")["id"]
        line = {
            "id": "ab" * 32, "room": f"#{self.room}", "from": {"id": bob, "short": "aaaa", "name": "bob"}, "text": "psst",
            "style": "says", "at": "2026-11-22T10:00:00.000Z", "late": False, "private": True, "notice": False,
        }  # fmt: skip
        page = self.open(self.alice)
        page.route("**/messages?*", lambda route: route.fulfill(json={"items": [line], "more": False}))
        page.evaluate("room => { location.hash = `#/rooms/${room}` }", self.room)
        self.line(page, "psst").hover()
        bar = self.line(page, "psst").get_by_role("group", name="Actions")
        expect(bar.get_by_role("button")).to_have_count(4)
        expect(bar.get_by_role("button", name="Reply")).to_be_visible()
        chip = {**line, "reactions": [{"emoji": "🎉", "by": [self.alice.api("GET", "/me")["id"]]}]}
        page.route("**/v1/lines/**", lambda route: route.fulfill(json=chip))
        self.act(page, "psst", "React")
        self.line(page, "psst").get_by_role("button", name="🎉", exact=True).click()
        expect(self.line(page, "psst").locator(".chip:visible").first).to_contain_text("1")

    def test_every_look_is_clean(self):
        asked = self.say(self.bob, "Soup at six. Bring a bowl, we are twenty short and the kitchen tent has only eight")
        for emoji in ("👍", "❤️"):
            self.react(self.alice, asked, emoji)
        self.react(self.bob, asked, "👍")
        self.say(self.alice, "I have eight in the first aid tent, all clean", reply_to=asked)
        edited = self.say(self.alice, "I carry them ovr")
        self.alice.api("PATCH", f"/lines/{edited}", {"text": "I carry them over"})
        deleted = self.say(self.bob, "wrong room")
        self.bob.api("DELETE", f"/lines/{deleted}")
        self.say(self.bob, "thanks!", reply_to=deleted)
        self.say(self.alice, "dances", style="acts")
        for look, size, scheme in LOOKS:
            touch = {"has_touch": True, "is_mobile": True} if size == PHONE else {}
            page = self.page_of(self.alice, viewport=size, color_scheme=scheme, **touch)
            expect(page.locator(".line")).to_have_count(6)
            expect(self.line(page, "I carry them over")).to_contain_text("edited")
            self.look(page, size, f"lines-{look}")
            line = self.line(page, "I carry them over")
            bar = line.get_by_role("group", name="Actions")
            if touch:
                line.locator(".text").tap()
                self.look(page, size, f"lines-actions-{look}")
                page.get_by_role("dialog").get_by_role("button", name="Reply").click()
            else:
                line.hover()
                self.look(page, size, f"lines-actions-{look}")
                bar.get_by_role("button", name="More").click()
                self.look(page, size, f"lines-more-{look}")
                page.keyboard.press("Escape")
                bar.get_by_role("button", name="Reply").click()
                line.hover()
                bar.get_by_role("button", name="React").click()
            self.look(page, size, f"lines-react-{look}")
            page.keyboard.press("Escape")
            page.context.close()

    def react(self, node, line, emoji):
        until(lambda: self.has(node, line), "it does not arrive")
        node.api("PUT", f"/lines/{line}/reactions/{''.join(f'%{byte:02X}' for byte in emoji.encode())}")


class Unread(PageCase):
    def setUp(self):
        super().setUp()
        self.rooms = [f"unread{PageCase.towns}", f"other{PageCase.towns}"]
        for node in (self.alice, self.bob):
            for room in self.rooms:
                node.api("PUT", f"/rooms/{room}")
            # What other tests left is read.
            for one in node.api("GET", "/unread")["items"]:
                node.api("PUT", "/unread", {key: one[key] for key in ("room", "peer") if key in one})

    def unread(self, room):
        found = [one for one in self.alice.api("GET", "/unread")["items"] if one.get("room") == f"#{room}"]
        return (found[0]["lines"], found[0]["mentions"]) if found else (0, 0)

    def say(self, room, text):
        self.bob.api("POST", f"/rooms/{room}/messages", {"text": text})

    def entry(self, page, room):
        return page.locator(".room-list a", has_text=f"#{room}")

    def test_what_is_not_read_is_counted_beside_its_room_until_it_is(self):
        room, other = self.rooms
        page = self.open(self.alice, f"#/rooms/{other}")
        expect(page.get_by_role("heading", name=f"#{other}")).to_be_visible()
        self.say(room, "anybody?")
        self.say(room, "alice, are you there?")
        expect(self.entry(page, room).locator(".badge.mention")).to_have_text(re.compile("^@ 1 mention"))
        expect(self.entry(page, room).locator(".badge").last).to_have_text(re.compile("^2"))
        expect(page).to_have_title(re.compile(r"^\(1\) Chats"))
        expect(page.locator("#chats-badge")).to_have_text("@1")
        again = self.open(self.alice)
        expect(again.locator("#chats-badge")).to_have_text("@1")
        self.entry(page, room).click()
        until(lambda: self.unread(room) == (0, 0), "it is never marked read")
        for one in (page, again):
            expect(one.locator("#chats-badge")).to_be_hidden()
            expect(one).not_to_have_title(re.compile(r"^\("))

    def test_reading_elsewhere_clears_the_count(self):
        room, _ = self.rooms
        page = self.open(self.alice)
        self.say(room, "one")
        expect(page.locator("#chats-badge")).to_have_text("1")
        expect(page).not_to_have_title(re.compile(r"^\("))
        self.alice.api("PUT", "/unread", {"room": f"#{room}"})
        expect(page.locator("#chats-badge")).to_be_hidden()

    def test_what_is_not_in_sight_stays_unread(self):
        room, _ = self.rooms
        for number in range(40):
            self.say(room, f"line {number}")
        until(lambda: self.unread(room) == (40, 0), "the lines do not arrive")
        page = self.open(self.alice, f"#/rooms/{room}")
        # Reading begins where it stopped.
        expect(page.locator(".rule")).to_be_in_viewport()
        expect(page.locator(".rule + .line")).to_contain_text("line 0")
        expect(page.locator(".line", has_text="line 39")).not_to_be_in_viewport()
        page.locator(".lines").evaluate("lines => { lines.scrollTop = lines.scrollHeight }")
        until(lambda: self.unread(room) == (0, 0), "it is never marked read")
        expect(page.locator(".rule")).to_have_count(1)
        page.locator(".lines").evaluate("lines => { lines.scrollTop = 0 }")
        self.say(room, "below")
        expect(page.locator(".line", has_text="below")).to_have_count(1)
        expect(page.locator(".line", has_text="below")).not_to_be_in_viewport()
        # A line that comes later and is marked shows that the first was not.
        until(lambda: self.unread(room) == (1, 0), "it is not unread")
        page.locator(".lines").evaluate("lines => { lines.scrollTop = lines.scrollHeight }")
        until(lambda: self.unread(room) == (0, 0), "it is never marked read")

    def test_what_comes_while_nobody_looks_at_the_tab_stays_unread(self):
        room, _ = self.rooms
        away = "Object.defineProperty(document, 'hidden', { get: () => window.isAway === true })"
        page = self.open(self.alice, f"#/rooms/{room}", prepare=lambda context: context.add_init_script(away))
        self.say(room, "seen")
        expect(page.locator(".line", has_text="seen")).to_have_count(1)
        until(lambda: self.unread(room) == (0, 0), "it is never marked read")
        page.evaluate("window.isAway = true")
        self.say(room, "alice, come back")
        expect(page).to_have_title(re.compile(r"^\(1\) Chats"))
        self.assertEqual(self.unread(room), (1, 1))
        page.evaluate("window.isAway = false; document.dispatchEvent(new Event('visibilitychange'))")
        expect(page).not_to_have_title(re.compile(r"^\("))
        until(lambda: self.unread(room) == (0, 0), "it is never marked read")

    def test_a_private_message_is_counted_in_the_title(self):
        page = self.open(self.alice)
        self.bob.command("send", self.alice.api("GET", "/me")["id"], "psst")
        expect(page).to_have_title(re.compile(r"^\(1\) Posts"))
        him = self.bob.api("GET", "/me")["id"]
        self.alice.api("PUT", "/unread", {"peer": him})
        expect(page).not_to_have_title(re.compile(r"^\("))
