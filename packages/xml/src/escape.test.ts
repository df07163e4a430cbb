import { expect, it } from '@jest/globals';
import { escapeAttribute, escapeText, replaceForbidden } from './escape.ts';

it('escapes what would be read as markup', () => {
  expect(escapeText('a < b & "c" > d\n')).toBe('a &lt; b &amp; "c" &gt; d\n');
  expect(escapeAttribute('<"&">\t\n\r')).toBe('&lt;&quot;&amp;&quot;&gt;&#9;&#10;&#13;');
});

it('replaces what XML does not have', () => {
  expect(replaceForbidden('a\0b\u001bc\ud800d\uffffe')).toBe('a\ufffdb\ufffdc\ufffdd\ufffde');
  expect(replaceForbidden('\t\n\r é 😀')).toBe('\t\n\r é 😀');
});
