"use strict";
// The filters live in the address (#alert=condition&outlet=Harbour%20Post&q=farmers), so that a view can be linked
// to. A search finds alerts that have all its words, whatever their case and accents; Hangul is compared by syllables,
// however the text composes them. Names to choose from stand in the order of the page's language.
{
  const form = document.querySelector(".filters");
  const fields = form ? ["alert", "outlet", "review", "from", "to", "q"].map((name) => document.getElementById(name)) : [];
  const plain = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").normalize("NFC").toLowerCase();
  const alerts = [...document.querySelectorAll("article")].map((card) => ({
    card,
    ...card.dataset,
    text: plain([...card.querySelectorAll("[data-cell]")].map((cell) => cell.textContent).join("\n")),
  }));

  function fits(alert, wanted) {
    const day = alert.day || "";
    return (
      ["alert", "outlet", "review"].every((name) => !wanted.get(name) || wanted.get(name) === alert[name]) &&
      (!wanted.get("from") || (day && day >= wanted.get("from"))) &&
      (!wanted.get("to") || (day && day <= wanted.get("to"))) &&
      plain(wanted.get("q") || "").split(/\s+/).every((word) => alert.text.includes(word))
    );
  }

  function show() {
    const wanted = new URLSearchParams(location.hash.slice(1));
    let shown = 0;
    for (const alert of alerts) {
      alert.card.hidden = !fits(alert, wanted);
      shown += alert.card.hidden ? 0 : 1;
    }
    const isFiltered = [...wanted.values()].some(Boolean);
    for (const rest of document.querySelectorAll("details.rest")) {
      const fitting = rest.querySelector("article:not([hidden])");
      rest.hidden = !fitting;
      if (isFiltered && fitting) rest.open = true;
    }
    for (const section of document.querySelectorAll("section.alerts")) {
      section.hidden = section.querySelector("article") && !section.querySelector("article:not([hidden])");
    }
    for (const field of fields) {
      if (field.value !== (wanted.get(field.id) || "")) field.value = wanted.get(field.id) || "";
      if (field.selectedIndex < 0) field.value = "";
    }
    document.getElementById("count").textContent = `{{ phrases.text("script.shown", shown="${shown}", total="${alerts.length}") | safe }}`;
    document.getElementById("none").hidden = shown > 0;
  }

  if (form) {
    form.hidden = false;
    const { compare } = new Intl.Collator(document.documentElement.lang);
    for (const { options } of [document.getElementById("alert"), document.getElementById("outlet")])
      options[0].after(...[...options].slice(1).sort((one, other) => compare(one.text, other.text)));
    form.addEventListener("submit", (event) => event.preventDefault());
    form.addEventListener("input", () => {
      const wanted = new URLSearchParams(fields.filter((field) => field.value).map((field) => [field.id, field.value]));
      location.replace("#" + wanted.toString()); // no entry in the history for each letter
    });
    document.getElementById("all").addEventListener("click", () => location.replace("#"));
    addEventListener("hashchange", show);
    show();
  }
}
