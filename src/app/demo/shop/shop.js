"use strict";

// How many bags: between one and what one order may have.
function prepareStepper(stepper) {
  const shown = stepper.querySelector("output");
  const sent = stepper.querySelector("input");
  const most = Number(stepper.dataset.most);
  const step = (by) => {
    sent.value = Math.min(most, Math.max(1, Number(sent.value) + by));
    shown.textContent = sent.value;
  };
  stepper.querySelector("#fewer").addEventListener("click", () => step(-1));
  stepper.querySelector("#more").addEventListener("click", () => step(1));
}

async function showStock(place) {
  const answer = await fetch("/api/stock?product=" + encodeURIComponent(place.dataset.stock));
  if (answer.ok) {
    const stock = await answer.json();
    place.textContent = stock.bags + " bags in stock";
    place.dataset.known = "yes";
  } else {
    const after = answer.headers.get("Retry-After");
    place.textContent = "The warehouse does not answer (" + answer.status + ")" + (after ? ", ask again in " + after + " s" : "");
    place.dataset.known = "no";
  }
}

document.querySelectorAll("[data-stepper]").forEach(prepareStepper);
document.querySelectorAll("[data-stock]").forEach(showStock);
