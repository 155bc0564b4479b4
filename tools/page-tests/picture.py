"""Makes the picture of the page that the README shows: a chat of three people beside the map with what they posted."""

import os
import sys
from datetime import datetime, timedelta, timezone

from nodes import Node, until
from PIL import Image
from playwright.sync_api import expect, sync_playwright

# Three quarters of it: 900 pixels wide.
SIZE = {"width": 1200, "height": 680}
SCALE = 0.75
COLOURS = 256
BYTES_MAX = 80_000
LAT, LON = 43.3226, -1.9890
LINES = [
    (0, "Morning! Coffee is on at the kitchen tent."),
    (1, "Coming. Does anybody have a spare tent peg?"),
    (2, "Two, at the blue tent by the beach."),
    (1, "Perfect, thanks!"),
    (0, "We meet at the gate at six for the night walk."),
    (2, "I posted the route, have a look at the map."),
]
POSTS = [
    (0, "Coffee and bread until ten", 0.0022, -0.0036, "Kitchen"),
    (1, "Drinking water here", -0.0031, 0.0047, "Gate"),
    (2, "Night walk: the path along the shore is dry", 0.0061, 0.0078, "Shore path"),
    (2, "Found a blue jacket", -0.0068, -0.0079, "Beach"),
    (0, "First aid, day and night", 0.0085, -0.0101, "First aid"),
]


def main(path):
    nodes = []
    try:
        for name in ("jonna", "tomasz", "amara"):
            nodes.append(Node(name, *nodes[:1]))
        until(lambda: all(linked(node) for node in nodes), "they do not link")
        tell(nodes)
        draw(nodes[0], path)
    finally:
        for node in nodes:
            node.remove()
    size = os.path.getsize(path)
    print(f"{path}: {size} bytes")
    if size > BYTES_MAX:
        sys.exit(f"the picture has {size} bytes; at most {BYTES_MAX} are allowed")


def linked(node):
    return any(peer["state"] == "connected" for peer in node.api("GET", "/peers")["items"])


def tell(nodes):
    first = nodes[0]
    first.api("PUT", "/here", {"lat": LAT, "lon": LON})
    for who, text, north, east, name in POSTS:
        nodes[who].post(text, LAT + north, LON + east, place_name=name)
    starts = (datetime.now(timezone.utc) + timedelta(hours=9)).strftime("%Y-%m-%dT%H:00:00Z")
    event = {"name": "Night walk", "address": "Gate", "lat": LAT - 0.0015, "lon": LON + 0.0090, "started_at": starts}
    nodes[0].api("POST", "/events", {"event": event})
    for who, text in LINES:
        nodes[who].api("POST", "/rooms/lobby/messages", {"text": text})
        # The people in this order, with how far away each is.
        until(lambda text=text: text in said(first), "a line does not arrive")
    until(lambda: len(first.api("GET", f"/posts/near?lat={LAT}&lon={LON}")["items"]) == len(POSTS), "posts do not arrive")


def said(node):
    return [line["text"] for line in node.api("GET", "/rooms/lobby/messages")["items"]]


def draw(node, path):
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=os.environ["PAGE_TESTS_CHROMIUM"], args=["--no-sandbox"])
        page = browser.new_page(
            viewport=SIZE, device_scale_factor=SCALE, reduced_motion="reduce", color_scheme="light"
        )
        page.goto(node.link)
        expect(page.locator(".pin")).to_have_count(len(POSTS))
        page.evaluate("location.hash = '#/rooms/lobby'")
        expect(page.locator(".line")).to_have_count(len(LINES))
        expect(page.locator("#live-state")).to_have_text("online")
        page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        page.screenshot(path=path)
        browser.close()
    # A palette takes a third of the bytes.
    Image.open(path).convert("RGB").quantize(COLOURS, Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE).save(path, optimize=True)


if __name__ == "__main__":
    main(sys.argv[1])
