import { describe, expect, it } from '@jest/globals';
import { LenientXmlReader } from './lenient-xml-reader.ts';

/** Returns the events of a document in one text: `(name a=b` opens an element and `)` closes it, CDATA stands in brackets. */
function read(xml: string, chunkChars = xml.length || 1): string {
  let seen = '';
  const reader = new LenientXmlReader({
    open: (name, attributes) => {
      seen += `(${name}${Object.entries(attributes).map(([key, value]) => ` ${key}=${value}`)} `;
    },
    close: () => {
      seen += ')';
    },
    text: (text) => {
      seen += text;
    },
    cdata: (text) => {
      seen += `[${text}]`;
    },
    entity: (name) => (name === 'nbsp' ? '\u00a0' : undefined),
  });
  for (let at = 0; at < xml.length; at += chunkChars) reader.write(xml.slice(at, at + chunkChars));
  reader.close();
  return seen.replaceAll('][', '');
}

/** Documents and their events. */
const CASES: readonly (readonly [what: string, xml: string, events: string])[] = [
  [
    'well-formed',
    '<?xml version="1.0"?><!DOCTYPE r><r a="1" b=\'2\'><x/>t<!-- c --></r>',
    '(r a=1, b=2 (x )t)',
  ],
  ['a lone ampersand', '<r>Q & A AT&T &amp; x?a=1&b=2;&lt;&#65;&#x42;</r>', '(r Q & A AT&T & x?a=1&b=2;<AB)'],
  ['an ampersand in an attribute', '<r a="?x=1&y=2"/>', '(r a=?x=1&y=2 )'],
  ['an undefined entity', '<r>&none;&nbsp;</r>', '(r &none;\u00a0)'],
  ['forbidden characters', '<r>a&#0;b&#11;c\u000bd&#xD800;e</r>', '(r abcd\uFFFDe)'],
  ['line breaks of all kinds', '<r>a\r\nb\rc\n</r>', '(r a\nb\nc\n)'],
  ['a less-than sign', '<r>1 < 2, a <b, x<y</r>', '(r 1 < 2, a <b, x<y)'],
  [
    'an element that is not closed',
    '<r><i><t>A<l>u</l></i><i><t>B</t></i></r>',
    '(r (i (t A(l u)))(i (t B)))',
  ],
  ['a closing tag without a start', '<r>a</b>c</r>', '(r ac)'],
  ['tags of different case', '<r><Title>a</title>b</R>', '(r (Title a)b)'],
  ['text behind the root', '<r>a</r>\nPage made in 0.1 s <b>x</b>', '(r a)'],
  ['text before the root', 'Warning: x in y\n<r>a</r>', '(r a)'],
  ['no end', '<r><i>a</i><i>b', '(r (i a)(i b))'],
  ['half a tag at the end', '<r><i>a</i><it', '(r (i a))'],
  ['half a closing tag at the end', '<r><i>a</i', '(r (i a))'],
  [
    'attributes without quotes, value or space',
    '<r a=1 b c="2"d=\'3\' a="4" e=x/>',
    '(r a=1, b=, c=2, d=3, e=x )',
  ],
  ['a quote that is not closed', '<r><i a="x><t>b</t></i></r>', '(r <i a="x>(t b))'],
  ['CDATA with markup', '<r><![CDATA[<p>a &amp; b</p>]]></r>', '(r [<p>a &amp; b</p>])'],
  ['CDATA that is not closed', '<r><![CDATA[<p>a', '(r [<p>a])'],
  ['the end of CDATA in text', '<r>a ]]> b</r>', '(r a ]]> b)'],
  ['a comment with hyphens', '<r><!-- a -- b --->c</r>', '(r c)'],
  ['declarations in wrong places', '<r><?xml version="1.0"?><!DOCTYPE x>a</r>', '(r a)'],
  ['a document type with a subset', '<!DOCTYPE r [<!ENTITY a "x>y">]><r>a</r>', '(r a)'],
  ['nothing', 'just text', ''],
];

describe('LenientXmlReader', () => {
  it.each(CASES)('reads %s', (_what, xml, events) => {
    expect(read(xml)).toBe(events);
  });

  it.each([1, 2, 7])('reads the same in chunks of %d characters', (chunkChars) => {
    for (const [, xml, events] of CASES) {
      if (!xml.includes('\r')) expect(read(xml, chunkChars)).toBe(events);
    }
  });

  it.each([
    ['elements that stay open', '<a>'],
    ['closing tags without a start', '<a></b>'],
    ['closing tags without an end', '</a'],
    ['declarations', '<!a>'],
    ['declarations without an end', '<!a['],
    ['tags in values of tags without an end', '<a b="<a" '],
    ['ampersands', '<a>&&&&'],
    ['comments without an end', '<a><!--'],
    ['quotes without an end', `<a><a b='"`],
  ])('reads hundreds of thousands of %s, in one piece or in chunks', (_what, part) => {
    const text = `<r>${part.repeat(200_000)}`;
    const whole = read(text);
    expect(whole.slice(0, 3)).toBe('(r ');
    expect(read(text, 1024 * 1024) === whole).toBe(true);
  });
});
