// What the tests of pages do in a browser: a page that uses another one as a person does, and hands over an answer.
const pause = () => new Promise((done) => setTimeout(done, 100));
async function open_at(fragment, file = "alerts.html", width = 1280) {
  const frame = document.createElement("iframe");
  Object.assign(frame, { width, height: 800 });
  const loaded = new Promise((done) => frame.addEventListener("load", done));
  frame.src = file + fragment;
  document.body.append(frame);
  await loaded;
  await pause();
  return frame.contentWindow;
}
async function enter(page, element, value) {
  if (element.type === "radio") element.click();
  else {
    element.value = value;
    element.dispatchEvent(new page.Event("input", { bubbles: true }));
  }
  await pause();
}
const shown = (page) => [...page.document.querySelectorAll("article")]
  .filter((one) => one.checkVisibility()).map((one) => one.id.slice(-1)).join("");
const text = (page, id) => page.document.getElementById(id).textContent;

function hand_over(found) {
  found.catch((error) => String(error)).then((answer) => {
    document.body.innerHTML = "";
    document.body.append(Object.assign(document.createElement("pre"), { textContent: JSON.stringify(answer) }));
  });
}

// Opens the page at each address, then types and chooses on one page.
async function filters(fragments) {
  const at = {};
  for (const fragment of fragments) {
    const page = await open_at(fragment);
    at[fragment] = [shown(page), text(page, "count"), page.document.getElementById("none").hidden,
      [...page.document.querySelectorAll("section.alerts")].map((one) => !one.hidden)];
  }
  const page = await open_at("");
  const at_id = (id) => page.document.getElementById(id);
  const typed = [];
  for (const [id, value] of [["q", "strike"], ["alert", "altered"], ["q", ""], ["to", "2024-03-31"]]) {
    await enter(page, at_id(id), value);
    typed.push([page.location.hash, shown(page)]);
  }
  at_id("all").click();
  await pause();
  typed.push([at_id("to").value, shown(page)]);
  const folded = page.document.querySelector("details.evidence");
  const before = folded.open;
  folded.querySelector("summary").click();
  return { at, typed, folded: [before, folded.open] };
}

// Judges every alert, saves, opens the page anew, takes one verdict back, saves, clears.
async function verdicts(notes) {
  let saved = null;
  const open_page = async () => {
    const page = await open_at("");
    page.URL.createObjectURL = (blob) => ((saved = blob.text()), "#");
    page.HTMLAnchorElement.prototype.click = () => {};
    page.confirm = () => true;
    return page;
  };
  const state = (page) => [...page.document.querySelectorAll("article")].map((card) => [
    card.querySelector("[type=radio]:checked").value, card.querySelector("[type=text]").value]);
  let page = await open_page();
  const first = [text(page, "kept"), page.document.getElementById("save").disabled];
  for (const [i, note] of notes.entries()) {
    const card = page.document.querySelectorAll("article")[i];
    await enter(page, card.querySelectorAll("[type=radio]")[i % 4]);
    await enter(page, card.querySelector("[type=text]"), note);
  }
  page.document.getElementById("save").click();
  const file = await saved;
  const kept = text(page, "kept");
  page = await open_page();
  const again = state(page);
  const other = await open_at("?");
  await enter(page, page.document.querySelector("article").querySelectorAll("[type=radio]")[4]);
  other.dispatchEvent(new other.StorageEvent("storage")); // as a browser does in every other tab
  const taken_back = [text(page, "kept"), text(other, "kept")];
  page.document.getElementById("clear").click();
  const cleared = [text(page, "kept"), state(page), Object.keys(page.localStorage)];
  return { first, file, kept, again, taken_back, cleared };
}

// Judges one alert and saves, with nothing replaced.
async function verdict() {
  const page = await open_at("");
  const refused = [];
  page.addEventListener("securitypolicyviolation", (event) => refused.push(event.violatedDirective));
  await enter(page, page.document.querySelectorAll("article [type=radio]")[0]);
  page.document.getElementById("save").click();
  await pause();
  return [text(page, "kept"), Object.keys(page.localStorage), refused];
}

// Searches the page; reads in which order it lists outlets, what it counts, and in which language its texts are.
async function search(words) {
  const page = await open_at("");
  const at_id = (id) => page.document.getElementById(id);
  const outlets = [...at_id("outlet").options].map((one) => one.text);
  const found = [];
  for (const word of words) {
    await enter(page, at_id("q"), word);
    found.push([shown(page), text(page, "count")]);
  }
  const cards = [...page.document.querySelectorAll("article")];
  return { outlets, found, kept: text(page, "kept"), lang: page.document.documentElement.lang,
    quotes: cards.map((card) => card.querySelector("[data-cell=headline_quote]").lang) };
}

// Opens each page at each width with all details open: how far it is wider than its window.
async function widths(files, widths) {
  const seen = {};
  for (const file of files) for (const width of widths) {
    const page = await open_at("", file, width);
    const root = page.document.documentElement;
    const alert = page.document.querySelector("article h3");
    const bottom = alert ? alert.getBoundingClientRect().bottom : 0;
    for (const folded of page.document.querySelectorAll("details")) folded.open = true;
    const frame = [...document.querySelectorAll("iframe")].pop();
    seen[file + " " + width] = [root.scrollWidth - root.clientWidth, bottom, frame.contentWindow.innerWidth];
  }
  return seen;
}
