// The site that every contestant works on, and the witness of what they did: it serves the order form, takes
// orders, and counts them. A contestant is believed only as far as this server confirms it.
//
//   /order?run=R   the form: seven fields, a counter, a review in the page, a submit
//   /orders        takes the order and answers with a confirmation that only the server knows
//   /tally         hears from a page that is left how often its counter was clicked
//   /blank         an empty page

import { randomInt } from 'node:crypto';

import { document, PageSite } from '../common/page_site.mjs';

// What the task says to enter: how a field is called on the page, what kind it is, its value.
export const kFields = [
  { label: 'Full name', name: 'name', kind: 'textbox', value: 'Ada Lovelace' },
  { label: 'Email', name: 'email', kind: 'textbox', value: 'ada@example.org' },
  { label: 'Phone', name: 'phone', kind: 'textbox', value: '+44 20 7946 0018' },
  { label: 'Street', name: 'street', kind: 'textbox', value: '12 St James Square' },
  { label: 'City', name: 'city', kind: 'textbox', value: 'London' },
  { label: 'Delivery', name: 'delivery', kind: 'combobox', value: 'Express' },
  { label: 'Gift wrap', name: 'gift', kind: 'checkbox', value: 'true' },
];
export const kReview = 'Review order';
export const kSubmit = 'Submit order';
export const kCounter = 'Add one';

export function countText(count) {
  return `Copies: ${count}`;
}

const kNotes = [
  'Orders before noon leave the same day.',
  'Express arrives on the next working day.',
  'You can change the order until it is packed.',
  'Returns are free for thirty days.',
];

function control({ label, name, kind }) {
  if (kind === 'combobox') {
    return `<label>${label} <select name="${name}"><option>Standard</option><option>Express</option>` +
        '<option>Pick up</option></select></label>';
  }
  if (kind === 'checkbox') return `<label><input type="checkbox" name="${name}" value="true"> ${label}</label>`;
  return `<label>${label} <input name="${name}"></label>`;
}

const kScript = `
const run = new URLSearchParams(location.search).get('run');
const form = document.forms[0];
let copies = 0;
document.getElementById('add').addEventListener('click', () => {
  document.getElementById('copies').textContent = 'Copies: ' + ++copies;
});
document.getElementById('review').addEventListener('click', () => {
  const lines = [...new FormData(form)].filter(([name]) => name !== 'run')
      .map(([name, value]) => '<dt>' + name + '</dt><dd>' + value.replace(/</g, '&lt;') + '</dd>');
  document.getElementById('summary').innerHTML = '<h2>Your order</h2><dl>' + lines.join('') + '</dl>' +
      '<button type="submit" form="order">${kSubmit}</button>';
});
form.run.value = run;
addEventListener('pagehide', () => navigator.sendBeacon('/tally?run=' + run + '&clicks=' + copies));
`;

const kStyle = 'body { font: 14px sans-serif; margin: 12px } label { display: block; margin: 2px 0 }';

function styled(title, body) {
  return document(title, body, kStyle);
}

function orderPage() {
  return styled('Order form',
      '<nav><a href="/blank">Home</a> <a href="/blank">Catalogue</a> <a href="/blank">Help</a></nav>' +
      '<main><h1>Order a book</h1><form id="order" method="post" action="/orders">' +
      `<input type="hidden" name="run">${kFields.map(control).join('')}` +
      `<button type="button" id="review">${kReview}</button></form>` +
      `<section><button type="button" id="add">${kCounter}</button> ` +
      `<output id="copies">${countText(0)}</output></section>` +
      '<section id="summary"></section>' +
      `<ul>${kNotes.map(note => `<li>${note}</li>`).join('')}</ul></main>` +
      `<footer><p>Example Books, London</p></footer><script>${kScript}</script>`);
}

export class Site extends PageSite {
  #orders = new Map();  // by run: what was ordered, every time it was

  orderUrl(run) {
    return `${this.origin}/order?run=${run}`;
  }

  // The orders of a run: [{confirmation, fields}].
  orders(run) {
    return this.#orders.get(run) ?? [];
  }

  answer(path, body) {
    if (path === '/order') return orderPage();
    return path === '/orders' ? this.#takeOrder(new URLSearchParams(body)) : undefined;
  }

  #takeOrder(form) {
    const { run, ...fields } = Object.fromEntries(form);
    const confirmation = String(randomInt(100_000, 1_000_000));
    this.#orders.set(run, [...this.orders(run), { confirmation, fields }]);
    return styled('Order received',
        `<main><h1>Thank you, ${fields.name?.replace(/</g, '&lt;')}</h1>` +
        `<p>Your order is confirmed. Confirmation number: ${confirmation}</p></main>`);
  }
}
