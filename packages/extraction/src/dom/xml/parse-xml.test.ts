import { describe, expect, it } from '@jest/globals';
import { Budget } from '../../budget.ts';
import { textOf } from '../../read/text-of.ts';
import { Namespace } from '../node.ts';
import { type ParsedDocument, parseDocument } from '../parse-document.ts';

const read = (xml: string, budget = new Budget()): ParsedDocument =>
  parseDocument(xml, { kind: 'xml', budget });
const textOfAll = (xml: string): string => textOf(read(xml).root, new Budget());
const errorOf = (xml: string): string | null => read(xml).xmlError;

describe('parseXml', () => {
  it('keeps names as written, with their namespaces', () => {
    const { elements, isXml } = read(
      '<r xmlns="u:r" xmlns:a="u:a"><a:pubDate b="1" a:c="2"/><x xmlns=""/></r>',
    );
    expect(isXml).toBe(true);
    expect(elements.map(({ name, namespace, value }) => [name, namespace, value])).toEqual([
      ['r', 'u:r', ''],
      ['pubDate', 'u:a', 'a'],
      ['x', '', ''],
    ]);
    expect(elements[1]?.attributes).toEqual([
      { name: 'b', value: '1' },
      { name: 'c', value: '2', prefix: 'a', namespace: 'u:a' },
    ]);
  });

  it('keeps CDATA, and template contents outside of the document', () => {
    expect(textOfAll('<r>a<![CDATA[<b>&amp;]]></r>')).toBe('a<b>&amp;');
    const { elements } = read(`<html xmlns="${Namespace.html}"><template><p/></template><h1/><p/></html>`);
    expect(elements.map(({ name }) => name)).toEqual(['html', 'template', 'h1', 'p']);
  });

  it('expands declared entities and those of HTML, but not external ones', () => {
    const declared = '<!ENTITY a "A &#38;amp; &b;"><!ENTITY b \'B\'><!ENTITY b "second">';
    expect(textOfAll(`<!DOCTYPE r [${declared}]><r>&a;&nbsp;&hellip;</r>`)).toBe('A & B …');
    expect(textOfAll('<!DOCTYPE r [<!ENTITY f SYSTEM "file:///etc/passwd">]><r>x&f;y</r>')).toBe('xy');
    expect(textOfAll('<!DOCTYPE r SYSTEM "https://example.org/r.dtd"><r>x&f;y</r>')).toBe('xy');
    expect(errorOf('<r>&f;</r>')).toBe('1:6: undefined entity');
  });

  it.each([
    ['a prefix that is not declared', '<r><a:b c:d="1"/></r>'],
    ['white space before the XML declaration', '\n <?xml version="1.0"?><r/>'],
    ['entities of HTML in a feed', '<rss><title>a&nbsp;b</title></rss>'],
  ])('accepts %s', (_what, xml) => {
    expect(errorOf(xml)).toBeNull();
  });

  it.each([
    ['<r><a></r>', 'unexpected close tag'],
    ['<r>a & b</r>', 'unclosed tag: r'],
    ['<r>a & b &amp; c</r>', 'disallowed character in entity name'],
    ['<!DOCTYPE r SYSTEM "x"><r>a & b &amp; c</r>', 'disallowed character in entity name'],
    ['<r a="1" a="2"/>', 'duplicate attribute: a'],
    [
      '<r xmlns:a="u" xmlns:b="u" a:x="" b:x=""/>',
      'the attribute b:x is given twice, with different prefixes',
    ],
    ['<r/><r/>', 'documents may contain only one root'],
    ['<!DOCTYPE r [<!ENTITY e "<b/>">]><r>&e;</r>', 'the entity "e" contains markup'],
    ['<!DOCTYPE r [<!ENTITY e "&e;">]><r>&e;</r>', 'the entity "e" is nested too deeply'],
    ['<!DOCTYPE r [<!ENTITY e "&#0;">]><r>&e;</r>', '0 is not a valid character'],
    ['', 'document must contain a root element'],
  ])('names the first error of %j, which is not well-formed', (xml, message) => {
    expect(errorOf(xml)).toContain(message);
  });

  it.each([
    ['an ampersand', '<rss><title>Q & A</title><link>/1?a&b;=1</link></rss>', 'Q & A /1?a&b;=1'],
    ['an undefined entity', '<r>a &none; b&nbsp;c &amp; d</r>', 'a &none; b c & d'],
    ['an entity with markup', '<!DOCTYPE r [<!ENTITY e "<b/>"><!ENTITY f "x">]><r>&e;&f;</r>', '&e;x'],
    ['an endless entity', '<!DOCTYPE r [<!ENTITY e "&e;">]><r>&e;x</r>', '&e;x'],
    ['a control character', '<r>a\u000bb&#x0;c</r>', 'abc'],
    ['half of a surrogate pair', '<r>a\ud800b</r>', 'a\uFFFDb'],
    ['text behind it', '<r>a</r>\nmade in 0.1 s', 'a'],
    ['a message of the server before it', '<b>Notice</b>: x<br/>\n<?xml version="1.0"?><r>a</r>', 'a'],
    ['two roots', '<r>a</r><r>b</r>', 'a'],
    ['no end', '<rss><item>a</item><item>b', 'a b'],
    ['a repeated attribute', '<r a="1" a="2" xmlns:x="u" xmlns:y="u" x:c="1" y:c="2">a</r>', 'a'],
  ])('survives %s', (_what, xml, text) => {
    const document = read(xml);
    expect(document.isXml).toBe(true);
    expect(document.xmlError).not.toBeNull();
    expect(textOf(document.root, new Budget())).toBe(text);
  });

  it.each(['<html><p>a & b</html>', '<!DOCTYPE html><x>&</x>', '<div>a<br>b</div>', 'no XML & no HTML', ''])(
    'parses %j, which is a page or has no element, as HTML',
    (text) => {
      const { isXml, elements } = read(text);
      expect(isXml).toBe(false);
      expect(elements[0]?.namespace).toBe(Namespace.html);
    },
  );
});

describe('parseXml of hostile documents', () => {
  it('limits the text of entities', () => {
    const lines = Array.from(
      { length: 9 },
      (_, index) => `<!ENTITY l${index + 1} "${`&l${index};`.repeat(10)}">`,
    );
    const laughs = `<!DOCTYPE r [<!ENTITY l0 "lol">${lines.join('')}]><r>&l9;</r>`;
    expect(errorOf(laughs)).toBe('its entities expand to more than 1000000 characters');
    const blowUp = `<!DOCTYPE r [<!ENTITY a "${'a'.repeat(50_000)}">]><r>${'&a;'.repeat(50_000)}</r>`;
    expect(errorOf(blowUp)).toBe('its entities expand to more than 1000000 characters');
  });

  it('parses 200,000 nested elements, each with its own prefix', () => {
    const names = Array.from({ length: 200_000 }, (_, index) => index);
    const open = names.map((index) => `<p${index}:a xmlns:p${index}="u${index % 7}">`).join('');
    const close = names.map((index) => `</p${index}:a>`).reverse();
    expect(read(`${open}x${close.join('')}`).elements).toHaveLength(200_000);
  });

  it('stops at the budget', () => {
    const elements = `<r>${'<a/>'.repeat(200_000)}</r>`;
    expect(() => read(elements, new Budget({ maxSteps: 1_000_000 }))).toThrow(
      expect.objectContaining({ code: 'UNSUPPORTED_CONTENT' }),
    );
  });

  it.each([
    ['an attribute', (text: string) => `<r a="${text}"/>`],
    ['a text', (text: string) => `<r>${text}</r>`],
    ['a comment', (text: string) => `<r><!--${text}--></r>`],
    ['a CDATA section', (text: string) => `<r><![CDATA[${text}]]></r>`],
    ['an instruction', (text: string) => `<r><?pi ${text}?></r>`],
    ['a document type', (text: string) => `<!DOCTYPE r [<!--${text}-->]><r/>`],
    ['a name', (text: string) => `<r${text}/>`],
  ])('parses %s of megabytes, and names the error of one that is not closed', (_what, make) => {
    const text = 'x'.repeat(900_000);
    expect(read(make(text)).xmlError).toBeNull();
    expect(read(make(text).slice(0, 800_000)).xmlError).not.toBeNull();
  });
});
