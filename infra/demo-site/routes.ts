import { cover } from './files/cover.ts';
import { robots, sitemap, sitemapIndex } from './files/robots-and-sitemaps.ts';
import type { Answer, Visit } from './markup/answer.ts';
import { article, blog } from './pages/blog.ts';
import { book } from './pages/book.ts';
import { home } from './pages/home.ts';
import { cart, missing } from './pages/notices.ts';
import { offer } from './pages/offer.ts';
import { search, searchData } from './pages/search.ts';
import { category, shelf } from './pages/shelf.ts';
import { specials, specialsData } from './pages/specials.ts';

/** Answers a visit; nothing where the page does not exist. */
type Route = (visit: Visit) => Answer | undefined;

/** All paths of the shop; `:name` stands for one segment. */
const ROUTES: readonly (readonly [path: string, route: Route])[] = [
  ['/', home],
  ['/books', shelf],
  ['/books/:slug', book],
  ['/categories/:slug', category],
  ['/specials', specials],
  ['/offer', offer],
  ['/blog', blog],
  ['/blog/:slug', article],
  ['/search', search],
  ['/api/search.json', searchData],
  ['/cart', cart],
  ['/covers/:file', cover],
  ['/api/specials.json', specialsData],
  ['/robots.txt', robots],
  ['/sitemap.xml', sitemapIndex],
  ['/sitemaps/:file', sitemap],
];

/** Returns the page of a request, or the page for missing pages. */
export function answerTo(request: Omit<Visit, 'params'>): Answer {
  for (const [path, route] of ROUTES) {
    const params = matchPath(path, request.url.pathname);
    const answer = params && route({ ...request, params });
    if (answer) return answer;
  }
  return missing({ ...request, params: {} });
}

function matchPath(path: string, pathname: string): Record<string, string> | undefined {
  const names = path.split('/');
  const segments = pathname.split('/');
  if (names.length !== segments.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, name] of names.entries()) {
    const segment = segments[index] ?? '';
    if (name.startsWith(':')) params[name.slice(1)] = decode(segment);
    else if (name !== segment) return undefined;
  }
  return params;
}

/** Decodes a segment; one with broken escapes stays as it is. */
function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
