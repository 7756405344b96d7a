// Figures keep letters that can be read: on a phone they scroll inside their frame, and a tap opens them.
document.addEventListener("DOMContentLoaded", () => {
  for (const image of document.querySelectorAll("img.sphx-glr-single-img")) {
    const frame = document.createElement("a");
    frame.className = "figure-frame";
    frame.href = image.src;
    image.replaceWith(frame);
    frame.append(image);
  }
});
