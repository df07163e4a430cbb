import { describe, expect, it } from '@jest/globals';
import { joinAsLines } from './join-texts.ts';

async function* batches(...texts: string[][]) {
  yield* texts;
}

describe('joinAsLines', () => {
  it('writes one line for each result, also of JSON with line breaks between its values', async () => {
    const results = [{ a: 'x\ny' }, { b: [1, 2] }];
    const texts = [JSON.stringify(results[0]), '{\r\n  "b":\r[\n1,\n2]\n}\n'];
    let stream = '';
    for await (const part of joinAsLines(batches(texts))) stream += part;
    const lines = stream.split('\n');
    expect(lines.pop()).toBe('');
    expect(lines.map((line) => JSON.parse(line))).toEqual(results);
  });
});
