// Which view an address means. The part behind the `#` never leaves the browser, and every view can be linked to.

import { directOf } from "./conversations.js";

/// {name, tab, argument, needsName} of a hash; what is unknown is the list of posts.
export function routeOf(hash) {
  const [, first = "", second = "", third = ""] = /^#\/([^/]*)(?:\/([^/]*))?(?:\/([^/]*))?/.exec(hash) ?? [];
  const argument = decoded(second);
  switch (first) {
    case "map": return { name: "map", tab: "map" };
    case "following": return { name: "posts", tab: "posts", source: "following", needsName: true };
    case "events": return { name: "posts", tab: "posts", source: "events" };
    case "search": return argument ? {
      name: "posts", tab: "posts", source: "search", argument,
    } : { name: "posts", tab: "posts", source: "near" };
    case "item": return /^[0-9a-f]{4,64}$/.test(argument) ? { name: "item", tab: "posts", argument } : posts;
    case "new": return { name: argument === "event" ? "newEvent" : "newPost", tab: "posts", needsName: true };
    case "here": return { name: "here", tab: "posts" };
    case "rooms": return { name: "rooms", tab: "rooms", argument: argument ? `#${argument}` : null };
    case "chat":
      return /^[0-9a-f]{64}$/.test(argument) ? { name: "rooms", tab: "rooms", argument: directOf(argument), needsName: true } : posts;
    case "messages": return { name: "messages", tab: "rooms", argument };
    case "people": return argument ? { name: "person", tab: "people", argument, needsName: argument === "me" } : { name: "people", tab: "people" };
    case "notifications": return { name: "notifications", tab: "people", needsName: true };
    case "visitors": return { name: "visitors", tab: "people", needsName: true };
    case "mesh": return { name: "mesh", tab: "mesh" };
    default: return posts;
  }
}

const posts = { name: "posts", tab: "posts", source: "near" };

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return "";
  }
}
