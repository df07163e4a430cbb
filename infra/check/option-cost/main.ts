/** `npm run option-cost [-- <option> …]`: says how many files of source name each option of a page, or which ones name these. */
import { findMentions } from './find-mentions.ts';

const asked = process.argv.slice(2);
const mentions = [...findMentions()].sort(([, a], [, b]) => a.length - b.length);
const unknown = asked.filter((name) => !mentions.some(([known]) => known === name));
for (const name of unknown) console.error(`${name} is not an option of a page.`);
for (const [name, files] of mentions) {
  if (asked.length > 0 && !asked.includes(name)) continue;
  console.log(`${String(files.length).padStart(3)}  ${name}`);
  if (asked.length > 0) for (const file of files) console.log(`     ${file}`);
}
process.exitCode = unknown.length > 0 ? 1 : 0;
