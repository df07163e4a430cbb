/** Options of a page of a shop. */
export interface ShopOptions {
  readonly count: number;
  /** Cards in each row; 0 for a list without rows. */
  readonly perRow?: number;
}

/** Returns a page of a shop: a menu, a list of categories, and cards, every fourth without stock and every fifth an advertisement. */
export function shopPage({ count, perRow = 0 }: ShopOptions): string {
  const cards = Array.from({ length: count }, (_, index) => card(index));
  const rows = perRow === 0 ? [cards] : chunk(cards, perRow);
  const list = rows
    .map((row) => (perRow === 0 ? row.join('') : `<div class="row">${row.join('')}</div>`))
    .join('');
  return `<!DOCTYPE html><html><head><title>Books</title></head><body>
<header class="page-header"><nav class="menu"><ul><li><a href="/">Home</a></li><li><a href="/books">Books</a></li><li><a href="/music">Music</a></li></ul></nav></header>
<aside class="side"><ul class="categories"><li><a href="/c/travel">Travel</a></li><li><a href="/c/poetry">Poetry</a></li><li><a href="/c/crime">Crime</a></li></ul></aside>
<main><h1>All books</h1><div class="grid css-1x2y3z">${list}</div>
<table class="facts"><thead><tr><th>Name</th><th>Unit price</th></tr></thead><tbody>
<tr><td>Paper</td><td>£1</td></tr><tr><td>Ink</td><td>£2</td></tr><tr><td>Glue</td><td>£3</td></tr></tbody></table></main>
<footer><p>Imprint</p></footer></body></html>`;
}

function card(index: number): string {
  if (index % 5 === 4) return `<div class="banner"><p>Advertisement ${index}</p></div>`;
  const stock = index % 4 === 0 ? '' : `<p class="stock">${index} left</p>`;
  return `<article class="card css-a1b2c${index % 2} ${index % 2 === 0 ? 'even' : 'odd'}"><a class="cover" href="/book/${index}"><img src="/img/${index}.png" alt="Book ${index}"></a>
<h3><a href="/book/${index}">Book ${index}</a></h3><p class="price_color">£${10 + index}.99</p>${stock}
<time datetime="2026-01-${10 + (index % 20)}">day ${index}</time><button class="buy">Add</button></article>`;
}

function chunk<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, row) =>
    items.slice(row * size, (row + 1) * size),
  );
}
