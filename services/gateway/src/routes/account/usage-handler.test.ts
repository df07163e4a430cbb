import { describe, expect, it } from '@jest/globals';
import { readPeriod } from './usage-handler.ts';

const NOW = new Date('2026-03-15T22:30:00Z');

describe('readPeriod', () => {
  it.each([
    [{}, '2026-02-14', '2026-03-16'],
    [{ from: '2026-03-15' }, '2026-03-15', '2026-03-16'],
    [{ to: '2026-01-31' }, '2026-01-02', '2026-02-01'],
    [{ from: '2024-02-29', to: '2024-02-29' }, '2024-02-29', '2024-03-01'],
    [{ from: '2025-03-15', to: '2026-03-15' }, '2025-03-15', '2026-03-16'],
  ])('reads %j as %s to the start of %s', (query, from, to) => {
    expect(readPeriod(query, NOW)).toEqual({ from: new Date(from), to: new Date(to) });
  });

  it.each([
    [{ from: '2026-03-16' }, 'must not be after'],
    [{ from: '2025-03-14', to: '2026-03-15' }, 'at most 366 days'],
    [{ to: '9999-12-31' }, 'to must not be after 9999-12-30'],
  ])('refuses %j', (query, message) => {
    expect(() => readPeriod(query, NOW)).toThrow(message);
  });
});
