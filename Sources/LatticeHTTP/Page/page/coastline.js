// Reads the outlines of the continents, as tools/coastline writes them.

const STEP_DEGREES = 0.02;
const VERSION = 1;
/// Far more than the file has: what is broken must not fill the memory.
const NUMBERS_MAX = 1_000_000;

/// {coasts, borders}: lists of lines, each a list of {lat, lon}. A coast is closed without saying its first point twice.
export function decodeCoastline(bytes) {
  let at = 1;
  let numbers = 0;
  const last = { lat: 0, lon: 0 };

  const varint = () => {
    let value = 0;
    let scale = 1;
    for (;;) {
      if (at >= bytes.length || scale > 2 ** 28 || (numbers += 1) > NUMBERS_MAX) throw new Error("the coastline is broken");
      const byte = bytes[at];
      at += 1;
      value += (byte & 127) * scale;
      if (byte < 128) return value;
      scale *= 128;
    }
  };
  const signed = () => {
    const value = varint();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  };
  const point = () => {
    last.lon += signed();
    last.lat += signed();
    return { lat: last.lat * STEP_DEGREES, lon: last.lon * STEP_DEGREES };
  };
  const many = (read) => {
    const list = [];
    for (let count = varint(); count > 0; count -= 1) list.push(read());
    return list;
  };

  if (bytes[0] !== VERSION) throw new Error("the coastline is of another version");
  const lines = () => many(() => many(point));
  return { coasts: lines(), borders: lines() };
}
