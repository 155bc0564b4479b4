// Parses the text typed in a room: a message, or a command after a slash.

const COMMANDS = ["me", "urgent", "pin", "unpin", "away", "back"];
const MESSAGES = ["", "me", "urgent"];
const NEED_TEXT = ["me", "urgent", "pin"];
export const ONLY_THESE =
  "Only /me, /urgent, /pin, /unpin, /away and /back work here. To send a line that starts with a slash, type two slashes.";

/// Whether the command sends its text as a message.
export const isMessage = (command) => MESSAGES.includes(command);

/// - Returns: `{ command, text }`, with an empty command for a message; or `{ fault }`, a sentence for the person.
export function parse(typed) {
  if (!typed.startsWith("/")) return { command: "", text: typed };
  if (typed.startsWith("//")) return { command: "", text: typed.slice(1) };
  const [, command, text] = /^\/(\S*)\s*([^]*)$/.exec(typed);
  if (!COMMANDS.includes(command)) return { fault: ONLY_THESE };
  if (text === "" && NEED_TEXT.includes(command)) return { fault: `Type a text after /${command}.` };
  return { command, text };
}
