import type { Random } from '../random.ts';

/** Ways in which a site changes its markup. */
export const REDESIGNS = ['renamed', 'wrapped', 'reordered', 'moved', 'gone'] as const;
export type Redesign = (typeof REDESIGNS)[number];

/** A product of the list. */
export interface ShopProduct {
  readonly name: string;
  readonly price: string;
  readonly stock: string | null;
  readonly link: string;
}

/** Words of a page of the shop, in any design. */
export interface ShopContent {
  readonly title: string;
  readonly price: string;
  readonly sku: string;
  readonly stock: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly products: readonly ShopProduct[];
}

/** Look of a page: names, wrappers, order and places. */
export interface ShopDesign {
  readonly names: Readonly<Record<(typeof PARTS)[number], string>>;
  readonly isGenerated: boolean;
  readonly hasProperties: boolean;
  readonly wrappers: number;
  readonly tags: Readonly<Record<'card' | 'price' | 'value' | 'name', string>>;
  /** Order of the fields of a product. */
  readonly order: readonly ('name' | 'price' | 'stock')[];
  /** Order of the facts about the product of the page. */
  readonly facts: readonly ('price' | 'sku' | 'stock')[];
  readonly isListFirst: boolean;
  readonly isPriceAside: boolean;
  readonly without: 'none' | 'price' | 'sku' | 'cardStock';
}

/** Selectors for one design, as people write them. */
export interface ShopSelectors {
  readonly [field: string]:
    | string
    | { readonly selector: string; readonly all: true; readonly fields: Readonly<Record<string, string>> };
}

const PARTS = [
  ...(['page', 'box', 'title', 'facts', 'price', 'sku', 'stock', 'description', 'tags', 'tag'] as const),
  ...(['grid', 'card', 'cardName', 'cardPrice', 'cardStock', 'aside', 'offer'] as const),
] as const;

const WORDS =
  'amber basin cedar delta ember fjord grove heath inlet jetty knoll ledge marsh north ochre pearl quill ridge slate tidal umber vista wharf xenon yarrow zephyr'.split(
    ' ',
  );
const STYLES = 'block item node unit cell part wrap pane slot view'.split(' ');
const TITLES =
  'Kettle Teapot Lantern Basket Blanket Compass Notebook Hammock Thermos Candle Backpack Umbrella Whistle Ladder Bucket Mirror'.split(
    ' ',
  );
const ADJECTIVES =
  'copper wooden folding striped heavy quiet northern little bright woven travel winter'.split(' ');

/** Returns the words of a page. */
export function createContent(random: Random): ShopContent {
  const count = 8 + random.between(0, 16);
  const names = new Set<string>();
  while (names.size < count + 1) names.add(productName(random, names.size));
  const [title = '', ...others] = names;
  return {
    title,
    price: price(random),
    sku: `SKU-${random.between(10_000, 99_999)}`,
    stock: stock(random),
    description: sentence(random, 24),
    tags: pick(random, ADJECTIVES, 4),
    products: others.map((name, index) => ({
      name,
      price: price(random),
      stock: random.between(0, 4) === 0 ? null : stock(random),
      link: `/p/${slug(name)}-${index}`,
    })),
  };
}

/** Returns the words of a page after the shop has edited it: some prices, stocks and products differ. */
export function editContent(content: ShopContent, random: Random): ShopContent {
  const rarely = () => random.between(0, 9) === 0;
  const edited = content.products.map((product) => ({
    ...product,
    ...(rarely() && { price: price(random) }),
    ...(rarely() && { stock: random.between(0, 4) === 0 ? null : stock(random) }),
  }));
  const without = rarely() ? edited.slice(0, -1) : edited;
  const name = productName(random, random.between(100, 9999));
  const added = { name, price: price(random), stock: stock(random), link: `/p/${slug(name)}` };
  return {
    ...content,
    price: rarely() ? price(random) : content.price,
    stock: rarely() ? stock(random) : content.stock,
    description: rarely() ? sentence(random, random.between(12, 40)) : content.description,
    products: rarely() ? [added, ...without].slice(0, 28) : without,
  };
}

/** Returns a look. */
export function createDesign(random: Random): ShopDesign {
  const isGenerated = random.between(0, 4) === 0;
  const names = PARTS.map((part, index) => {
    const word = WORDS[(random.between(0, WORDS.length - 1) + index) % WORDS.length] as string;
    const style = STYLES[random.between(0, STYLES.length - 1)] as string;
    return [
      part,
      isGenerated ? `css-${word.slice(0, 3)}${random.between(1000, 9999)}` : `${word}-${style}-${index}`,
    ];
  });
  return {
    names: Object.fromEntries(names),
    isGenerated,
    hasProperties: random.between(0, 3) === 0,
    wrappers: random.between(0, 1),
    tags: {
      card: random.pick(['li', 'article', 'div']),
      price: random.pick(['span', 'p', 'strong']),
      value: random.pick(['dd', 'span', 'p']),
      name: random.pick(['h3', 'h4', 'div']),
    },
    order: ['name', 'price', 'stock'],
    facts: ['price', 'sku', 'stock'],
    isListFirst: false,
    isPriceAside: false,
    without: 'none',
  };
}

/** Returns another look of the same site. */
export function redesign(design: ShopDesign, kind: Redesign, random: Random): ShopDesign {
  switch (kind) {
    case 'renamed':
      return { ...design, names: createDesign(random).names };
    case 'wrapped':
      return { ...design, wrappers: design.wrappers + 1 + random.between(0, 1) };
    case 'reordered':
      return {
        ...design,
        order: random.pick([
          ['price', 'stock', 'name'],
          ['stock', 'price', 'name'],
          ['price', 'name', 'stock'],
        ]),
        facts: random.pick([
          ['sku', 'stock', 'price'],
          ['stock', 'sku', 'price'],
        ]),
        isListFirst: true,
      };
    case 'moved':
      return { ...design, isPriceAside: true };
    case 'gone':
      return { ...design, without: random.pick(['price', 'sku']) };
  }
}

/** Returns the selectors that people wrote for a look: by names, by children, or by places. */
export function selectorsFor(design: ShopDesign, kind: Redesign): ShopSelectors {
  const { names, tags } = design;
  const name = (part: keyof ShopDesign['names']) => `.${names[part]}`;
  const fact = (part: 'price' | 'sku' | 'stock') =>
    `${name('facts')} ${tags.value}:nth-of-type(${design.facts.indexOf(part) + 1})`;
  const inBox = (part: 'price' | 'sku' | 'stock') => `${name('facts')} ${name(part)}`;
  const isByPlace = kind === 'reordered';
  const isByChild = kind === 'wrapped';
  const outer = isByChild ? `${name('box')} > ${'.layer > '.repeat(design.wrappers)}` : `${name('box')} `;
  const list = tags.card === 'li' ? `${name('grid')} > ul` : name('grid');
  const cards = isByChild ? `${list} > ${tags.card}` : name('card');
  const inCard = (part: 'name' | 'price' | 'stock') => {
    const parts = { name: name('cardName'), price: name('cardPrice'), stock: name('cardStock') };
    return isByPlace ? `:scope > *:nth-child(${design.order.indexOf(part) + 1})` : parts[part];
  };
  return {
    title: kind === 'renamed' ? name('title') : `${outer}h1`,
    price: isByPlace ? fact('price') : inBox('price'),
    sku: isByPlace ? fact('sku') : inBox('sku'),
    stock: isByPlace ? fact('stock') : inBox('stock'),
    tags: `${name('tags')} ${isByChild ? '> ' : ''}${name('tag')}::text::all`,
    products: {
      selector: cards,
      all: true,
      fields: { name: inCard('name'), price: inCard('price'), stock: inCard('stock'), link: 'a::attr(href)' },
    },
  };
}

/** Returns the expected values of the fields of `selectorsFor` for a look; null for omitted parts. */
export function valuesOf(content: ShopContent, { without }: ShopDesign) {
  const { title, price: cost, sku, stock: left, tags, products } = content;
  return {
    title,
    price: without === 'price' ? null : cost,
    sku: without === 'sku' ? null : sku,
    stock: left,
    tags,
    products,
  };
}

/** Returns the page. */
export function renderShop(content: ShopContent, design: ShopDesign): string {
  const { names, tags, hasProperties, without } = design;
  const property = (name: string) => (hasProperties ? ` itemprop="${name}"` : '');
  const wrap = (html: string) =>
    Array.from({ length: design.wrappers }).reduce<string>(
      (inner) => `<div class="layer">${inner}</div>`,
      html,
    );
  const tagOf = tags.value === 'dd' ? 'dl' : 'div';
  const labels = { price: 'Price', sku: 'Article', stock: 'Availability' };
  const value = (part: 'price' | 'sku' | 'stock') =>
    `<${tags.value} class="${names[part]}"${property(part)}>${content[part]}</${tags.value}>`;
  const fact = (part: 'price' | 'sku' | 'stock') => {
    const isLeftOut = without === part || (part === 'price' && design.isPriceAside);
    return isLeftOut
      ? ''
      : `${tagOf === 'dl' ? `<dt>${labels[part]}</dt>` : `<b>${labels[part]}</b>`}${value(part)}`;
  };
  const facts = `<${tagOf} class="${names.facts}">${design.facts.map(fact).join('')}</${tagOf}>`;
  const box = `<section class="${names.box}">${wrap(`<h1 class="${names.title}"${property('name')}>${content.title}</h1>${facts}
<p class="${names.description}">${content.description}</p>`)}<ul class="${names.tags}">${wrapItems(content.tags, design)}</ul></section>`;
  const list = `<section><h2>More from us</h2><div class="${names.grid}">${wrapList(content.products.map((product) => card(product, design)).join(''), design)}</div></section>`;
  const aside = `<aside class="${names.aside}"><h2>Order</h2>${design.isPriceAside ? `<b>${labels.price}</b>${value('price')}` : ''}
<p>Delivery from <span class="${names.offer}">£3.99</span></p><p>Call us: 0800 123 456</p></aside>`;
  const main = design.isListFirst ? list + box : box + list;
  return `<!DOCTYPE html><html lang="en"><head><title>${content.title} - The shop</title></head><body>
<header><a href="/">The shop</a><nav><ul><li><a href="/new">New</a></li><li><a href="/sale">Sale</a></li><li><a href="/help">Help</a></li></ul></nav></header>
<main class="${names.page}">${main}</main>${aside}
<footer><p>All prices include VAT. <a href="/imprint">Imprint</a></p><p>Since 1987</p></footer></body></html>`;
}

function wrapItems(tags: readonly string[], { names, wrappers }: ShopDesign): string {
  const items = tags.map((tag) => `<li class="${names.tag}">${tag}</li>`).join('');
  return wrappers > 1 ? `<li><ul>${items}</ul></li>` : items;
}

function wrapList(cards: string, { tags, wrappers }: ShopDesign): string {
  const inner = tags.card === 'li' ? `<ul>${cards}</ul>` : cards;
  return wrappers > 1 ? `<div class="rows"><div>${inner}</div></div>` : inner;
}

function card(product: ShopProduct, design: ShopDesign): string {
  const { names, tags, without } = design;
  const parts = {
    name: `<${tags.name} class="${names.cardName}"><a href="${product.link}">${product.name}</a></${tags.name}>`,
    price: `<${tags.price} class="${names.cardPrice}">${product.price}</${tags.price}>`,
    stock:
      product.stock === null || without === 'cardStock'
        ? ''
        : `<em class="${names.cardStock}">${product.stock}</em>`,
  };
  const inner = design.order.map((part) => parts[part]).join('');
  return `<${tags.card} class="${names.card}">${inner}</${tags.card}>`;
}

function productName(random: Random, number: number): string {
  const [adjective, noun] = [random.pick(ADJECTIVES), random.pick(TITLES)];
  return `${adjective.charAt(0).toUpperCase()}${adjective.slice(1)} ${noun} No. ${number + 1}`;
}

function price(random: Random): string {
  return `£${random.between(4, 240)}.${random.pick(['00', '49', '50', '95', '99'])}`;
}

function stock(random: Random): string {
  return random.pick(['In stock', 'Sold out', `Only ${random.between(2, 9)} left`]);
}

function sentence(random: Random, length: number): string {
  const words = Array.from({ length }, () => random.pick(WORDS));
  return `The ${words.join(' ')}.`;
}

function slug(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]+/g, '-');
}

function pick<Value>(random: Random, values: readonly Value[], count: number): Value[] {
  const left = [...values];
  return Array.from({ length: count }, () => left.splice(random.between(0, left.length - 1), 1)[0] as Value);
}
