import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import type { Change } from '@gleaner/contracts';
import { createRandom, fuzzSeeds, unpackPython } from '@gleaner/test-kit';
import { describe, expect, it } from '@jest/globals';
import { seedRun } from './support/seed-runs.ts';
import { useSchedules } from './support/use-schedules.ts';

const ROOT = join(import.meta.dirname, '../../..');
const modules = unpackPython(ROOT, ['python3-feedparser', 'python3-sgmllib3k']);
const on = useSchedules();

const PROGRAM = `
import feedparser, json, sys
feed = feedparser.parse(sys.stdin.buffer.read(), sanitize_html=False)
print(json.dumps({
    "bozo": bool(feed.bozo),
    "version": feed.version,
    "title": feed.feed.title,
    "entries": [
        {"id": e.id, "title": e.title, "link": e.get("link"), "content": e.content[0].value, "terms": [t.term for t in e.tags]}
        for e in feed.entries
    ],
}))`;

/** Reads a feed as Debian's feedparser does. */
function readByFeedparser(text: string) {
  const env = { ...process.env, PYTHONPATH: modules, PYTHONIOENCODING: 'utf-8' };
  const json = execFileSync('python3', ['-c', PROGRAM], { input: text, env, encoding: 'utf8' });
  return JSON.parse(json);
}

/** Pieces of which hostile texts are made. */
const PIECES = [
  'a',
  'é',
  '<',
  '>',
  '&',
  '"',
  "'",
  ']]>',
  '<![CDATA[',
  '&amp;',
  '&#0;',
  '</title>',
  '<script>',
  '€',
  '\u{1f600}',
];
/** Feedparser takes white space at the ends, and resolves links, as readers do. */
const escaped = (text: string) =>
  text.replaceAll(
    /[&<>"]/g,
    (mark) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[mark] ?? mark,
  );

describe('the Atom feed of a schedule', () => {
  if (modules === undefined) it.todo('has for feedparser what was told: it needs Debian');
  else
    it.each(fuzzSeeds(5))('has for feedparser what was told and found: seed %d', async (seed) => {
      const random = createRandom(seed);
      const text = () =>
        `x${Array.from({ length: random.between(0, 20) }, () => random.pick(PIECES)).join('')}x`;
      const name = text();
      const scheduleId = await on.create({ name });
      const messages = Array.from({ length: 20 }, () => {
        const title = text();
        return {
          rule: text(),
          title,
          text: title,
          records: [{ record: 'r', url: 'https://a.test/?a=1&b=2', values: [] }],
        };
      });
      const change: Change = {
        url: 'https://a.test/',
        path: 'title',
        kind: 'changed',
        before: 'a',
        after: text(),
      };
      await seedRun(on.bed, { accountId: on.owner.accountId, scheduleId, messages, changes: [change] });
      const { text: atom } = await on.ask(`/v1/schedules/${scheduleId}/feed.atom`);
      const feed = readByFeedparser(atom);
      expect(feed).toMatchObject({ bozo: false, version: 'atom10', title: name });
      expect(feed.entries).toHaveLength(21);
      for (const [index, { rule, title }] of messages.entries()) {
        expect(feed.entries[index]).toMatchObject({
          title,
          link: 'https://a.test/?a=1&b=2',
          content: `<ul><li>${escaped(title)}</li></ul>`,
          terms: ['rules', rule],
        });
      }
      expect(feed.entries[20]).toMatchObject({ title: `title: a → ${change.after}`, terms: ['changes'] });
    });
});
