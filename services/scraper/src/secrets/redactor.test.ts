import { describe, expect, it } from '@jest/globals';
import { CHARACTERS, ENCODERS, valuesWith } from '../../test/secret-encoders.ts';
import { markupKind, plainKind } from './markup-names.ts';
import { redactJson } from './redact-json.ts';
import { Redactor } from './redactor.ts';

describe('Redactor', () => {
  it.each(Object.keys(ENCODERS))('hides values of any characters in the form: %s', (name) => {
    const encode = ENCODERS[name] ?? String;
    const missed = CHARACTERS.flatMap(valuesWith).filter((value) => {
      const shown = encode(value);
      const redacted = new Redactor([value]).redact(`before: ${shown} :after`);
      const isWhole = redacted.startsWith('before') && redacted.endsWith('after');
      if (shown === '') return false;
      return !isWhole || !redacted.includes('[redacted]') || redacted.includes(shown);
    });
    expect(missed).toEqual([]);
  });

  it.each<[string, string, string]>([
    [
      '1234',
      'PIN 1234, 12345, PIN1234, a%201234, \\n1234, \\u00201234.',
      'PIN [redacted], 12345, PIN[redacted], a%20[redacted], \\n[redacted], \\u0020[redacted].',
    ],
    ['main', 'main, domain, mainly, Main_2', '[redacted], domain, mainly, [redacted]_2'],
    ['a1b2', 'xa1b2x', 'x[redacted]x'],
    ['  padded  secret ', 'is padded secret.', 'is [redacted].'],
    ['a\nb-secret', 'ab-secret a\r\nb-secret', '[redacted] [redacted]'],
    ['hunter22', 'hunter22hunter22', '[redacted][redacted]'],
    ['redacted', 'It is [redacted], not redacted.', 'It is [redacted], not [redacted].'],
  ])('hides %j where it is a word of its own', (value, text, shown) => {
    expect(new Redactor([value]).redact(text)).toBe(shown);
  });

  it('keeps the hosts of the page, and nothing else of them', () => {
    const redactor = new Redactor(['shop'], ['shop.example']);
    expect(redactor.redact('https://Shop.example/shop?shop=https%3A%2F%2Fshop.example')).toBe(
      'https://Shop.example/[redacted]?[redacted]=https%3A%2F%2Fshop.example',
    );
    expect(redactor.redact('https://shop.evil.example')).toBe('https://[redacted].evil.example');
  });

  it('hides several values, and the longer one where both begin', () => {
    expect(new Redactor(['hunter22', 'hunter22-long']).redact('hunter22-long hunter22')).toBe(
      '[redacted] [redacted]',
    );
  });

  it('hides what is left of a value in a text that was cut', () => {
    const redactor = new Redactor(['correct-horse-9']);
    expect(redactor.redact('by div#correct-hors', { isCut: true })).toBe('by div#[redacted]');
    expect(redactor.redact('a correct answer', { isCut: true })).toBe('a correct answer');
  });

  it('hides a long value by its beginning, and goes on linearly with texts that begin like it', async () => {
    const value = `${'a'.repeat(4000)}b`;
    const redactor = new Redactor([value]);
    expect(redactor.redact(`x ${value} y`)).toBe('x [redacted] y');
    expect(redactor.redact(`x ${'a'.repeat(63)} y`)).toBe(`x ${'a'.repeat(63)} y`);
  });

  it('gives turns while it reads a long text', async () => {
    const text = `${'%25'.repeat(60_000)} hunter22 ${'\\'.repeat(60_000)}`;
    let turns = 0;
    const timer = setInterval(() => (turns += 1), 0);
    const shown = await new Redactor(['hunter22', '%25%25%25x']).redactLong(text);
    clearInterval(timer);
    expect(shown).toBe(text.replace('hunter22', '[redacted]'));
    expect(turns).toBeGreaterThan(2);
  });
});

describe('the names in texts', () => {
  const redactor = new Redactor(['main', 'data-id', 'hunter22']);
  const html = (source: string) => redactor.redact(source, markupKind(source));

  it.each<[string, string]>([
    [
      '<main class="main a" data-id="main">main</main>',
      '<main class="main a" data-id="[redacted]">[redacted]</main>',
    ],
    ['<a href="/main" id=main data-id=x main>a</a>', '<a href="/[redacted]" id=main data-id=x main>a</a>'],
    [
      '<!-- main --><p title="a > main">1 < main</p>',
      '<!-- [redacted] --><p title="a > [redacted]">1 < [redacted]</p>',
    ],
    [
      '<script>x = {"main": "main"}; main()</script><main>',
      '<script>x = {"main": "[redacted]"}; [redacted]()</script><main>',
    ],
    [
      '<p data-x="{&quot;main&quot;: &quot;main&quot;}">',
      '<p data-x="{&quot;main&quot;: &quot;[redacted]&quot;}">',
    ],
    ['<p class="hunter22" hunter22>hunter22</p>', '<p class="[redacted]" [redacted]>[redacted]</p>'],
    ['<p unclosed="main', '<p unclosed="[redacted]'],
    ['<', '<'],
  ])('are kept: %s', (source, shown) => {
    expect(html(source)).toBe(shown);
  });

  it('of keys of JSON are kept in texts, also in escaped ones', () => {
    const text = '{"main": 1, "a": "{\\"main_menu\\": \\"main\\"}"}';
    expect(redactor.redact(text, plainKind(text))).toBe(
      '{"main": 1, "a": "{\\"main_menu\\": \\"[redacted]\\"}"}',
    );
  });

  it('leave numbers of scripts valid', () => {
    const source = '<script type="application/ld+json">{"pin": 1234, "b": [1234]}</script><p>(1234)</p>';
    expect(new Redactor(['1234']).redact(source, markupKind(source))).toBe(
      '<script type="application/ld+json">{"pin": "[redacted]", "b": ["[redacted]"]}</script><p>([redacted])</p>',
    );
  });
});

describe('redactJson', () => {
  it.each<[string, string, string]>([
    ['main', '{"main":"main","b":["a main"]}', '{"main":"[redacted]","b":["a [redacted]"]}'],
    ['hunter22', '{"hunter22":{"x":"\\u0068unter22"}}', '{"[redacted]":{"x":"[redacted]"}}'],
    [
      '1234',
      '{"a":1234,"b":-1234.5,"c":12345,"d":true}',
      '{"a":"[redacted]","b":"[redacted]","c":12345,"d":true}',
    ],
    ['n4me-x1y', '{"a":"\\n4me-x1y"}', '{"a":"[redacted]"}'],
    ['\n4me-x1y', '{"a":"b\\n4me-x1y"}', '{"a":"b\\n[redacted]"}'],
    ['true', '{"a":true,"b":"true"}', '{"a":true,"b":"[redacted]"}'],
    ['":{"a', '{"x":{"a":1}}', '{"x":{"a":1}}'],
    ['hunter22', '"hunter22', '"[redacted]"'],
    ['hunter22', 'not JSON: hunter22', 'not JSON: [redacted]'],
    ['hunter22', '', ''],
  ])('hides %j in %s', async (value, json, shown) => {
    expect(await redactJson(json, new Redactor([value]))).toBe(shown);
  });

  it('leaves JSON valid, whatever the value', async () => {
    for (const value of CHARACTERS.flatMap(valuesWith)) {
      const json = JSON.stringify({
        a: `x${value}`,
        [value]: [`${value}y`, JSON.stringify({ value })],
        b: 12,
      });
      const shown = await redactJson(json, new Redactor([value]));
      expect(() => JSON.parse(shown)).not.toThrow();
      // A word may be a key.
      const isWord = /^[a-z]+$/i.test(value);
      const values = isWord ? Object.values(JSON.parse(shown)) : JSON.parse(shown);
      expect(JSON.stringify(values)).not.toContain(JSON.stringify(value).slice(1, -1));
    }
  });
});
