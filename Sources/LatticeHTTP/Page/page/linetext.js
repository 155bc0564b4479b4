// The text of a line in parts: code is kept as it is, addresses can be followed, and what names the reader stands out.

import { make, put, replace } from "./dom.js";
import { plain } from "./text.js";

const BLOCK = /```(?:[\w+-]*\n)?([^]*?)```\n?/g;
const CODE = /`([^`\n]+)`/g;
const LINK = /\bhttps?:\/\/[^\s<>"'`]*[^\s<>"'`.,;:!?)\]}]/gi;

const escaped = (name) => name.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
const namePattern = (name) => new RegExp(`(?<![\\p{L}\\p{N}])@?${escaped(name)}(?![\\p{L}\\p{N}])`, "giu");

/// Whether a text names somebody, as a word of its own.
export const namesPerson = (text, name) => Boolean(name) && namePattern(name).test(text);

/// {kind: text, block, code, link or name, text}, in order; nothing is looked for in code.
export function partsOf(text, name = "") {
  const patterns = [["block", BLOCK], ["code", CODE], ["link", LINK], ...(name ? [["name", namePattern(name)]] : [])];
  return patterns.reduce((parts, [kind, pattern]) =>
    parts.flatMap((part) => (part.kind === "text" ? split(part.text, kind, pattern) : [part])), [{ kind: "text", text }]);
}

function split(text, kind, pattern) {
  const parts = [];
  let end = 0;
  for (const found of text.matchAll(pattern)) {
    const inner = found[1] ?? found[0];
    if (inner.trim() === "") continue;
    if (found.index > end) parts.push({ kind: "text", text: text.slice(end, found.index) });
    parts.push({ kind, text: kind === "block" ? inner.replace(/\n$/, "") : inner });
    end = found.index + found[0].length;
  }
  return end === 0 ? [{ kind: "text", text }] : end < text.length ? [...parts, { kind: "text", text: text.slice(end) }] : parts;
}

const DRAWN = {
  block: (text) => make("pre", { tabindex: "0" }, make("code", {}, text)),
  code: (text) => make("code", {}, text),
  link: (text) => make("a", { href: text, target: "_blank", rel: "noopener noreferrer" }, text),
  name: (text) => make("mark", { class: "named" }, text),
};

/// What strangers wrote gets in as text alone.
export function drawText(element, said, name) {
  replace(element);
  for (const { kind, text } of partsOf(plain(said), name)) put(element, DRAWN[kind]?.(text) ?? text);
}
