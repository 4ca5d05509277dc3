"use strict";
// The filters live in the address (#outcome=contextomized&outlet=Harbour%20Post), so that a view can be linked to.
const names = ["outcome", "outlet"];
const form = document.querySelector(".filters");
const alerts = [...document.querySelectorAll("article")];

function show() {
  const wanted = new URLSearchParams(location.hash.slice(1));
  let shown = 0;
  for (const alert of alerts) {
    alert.hidden = names.some((name) => wanted.get(name) && wanted.get(name) !== alert.dataset[name]);
    shown += alert.hidden ? 0 : 1;
  }
  for (const name of names) {
    const select = document.getElementById(name);
    select.value = wanted.get(name) || "";
    if (select.selectedIndex < 0) select.value = "";
  }
  document.getElementById("count").textContent = `${shown} of ${alerts.length} shown`;
  document.getElementById("none").hidden = shown > 0;
}

if (form) {
  form.hidden = false;
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("change", () => {
    const wanted = new URLSearchParams();
    for (const name of names) {
      const value = document.getElementById(name).value;
      if (value) wanted.set(name, value);
    }
    location.hash = wanted.toString();
  });
  addEventListener("hashchange", show);
  show();
}
