import { describe, expect, it } from '@jest/globals';
import { parseCron } from './parse-cron.ts';

const all = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, i) => first + i);

describe('parseCron', () => {
  it.each([
    ['* * * * *', all(0, 59), all(0, 23), all(1, 31), all(1, 12), all(0, 6)],
    ['0 9 * * 1-5', [0], [9], all(1, 31), all(1, 12), [1, 2, 3, 4, 5]],
    ['*/15 * * * *', [0, 15, 30, 45], all(0, 23), all(1, 31), all(1, 12), all(0, 6)],
    ['0 8,12,18 * * *', [0], [8, 12, 18], all(1, 31), all(1, 12), all(0, 6)],
    ['10-30/10,5 */8 */10 */5 */3', [5, 10, 20, 30], [0, 8, 16], [1, 11, 21, 31], [1, 6, 11], [0, 3, 6]],
    ['0 0 1 jan-MAR,Dec *', [0], [0], [1], [1, 2, 3, 12], all(0, 6)],
    ['0 0 * * sun', [0], [0], all(1, 31), all(1, 12), [0]],
    ['0 0 * * SAT-SUN', [0], [0], all(1, 31), all(1, 12), [0, 6]],
    ['0 0 * * sun-tue', [0], [0], all(1, 31), all(1, 12), [0, 1, 2]],
    ['0 0 * * 0', [0], [0], all(1, 31), all(1, 12), [0]],
    ['0 0 * * 7', [0], [0], all(1, 31), all(1, 12), [0]],
    ['0 0 * * 5-7', [0], [0], all(1, 31), all(1, 12), [0, 5, 6]],
    ['0 0 * * 0-7', [0], [0], all(1, 31), all(1, 12), all(0, 6)],
    ['00 07 01 * *', [0], [7], [1], all(1, 12), all(0, 6)],
    ['\t0  9 *   * *  ', [0], [9], all(1, 31), all(1, 12), all(0, 6)],
    ['0 0 29 2 *', [0], [0], [29], [2], all(0, 6)],
    ['0 0 30 2 1', [0], [0], [30], [2], [1]],
  ])('reads "%s"', (expression, minutes, hours, daysOfMonth, months, daysOfWeek) => {
    const cron = parseCron(expression);
    expect(cron.minutes.values).toEqual(minutes);
    expect(cron.hours.values).toEqual(hours);
    expect(cron.daysOfMonth.values).toEqual(daysOfMonth);
    expect(cron.months.values).toEqual(months);
    expect(cron.daysOfWeek.values).toEqual(daysOfWeek);
  });

  it.each([
    ['', 'is empty; it takes five fields', 'five fields'],
    ['   ', 'is empty', 'five fields'],
    ['* * * *', 'has 4 fields', 'five fields'],
    ['0 0 9 * * 1-5', 'has 6 fields', 'Leave out the seconds or the year'],
    ['@daily', 'shorthand @daily', '0 0 * * *'],
    ['61 * * * *', '"61" in its minute field, which takes 0 to 59', '0 to 59'],
    ['60 * * * *', '"60" in its minute field', '0 to 59'],
    ['-1 * * * *', '"-1" in its minute field', 'Use *'],
    ['0 24 * * *', '"24" in its hour field, which takes 0 to 23', '0 to 23'],
    ['0 0 0 * *', '"0" in its day of the month field, which takes 1 to 31', '1 to 31'],
    ['0 0 * 13 *', '"13" in its month field, which takes 1 to 12 or jan to dec', '1 to 12'],
    ['0 0 * * 8', '"8" in its day of the week field, which takes 0 to 7 or sun to sat', '0 to 7'],
    ['0 0 * * monday', '"monday" in its day of the week field', 'sun to sat'],
    ['mon * * * *', '"mon" in its minute field', '0 to 59'],
    ['*/0 * * * *', 'the step 0 in its minute field, which takes steps from 1 to 60', '*/5'],
    ['*/61 * * * *', 'the step 61 in its minute field', '1 to 60'],
    ['5/15 * * * *', 'a step after a single value', '5-59/15'],
    ['30-10 * * * *', 'ends before it begins in its minute field, "30-10"', '30-59,0-10'],
    ['0 0 * * fri-mon', 'ends before it begins', 'fri-6,0-mon'],
    ['1,,2 * * * *', 'an empty place in the list of its minute field', 'comma'],
    ['1, 2 * * * *', 'has 6 fields', 'whole minutes'],
    ['0 0 L * *', '"L" in its day of the month field', 'L, W and #'],
    ['0 0 ? * *', '"?" in its day of the month field', 'L, W and #'],
    ['0 0 * * 5#2', '"5#2" in its day of the week field', 'L, W and #'],
    ['1.5 * * * *', '"1.5" in its minute field', 'Use *'],
    ['+5 * * * *', '"+5" in its minute field', 'Use *'],
    ['٣ * * * *', '"٣" in its minute field', 'Use *'],
    ['1e1 * * * *', '"1e1" in its minute field', '0 to 59'],
    ['**/2 * * * *', '"**/2" in its minute field', 'Use *'],
    ['0 0 30 2 *', 'never fires: no month of "2" has a day "30"', '29 February'],
    ['0 0 31 2,4,jun,9,11 *', 'never fires', 'days that the months have'],
    ['0 0 30 feb */1', 'never fires', 'days that the months have'],
  ])('rejects "%s" and says that it %s', (expression, message, suggestion) => {
    const error = catchFrom(() => parseCron(expression));
    expect(error).toMatchObject({
      code: 'INVALID_REQUEST',
      message: expect.stringContaining(message),
      suggestion: expect.stringContaining(suggestion),
      details: [
        {
          path: 'cron',
          message: expect.stringMatching(
            new RegExp(`${RegExp.escape(message)}.*${RegExp.escape(suggestion)}`),
          ),
        },
      ],
    });
  });

  it('rejects a very long expression with a short message', () => {
    const error = catchFrom(() => parseCron(`${'9'.repeat(100_000)} * * * *`));
    expect(error.message.length).toBeLessThan(200);
  });
});

function catchFrom(work: () => unknown): Error {
  try {
    work();
  } catch (error) {
    if (error instanceof Error) return error;
  }
  throw new Error('Nothing was thrown.');
}
