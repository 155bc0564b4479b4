// Photos of a phone's camera, drawn anew: without the place where they were taken, and without whatever else a camera adds.

const SIDE_MAX = 2_048;
const QUALITY = 0.9;

/// A JPEG of the same picture, upright.
///
/// - Throws: if the browser cannot read the picture.
export async function redrawn(file) {
  const picture = await createImageBitmap(file);
  const scale = Math.min(1, SIDE_MAX / Math.max(picture.width, picture.height));
  const [width, height] = [picture.width, picture.height].map((side) => Math.max(1, Math.round(side * scale)));
  const canvas = Object.assign(document.createElement("canvas"), { width, height });
  canvas.getContext("2d").drawImage(picture, 0, 0, width, height);
  picture.close();
  const bytes = await new Promise((resolve) => canvas.toBlob(resolve, "image/jpeg", QUALITY));
  if (!bytes) throw new Error("the picture is empty");
  return new File([bytes], file.name, { type: bytes.type });
}
