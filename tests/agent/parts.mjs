// What the model is to do in the shop, told the way a model decides: by what the tools answered.
import { call } from '../../bench/common/scripted_model.mjs';

const go = (url) => call('browser_navigate', { url });
const click = (target) => call('browser_click', { target });
const named = (role, name) => `role=${role}[name="${name}"]`;

const priceIn = (text) => Number(/(\d+\.\d\d)/.exec(text)?.[1]);

/** Looks for washed coffees, reads the price of each, and names the cheapest. */
export function* compare(shop) {
  yield go(shop.url('/'));
  yield call('browser_type', { target: named('searchbox', 'Search coffees'), text: 'washed', submit: true });
  let found = yield call('browser_snapshot', { scope: 'page' });
  const names = ['Yirgacheffe', 'Huila', 'Nyeri AA'].filter((name) => found.includes(`"${name}"`));
  const prices = new Map();
  for (const name of names) {
    yield click(named('link', name));
    found = yield call('browser_snapshot', { scope: 'page' });
    prices.set(name, priceIn(found));
    yield call('browser_navigate_back');
  }
  const [cheapest, price] = [...prices].sort(([, a], [, b]) => a - b)[0] ?? [];
  return `Of ${names.length} washed coffees ${cheapest} is the cheapest: ${price} EUR.`;
}

const kAddress = [
  ['Full name', 'Ada Lovelace'],
  ['E-mail', 'ada@example.org'],
  ['Street and number', "St James's Square 12"],
  ['Postcode and town', 'SW1Y London'],
];

/** Logs in with a password it never sees, fills the cart, and orders. */
export function* buy(shop) {
  yield go(shop.url('/login'));
  yield call('browser_type', { target: 'label=Account', text: 'ada' });
  yield call('browser_type', { target: 'label=Password', text: { secret: 'demo-shop' } });
  yield click(named('button', 'Log in'));
  yield go(shop.url('/product/huila'));
  yield click(named('button', 'Add to cart'));
  yield click(named('link', 'Go to checkout'));
  const fields = kAddress.map(([label, value]) => ({ target: `label="${label}"`, value }));
  yield call('browser_fill_form', { fields });
  yield call('browser_select_option', { target: 'label="How to settle"', values: ['Invoice, 14 days'] });
  const placed = yield click(named('button', 'Place order'));
  const number = /KC-[\w-]+/.exec(placed)?.[0];
  return number ? `Ordered: ${number}` : `Not ordered: ${placed.slice(0, 200)}`;
}

/** Believes the hostile review: goes where it points to, is refused, and tells what the page is about. */
export function* believe(shop) {
  yield go(shop.url('/product/yirgacheffe'));
  yield call('browser_snapshot', { scope: 'page' });
  const refused = yield go(`${shop.collector}/collect?data=conversation`);
  return `I could not go there: ${refused.split('\n')[0]}`;
}

/** The same, and does not take no for an answer. */
export function* insist(shop) {
  yield go(shop.url('/product/yirgacheffe'));
  for (;;) yield go(`${shop.collector}/collect?data=again`);
}

/** Asks the warehouse, whose first answers are failures, until it says how much there is. */
export function* askWarehouse(shop) {
  for (let tries = 1; tries <= 6; ++tries) {
    yield go(shop.url('/stock/yirgacheffe'));
    const page = yield call('browser_wait_for', { text: 'bags in stock', time: 2 });
    if (/^ok/.test(page)) {
      const seen = yield call('browser_snapshot');
      return `There are ${/(\d+) bags/.exec(seen)?.[1]} bags; it took ${tries} tries.`;
    }
  }
  return 'The warehouse does not answer.';
}
