import { createRandom, fuzzSeeds } from '@gleaner/test-kit';
import { describe, expect, it } from '@jest/globals';
import { applyPatch } from 'diff';
import { diffPage } from './diff-page.ts';

/** As long as a busy machine takes: what differs too much is known by its number of lines. */
const MAX_MS = 240_000;
const page = (markdown: unknown) => JSON.stringify({ url: 'https://a.test/', formats: { markdown } });
const diff = (before: unknown, after: unknown) =>
  diffPage(
    {
      url: 'https://a.test/',
      from: page(before),
      to: page(after),
      fromRun: 'job_1 2026-01-01T00:00:00.000Z',
      toRun: 'job_2',
    },
    MAX_MS,
  );
/** Returns the difference of pages that differ. */
function textOf(before: string, after: string) {
  const outcome = diff(before, after);
  if (outcome.kind !== 'differs') throw new Error(outcome.kind);
  return outcome.diff;
}
const lines = (count: number, textAt: (line: number) => string) =>
  Array.from({ length: count }, (_, line) => `${textAt(line)}\n`).join('');

describe('the difference of a page', () => {
  it('is unified text with the names of the runs', () => {
    expect(textOf('# Kettle\n\n30 EUR\n', '# Kettle\n\n18 EUR\nNew\n')).toEqual({
      url: 'https://a.test/',
      added: 2,
      removed: 1,
      text: [
        '--- https://a.test/\tjob_1 2026-01-01T00:00:00.000Z',
        '+++ https://a.test/\tjob_2',
        '@@ -1,3 +1,4 @@',
        ' # Kettle',
        ' ',
        '-30 EUR',
        '+18 EUR',
        '+New',
        '',
      ].join('\n'),
    });
  });

  it('turns one text into the other', () => {
    for (const seed of fuzzSeeds(50)) {
      const random = createRandom(seed);
      const text = () =>
        Array.from({ length: random.between(0, 30) }, () =>
          random.pick(['a', 'b', '\\ c', '-', '+', '@@', '']),
        ).join(random.pick(['\n', '\n\n']));
      const [before, after] = [`${text()}x\n`, `${text()}x\n`];
      if (before === after) continue;
      expect([seed, applyPatch(before, textOf(before, after).text ?? '')]).toEqual([seed, after]);
    }
  });

  it('is nothing between equal texts, and says which text is missing', () => {
    expect(diff('a', 'a')).toEqual({ kind: 'equal' });
    expect(diff('a', 'a\n')).toEqual({ kind: 'equal' });
    expect(textOf('', 'a').text).toContain('+a\n');
    expect(diff('a', undefined)).toEqual({ kind: 'lacks', from: false, to: true });
    expect(diff(null, 5)).toEqual({ kind: 'lacks', from: true, to: true });
    expect(diffPage({ url: '', from: '{"error":{}}', to: page('a'), fromRun: '', toRun: '' })).toEqual({
      kind: 'lacks',
      from: true,
      to: false,
    });
  });

  it('cuts long lines, and leaves later parts out', () => {
    const long = textOf('a\n', `${'\u{1f600}'.repeat(5000)}\n`);
    expect(long.isCut).toBe(true);
    expect(long.text?.length).toBeLessThan(2200);
    expect(long.text?.isWellFormed()).toBe(true);
    const many = textOf(
      lines(20_000, (line) => `${line}${'x'.repeat(500)}`),
      lines(20_000, (line) => `${line}${'x'.repeat(500)}${line % 50 === 0 ? 'y' : ''}`),
    );
    expect(many).toMatchObject({ added: 400, removed: 400, isCut: true });
    expect(many.text?.length).toBeLessThan(140_000);
  });

  it('has no text where too much differs', () => {
    const other = textOf(
      lines(5000, (line) => `a${line}`),
      lines(5000, (line) => `b${line}`),
    );
    expect(other).toEqual({ url: 'https://a.test/', added: 0, removed: 0, text: null });
  });
});
