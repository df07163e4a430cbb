import { describe, expect, it } from '@jest/globals';
import { RE2JS } from 're2js';
import { estimateSize } from './estimate-size.ts';

describe('estimateSize', () => {
  it.each([
    ['abc', 3],
    ['a{10}', 10],
    ['(?:ab){10}', 50],
    ['((a{10}){10}){10}', 1110],
    ['[a-z\\]{9}]{3}', 4],
    ['[]a]{5}', 5],
    ['[[:alpha:]]{4}', 5],
    ['\\p{Greek}{7}', 12],
    ['\\pL', 26],
    ['[\\pL]', 151],
    ['[\\p{L}\\pN\\PS]', 212],
    ['[\\pL]{100}', 250],
    ['(?i)[a-z]', 4],
    ['[a-\\x{ffff}]', 2],
    ['(?i)[a-\\x{ffff}]', 659],
    ['(?i:[Ā-\uffff])', 658],
    ['\\Q{9}\\E', 7],
    ['a{2,5}', 5],
    ['a{,5}', 5],
    ['a\\{5}', 4],
    ['[[[[', 1],
    [')))', 3],
    ['', 0],
  ])('takes %j for the work of %i instructions', (pattern, size) => {
    expect(estimateSize(pattern)).toBe(size);
  });

  it.each([
    '[\\pL\\pN\\pS\\pM]',
    '[\\p{Assigned}]',
    '\\PL',
    '[^\\p{Common}\\D]',
    '[a-\\x{ffff}]',
    '[Ā-\uffff!-a]',
    '(?:abc|abd)',
    '(?:a?){9}',
  ])('counts the time of compiling %s', (part) => {
    const pattern = `(?i)${part.repeat(1000 / part.length)}`;
    const before = process.cpuUsage();
    RE2JS.compile(pattern);
    const { user } = process.cpuUsage(before);
    // Some 3 µs on a quiet machine.
    expect(user / estimateSize(pattern)).toBeLessThan(150);
  });
});
