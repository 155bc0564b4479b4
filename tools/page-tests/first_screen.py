"""How long the first screen of a phone takes: from the address to the list of chats, on a processor that is slowed down four times."""

import os
import statistics

from camp import Camp
from playwright.sync_api import sync_playwright

SLOWER = 4
RUNS = 9
PHONE = {"width": 390, "height": 844}
# Said by the page itself, in its own time.
NOTE = """
const look = () => {
  if (document.querySelector(".room-list a")) window.shownAfter = performance.now();
  else requestAnimationFrame(look);
};
requestAnimationFrame(look);
"""


def main():
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=os.environ["PAGE_TESTS_CHROMIUM"], args=["--no-sandbox"])
        camp = Camp(browser)
        try:
            for slower in (1, SLOWER):
                times = sorted(once(browser, camp, slower) for _ in range(RUNS))
                print(f"processor slowed {slower} times: median {statistics.median(times):.0f} ms, {times[0]:.0f} to {times[-1]:.0f} ms in {RUNS} runs")
        finally:
            camp.remove()
            browser.close()


def once(browser, camp, slower):
    context = browser.new_context(viewport=PHONE, is_mobile=True, has_touch=True, service_workers="block")
    context.add_cookies([camp["Jonna"].cookie])
    page = context.new_page()
    page.add_init_script(NOTE)
    context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": slower})
    page.goto(camp.hub.url)
    page.wait_for_selector(".room-list a")
    while (shown := page.evaluate("window.shownAfter")) is None:
        page.wait_for_timeout(10)
    context.close()
    return shown


if __name__ == "__main__":
    main()
