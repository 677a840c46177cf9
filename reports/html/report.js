"use strict";
(() => {
  const root = document.documentElement;

  const theme = document.getElementById("theme");
  const dark = () => root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  const name = () => { theme.textContent = dark() ? "Light" : "Dark"; };
  theme.hidden = false;
  theme.addEventListener("click", () => { root.dataset.theme = dark() ? "light" : "dark"; name(); });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", name);
  name();

  // Sorting: numbers by data-value, cells without one last, as in the window.
  const sort = (table, column, descending) => {
    const body = table.tBodies[0];
    const value = (row) => row.cells[column].dataset.value;
    const numeric = table.tHead.rows[0].cells[column].classList.contains("number");
    const rows = [...body.rows].map((row, index) => ({ row, index, key: value(row) }));
    rows.sort((a, b) => {
      if ((a.key === undefined) !== (b.key === undefined)) { return a.key === undefined ? 1 : -1; }
      if (a.key === undefined) { return a.index - b.index; }
      const order = numeric ? Number(a.key) - Number(b.key) : a.key.localeCompare(b.key);
      return (descending ? -order : order) || a.index - b.index;
    });
    body.append(...rows.map((one) => one.row));
  };
  for (const table of document.querySelectorAll("table.sortable")) {
    [...table.tHead.rows[0].cells].forEach((head, column) => {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = head.textContent;
      head.replaceChildren(button);
      button.addEventListener("click", () => {
        const before = head.getAttribute("aria-sort");
        const descending = before ? before === "ascending" : head.classList.contains("number");
        for (const other of head.parentNode.cells) { other.removeAttribute("aria-sort"); }
        head.setAttribute("aria-sort", descending ? "descending" : "ascending");
        sort(table, column, descending);
      });
    });
  }

  const chart = document.getElementById("roofline-chart");
  for (const group of document.querySelectorAll(".levels")) {
    group.hidden = false;
    for (const box of group.querySelectorAll("input")) {
      box.addEventListener("change", () => chart.classList.toggle("hide-" + box.dataset.hides, !box.checked));
    }
  }

  // Tooltips that keyboards reach as well; they replace the browser's own.
  const tip = document.getElementById("tip");
  const show = (text, x, y) => {
    tip.textContent = text;
    tip.hidden = false;
    const box = tip.getBoundingClientRect();
    tip.style.left = Math.max(8, Math.min(x + 16, innerWidth - box.width - 8)) + "px";
    tip.style.top = (y + 18 + box.height > innerHeight ? Math.max(8, y - box.height - 12) : y + 18) + "px";
  };
  const hide = () => { tip.hidden = true; };
  for (const point of chart.querySelectorAll(".point")) {
    const title = point.querySelector("title");
    const text = title.textContent;
    point.setAttribute("aria-label", text);
    title.remove();
    point.addEventListener("mousemove", (event) => show(text, event.clientX, event.clientY));
    point.addEventListener("mouseleave", hide);
    point.addEventListener("focus", () => { const box = point.getBoundingClientRect(); show(text, box.right, box.bottom - 18); });
    point.addEventListener("blur", hide);
  }
  addEventListener("keydown", (event) => { if (event.key === "Escape") { hide(); } });
  addEventListener("beforeprint", () => { for (const one of document.querySelectorAll("details")) { one.open = true; } });

  root.dataset.script = "ready";
})();
