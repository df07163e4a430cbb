import { describe, expect, it } from '@jest/globals';
import { checkTiming } from './check-timing.ts';

describe('checkTiming', () => {
  it('returns the zone as IANA spells it', () => {
    expect(checkTiming({ cron: '0 9 * * *', timezone: 'europe/berlin' })).toEqual({
      cron: '0 9 * * *',
      timezone: 'Europe/Berlin',
    });
  });

  it('reports the errors of both settings together', () => {
    expect(() => checkTiming({ cron: '61 * * * *', timezone: 'Nowhere' })).toThrow(
      expect.objectContaining({
        code: 'INVALID_REQUEST',
        details: [expect.objectContaining({ path: 'cron' }), expect.objectContaining({ path: 'timezone' })],
      }),
    );
  });

  it('rejects an expression that node-cron does not read', () => {
    const rejectsNames = (expression: string) => !/[a-z]/.test(expression);
    expect(() => checkTiming({ cron: '0 9 * * mon', timezone: 'UTC' }, rejectsNames)).toThrow(
      expect.objectContaining({
        code: 'INVALID_REQUEST',
        details: [expect.objectContaining({ path: 'cron' })],
      }),
    );
    expect(() => checkTiming({ cron: '0 9 * * 1', timezone: 'UTC' }, rejectsNames)).not.toThrow();
  });
});
