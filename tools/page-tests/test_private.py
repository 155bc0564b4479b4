"""Private messages: between visitors of one node, and with somebody on another one."""

import re

from nodes import until
from playwright.sync_api import expect
from test_files import picture
from test_strangers import ATTACKS, NAME
from test_visit import VisitCase
from world import PHONE, WIDE, row


class Private(VisitCase):
    def more(self, page, line, name):
        self.press(page, line, line.get_by_role("button", name="More"))
        page.get_by_role("dialog").get_by_role("button", name=name).click()

    def test_two_visitors_talk_and_nobody_else_reads_it(self):
        for size in (PHONE, WIDE):
            jonna, tomasz = f"Jonna{size['width']}", f"Tomasz{size['width']}"
            one, other = self.come(jonna, size=size), self.come(tomasz, size=size)
            one.evaluate("location.hash = '#/people'")
            row(one, tomasz).locator("a").click()
            one.get_by_role("link", name="Message", exact=True).click()
            expect(one.get_by_role("heading", name=tomasz, exact=True)).to_be_visible()
            expect(one.locator("#panel")).to_contain_text("Only you two can read this")
            expect(one.locator("#panel")).to_contain_text("No messages yet. Say hello.")
            expect(one.get_by_placeholder(f"Message {tomasz}")).to_be_visible()
            self.write(one, "Are you at the gate?")
            expect(self.line(one, "Are you at the gate?").locator(".delivery")).to_have_text("Delivered")
            # Told where they are, and counted beside the rooms.
            expect(other.locator(".toast")).to_contain_text(f"Private message from {jonna}: Are you at the gate?")
            expect(other).to_have_title(re.compile(r"^\(1\) "))
            expect(other.locator("#chats-badge")).to_be_visible()
            other.evaluate("location.hash = '#/'")
            chat = other.locator(".room-list a", has_text=jonna)
            expect(chat.locator(".badge")).to_contain_text("1 unread")
            self.look(other, size, f"chats-{size['width']}")
            chat.click()
            expect(self.line(other, "Are you at the gate?").locator(".by")).to_have_text(jonna)
            expect(other).to_have_title(re.compile("^Chats"))
            expect(chat.locator(".badge")).to_have_count(0)
            self.write(other, "Two minutes away.")
            expect(self.line(one, "Two minutes away.")).to_have_count(1)
            expect(self.line(other, "Two minutes away.")).to_have_count(1)
            expect(self.line(other, "Two minutes away.").locator(".delivery")).to_have_text("Delivered")
            self.write(one, "I wait.")
            # Only your last message shows its delivery in words.
            expect(self.line(one, "I wait.").locator(".delivery")).to_be_visible()
            expect(self.line(one, "Are you at the gate?").locator(".delivery")).to_be_hidden()
            self.look(one, size, f"private-{size['width']}")
            owner = self.open(self.hub, "#/rooms/lobby", viewport=size)
            expect(owner.locator(".chat", has_text="#lobby")).to_have_count(1)
            expect(owner.get_by_role("list", name="People").get_by_role("link")).to_have_count(0)
            for words in (jonna, "Are you at the gate?"):
                expect(owner.locator(".chats")).not_to_contain_text(words)
            for page in (one, other, owner):
                page.context.close()

    def test_a_private_room_is_made_and_somebody_is_invited(self):
        for size in (PHONE, WIDE):
            room = f"watch{size['width']}"
            mara, kofi = self.come(f"Mara{size['width']}", size=size), self.come(f"Kofi{size['width']}", size=WIDE)
            mara.evaluate("location.hash = '#/'")
            mara.get_by_role("button", name="New chat" if size == PHONE else "Join or make a room").click()
            mara.get_by_label("Room to join").fill(room)
            mara.get_by_label("Private: only people with its key can read it").check()
            self.look(mara, size, f"private-room-new-{size['width']}")
            mara.get_by_role("button", name="Make a private room").click()
            expect(mara.get_by_role("heading", name=f"#{room}")).to_be_visible()
            expect(mara.locator(".talk-head")).to_contain_text("Encrypted: only people in this room can read it.")
            self.write(mara, "I take two to four")
            if size == PHONE:
                mara.get_by_role("button", name="People in this chat").click()
            mara.get_by_role("button", name="Show the key").click()
            key = mara.locator(".about .code-card code").inner_text()
            self.assertGreater(len(key), 20)
            self.look(mara, size, f"private-room-{size['width']}")
            mara.get_by_role("button", name="Invite a person").click()
            mara.get_by_role("dialog").get_by_role("button", name=f"Kofi{size['width']}").click()
            expect(mara.locator(".toast")).to_contain_text(f"Kofi{size['width']} has an invitation to #{room}.")
            # Somebody with the key gets in as well.
            kofi.evaluate("location.hash = '#/'")
            kofi.get_by_role("button", name="Join or make a room").click()
            kofi.get_by_label("Room to join").fill(room)
            kofi.get_by_label("Private: only people with its key can read it").check()
            kofi.get_by_label("Its key, if there is one already (optional)").fill(key)
            kofi.get_by_role("button", name="Make a private room").click()
            expect(kofi.get_by_role("heading", name=f"#{room}")).to_be_visible()
            self.write(kofi, "And I the rest")
            expect(self.line(mara, "And I the rest")).to_have_count(1)
            for page in (mara, kofi):
                page.context.close()

    def test_an_answer_an_emoji_an_edit_and_a_deletion(self):
        one, other = self.come("Mara", size=WIDE), self.come("Kofi", size=WIDE)
        one.evaluate("hash => { location.hash = hash }", f"#/chat/{self.id_of(other)}")
        other.evaluate("hash => { location.hash = hash }", f"#/chat/{self.id_of(one)}")
        self.write(one, "Bread van is lost")
        theirs = self.line(other, "Bread van is lost")
        self.press(other, theirs, theirs.get_by_role("button", name="Reply"))
        self.write(other, "I look for it")
        expect(self.line(one, "I look for it").locator(".quote")).to_contain_text("Bread van is lost")
        mine = self.line(one, "Bread van is lost").first
        expect(mine.get_by_role("button", name="Pin")).to_have_count(0)
        self.press(other, theirs.first, theirs.first.get_by_role("button", name="React"))
        theirs.first.get_by_role("button", name="👍").click()
        expect(mine.locator(".chip .count").first).to_have_text("1")
        expect(one.locator("#polite")).to_contain_text("Kofi reacts with 👍 to: Bread van is lost")
        self.more(one, mine, "Edit")
        self.write(one, "Bread van is here")
        expect(self.line(other, "Bread van is here").first).to_contain_text("edited")
        expect(self.line(other, "Bread van is lost")).to_have_count(0)
        mine = self.line(one, "Bread van is here").first
        self.more(one, mine, "Delete for everybody")
        expect(other.locator(".line.deleted")).to_contain_text("Deleted by its author")
        expect(self.line(other, "Bread van is here")).to_have_count(0)

    def test_the_owner_and_somebody_on_another_machine(self):
        visitor = self.come("Noor")
        noor = self.id_of(visitor)
        until(lambda: any(one["id"] == noor for one in self.alice.api("GET", "/people?limit=100")["items"]),
              "alice does not know Noor")
        page = self.open(self.alice, f"#/people/{noor}", viewport=PHONE)
        page.get_by_role("link", name="Message", exact=True).click()
        self.write(page, "Welcome")
        expect(self.line(page, "Welcome").locator(".delivery")).to_have_text("Delivered")
        expect(visitor.locator(".toast")).to_contain_text("Private message from alice: Welcome")
        visitor.evaluate("location.hash = '#/notifications'")
        told = visitor.locator(".row", has_text="alice wrote to you")
        told.locator("a").first.click()
        expect(visitor).to_have_url(re.compile(f"#/chat/{self.alice.api('GET', '/me')['id']}$"))
        self.write(visitor, "Thanks!")
        expect(self.line(page, "Thanks!").locator(".by")).to_have_text("Noor")
        visitor.reload()
        expect(self.line(visitor, "Thanks!").locator(".by")).to_have_text("Noor")
        expect(self.line(visitor, "Welcome").locator(".by")).to_have_text("alice")
        expect(visitor.get_by_role("heading", name="alice")).to_be_visible()

    def test_who_is_away_gets_it_when_they_are_back(self):
        visitor = self.come("Idris")
        bob = self.bob.api("GET", "/me")["id"]
        until(lambda: any(one["id"] == bob for one in self.hub.api("GET", "/people?limit=100")["items"]),
              "the hub does not know bob")
        visitor.evaluate("hash => { location.hash = hash }", f"#/chat/{bob}")
        self.write(visitor, "First")
        expect(self.line(visitor, "First").locator(".delivery")).to_have_text("Delivered")
        self.bob.stop()
        self.addCleanup(lambda: self.bob.process.poll() is None or self.bob.start())
        self.write(visitor, "See you tonight")
        expect(self.line(visitor, "See you tonight").locator(".delivery")).to_have_text(
            re.compile("^(Sent|Will be sent when bob is back)$")
        )
        self.look(visitor, PHONE, "private-waiting")
        self.bob.start()
        expect(self.line(visitor, "See you tonight").locator(".delivery")).to_have_text("Delivered")

    def test_what_strangers_write_is_text(self):
        one, other = self.come("Nina"), self.come(NAME)
        one.evaluate("hash => { location.hash = hash }", f"#/chat/{self.id_of(other)}")
        for words in ATTACKS[:4]:
            self.write(one, words)
            expect(self.line(one, words).locator(".text")).to_have_text(words)
        other.evaluate("location.hash = '#/'")
        other.locator(".room-list a", has_text="Nina").click()
        for words in ATTACKS[:4]:
            expect(self.line(other, words).locator(".text")).to_have_text(words)
        for page in (one, other):
            self.assertEqual(page.locator(".line img, .line script, .line svg[onload], .line a, .room-list img").count(), 0)

    def test_a_picture_for_one_person(self):
        mara, kofi = self.come("Mara", size=WIDE), self.come("Kofi")
        mara.evaluate("hash => { location.hash = hash }", f"#/chat/{self.id_of(kofi)}")
        kofi.evaluate("hash => { location.hash = hash }", f"#/chat/{self.id_of(mara)}")
        expect(mara.get_by_role("button", name="Attach files. Only you two can read this")).to_be_visible()
        mara.locator(".talk input[type=file]").set_input_files(
            [{"name": "loaves.png", "mimeType": "image/png", "buffer": picture()}]
        )
        expect(mara.locator(".line img")).to_be_visible()
        expect(kofi.locator(".line", has_text="loaves.png")).to_be_visible()
        expect(kofi.locator(".line img")).to_be_visible()
        self.look(kofi, PHONE, "private-picture")

    def test_who_looks_around_is_asked_for_a_name(self):
        self.come("Liv").context.close()
        page = self.visit()
        page.get_by_role("button", name="Just look around").click()
        page.evaluate("location.hash = '#/people'")
        row(page, "Liv").locator("a").click()
        page.get_by_role("link", name="Message", exact=True).click()
        page.get_by_label("What’s your name?").fill("Yusuf")
        page.keyboard.press("Enter")
        page.get_by_role("button", name="I wrote it down").click()
        expect(page.get_by_role("heading", name="Liv")).to_be_visible()
        self.write(page, "Hello")
        expect(self.line(page, "Hello").locator(".by")).to_have_text("Yusuf")

    def test_what_works_in_rooms_alone_is_said(self):
        page = self.come("Alva", f"#/chat/{self.alice.api('GET', '/me')['id']}")
        self.write(page, "/pin Soup at six")
        expect(page.locator(".toast")).to_contain_text("Only /me, /away and /back work in private messages.")
        expect(page.get_by_label("Message", exact=True)).to_have_value("/pin Soup at six")
