import type { MappedUrl } from '@gleaner/contracts';

/** Most words of a search. */
const MAX_WORDS = 20;

/** Points for a word, by where it stands. */
const POINTS = { textWord: 4, lastSegment: 3, text: 2, url: 1 } as const;

/**
 * Returns the URLs that have a word of the search in the URL or in the text of their link: those with the most of its words first, then
 * those that have them as words of the text or at the end of the path, and otherwise in their order.
 */
export function searchUrls(urls: readonly MappedUrl[], search: string): readonly MappedUrl[] {
  const words = [...new Set(plain(search).split(/\s+/))].filter((word) => word !== '').slice(0, MAX_WORDS);
  const scored = urls.flatMap((each) => {
    const points = pointsOf(each, words);
    const matched = points.filter((point) => point > 0).length;
    return matched > 0 ? [{ each, matched, total: points.reduce((sum, point) => sum + point, 0) }] : [];
  });
  const ranked = scored.toSorted((one, other) => other.matched - one.matched || other.total - one.total);
  return ranked.map(({ each }) => each);
}

function pointsOf({ url, text = '' }: MappedUrl, words: readonly string[]): readonly number[] {
  const [shown, address] = [plain(text), plain(decoded(url))];
  const spaced = ` ${shown.replace(/[^\p{L}\p{N}]+/gu, ' ')} `;
  const last = address.slice(address.replace(/\/$/, '').lastIndexOf('/') + 1);
  return words.map((word) => {
    if (spaced.includes(` ${word} `)) return POINTS.textWord;
    if (last.includes(word)) return POINTS.lastSegment;
    if (shown.includes(word)) return POINTS.text;
    return address.includes(word) ? POINTS.url : 0;
  });
}

/** Returns a text without case and without accents. */
function plain(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{Mn}/gu, '')
    .toLowerCase();
}

/** Returns path and query with the characters that they encode; the scheme and `www` match no word. */
function decoded(url: string): string {
  const bare = url.replace(/^https?:\/\/(?:www\.)?/, '');
  try {
    return decodeURIComponent(bare);
  } catch {
    return bare;
  }
}
