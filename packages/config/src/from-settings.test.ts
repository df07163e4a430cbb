import { describe, expect, it } from '@jest/globals';
import { fromSettings } from './from-settings.ts';
import { EXIT_CODES } from './startup-error.ts';

describe('fromSettings', () => {
  it('hands on what was made', () => {
    expect(fromSettings(() => 'made')).toBe('made');
  });

  it('ends the start for good, with what was wrong', () => {
    const cause = new Error('EGRESS_ALLOW has an entry that is not understood: "#".');
    const make = () =>
      fromSettings(() => {
        throw cause;
      });
    expect(make).toThrow(
      expect.objectContaining({
        name: 'StartupError',
        message: cause.message,
        suggestion: expect.stringContaining('settings'),
        exitCode: EXIT_CODES.misconfigured,
        cause,
      }),
    );
  });
});
