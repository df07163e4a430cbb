/** `npm run docs`: writes the generated pages of `docs/`. */
import { writeFile } from 'node:fs/promises';
import { REFERENCES } from './references.ts';

for (const { file, render } of REFERENCES) {
  await writeFile(file, render());
  console.log(`wrote ${file}`);
}
