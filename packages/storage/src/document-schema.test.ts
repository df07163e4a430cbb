import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';

const DECISION = join(import.meta.dirname, '../../../docs/decisions/mongoose.md');

it('uses the driver only on the collections that the decision about mongoose lists', async () => {
  const used = new Set<string>();
  for await (const file of glob('**/*.ts', { cwd: import.meta.dirname })) {
    const source = await readFile(join(import.meta.dirname, file), 'utf8');
    for (const [, name = ''] of source.matchAll(/\bdriverCollection\((?:[\w.]+\.)?(\w+)\)/g)) used.add(name);
  }
  const rows = (await readFile(DECISION, 'utf8')).matchAll(/^\| (`[\w`, ]+`) \|/gm);
  const listed = Array.from(rows, ([, names = '']) => names.replaceAll('`', '').split(', ')).flat();
  const inCode = listed.map((name) => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()));
  expect([...used].toSorted()).toEqual(inCode.toSorted());
});
