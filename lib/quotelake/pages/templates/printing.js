"use strict";
// Evidence that is folded on a screen is on paper.
addEventListener("beforeprint", () => {
  for (const folded of document.querySelectorAll("details.rest, details.evidence")) folded.open = true;
});
