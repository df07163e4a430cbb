import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RANGE_CASES, startRange } from '@gleaner/test-kit';
import { expect, it } from '@jest/globals';
import { runGleaner } from '../stack/test/run-gleaner.ts';
import { HAS_BROWSER } from '../stack/test/test-stack.ts';
import { joinStack } from './join-stack.ts';

/** For a machine that takes ten times as long. */
const WITHIN_MS = 300_000;

interface Row {
  readonly options: { readonly render?: boolean | 'auto' };
  readonly right: boolean;
}

it(
  'answers every page of the range rightly',
  async () => {
    await using bed = await joinStack();
    await using range = await startRange();
    const folder = await mkdtemp(join(tmpdir(), 'gleaner-range-'));
    try {
      const { stdout } = await runGleaner(bed.stack, folder, ['doctor', '--range', range.url, '--json']);
      const rows = JSON.parse(stdout) as Row[];
      expect(rows).toHaveLength(RANGE_CASES.length);
      const wrong = rows.filter(({ right, options }) => !right && (HAS_BROWSER || !options.render));
      expect(wrong).toEqual([]);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
  WITHIN_MS,
);
