// Figures keep letters that can be read: what is too wide for a phone scrolls inside its frame, and a tap opens it.
const LEGIBLE = 0.6; // of its size: letters of 11 points are nine pixels high
document.addEventListener("DOMContentLoaded", () => {
  for (const image of document.querySelectorAll("img.sphx-glr-single-img")) {
    const frame = document.createElement("a");
    frame.className = "figure-frame";
    frame.href = image.src;
    image.replaceWith(frame);
    frame.append(image);
    const measure = () => image.style.setProperty("--legible", `${Math.round(LEGIBLE * image.naturalWidth)}px`);
    if (image.complete && image.naturalWidth) measure();
    else image.addEventListener("load", measure);
  }
});
