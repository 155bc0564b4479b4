// Starts the page.

import { Api, dropToken, takeToken } from "./api.js";
import { App } from "./app.js";
import { byId, make, replace } from "./dom.js";

async function start() {
  const api = new Api(takeToken());
  try {
    const app = new App(api, await whoIsThere(api));
    await app.start();
  } catch (error) {
    const again = make("button", { type: "button", class: "button primary", onclick: () => location.reload() }, "Try again");
    replace(byId("panel"), make("div", { class: "view" }, make("div", { class: "empty" }, make("p", {}, error.message), again)));
    if (!error.status && error.code === undefined) throw error;
  }
}

/// A token of a node that was made anew since is none: then one may look, as without any.
async function whoIsThere(api) {
  try {
    return await api.get("/me");
  } catch (error) {
    if (error.status !== 401 || !api.token) throw error;
    dropToken();
    api.token = null;
    return api.get("/me");
  }
}

start();
