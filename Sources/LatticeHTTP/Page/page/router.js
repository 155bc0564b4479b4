// Which view an address means. The part behind the `#` never leaves the browser, and every view can be linked to.

import { directOf } from "./conversations.js";

const chats = { name: "rooms", tab: "chats", argument: null };
const posts = { name: "posts", tab: "map", source: "near" };
const isId = (text) => /^[0-9a-f]{64}$/.test(text);

/// {name, tab, argument, needsName, isInner} of a hash; what is unknown is the list of chats. `isInner`: a phone shows neither bar
/// nor tabs.
export function routeOf(hash) {
  const [, first = "", second = ""] = /^#\/([^/]*)(?:\/([^/]*))?/.exec(hash) ?? [];
  const argument = decoded(second);
  switch (first) {
    case "map": return { name: "map", tab: "map" };
    case "posts": return posts;
    case "following": return { ...posts, source: "following", needsName: true };
    case "events": return { ...posts, source: "events" };
    case "search": return argument ? { ...posts, source: "search", argument } : posts;
    case "item": return /^[0-9a-f]{4,64}$/.test(argument) ? { name: "item", tab: "map", argument, isInner: true } : posts;
    case "new": return { name: { event: "newEvent", place: "newPlace" }[argument] ?? "newPost", tab: "map", needsName: true, isInner: true };
    case "here": return { name: "here", tab: "map", isInner: true };
    case "rooms": return argument ? { ...chats, argument: `#${argument}`, isInner: true } : chats;
    case "chat": return isId(argument) ? { ...chats, argument: directOf(argument), needsName: true, isInner: true } : chats;
    case "messages": return { name: "messages", tab: "chats", argument, isInner: true };
    case "people":
      if (argument === "me") return { name: "person", tab: "people", argument, needsName: true, isInner: true };
      return argument ? { name: "person", tab: "people", argument } : { name: "people", tab: "people" };
    case "notifications": return { name: "notifications", tab: "notifications", needsName: true };
    case "visitors": return { name: "visitors", tab: "people", needsName: true };
    case "mesh": return { name: "mesh", tab: "mesh" };
    default: return chats;
  }
}

/// Where a tab begins, as far as it needs no name.
export const homeOf = ({ tab }) => ({ map: "#/posts", people: "#/people", mesh: "#/mesh" })[tab] ?? "#/";

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return "";
  }
}
