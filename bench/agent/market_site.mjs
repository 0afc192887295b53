// A market of the size that shops have: sixty goods, each with its words, its price and its button, between the
// navigation and the footer that every page of a shop has.

import { document, PageSite } from '../common/page_site.mjs';

const kKinds = ['Teapot', 'Cup', 'Kettle', 'Tray', 'Strainer', 'Caddy'];
const kColours = ['Red', 'Blue', 'Green', 'White', 'Black', 'Grey', 'Amber', 'Violet', 'Copper', 'Ivory'];

export const kGoods = kKinds.flatMap((kind, row) => kColours.map((colour, column) => ({
  name: `${colour} ${kind}`,
  price: `${(8 + row * 7 + column * 1.5).toFixed(2)} EUR`,
  text: `A ${kind.toLowerCase()} in ${colour.toLowerCase()}, made by hand, ready to send within two days.`,
})));

const article = ({ name, price, text }) =>
    `<article><h3><a href="#${name.replace(' ', '-')}">${name}</a></h3><p>${text}</p><p>${price}, ` +
    `<a href="#reviews">${name.length + 3} reviews</a></p><button aria-label="Add ${name}">Add</button></article>`;

const kLinks = ['Home', 'New', 'Offers', 'Gifts', 'Journal', 'Shops', 'Help', 'Account', 'Delivery', 'Returns', 'Imprint', 'Privacy'];
const kScript = `
const list = document.getElementById('goods');
for (const button of document.querySelectorAll('article button')) button.addEventListener('click', () => {
  const item = document.createElement('li');
  item.textContent = button.getAttribute('aria-label').slice(4);
  list.append(item);
  document.getElementById('count').textContent = list.children.length + ' in the basket';
});
document.getElementById('basket').addEventListener('click', () => list.toggleAttribute('hidden'));
`;

const kPage = document('Market',
    `<header><nav>${kLinks.map(link => `<a href="#${link}">${link}</a>`).join(' ')}</nav>` +
    '<button id="basket">Basket</button> <output id="count">0 in the basket</output><ul id="goods"></ul></header>' +
    `<main><h1>All goods</h1>${kGoods.map(article).join('')}</main>` +
    `<footer>${kLinks.map(link => `<a href="#${link}">${link}</a>`).join(' ')}</footer><script>${kScript}</script>`);

export class MarketSite extends PageSite {
  get url() {
    return `${this.origin}/market`;
  }

  answer(path) {
    return path === '/market' ? kPage : undefined;
  }
}
