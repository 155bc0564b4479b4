// Light or dark, as the system has it or as somebody chose here.

import { byId } from "./dom.js";
import { LOOK_KEY, forget, keep, kept } from "./kept.js";

const MEDIA = { light: "not all", dark: "all" };
export const LOOKS = [["", "Automatic"], ["light", "Light"], ["dark", "Dark"]];

export const lookNow = () => (MEDIA[kept(LOOK_KEY)] ? kept(LOOK_KEY) : "");

export const applyLook = () => { byId("dark").media = MEDIA[lookNow()] ?? "(prefers-color-scheme: dark)"; };

export function choose(look) {
  if (look) keep(LOOK_KEY, look);
  else forget(LOOK_KEY);
  applyLook();
}
