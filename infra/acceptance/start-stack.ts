import { type SearxngQuestion, startSearxng } from '@gleaner/test-kit';
import { BOOKS } from '../demo-site/shop/shop.ts';
import { startTestStack } from '../stack/test/test-stack.ts';
import { publish } from './join-stack.ts';

/**
 * Starts the stack that all tests of this folder share, before the first of them; returns after it is ready. Its search finds
 * the books of the demo site by words of their titles, and all of them by "book".
 * @public
 */
export default async function startSharedStack(): Promise<void> {
  let shop = '';
  const searxng = await startSearxng((question) => findBooks(question, shop));
  stopping.defer(() => searxng[Symbol.asyncDispose]());
  const shared = await startTestStack({ SEARCH_URL: searxng.url }, ['127.0.0.1']);
  stopping.defer(() => shared[Symbol.asyncDispose]());
  shop = shared.stack.demoUrl;
  publish(shared.stack);
}

function findBooks({ query, page }: SearxngQuestion, shop: string): object[] {
  if (page > 1) return [];
  const words = query.toLowerCase().split(' ');
  const books = BOOKS.filter(
    ({ title }) => words.includes('book') || words.some((word) => title.toLowerCase().includes(word)),
  );
  return books.map(({ slug, title, about }) => ({ url: `${shop}books/${slug}`, title, content: about }));
}

/** Stops what has been started. jest loads the set-up and the end of a run into one process. */
export const stopping = new AsyncDisposableStack();
