/* SPDX-License-Identifier: MIT */
"use strict";
(() => {
  const open = [...document.querySelectorAll("details.l.o")];
  const tools = document.getElementById("tools");
  const count = tools.querySelector("output");
  let at = -1;

  // The line that a link leads to is opened, so that what is looked for can be seen.
  const show = () => {
    const line = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (line && line.matches("details.l")) {
      line.open = true;
      line.scrollIntoView();
    }
  };

  // The next line from where the reader is, or the previous one.
  const go = (step) => {
    if (open.length === 0)
      return;
    if (at >= 0)
      open[at].classList.remove("at");
    at = (at + step + open.length) % open.length;
    const line = open[at];
    line.classList.add("at");
    line.open = true;
    line.querySelector("summary").focus({preventScroll: true});
    line.scrollIntoView({block: "center"});
    count.textContent = `line ${at + 1} of ${open.length} with orders that are not covered`;
  };

  const actions = {
    next: () => go(1),
    back: () => go(at < 0 ? 0 : -1),
    only: () => {
      const on = document.body.classList.toggle("only");
      tools.querySelector("[data-do=only]").setAttribute("aria-pressed", on);
    },
    close: () => document.querySelectorAll("details.l[open]").forEach((d) => { d.open = false; }),
  };
  const keys = {n: "next", p: "back", o: "only", c: "close"};

  tools.hidden = false;
  count.textContent = `${open.length} line${open.length === 1 ? "" : "s"} with orders that are not covered`;
  tools.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (button)
      actions[button.dataset.do]();
  });
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !keys[event.key])
      return;
    actions[keys[event.key]]();
    event.preventDefault();
  });

  // The text of a partner's line stands in the page once: it is copied when it is asked for.
  document.addEventListener("toggle", (event) => {
    const line = event.target;
    if (!line.matches || !line.matches("details.l") || !line.open || line.dataset.filled)
      return;
    line.dataset.filled = "1";
    for (const link of line.querySelectorAll("li a")) {
      const code = document.querySelector(`${link.hash} > summary > code`);
      if (!code || code.textContent.trim() === "")
        continue;
      const text = document.createElement("q");
      text.textContent = code.textContent.trim();
      link.parentNode.append(text);
    }
  }, true);
  addEventListener("hashchange", show);
  show();
})();
