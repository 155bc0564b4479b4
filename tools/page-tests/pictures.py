"""Makes the pictures of the page that the README and the guide show. `pictures.py FOLDER`"""

import json
import os
import sys

from camp import LAT, LON, Camp
from PIL import Image
from playwright.sync_api import expect, sync_playwright

PHONE = {"width": 390, "height": 844}
WIDE = {"width": 1280, "height": 800}
# Four phones beside each other are as wide as a page of the guide.
PHONE_SCALE, WIDE_SCALE, GAP = 0.72, 0.75, 12
COLOURS = 256
BYTES_MAX = 140_000


def main(folder):
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=os.environ["PAGE_TESTS_CHROMIUM"], args=["--no-sandbox"])
        camp = Camp(browser)
        try:
            Pictures(browser, camp, folder).make()
        finally:
            camp.remove()
            browser.close()


class Pictures:
    def __init__(self, browser, camp, folder):
        self.browser, self.camp, self.folder = browser, camp, folder

    def make(self):
        camp, jonna = self.camp, self.camp["Jonna"]
        wide = self.open(jonna, WIDE, WIDE_SCALE)
        self.keep("page", [self.shot(wide, "#/rooms/kitchen")])
        self.keep("page-map", [self.shot(wide, "#/map")])
        self.keep("page-mesh", [self.shot(wide, "#/mesh")])
        phone = self.open(jonna, PHONE, PHONE_SCALE)
        self.keep("phone-chat", [
            self.shot(phone, "#/rooms"), self.shot(phone, "#/rooms/kitchen"), self.shot(phone, f"#/chat/{camp['Tomasz'].id}"),
            self.shot(phone, "#/notifications"),
        ])
        self.keep("phone-map", [
            self.shot(phone, "#/map"), self.shot(phone, f"#/item/{camp.soup['id']}"), self.shot(phone, "#/new"),
            self.shot(phone, "#/people"),
        ])
        new = self.open(None, PHONE, PHONE_SCALE)
        sheet = new.get_by_role("dialog")
        expect(sheet).to_be_visible()
        first = self.shot(new)
        new.get_by_label("What’s your name?").fill("Jonna")
        expect(sheet).to_contain_text("There is already a Jonna here.")
        taken = self.shot(new)
        self.keep("phone-visit", [first, taken, self.shot(phone, f"#/people/{camp['Tomasz'].id}"), self.shot(phone, "#/people/me")])

    def open(self, person, size, scale):
        context = self.browser.new_context(
            viewport=size, device_scale_factor=scale * 2, reduced_motion="reduce", color_scheme="light",
            has_touch=size is PHONE, is_mobile=size is PHONE, service_workers="block",
        )
        if person:
            context.add_cookies([person.cookie])
        page = context.new_page()
        kept = {"lattice here": json.dumps({"lat": LAT, "lon": LON}), "lattice radius": "250"}
        page.add_init_script(f"for (const [key, value] of Object.entries({json.dumps(kept)})) localStorage.setItem(key, value)")
        page.goto(self.camp.hub.url)
        expect(page.locator("#live-state")).to_have_text("online")
        return page

    def shot(self, page, where=None):
        if where:
            page.evaluate("hash => { location.hash = hash }", where)
        # Pictures and the map come after the view.
        page.wait_for_timeout(1_500)
        path = os.path.join(self.folder, "shot.png")
        page.screenshot(path=path)
        with Image.open(path) as image:
            shot = image.convert("RGB")
        os.remove(path)
        return shot.resize((shot.width // 2, shot.height // 2), Image.Resampling.LANCZOS)

    def keep(self, name, shots):
        width = sum(shot.width for shot in shots) + GAP * (len(shots) - 1)
        whole = Image.new("RGB", (width, max(shot.height for shot in shots)), "white")
        left = 0
        for shot in shots:
            whole.paste(shot, (left, 0))
            left += shot.width + GAP
        path = os.path.join(self.folder, f"{name}.png")
        # A palette takes a third of the bytes.
        whole.quantize(COLOURS, Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE).save(path, optimize=True)
        size = os.path.getsize(path)
        print(f"{path}: {size} bytes")
        if size > BYTES_MAX:
            sys.exit(f"{path} has {size} bytes; at most {BYTES_MAX} are allowed")


if __name__ == "__main__":
    main(sys.argv[1])
