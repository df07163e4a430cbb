import { describe, expect, it } from '@jest/globals';
import { JournalBuffer, type JournalledChange, readJournal } from './journal-buffer.ts';
import { PART_BYTES } from './journal-files.ts';

const put = (key: string, value: string): JournalledChange => ({
  table: 1,
  key: Buffer.from(key),
  value: Buffer.from(value),
});
const remove = (key: string): JournalledChange => ({ table: 2, key: Buffer.from(key), value: undefined });

function record(buffer: JournalBuffer, changes: readonly JournalledChange[]): void {
  buffer.begin();
  for (const change of changes) buffer.add(change);
  buffer.commit();
}

const MARK = 0xdeadbeef;

function taken(buffer: JournalBuffer): JournalledChange[][] {
  return [...readJournal({ bytes: buffer.take({ mark: MARK }), mark: MARK })];
}

describe('JournalBuffer', () => {
  it('gives transactions back as they were, large and empty values too', () => {
    const buffer = new JournalBuffer();
    const transactions = [[put('a', 'x'.repeat(100_000)), remove('b')], [put('', '')]];
    for (const changes of transactions) record(buffer, changes);
    expect(taken(buffer)).toEqual(transactions);
    expect(buffer.take({ mark: MARK })).toHaveLength(0);
  });

  it('leaves out transactions that failed or changed nothing', () => {
    const buffer = new JournalBuffer();
    record(buffer, [put('a', '1')]);
    buffer.begin();
    buffer.add(put('b', '2'));
    buffer.abort();
    record(buffer, []);
    record(buffer, [put('c', '3')]);
    expect(taken(buffer)).toEqual([[put('a', '1')], [put('c', '3')]]);
  });

  it('copies what it is given', () => {
    const buffer = new JournalBuffer();
    const change = put('key', 'value');
    record(buffer, [change]);
    change.key.fill(0);
    change.value?.fill(0);
    expect(taken(buffer)).toEqual([[put('key', 'value')]]);
  });

  it('refuses a transaction inside another', () => {
    const buffer = new JournalBuffer();
    buffer.begin();
    expect(() => buffer.begin()).toThrow('already');
  });
});

describe('readJournal', () => {
  it('tells of a file that has lost its end, and of one that is damaged in the middle', () => {
    const buffer = new JournalBuffer();
    for (const key of ['a', 'b', 'c']) record(buffer, [put(key, '1')]);
    const transactions = buffer.take({ mark: MARK });
    const file = Buffer.concat([transactions, Buffer.alloc(PART_BYTES)]);
    const read = (bytes: Buffer) => {
      const reading = readJournal({ bytes, mark: MARK });
      for (let count = 0; ; count += 1) {
        const { done, value } = reading.next();
        if (done) return { count, value };
      }
    };
    expect(read(file)).toEqual({ count: 3, value: 'end' });
    expect(read(file.subarray(0, transactions.length - 1))).toEqual({ count: 2, value: 'cut' });
    const each = transactions.length / 3;
    const damaged = Buffer.from(file);
    damaged.writeUInt8(0xff, each + 10);
    expect(read(damaged)).toEqual({ count: 1, value: 'cut' });
    // What the disk space held before does not count.
    const reused = Buffer.concat([transactions, Buffer.alloc(PART_BYTES, 0x07)]);
    expect(read(reused)).toEqual({ count: 3, value: 'end' });
  });

  it('ends at the first transaction that was cut off, at whatever byte, or damaged', () => {
    const buffer = new JournalBuffer();
    record(buffer, [put('a', '1'), remove('b')]);
    const first = buffer.take({ mark: MARK });
    record(buffer, [put('c', '3')]);
    const both = Buffer.concat([first, buffer.take({ mark: MARK })]);
    for (let length = first.length; length < both.length; length++) {
      expect([...readJournal({ bytes: both.subarray(0, length), mark: MARK })]).toHaveLength(1);
    }
    both[both.length - 1] = 0;
    expect([...readJournal({ bytes: both, mark: MARK })]).toHaveLength(1);
  });

  it('ends at a whole transaction of another file', () => {
    const buffer = new JournalBuffer();
    record(buffer, [put('a', '1')]);
    record(buffer, [put('b', '2')]);
    const ours = buffer.take({ mark: MARK });
    record(buffer, [put('c', '3')]);
    const bytes = Buffer.concat([ours, buffer.take({ mark: MARK + 1 })]);
    expect([...readJournal({ bytes, mark: MARK })]).toHaveLength(2);
    expect([...readJournal({ bytes, mark: MARK + 1 })]).toEqual([]);
  });
});
