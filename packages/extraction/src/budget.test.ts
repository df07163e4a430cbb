import { ERROR_TABLE } from '@gleaner/contracts';
import { describe, expect, it } from '@jest/globals';
import { Budget } from './budget.ts';

describe('Budget', () => {
  it('allows exactly its number of steps, then throws an error that is not retryable and reports that it is spent', () => {
    const budget = new Budget({ maxSteps: 3 });
    budget.spend(3);
    expect(budget.isSpent).toBe(false);
    expect(() => budget.spend(1)).toThrow(
      expect.objectContaining({
        code: 'UNSUPPORTED_CONTENT',
        message: expect.stringContaining('more work'),
        suggestion: expect.stringContaining('fewer'),
      }),
    );
    expect(ERROR_TABLE.UNSUPPORTED_CONTENT.isRetryable).toBe(false);
    expect(budget.isSpent).toBe(true);
  });

  it('counts a step for each 8 characters read', () => {
    const budget = new Budget({ maxSteps: 81 });
    budget.spendReading(640);
    expect(() => budget.spendReading(0)).toThrow();
  });

  it('counts output in bytes of UTF-8, apart from steps', () => {
    const budget = new Budget({ maxOutputBytes: 5 });
    budget.spendOutput('é€');
    expect(() => budget.spendOutput('a')).toThrow(expect.objectContaining({ code: 'UNSUPPORTED_CONTENT' }));
    expect(budget.isSpent).toBe(false);
  });
});
