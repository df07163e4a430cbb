/** A page that takes long to work on, of about so many characters. */
export type HostilePage = (characters: number) => string;

const SHELL = '<!doctype html><title>Page</title><script src="/a.js"></script>';

/** Repeats a part up to the size, with its number where `#` stands. */
const filled =
  (part: string, { before = SHELL, after = '' } = {}): HostilePage =>
  (characters) => {
    const count = Math.max(1, Math.floor((characters - before.length - after.length) / part.length));
    const parts = part.includes('#')
      ? Array.from({ length: count }, (_, index) => part.replaceAll('#', `${index}`)).join('')
      : part.repeat(count);
    return before + parts + after;
  };

/** Pages of one shape each: repetition of what begins and does not end, depth, width, length, and many matches. */
export const HOSTILE_PAGES: Readonly<Record<string, HostilePage>> = {
  'tags that begin': filled('<noscript '),
  'demands that begin': filled('<noscript>java'),
  'comments that begin': filled('<!-'),
  'raw texts that begin': filled('<script><!--<script '),
  'ends without a beginning': filled('</p></b></x>'),
  'attributes that begin': filled('<a href="'),
  'templates in templates': filled('<template>'),
  'nested elements': filled('<div class="a">'),
  'nested formatting': filled('<b><i><a href=#>'),
  'nested tables': filled('<table><tr><td>'),
  'nested lists': filled('<ul><li>a'),
  'many elements': filled('<p>a'),
  'many links': filled('<a href="/page/#?a=#">Page #</a> '),
  'many ids and classes': filled('<p id="a#" class="b# c# d">e</p>'),
  'many attributes': filled('a#="b" ', { before: `${SHELL}<p `, after: '>text' }),
  'many classes': filled('c# ', { before: `${SHELL}<p class="`, after: '">text' }),
  'many metas': filled('<meta name="m#" content="c#"><meta property="og:p#" content="c">'),
  'many headings': filled('<h2 id=h#>404 not found - log in # | </h2>'),
  'many forms': filled('<form action="/login"><input type=password name=p#><input type=email></form>'),
  'many images': filled('<img src="/i#.png" srcset="/i#.png 1x, /j#.png 2x" alt="a">'),
  'many rows': filled('<tr><td>#<td rowspan=9>b<td colspan=9>c', { before: `${SHELL}<table>` }),
  'many records': filled('<li itemscope><b itemprop="name">#</b><time datetime="2026-01-01">1,5 €</time>'),
  'many entities': filled('&amp;&#38;&notit;&'),
  'many refreshes': filled('<meta http-equiv="refresh" content="   0;url=/'),
  'one long text': filled('Words, 1.234,56 € and a \u00e9\u0301 \u{1F600}. '),
  'one long word': filled('a'),
  'one long title': filled('404 - log in | ', { before: '<title>' }),
  'one long attribute': filled(', /i.png 1x', { before: `${SHELL}<img srcset="/i.png`, after: '">' }),
  'spaces alone': filled(' \t\n'),
  'line ends alone': filled('\r\n', { before: `${SHELL}<pre>` }),
  'a long script': filled('{"a":[', { before: `${SHELL}<script type="application/ld+json">` }),
  'many JSON-LD': filled('<script type="application/ld+json">{"@id":"#","@type":"Article"}</script>'),
  'nested JSON': filled('[', { before: '' }),
  'wide JSON': filled('{"id":#,"a":null},', { before: '[', after: '0]' }),
  'a long JSON text': filled('\\u0041\\n', { before: '{"a":"', after: '"}' }),
  'nested XML': filled('<a:b xmlns:a="#">', { before: '<?xml version="1.0"?>' }),
  'a feed of many items': filled('<item><title>#</title><link>https://e.example/#</link></item>', {
    before: '<rss><channel>',
  }),
};

/** Returns the media type that a page of this shape is sent as. */
export function typeOfHostile(shape: string): string {
  if (shape.includes('JSON') && !shape.includes('JSON-LD')) return 'application/json';
  return shape.includes('XML') || shape.includes('feed') ? 'application/xml' : 'text/html; charset=utf-8';
}
