"use strict";
(() => {
  for (const figure of document.querySelectorAll("figure[data-interactive]")) interactive(figure);

  function interactive(figure) {
    const data = JSON.parse(figure.querySelector('script[type="application/json"]').textContent);
    const svg = figure.querySelector("svg.plot");
    const canvas = figure.querySelector(".canvas");
    const panel = figure.querySelector(".panel");
    const objects = [...svg.querySelectorAll(".object")];
    const prototypes = [...svg.querySelectorAll(".prototype")];
    const rows = [...(figure.closest("section") || document).querySelectorAll("tr[data-prototype]")];
    const tip = document.createElement("div");
    tip.className = "tip";
    tip.hidden = true;
    canvas.append(tip);
    let current = -1;
    let chosen = -1;

    function describe(i) {
      const lines = [data.names[i]];
      if (data.classes.length) lines.push((data.word ? data.word + ": " : "") + data.classes[data.codes[i]]);
      if (data.extra) lines.push(data.extra[i]);
      if (data.prototypes) {
        const j = data.nearest[i];
        const label = data.prototypes[j].label;
        const of = label ? " (" + label + ")" : "";
        lines.push("nearest prototype: P" + (j + 1) + of + ", distance " + data.distances[i]);
      }
      return lines.join("\n");
    }

    function point(i) {
      if (current >= 0) objects[current].classList.remove("pointed");
      current = i;
      if (i < 0) {
        tip.hidden = true;
        return;
      }
      objects[i].classList.add("pointed");
      tip.textContent = describe(i);
      tip.hidden = false;
      const scale = svg.clientWidth / svg.viewBox.baseVal.width;
      const x = data.x[i] * scale;
      const y = data.y[i] * scale;
      const left = x + 14 + tip.offsetWidth > canvas.clientWidth ? x - tip.offsetWidth - 14 : x + 14;
      tip.style.left = Math.max(0, left) + "px";
      tip.style.top = Math.max(0, y - tip.offsetHeight - 8) + "px";
    }

    function nearest(event) {
      const box = svg.getBoundingClientRect();
      const scale = svg.viewBox.baseVal.width / box.width;
      const x = (event.clientX - box.left) * scale;
      const y = (event.clientY - box.top) * scale;
      let best = -1;
      let least = (24 * scale) ** 2;
      for (let i = 0; i < objects.length; i++) {
        const distance = (data.x[i] - x) ** 2 + (data.y[i] - y) ** 2;
        if (distance < least) [best, least] = [i, distance];
      }
      return best;
    }

    function choose(j) {
      chosen = chosen === j ? -1 : j;
      svg.classList.toggle("dim", chosen >= 0);
      objects.forEach((object) => object.classList.remove("typical", "part"));
      prototypes.forEach((p, k) => p.setAttribute("aria-pressed", String(k === chosen)));
      rows.forEach((row) => row.classList.toggle("chosen", Number(row.dataset.prototype) === chosen));
      if (chosen < 0) {
        panel.textContent = "";
        return;
      }
      const found = data.prototypes[chosen];
      for (const i of found.parts) objects[i].classList.add("part");
      for (const i of found.typical) objects[i].classList.add("typical");
      const shown = found.typical.map((i) => data.names[i]).join(", ");
      panel.textContent =
        "Typical of prototype P" + (chosen + 1) + (found.label ? " of class " + found.label : "") + ": " +
        shown + ". " + (found.combination ? "It is made of " + found.parts.length + " objects, and " : "") +
        found.wins + " objects are nearest to it.";
    }

    svg.setAttribute("tabindex", "0");
    svg.addEventListener("pointermove", (event) => point(nearest(event)));
    svg.addEventListener("pointerdown", (event) => point(nearest(event)));
    svg.addEventListener("pointerleave", () => point(-1));
    svg.addEventListener("blur", () => point(-1));
    svg.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
      if (event.key === "Escape") {
        point(-1);
        if (chosen >= 0) choose(chosen);
      } else if (step && event.target === svg) {
        event.preventDefault();
        point((current + step + objects.length) % objects.length);
        panel.textContent = describe(current).replaceAll("\n", ", ");
      }
    });
    prototypes.forEach((prototype, j) => {
      prototype.addEventListener("click", () => choose(j));
      prototype.addEventListener("keydown", (event) => {
        if (event.key === "Enter" || event.key === " ") {
          event.preventDefault();
          choose(j);
        }
      });
    });
    rows.forEach((row) => {
      row.querySelector("button").addEventListener("click", () => choose(Number(row.dataset.prototype)));
    });
  }

  for (const button of document.querySelectorAll(".copy")) {
    if (!navigator.clipboard) continue;
    button.hidden = false;
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(button.parentElement.querySelector("code").textContent);
      button.textContent = "Copied";
      setTimeout(() => (button.textContent = "Copy"), 1500);
    });
  }

  addEventListener("beforeprint", () => {
    document.querySelectorAll("details").forEach((details) => (details.open = true));
  });
})();
