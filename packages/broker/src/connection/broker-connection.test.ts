import { Writable } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { coalesceWrites } from './broker-connection.ts';

function recordWrites() {
  const writes: string[] = [];
  const record = (chunks: { chunk: Buffer }[]) =>
    writes.push(chunks.map(({ chunk }) => String(chunk)).join('+'));
  const stream = new Writable({
    write(chunk, _encoding, done) {
      record([{ chunk }]);
      done();
    },
    writev(chunks, done) {
      record(chunks);
      done();
    },
  });
  coalesceWrites(stream);
  return { stream, writes };
}

describe('coalesceWrites', () => {
  it('sends the writes of one turn together and those of the next turn apart', async () => {
    const { stream, writes } = recordWrites();
    stream.write('a');
    stream.write('b');
    await new Promise((resolve) => setImmediate(resolve));
    stream.write('c');
    await new Promise((resolve) => setImmediate(resolve));
    expect(writes).toEqual(['a+b', 'c']);
  });

  it('sends everything that was written before the end', async () => {
    const { stream, writes } = recordWrites();
    stream.write('a');
    await new Promise<void>((resolve) => stream.end('b', () => resolve()));
    expect(writes.join('+')).toBe('a+b');
  });
});
