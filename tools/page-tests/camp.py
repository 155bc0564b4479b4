"""A camp as it may be on its second day: a hub that lets visitors in, two more nodes, people, lines, photos, posts and events. For
the pictures of the guide, and for looking at the page."""

import http.cookiejar
import json
import urllib.error
import urllib.request
from datetime import datetime, timedelta, timezone

from nodes import Node, until

LAT, LON = 54.4311, 18.0947
MESH = "Birch Lake Camp"

# Drawings in place of photos: (sky, ground, shapes).
SCENES = {
    "fire": ("#1d2340", "#2c1a12", '<path d="M400 150l70 190H330z" fill="#ff8c1a"/><path d="M400 230l35 110h-70z" fill="#ffd34d"/>'
             '<path d="M60 330l60-170 60 170zM640 330l50-150 50 150z" fill="#0f1730"/>'),
    "soup": ("#7a4a21", "#7a4a21", '<circle cx="400" cy="240" r="190" fill="#eee6da"/><circle cx="400" cy="240" r="150" fill="#e07b2c"/>'
             '<g fill="#4f7d2b"><circle cx="350" cy="200" r="14"/><circle cx="450" cy="260" r="18"/><circle cx="390" cy="300" r="12"/></g>'),
    "lake": ("#9fd0e8", "#3f7fa6", '<path d="M0 300l180-130 140 110 180-150 300 180z" fill="#46683f"/><path d="M330 470l20-150h60l20 150z" fill="#8c6a42"/>'),
    "scarf": ("#b9cf8d", "#7d9a55", '<path d="M90 60h620v26H90z" fill="#6b4a2c"/><path d="M330 70h90l30 330h-90zM420 70h60l-40 240h-60z" fill="#c4262e"/>'),
}
FACES = {"Tomasz": "#2f55a4", "Mara": "#a52c55", "Lena": "#4a6a1f", "Jonna": "#0f6575"}


class Person:
    """A visitor, as a browser without a window."""

    def __init__(self, hub, name):
        self.hub, self.name = hub, name
        self.cookies = http.cookiejar.CookieJar()
        self.opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self.cookies))
        self.id = self.ask("POST", "/visit", {"name": name})["you"]["id"]

    def ask(self, method, path, body=None, data=None):
        request = urllib.request.Request(f"http://127.0.0.1:{self.hub.port}/v1{path}", method=method)
        if body is not None:
            request.add_header("Content-Type", "application/json")
            request.data = json.dumps(body).encode()
        if data is not None:
            request.add_header("Content-Type", "application/octet-stream")
            request.data = data
        # Two changes a second are a visitor's share.
        def answered():
            try:
                with self.opener.open(request, timeout=30) as answer:
                    return [json.loads(answer.read() or b"{}")]
            except urllib.error.HTTPError as error:
                if error.code == 429:
                    return None
                raise AssertionError(f"{method} {path}: {error.code} {error.read().decode(errors='replace')}") from error

        return until(answered, f"{self.name} is asked to wait")[0]

    def say(self, text, room="lobby", **more):
        return self.ask("POST", f"/rooms/{room}/messages", {"text": text, **more})

    def tell(self, other, text):
        return self.ask("POST", f"/people/{other.id}/messages", {"text": text})

    def post(self, text, north, east, photo=None, **more):
        lat, lon = spot(north, east)
        body = {"text": text, "lat": lat, "lon": lon, **more}
        if photo:
            body["photo"] = {"upload": self.upload(photo)}
        return self.ask("POST", "/posts", body)

    def upload(self, data):
        return self.ask("POST", "/uploads", data=data)["upload"]

    @property
    def cookie(self):
        [cookie] = list(self.cookies)
        return {"name": cookie.name, "value": cookie.value, "url": self.hub.url, "httpOnly": True, "sameSite": "Strict"}


def spot(north, east):
    """A place, in metres north and east of the middle of the camp."""
    return LAT + north / 111_195, LON + east / 64_700


def drawn(browser, width, height, svg):
    """A drawing as JPEG."""
    page = browser.new_page(viewport={"width": width, "height": height})
    page.set_content(f"<style>body{{margin:0}}svg{{display:block}}</style>{svg}")
    data = page.screenshot(type="jpeg", quality=85)
    page.close()
    return data


def scene(browser, name):
    sky, ground, shapes = SCENES[name]
    return drawn(browser, 800, 600, f'<svg width="800" height="600" viewBox="0 0 800 480" preserveAspectRatio="xMidYMid slice">'
                 f'<path d="M0 0h800v480H0z" fill="{sky}"/><path d="M0 320h800v160H0z" fill="{ground}"/>{shapes}</svg>')


def face(browser, colour):
    return drawn(browser, 300, 300, f'<svg width="300" height="300"><path d="M0 0h300v300H0z" fill="{colour}"/>'
                 '<circle cx="150" cy="120" r="58" fill="#f0cda6"/><path d="M50 300c0-75 45-110 100-110s100 35 100 110z" fill="#fff"/></svg>')


class Camp:
    def __init__(self, browser):
        options = ("--mesh", MESH)
        self.hub = Node("hub", options=(*options, "--visitors"))
        self.nodes = [self.hub, Node("Beate", self.hub, options=options), Node("Kofi", self.hub, options=options)]
        until(lambda: all(peers(node) for node in self.nodes), "they do not link")
        self.hub.api("PUT", "/here", dict(zip(("lat", "lon"), spot(0, 0))))
        names = ("Jonna", "Tomasz", "Mara", "Idris", "Lena", "Pim")
        self.people = {name: Person(self.hub, name) for name in names}
        for name, colour in FACES.items():
            person = self.people[name]
            person.ask("PATCH", "/people/me", {"photo": {"upload": person.upload(face(browser, colour))}})
        self.people["Tomasz"].ask("PATCH", "/people/me", {"about": "Cook. Supper at six, bring a bowl."})
        self._post(browser)
        self._talk(browser)

    def __getitem__(self, name):
        return self.people[name]

    def _post(self, browser):
        photo = {name: scene(browser, name) for name in SCENES}
        self.soup = self["Tomasz"].post("Soup now. Bring a bowl 🥣", -120, -50, photo["soup"], place_name="Kitchen")
        self["Mara"].post("First aid, day and night", 60, -30, place_name="First aid")
        self["Idris"].post("Drinking water", 40, 25, place_name="Water")
        self.scarf = self["Lena"].post("Lost my red scarf. My grandmother knitted it.", -60, -215, photo["scarf"], place_name="Old oak")
        self["Pim"].post("The jetty is dry again", -20, 235, photo["lake"], place_name="Jetty")
        for number in range(7):
            self["Idris"].post(f"Tent pegs, bag {number + 1}", 150 + 4 * number, 30 + 3 * number)
        self.nodes[1].post("Viewpoint: two hours and back", *spot(820, -400), place_name="Viewpoint")
        self.nodes[2].post("Bus to the town at nine", *spot(-500, -640), place_name="Bus stop")
        starts = (datetime.now(timezone.utc) + timedelta(hours=6)).strftime("%Y-%m-%dT%H:00:00Z")
        lat, lon = spot(-110, 150)
        self.hub.api("POST", "/events", {"event": {"name": "Singing at the fire", "address": "Stage", "lat": lat, "lon": lon, "started_at": starts}})
        self["Jonna"].ask("PUT", f"/items/{self.soup['id']}/like")
        self["Mara"].ask("PUT", f"/items/{self.soup['id']}/like")
        self["Lena"].ask("POST", f"/items/{self.soup['id']}/comments", {"text": "On my way!"})
        self["Pim"].ask("POST", f"/items/{self.scarf['id']}/comments", {"text": "I saw it at the bus stop"})
        self["Jonna"].ask("PUT", f"/people/{self['Tomasz'].id}/follow")

    def _talk(self, browser):
        jonna, tomasz = self["Jonna"], self["Tomasz"]
        for name in ("kitchen", "treasure-hunt"):
            for person in self.people.values():
                person.ask("PUT", f"/rooms/{name}")
        self["Pim"].say("Clue 3 is wet but you can read it", "treasure-hunt")
        self.nodes[1].api("POST", "/rooms/lobby/messages", {"text": "Shore tents first, then the meadow"})
        asked = tomasz.say("Soup at six. Bring a bowl, we’re 20 short", "kitchen")
        bowls = self["Mara"].say("I have eight in the first aid tent, all clean.", "kitchen", reply_to=asked["id"])
        for name in ("Jonna", "Tomasz", "Lena"):
            self[name].ask("PUT", f"/lines/{bowls['id']}/reactions/%F0%9F%99%8F")
        jonna.say("I’ll carry them over", "kitchen")
        self["Pim"].say("The printer at the hub takes plain text, like this:\n```\nlpr -P camp menu.txt\n```", "kitchen")
        self["Lena"].say("Fire’s lit, tables are out", "kitchen")
        jonna.ask("PUT", "/unread", {"room": "#kitchen"})
        self["Idris"].say("@Jonna can you bring the blue cable when you come?", "kitchen")
        jonna.tell(tomasz, "Is there a pot without meat?")
        tomasz.tell(jonna, "Yes, one pot without meat, left of the fire")

    def remove(self):
        for node in self.nodes:
            node.remove()


def peers(node):
    return any(peer["state"] == "connected" for peer in node.api("GET", "/peers")["items"])
