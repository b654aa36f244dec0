"use strict";
(function () {
  const all = (query, within) => Array.from((within || document).querySelectorAll(query));

  // The theme: that of the system until the button says otherwise.
  const root = document.documentElement;
  const button = document.getElementById("theme");
  const system = window.matchMedia("(prefers-color-scheme: dark)");
  const isDark = () => (root.dataset.theme ? root.dataset.theme === "dark" : system.matches);
  const show = () => button.setAttribute("aria-pressed", String(isDark()));
  button.hidden = false;
  button.addEventListener("click", () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    show();
  });
  system.addEventListener("change", show);
  show();

  // The number at the beginning of a cell: 7, 3/2, 0.5, 2:1, "between 3 and 4"; nothing for other text.
  const value = (text) => {
    const found = /^(?:between )?(\d+(?:\.\d+)?)(?:\/(\d+))?(?![\w.])/.exec(text);
    return found ? Number(found[1]) / Number(found[2] || 1) : null;
  };
  const words = new Intl.Collator("en", { numeric: true });
  const compare = (isNumber) => (a, b) => {
    if (!isNumber) return words.compare(a, b);
    const [x, y] = [value(a), value(b)];
    return x === null || y === null ? 0 : x - y;
  };

  const sort = (table, column, header) => {
    const isNumber = header.classList.contains("number");
    // What is greatest is wanted first of numbers, what is first of words.
    const first = isNumber ? "descending" : "ascending";
    const other = isNumber ? "ascending" : "descending";
    const order = header.getAttribute("aria-sort") === first ? other : first;
    all("th[aria-sort]", table.tHead).forEach((th) => th.removeAttribute("aria-sort"));
    header.setAttribute("aria-sort", order);
    const body = table.tBodies[0];
    const text = (row) => row.cells[column].textContent;
    const isMissing = (cell) => (isNumber ? value(cell) === null : cell === "");
    const by = compare(isNumber);
    const rows = Array.from(body.rows, (row) => [text(row), row]);
    rows.sort(([a], [b]) => {
      // A cell without a value is last either way.
      if (isMissing(a) || isMissing(b)) return Number(isMissing(a)) - Number(isMissing(b));
      return order === "ascending" ? by(a, b) : by(b, a);
    });
    body.append(...rows.map(([, row]) => row));
  };

  all("table.sortable").forEach((table) => {
    Array.from(table.tHead.rows[0].cells).forEach((header, column) => {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = header.textContent;
      button.addEventListener("click", () => sort(table, column, header));
      header.replaceChildren(button);
    });
  });

  all(".tools").forEach((tools) => {
    const input = tools.querySelector("input");
    const count = tools.querySelector(".count");
    const rows = Array.from(document.getElementById(input.dataset.table).tBodies[0].rows);
    tools.hidden = false;
    input.addEventListener("input", () => {
      const wanted = input.value.trim().toLowerCase().split(/\s+/);
      let shown = 0;
      rows.forEach((row) => {
        const text = row.textContent.toLowerCase();
        row.hidden = !wanted.every((word) => text.includes(word));
        shown += row.hidden ? 0 : 1;
      });
      count.textContent = input.value.trim() === "" ? "" : shown + " of " + rows.length + " rows";
    });
  });

  // A link into a section that is folded unfolds it.
  const unfold = () => {
    const target = location.hash && document.getElementById(location.hash.slice(1));
    if (target) all("details.section", target).forEach((details) => { details.open = true; });
  };
  window.addEventListener("hashchange", unfold);
  unfold();

  // Everything is printed.
  let folded = [];
  window.addEventListener("beforeprint", () => {
    folded = all("details:not([open])");
    folded.forEach((details) => { details.open = true; });
  });
  window.addEventListener("afterprint", () => {
    folded.forEach((details) => { details.open = false; });
    folded = [];
  });
})();
