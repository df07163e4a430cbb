import { choose, noise } from '../noise/noise.ts';
import { type GraphPage, type SiteGraph, urlOf } from './graph-page.ts';

/** A link between two pages, and its place in the document. */
export interface LinkPlace {
  readonly from: GraphPage;
  readonly to: GraphPage;
  readonly index: number;
}

/** Changes the spelling of a URL, and not the page. */
type Decoration = (path: string, random: number) => string;

const FOR = { decoration: 31, form: 32, detail: 33 };

/** Decorations for all pages. */
const FRAGMENTS: readonly Decoration[] = [
  (path) => path,
  (path) => path,
  (path, random) => `${path}#part-${Math.floor(random * 9)}`,
];

const DECORATIONS: readonly Decoration[] = [
  ...FRAGMENTS,
  (path) => withParameter(path, 'utm_source=graph&utm_campaign=spring'),
  (path, random) => withParameter(path, `gclid=${Math.floor(random * 1e9)}`),
  (path) => `${withParameter(path, 'fbclid=abc')}#top`,
  // Escapes in lower case, and where none are needed.
  (path) => path.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()),
  (path) =>
    path.replace(/(\/)([a-z])([^/]*)$/, (_all, slash, first, rest) => `${slash}%${hex(first)}${rest}`),
  (path, random) => withSession(path, random),
  (path) => path.replace(/\?(group=\d+)&(view=all)/, '?$2&$1'),
  (path) => path.replace('&view=all', '&view=all&view=all'),
];

/** Ways to write the same target. */
type Form = 'absolute' | 'rooted' | 'relative' | 'shouted' | 'padded' | 'without scheme';
const FORMS: readonly Form[] = [
  ...(['absolute', 'rooted', 'rooted', 'relative', 'relative'] as const),
  ...(['shouted', 'padded', 'without scheme'] as const),
];

/** Returns the target of a link as the document spells it: many spellings lead to one page. */
export function spellLink(graph: SiteGraph, { from, to, index }: LinkPlace): string {
  const { seed } = graph;
  const random = (choice: number) => noise(seed, from.id, to.id, index, choice);
  const decoration = choose(decorationsOf(to), random(FOR.decoration));
  const path = decoration(to.path, random(FOR.detail));
  const absolute = urlOf(graph, { host: to.host, path });
  const form = from.host === to.host ? choose(FORMS, random(FOR.form)) : 'absolute';
  if (form === 'rooted') return path;
  if (form === 'relative') return relativePath(from.base ?? from.path, path);
  if (form === 'shouted') return absolute.replace(/^http:\/\/[^/]*/, (origin) => origin.toUpperCase());
  if (form === 'padded') return ` \n${absolute}\t`;
  return form === 'without scheme' ? absolute.replace('http:', '') : absolute;
}

/** Returns the URL of a page as a sitemap or a redirect spells it. */
export function spellAbsolute(graph: SiteGraph, page: GraphPage, place: number): string {
  const random = (choice: number) => noise(graph.seed, page.id, place, choice);
  const decoration = choose(decorationsOf(page), random(FOR.decoration));
  return urlOf(graph, { host: page.host, path: decoration(page.path, random(FOR.detail)) });
}

/** Rules of robots.txt that end in `$` or contain `?` hold for one spelling only, so such pages have no other. */
function decorationsOf({ area }: GraphPage): readonly Decoration[] {
  return area === 'drafts' || area === 'prints' ? FRAGMENTS : DECORATIONS;
}

function withParameter(path: string, parameter: string): string {
  return path + (path.includes('?') ? '&' : '?') + parameter;
}

function withSession(path: string, random: number): string {
  const [before = '', query] = path.split('?');
  const session = Math.floor(random * 2 ** 32)
    .toString(16)
    .padStart(8, '0')
    .repeat(4);
  return `${before};jsessionid=${session}${query === undefined ? '' : `?${query}`}`;
}

/** Returns a path as it is written in a document at another path. */
function relativePath(from: string, to: string): string {
  const folders = (from.split('?')[0] ?? '').split('/').slice(1, -1);
  const up = '../'.repeat(folders.length);
  return (up === '' ? './' : up) + to.slice(1);
}

function hex(character: string): string {
  return character.charCodeAt(0).toString(16);
}
