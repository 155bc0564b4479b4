// How a line looks after a change: one that a person makes here, before the node agrees, and one that the node reports.

import { beginning } from "./text.js";

/// Done twice they are done once.
export const reacting = (emoji, by, holds) => (line) => {
  const reactions = line.reactions ?? [];
  const known = reactions.find((one) => one.emoji === emoji);
  if ((known?.by.includes(by) ?? false) === holds) return line;
  if (!known) return { ...line, reactions: [...reactions, { emoji, by: [by] }] };
  const people = holds ? [...known.by, by] : known.by.filter((id) => id !== by);
  return {
    ...line,
    reactions: reactions.map((one) => (one === known ? { emoji, by: people } : one)).filter((one) => one.by.length > 0),
  };
};

export const editingLine = (text) => (line) => (line.text === text ? line : { ...line, text, edited: true });

export const deletingLine = () => ({ reactions: _, reply: __, edited: ___, ...line }) => ({ ...line, text: "", deleted: true });

/// What an answer shows of a line.
export const referenceTo = (line) =>
  ({ id: line.id, from: line.from.id, name: line.from.name, text: line.deleted ? "" : beginning(line.text) });

/// `line` after the node reported `news`, which is the same line or one that it answers.
export function afterNews(line, news) {
  // A private message has a number before it has an id.
  if (line.id === news.id || (line.isBare && line.number === news.number)) {
    const { key, mine } = line;
    // The node does not say again that a line waits.
    return { ...news, mine, ...(key ? { key } : {}), ...(line.waiting ? { waiting: true } : {}) };
  }
  if (line.reply?.id !== news.id) return line;
  const reply = referenceTo(news);
  return reply.text === line.reply.text && line.reply.from ? line : { ...line, reply };
}
