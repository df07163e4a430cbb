import { describe, expect, it } from '@jest/globals';
import { lastWords } from './last-words.ts';

const line = (level: string, msg: string) => `${JSON.stringify({ level, err: { stack: 'at x' }, msg })}\n`;

describe('lastWords', () => {
  it('are what was logged as fatal, in words', () => {
    const output = `${line('info', 'Connected.')}${line('fatal', 'The proxies are bad:\n  us-1 is.')}${line('info', 'Stopped.')}`;
    expect(lastWords(output)).toBe('The proxies are bad:\n  us-1 is.');
  });

  it('are what was printed last when nothing was logged as fatal, or that line is cut', () => {
    const output = `${line('fatal', 'gone').slice(9)}{"level":\nSegmentation fault\n`;
    expect(lastWords(output)).toBe(output.trim());
    expect(lastWords(`${'x'.repeat(9000)}end\n`)).toMatch(/^x{3996}end$/);
  });
});
