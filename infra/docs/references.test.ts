import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { REFERENCES } from './references.ts';

describe('the generated files', () => {
  it.each(REFERENCES.map((reference) => [basename(reference.file), reference] as const))(
    '%s says what the code says (else: npm run docs)',
    async (_name, { file, render }) => {
      expect(await readFile(file, 'utf8')).toBe(await render());
    },
  );
});
