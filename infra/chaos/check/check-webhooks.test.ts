import { describe, expect, it } from '@jest/globals';
import type { EventBody } from '../receiver.ts';
import { listFindings, noFindings } from '../report.ts';
import { checkBatches, hasAllBatches } from './check-webhooks.ts';

function batch(id: string, number: number, urls: readonly string[], isLastPart = true): EventBody {
  const results = urls.map((url) => ({ url }));
  return {
    id,
    type: 'job.pages',
    data: { job: { results } as never, batch: { number, part: 1, isLastPart } },
  };
}

const final = (batches: number): EventBody => ({
  id: 'evt_final',
  type: 'job.completed',
  data: { job: { results: [] } as never, batches },
});

function findingsOf(urls: readonly string[], events: readonly EventBody[]): string[] {
  const findings = noFindings();
  checkBatches({ name: 'job', urls }, events, findings);
  return listFindings(findings);
}

describe('the check of batches', () => {
  it('accepts batches that came twice under one id', () => {
    const events = [
      batch('a', 1, ['u1', 'u2']),
      batch('a', 1, ['u1', 'u2']),
      batch('b', 2, ['u3']),
      final(2),
    ];
    expect(findingsOf(['u1', 'u2', 'u3'], events)).toEqual([]);
    expect(hasAllBatches(events)).toBe(true);
  });

  it.each([
    ['a result in no batch', ['u1', 'u2'], [batch('a', 1, ['u1']), final(1)]],
    ['a result in two batches', ['u1'], [batch('a', 1, ['u1']), batch('b', 2, ['u1']), final(2)]],
    ['one batch under two ids', ['u1', 'u2'], [batch('a', 1, ['u1']), batch('b', 1, ['u2']), final(1)]],
    ['a gap', ['u1', 'u2'], [batch('a', 1, ['u1']), batch('b', 3, ['u2']), final(2)]],
    ['a number that is not the told one', ['u1'], [batch('a', 1, ['u1']), final(2)]],
    ['a part without its last one', ['u1'], [batch('a', 1, ['u1'], false), final(1)]],
    ['a result of another job', ['u1'], [batch('a', 1, ['u1', 'u9']), final(1)]],
  ])('finds %s', (_what, urls, events) => {
    expect(findingsOf(urls, events)).not.toEqual([]);
  });

  it('waits for batches that are told and have not come', () => {
    expect(hasAllBatches([batch('a', 1, ['u1']), final(2)])).toBe(false);
    expect(hasAllBatches([batch('a', 1, ['u1'])])).toBe(false);
  });
});
