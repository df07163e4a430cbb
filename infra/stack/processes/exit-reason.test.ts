import { describe, expect, it } from '@jest/globals';
import { exitReason } from './exit-reason.ts';

const line = (level: string, msg: string) => `${JSON.stringify({ level, err: { stack: 'at x' }, msg })}\n`;

describe('exitReason', () => {
  it('returns the messages that were logged as fatal', () => {
    const output = `${line('info', 'Connected.')}${line('fatal', 'The proxies are bad:\n  us-1 is.')}${line('info', 'Stopped.')}`;
    expect(exitReason(output)).toBe('The proxies are bad:\n  us-1 is.');
  });

  it('returns the end of the output when no complete fatal line is in it', () => {
    const output = `${line('fatal', 'gone').slice(9)}{"level":\nSegmentation fault\n`;
    expect(exitReason(output)).toBe(output.trim());
    expect(exitReason(`${'x'.repeat(9000)}end\n`)).toMatch(/^x{3996}end$/);
  });
});
