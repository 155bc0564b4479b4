// Words on a screen: what strangers wrote made safe to show, counted as people count, and sentences with the right plural.

const graphemes = typeof Intl.Segmenter === "function" ? new Intl.Segmenter(undefined, { granularity: "grapheme" }) : null;

/// Characters as a reader counts them: a flag or a family is one.
export function clusters(text) {
  const composed = text.normalize("NFC");
  if (!graphemes) return [...composed].length;
  let count = 0;
  for (const _ of graphemes.segment(composed)) count += 1;
  return count;
}

// Controls, formatting and tags; the joiners stay, because emoji, Persian and Indic scripts need them.
const unsafe = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu;

/// `text` without what could move, hide or turn around what stands beside it; line breaks stay, a tab is a space.
export function plain(text) {
  return String(text ?? "").replace(/\r\n?|[\u2028\u2029]/g, "\n").replace(/\t/g, " ")
    .replace(unsafe, (scalar) => (scalar === "\n" || scalar === "\u200c" || scalar === "\u200d" ? scalar : ""));
}

/// The same on one line.
export const oneLine = (text) => plain(text).replace(/\s*\n\s*/g, " ").trim();

/// As names are compared: without case, and without accents.
export const bare = (text) => plain(text).normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

export const counted = (count, word, words = `${word}s`) => `${count.toLocaleString("en")} ${count === 1 ? word : words}`;

/// What stands in a pin or beside a name: the first letter, or a dot where there is none.
export function initial(name) {
  const first = oneLine(name).match(/[\p{L}\p{N}]/u);
  return first ? first[0].toLocaleUpperCase() : "•";
}

/// Who somebody is to a reader: the name they gave themselves, or the short id where none came yet.
export const nameOf = (person) => oneLine(person?.name) || `#${person?.short ?? "?"}`;

/// Four letters of z-base-32 over the first 20 bits of an id, as the node shows them.
export function shortOf(id) {
  const bits = parseInt(String(id).slice(0, 5), 16);
  if (!Number.isInteger(bits)) return "?";
  return [15, 10, 5, 0].map((shift) => "ybndrfg8ejkmcpqxot1uwisza345h769"[(bits >> shift) & 31]).join("");
}

const EMOJI_BYTES_MAX = 32;

/// Whether a text is one emoji, by the rule of the node.
export function isEmoji(text) {
  if (new TextEncoder().encode(text).length > EMOJI_BYTES_MAX || clusters(text) !== 1) return false;
  const asks = /[\ufe0f\u20e3]/.test(text);
  return [...text].some((scalar) =>
    /\p{Emoji_Presentation}/u.test(scalar) || (/\p{Emoji}/u.test(scalar) && (asks || scalar.codePointAt(0) > 0xff)));
}

const BEGINNING_MAX = 80;

/// What an answer shows of the line that it answers, as the node cuts it.
export const beginning = (text) => (clusters(text) > BEGINNING_MAX ? `${cut(text, BEGINNING_MAX - 1)}…` : text);

const cut = (text, count) =>
  (graphemes ? Array.from(graphemes.segment(text), (one) => one.segment) : [...text]).slice(0, count).join("");

/// `text` in pieces: [piece, whether it begins like one of the words]. Letters count the same in upper and lower case.
export function pieces(text, words) {
  const wanted = plain(words).split(/[^\p{L}\p{M}\p{N}]+/u).filter(Boolean);
  if (wanted.length === 0) return [[text, false]];
  // The longest first: of "fer" and "ferry" it is "ferry" that stands there.
  wanted.sort((one, other) => other.length - one.length);
  const found = new RegExp(`(?<![\\p{L}\\p{N}])(${wanted.join("|")})`, "giu");
  return text.split(found).map((piece, index) => [piece, index % 2 === 1]).filter(([piece]) => piece !== "");
}

/// `bob`, `bob and carol`, `bob, carol and 3 more`: at most `most` of them by name.
export function namesText(names, most = 8) {
  const more = names.length - most;
  const shown = more > 0 ? [...names.slice(0, most), `${more.toLocaleString("en")} more`] : names;
  return shown.length < 2 ? shown.join("") : `${shown.slice(0, -1).join(", ")} and ${shown.at(-1)}`;
}

/// White letters stand out on each of them (6.2 and more).
const COLOURS = ["#a2412c", "#7a5510", "#4a6a1f", "#1d6b45", "#0f6575", "#2f55a4", "#5f44a3", "#8a2f7a", "#a52c55", "#5c5148"];

/// `#rrggbb` of somebody: as they chose, or the same one on every screen for the same key.
export function colourOf(person) {
  if (/^#[0-9a-f]{6}$/i.test(person?.colour ?? "")) return person.colour;
  // FNV-1a: its upper half is even.
  let hash = 0x811c9dc5;
  for (const letter of String(person?.id ?? "")) hash = Math.imul(hash ^ letter.charCodeAt(0), 0x01000193);
  return COLOURS[(hash >>> 16) % COLOURS.length];
}

/// Black or white, whichever stands out more against a colour (WCAG 2.2, relative luminance).
export function inkOn(colour) {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const value = parseInt(colour.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  const luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  return luminance > 0.179 ? "#000000" : "#ffffff";
}
