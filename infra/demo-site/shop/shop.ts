import { ARTICLES, CATEGORIES, REVIEWS, SHELF } from './shop-data.ts';

/** A book of the shop. */
export interface Book {
  readonly slug: string;
  /** Path of its page. */
  readonly path: string;
  readonly title: string;
  readonly author: string;
  readonly year: number;
  /** In pounds. */
  readonly price: number;
  readonly priceBefore: number | undefined;
  readonly inStock: number;
  readonly category: string;
  readonly pages: number;
  readonly isbn: string;
  /** Days as `2026-08-03`. */
  readonly published: string;
  readonly changed: string;
  readonly about: string;
}

/** A reader's review of a book. */
export interface Review {
  readonly stars: number;
  readonly reader: string;
  readonly text: string;
  readonly day: string;
}

/** An article of the blog. */
export type Article = (typeof ARTICLES)[number];

/** A category of books. */
export interface Category {
  readonly slug: string;
  readonly title: string;
  readonly intro: string;
}

/** One page of a list. */
export interface ListPage<Item> {
  readonly items: readonly Item[];
  readonly number: number;
  readonly count: number;
}

/** All books. */
export const BOOKS: readonly Book[] = rowsOf(SHELF).map(readBook);

export { ARTICLES };

export const SHOP_CATEGORIES: readonly Category[] = CATEGORIES.map(([slug, title, intro]) => ({
  slug,
  title,
  intro,
}));

/** Returns one page of a list, counted from 1; nothing if the list has no such page. */
export function pageOf<Item>(
  items: readonly Item[],
  size: number,
  number: number,
): ListPage<Item> | undefined {
  const count = Math.ceil(items.length / size);
  if (!Number.isInteger(number) || number < 1 || number > count) return undefined;
  return { items: items.slice((number - 1) * size, number * size), number, count };
}

/** Returns four books of the same category, or else others. */
export function relatedTo(book: Book): readonly Book[] {
  const after = [...BOOKS.slice(BOOKS.indexOf(book) + 1), ...BOOKS].filter((other) => other !== book);
  const alike = after.filter(({ category }) => category === book.category);
  return [...new Set([...alike, ...after])].slice(0, 4);
}

/** Returns the reviews of a book, the newest first: between none and four, and the same on every visit. */
export function reviewsOf(book: Book): readonly Review[] {
  const pool = rowsOf(REVIEWS);
  const number = BOOKS.indexOf(book);
  const count = [3, 2, 0, 4, 1, 2, 3][number % 7] ?? 0;
  return Array.from({ length: count }, (_, index) => {
    const [stars, reader = '', text = ''] = pool[(number * 5 + index) % pool.length] ?? [];
    const age = 3 + index * 19 + (number % 11);
    const day = new Date(Date.parse(book.changed) - age * 86_400_000).toISOString().slice(0, 10);
    return { stars: Number(stars), reader, text, day };
  });
}

function readBook(cells: readonly string[]): Book {
  const [slug = '', title = '', author = '', year, price = '', stock, category = '', pages, ...rest] = cells;
  const [isbn = '', published = '', changed = '', about = ''] = rest;
  const [now = '', before] = price.split(/[ ()]+/);
  return {
    slug,
    path: `/books/${slug}`,
    title,
    author,
    year: Number(year),
    price: Number(now),
    priceBefore: before === undefined ? undefined : Number(before),
    inStock: Number(stock),
    category,
    pages: Number(pages),
    isbn,
    published,
    changed,
    about,
  };
}

function rowsOf(table: string): readonly (readonly string[])[] {
  const lines = table.split('\n').filter((line) => line !== '');
  return lines.map((line) => line.split(' | '));
}
