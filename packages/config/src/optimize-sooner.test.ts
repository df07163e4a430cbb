import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from '@jest/globals';

const MODULE = join(import.meta.dirname, 'optimize-sooner.ts');
/** More calls than the lowered thresholds need, fewer than V8's own (400 and 3000). */
const CALLS = 2000;
/** Bit of V8's optimization status. */
const IS_TURBOFANNED = 1 << 6;

const SCRIPT = `
  import { optimizeSooner } from ${JSON.stringify(MODULE)};
  if (process.argv[1] === 'sooner') optimizeSooner();
  const sum = (pair) => pair.a + pair.b;
  for (let call = 0; call < ${CALLS}; call++) {
    sum({ a: call, b: 1 });
    if (call % 20 === 0) await new Promise((done) => setTimeout(done, 1));
  }
  console.log(%GetOptimizationStatus(sum));
`;

it.each([
  ['sooner', true],
  ['by default', false],
])('optimizes a function within some hundred calls: %s', async (argument, isExpected) => {
  const flags = ['--allow-natives-syntax', '--disable-warning=ExperimentalWarning', '--input-type=module'];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [
    ...flags,
    '--eval',
    SCRIPT,
    argument,
  ]);
  expect(stderr).toBe('');
  expect((Number(stdout) & IS_TURBOFANNED) !== 0).toBe(isExpected);
});
