import { describe, expect, it } from '@jest/globals';
import { findKeyProblem } from './check-sink.ts';

describe('the key of a sink', () => {
  it.each(['{job}', 'a/{job}', 'a/date={date}/{job}', '{schedule}.{job}', '..a/{job}'])(
    'may be %s',
    (key) => {
      expect(findKeyProblem(key)).toBeUndefined();
    },
  );

  it.each([
    ['a', 'needs {job}'],
    ['a/{date}', 'needs {job}'],
    ['{jobs}', 'has no {jobs}; did you mean {job}? There are: {schedule}, {date}, {job}'],
    ['{}/{job}', 'has no {}. There are: '],
    ['{{job}}', 'may have letters'],
    ['{job', 'may have letters'],
    ['a b/{job}', 'may have letters'],
    ['ä/{job}', 'may have letters'],
    ['a\\{job}', 'may have letters'],
    ['%2e%2e/{job}', 'may have letters'],
    ['../{job}', 'cannot have "." or ".."'],
    ['a/../{job}', 'cannot have "." or ".."'],
    ['./{job}', 'cannot have "." or ".."'],
    ['a//{job}', 'has an empty part'],
    ['/{job}', 'has an empty part'],
    ['{job}/', 'has an empty part'],
  ])('cannot be %s', (key, problem) => {
    expect(findKeyProblem(key)).toEqual(expect.stringContaining(problem));
  });
});
