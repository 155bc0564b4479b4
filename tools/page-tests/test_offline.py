"""The page without its node: what was seen last, and what is written meanwhile. And the page over TLS."""

import re

from nodes import Node, until
from playwright.sync_api import expect
from test_visit import VisitCase
from world import PHONE

# Chromium says on its console that the node is away; that is what these tests are about.
AWAY = ("Failed to load resource", "net::ERR_", "Failed to fetch")
# It registers no service worker behind a certificate that it does not know.
UNKNOWN = ("SSL certificate error",)


class Offline(VisitCase):
    def keeping(self, node, where, **more):
        """A browser that keeps the page, once it does."""
        page = self.open(node, where, allowed=AWAY, service_workers="allow", **more)
        page.evaluate("navigator.serviceWorker.ready.then(() => true)")
        # The first page was loaded before there was anybody to keep it.
        page.reload()
        expect(page.locator("#live-state")).to_have_text("online")
        self.wait(page, lambda: page.evaluate(r"caches.keys().then((names) => names.some((name) => /^files \S+$/.test(name)))"))
        return page

    def test_what_was_seen_last_is_there_and_what_is_written_is_sent_later(self):
        hub, bob = self.hub, self.bob
        hub.api("POST", "/rooms/lobby/messages", {"text": "supper at six"})
        page = self.keeping(hub, "#/rooms/lobby", viewport=PHONE)
        expect(page.locator(".line", has_text="supper at six")).to_be_visible()
        hub.stop()
        page.reload()
        # From what the browser kept.
        expect(page.locator(".line", has_text="supper at six")).to_be_visible()
        expect(page.locator("#banner-words")).to_contain_text("No connection to the node.")
        field = page.get_by_role("textbox", name=re.compile("Message"))
        for text in ("first of two", "second of two"):
            field.fill(text)
            field.press("Control+Enter")
            expect(page.locator(".line", has_text=text)).to_contain_text("Waiting for the hub")
        # It waits also over a restart of the browser's page.
        page.reload()
        expect(page.locator(".line", has_text="second of two")).to_contain_text("Waiting for the hub")
        self.look(page, PHONE, "offline-phone")
        hub.start()
        expect(page.get_by_text("Connected again. 2 messages sent.").first).to_be_visible()
        expect(page.locator(".line", has_text="second of two")).not_to_contain_text("Waiting")
        said = lambda: [line["text"] for line in bob.api("GET", "/rooms/lobby/messages")["items"]]
        until(lambda: "second of two" in said(), "bob does not hear it")
        self.assertEqual([text for text in said() if text.endswith("of two")], ["first of two", "second of two"])

    def test_whom_one_ignores_is_not_shown_from_what_is_kept(self):
        hub, bob = self.hub, self.bob
        bob.api("POST", "/rooms/lobby/messages", {"text": "kept by bob"})
        until(lambda: any(line["text"] == "kept by bob" for line in hub.api("GET", "/rooms/lobby/messages")["items"]), "it does not come")
        hub.api("POST", "/rooms/lobby/messages", {"text": "kept by the hub"})
        hub.api("PUT", f"/people/{bob.api('GET', '/me')['id']}/ignore")
        page = self.keeping(hub, "#/rooms/lobby")
        expect(page.locator(".line", has_text="kept by the hub")).to_be_visible()
        expect(page.locator(".line", has_text="kept by bob")).to_have_count(0)
        hub.stop()
        page.reload()
        expect(page.locator("#banner-words")).to_contain_text("No connection to the node.")
        expect(page.locator(".line", has_text="kept by the hub")).to_be_visible()
        expect(page.locator(".line", has_text="kept by bob")).to_have_count(0)

    def test_who_signs_out_leaves_nothing_in_the_browser(self):
        self.hub.api("POST", "/rooms/lobby/messages", {"text": "for members only"})
        page = self.keeping(self.hub, "#/rooms/lobby")
        seen = "caches.open('seen').then((seen) => seen.keys()).then((keys) => keys.length)"
        self.wait(page, lambda: page.evaluate(seen) > 0)
        page.evaluate("location.hash = '#/people/me'")
        page.get_by_role("button", name=re.compile("Sign out")).click()
        expect(page.get_by_label("What’s your name?")).to_be_visible()
        # The public part is seen anew, by nobody.
        self.assertEqual(page.evaluate("localStorage.getItem('lattice outbox')"), None)
        self.wait(page, lambda: page.evaluate(
            "caches.open('seen').then(async (seen) => (await seen.match('/v1/conversations')) === undefined)"))

    def test_over_tls_a_visitor_comes_and_the_browser_gives_what_it_keeps_for_secure_pages(self):
        camp = Node("camp", self.alice, options=("--visitors", "--tls", "self"))
        self.addCleanup(camp.remove)
        page = self.open(
            camp, None, token=False, viewport=PHONE, allowed=AWAY + UNKNOWN, ignore_https_errors=True)
        page.get_by_label("What’s your name?").fill("Jonna")
        page.get_by_role("dialog").get_by_role("button", name="Come in", exact=True).click()
        page.get_by_role("button", name="I wrote it down").click()
        expect(page.locator("#who")).to_contain_text("Jonna")
        self.assertTrue(page.evaluate("isSecureContext && 'geolocation' in navigator && 'Notification' in window"))
        [cookie] = [one for one in page.context.cookies() if one["name"] == "lattice-visitor"]
        self.assertTrue(cookie["secure"] and cookie["httpOnly"])
        self.assertEqual(cookie["sameSite"], "Strict")
