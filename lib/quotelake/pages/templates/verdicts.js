// Verdicts are kept in this browser, each under its lake and alert, and saved as the file that review_alerts imports.
// Where the browser keeps nothing they last as long as the page, which then says so.
{
  const panel = document.querySelector(".verdicts");
  const form = document.getElementById("verdict");
  const kept = document.getElementById("kept");
  const prefix = panel ? `quotelake ${panel.dataset.lake} ` : "";
  const columns = panel ? panel.dataset.columns.split(" ") : [];
  const ids = ["quote_id", "alert", "rule_version", "detector_version"];
  let store = new Map();
  let lasting = false;
  try {
    localStorage.setItem(prefix, "");
    localStorage.removeItem(prefix);
    lasting = true;
  } catch {
    // Refused, such as in a private window.
  }

  const keyOf = (one) => `${prefix}${one.quote_id} ${one.alert}`;
  const keys = () => (lasting ? Object.keys(localStorage).filter((key) => key.startsWith(prefix)) : [...store.keys()]);
  function read(key) {
    try {
      return JSON.parse((lasting ? localStorage.getItem(key) : store.get(key)) || "null");
    } catch {
      return null;
    }
  }
  function write(key, verdict) {
    if (!verdict.label && !verdict.note) lasting ? localStorage.removeItem(key) : store.delete(key);
    else if (lasting) localStorage.setItem(key, JSON.stringify(verdict));
    else store.set(key, JSON.stringify(verdict));
  }
  const idsOf = (card) => Object.fromEntries(ids.map((name, i) => [name, card.dataset.ids.split(" ")[i]]));
  const labelled = () => keys().map(read).filter((one) => one && one.label);

  function count() {
    const n = labelled().length;
    const where = lasting ? {{ phrases("script.here") | tojson }} : {{ phrases("script.not_here") | tojson }};
    kept.textContent = `{{ phrases.text("script.kept", n="${n}", verdicts="${n === 1 ? " ~ (phrases("script.verdicts", 1) | tojson) ~ " : " ~ (phrases("script.verdicts", 2) | tojson) ~ "}", where="${where}") | safe }}`;
    for (const button of panel.querySelectorAll("button")) button.disabled = !n;
  }
  function fill(card) {
    const verdict = read(keyOf(idsOf(card))) || { label: "", note: "" };
    for (const radio of card.querySelectorAll(".verdict [type=radio]")) radio.checked = radio.value === verdict.label;
    card.querySelector(".verdict [type=text]").value = verdict.note;
    card.classList.toggle("judged", Boolean(verdict.label));
  }
  function keep(card) {
    const chosen = card.querySelector(".verdict [type=radio]:checked");
    const note = card.querySelector(".verdict [type=text]").value.trim();
    const shown = idsOf(card);
    write(keyOf(shown), { ...shown, label: chosen ? chosen.value : "", note });
    card.classList.toggle("judged", Boolean(chosen && chosen.value));
    count();
  }

  // The same as text_cell in outputs.py: a spreadsheet must not run a text as a formula.
  const cell = (text) => `"${(/^[=+\-@\t\r\n]/.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;
  function file() {
    const cards = new Map([...document.querySelectorAll("article")].map((card) => [keyOf(idsOf(card)), card]));
    const rows = labelled().map((verdict) => {
      const card = cards.get(keyOf(verdict));
      return columns.map((name) => {
        const shown = card && card.querySelector(`[data-cell="${name}"]`);
        return cell(name in verdict ? verdict[name] : shown ? shown.textContent.trim() : "");
      });
    });
    return "\ufeff" + [columns.map(cell), ...rows].map((row) => row.join(",") + "\r\n").join("");
  }

  if (panel) {
    panel.hidden = false;
    for (const card of document.querySelectorAll("article")) {
      const copy = form.content.cloneNode(true);
      for (const radio of copy.querySelectorAll("[type=radio]")) radio.name = `verdict ${card.id}`;
      (card.querySelector(".evidence") || card).append(copy);
      fill(card);
      card.querySelector(".verdict").addEventListener("input", () => keep(card));
    }
    document.getElementById("save").addEventListener("click", () => {
      const link = document.createElement("a");
      link.href = URL.createObjectURL(new Blob([file()], { type: "text/csv" }));
      link.download = "verdicts.csv";
      link.click();
      URL.revokeObjectURL(link.href);
    });
    document.getElementById("clear").addEventListener("click", () => {
      if (!confirm({{ phrases("script.sure") | tojson }})) return;
      if (lasting) keys().forEach((key) => localStorage.removeItem(key));
      store = new Map();
      document.querySelectorAll("article").forEach(fill);
      count();
    });
    addEventListener("storage", () => (document.querySelectorAll("article").forEach(fill), count())); // another tab
    count();
  }
}
