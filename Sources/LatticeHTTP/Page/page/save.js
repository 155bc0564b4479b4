// Saves a file that is here where the browser saves what it downloads. The token goes in a header, never into an address.

import { note, noteFault } from "./announce.js";
import { make } from "./dom.js";

/// A larger file is written as it comes where the browser can do that; else it does not fit into memory.
const BLOB_BYTES_MAX = 64 * 1_048_576;
const REVOKE_MS = 60_000;

const FOLDER = "application/vnd.lattice.folder";
const inTerminal = (file) => `In a terminal: lattice file get ${file.id.slice(0, 12)}`;

export async function save(api, file) {
  if (file.type === FOLDER) {
    note(`${file.name} is a folder, which a browser cannot unpack. ${inTerminal(file)}`);
    return;
  }
  try {
    if (file.size > BLOB_BYTES_MAX) await stream(api, file);
    else await download(api, file);
  } catch (error) {
    // The person chose no place for it.
    if (error.name !== "AbortError") noteFault(error, `${file.name} is not saved.`);
  }
}

async function download(api, file) {
  const response = await api.bytes(`/files/${file.id}/content`);
  const url = URL.createObjectURL(await response.blob());
  make("a", { href: url, download: file.name }).click();
  // The browser reads it after this.
  setTimeout(() => URL.revokeObjectURL(url), REVOKE_MS);
}

async function stream(api, file) {
  if (!window.showSaveFilePicker) {
    note(`${file.name} is too large for a browser to save. ${inTerminal(file)}`);
    return;
  }
  const place = await window.showSaveFilePicker({ suggestedName: file.name });
  const response = await api.bytes(`/files/${file.id}/content`);
  await response.body.pipeTo(await place.createWritable());
  note(`${file.name} is saved.`);
}
