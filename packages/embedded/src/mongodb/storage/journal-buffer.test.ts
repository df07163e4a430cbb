import { describe, expect, it } from '@jest/globals';
import { JournalBuffer, type JournalledChange, readJournal } from './journal-buffer.ts';

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

describe('JournalBuffer', () => {
  it('gives transactions back as they were, large and empty values too', () => {
    const buffer = new JournalBuffer();
    const transactions = [[put('a', 'x'.repeat(100_000)), remove('b')], [put('', '')]];
    for (const changes of transactions) record(buffer, changes);
    expect([...readJournal(buffer.take())]).toEqual(transactions);
    expect(buffer.take()).toHaveLength(0);
  });

  it('leaves out transactions that failed or changed nothing', () => {
    const buffer = new JournalBuffer();
    record(buffer, [put('a', '1')]);
    buffer.begin();
    buffer.add(put('b', '2'));
    buffer.abort();
    record(buffer, []);
    record(buffer, [put('c', '3')]);
    expect([...readJournal(buffer.take())]).toEqual([[put('a', '1')], [put('c', '3')]]);
  });

  it('copies what it is given', () => {
    const buffer = new JournalBuffer();
    const change = put('key', 'value');
    record(buffer, [change]);
    change.key.fill(0);
    change.value?.fill(0);
    expect([...readJournal(buffer.take())]).toEqual([[put('key', 'value')]]);
  });

  it('refuses a transaction inside another', () => {
    const buffer = new JournalBuffer();
    buffer.begin();
    expect(() => buffer.begin()).toThrow('already');
  });
});

describe('readJournal', () => {
  it('ends at the first transaction that was cut off, at whatever byte, or damaged', () => {
    const buffer = new JournalBuffer();
    record(buffer, [put('a', '1'), remove('b')]);
    const first = buffer.take();
    record(buffer, [put('c', '3')]);
    const both = Buffer.concat([first, buffer.take()]);
    for (let length = first.length; length < both.length; length++) {
      expect([...readJournal(both.subarray(0, length))]).toHaveLength(1);
    }
    both[both.length - 1] = 0;
    expect([...readJournal(both)]).toHaveLength(1);
  });
});
