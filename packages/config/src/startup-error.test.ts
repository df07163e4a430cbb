import { describe, expect, it } from '@jest/globals';
import { EXIT_CODES, fromSettings } from './startup-error.ts';

describe('fromSettings', () => {
  it('returns the value', () => {
    expect(fromSettings(() => 'built')).toBe('built');
  });

  it('turns an error into a StartupError with the exit code for a wrong configuration', () => {
    const cause = new Error('EGRESS_ALLOW has an invalid entry: "#".');
    const build = () =>
      fromSettings(() => {
        throw cause;
      });
    expect(build).toThrow(
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
