// Starts the page.

import { Api, takeToken } from "./api.js";
import { App } from "./app.js";
import { byId, make, replace } from "./dom.js";
import { TOKEN_KEY, forget } from "./kept.js";
import { applyLook } from "./look.js";
import { keepPage } from "./offline.js";
import { whoIsThere } from "./visit.js";

const LINK_NEEDED = "This page needs its link. Open the link or scan the code that lattice shows when it starts; 'lattice web' shows it again.";

async function start() {
  const api = new Api(takeToken());
  try {
    const app = new App(api, await signedIn(api));
    await app.start();
    keepPage(app);
  } catch (error) {
    const again = make("button", { class: "button primary", onclick: () => location.reload() }, "Try again");
    replace(byId("panel"), make("div", { class: "view" }, make("div", { class: "empty" }, make("p", {}, error.status === 401 ? LINK_NEEDED : error.message), again)));
    if (!error.status && error.code === undefined) throw error;
  }
}

/// A token of another node, or an old one, is dropped: then the page is read-only, as without one.
async function signedIn(api) {
  try {
    return await whoIsThere(api);
  } catch (error) {
    if (error.status !== 401 || !api.token) throw error;
    forget(TOKEN_KEY);
    api.token = null;
    return whoIsThere(api);
  }
}

applyLook();
start();
