import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from '@jest/globals';
import { THRESHOLDS } from './tune-v8.ts';

/** More calls than the lowered thresholds need, fewer than V8's own (400 and 3000). */
const CALLS = 2000;
const MORE_CALLS = 800;
/** Bit of V8's optimization status. */
const IS_TURBOFANNED = 1 << 5;

/** Calls a function until it is optimized with lowered thresholds, and prints its status. */
const SCRIPT = `
  import { optimizeSooner, stopOptimizing } from ${JSON.stringify(join(import.meta.dirname, 'tune-v8.ts'))};
  const sleep = () => new Promise((done) => setTimeout(done, 1));
  const sum = (pair) => pair.a + pair.b;
  PREPARE;
  for (let call = 0; call < ${CALLS}; call++) {
    sum({ a: call, b: 1 });
    if (call % 20 === 0) await sleep();
  }
  // On a busy machine the compiler needs longer.
  for (let call = 0; call < ${MORE_CALLS} && !(%GetOptimizationStatus(sum) & ${IS_TURBOFANNED}); call++) {
    sum({ a: call, b: 1 });
    await sleep();
  }
  console.log(%GetOptimizationStatus(sum));
`;

it.each([
  ['sooner', 'optimizeSooner()', true],
  ['by default', '', false],
  [
    'sooner, and the process is warm',
    'optimizeSooner({ cpuMs: 0, checkEveryMs: 1 }); await sleep(); await sleep()',
    false,
  ],
  ['sooner, and the process stops', 'optimizeSooner(); stopOptimizing()', false],
])('optimizes a function within some hundred calls: %s', async (_name, prepare, isExpected) => {
  const flags = [
    '--allow-natives-syntax',
    // The compiler runs where the function does, so that a busy machine changes nothing.
    '--no-concurrent-recompilation',
    '--disable-warning=ExperimentalWarning',
    '--input-type=module',
  ];
  const script = SCRIPT.replace('PREPARE', prepare);
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [...flags, '--eval', script]);
  expect(stderr).toBe('');
  expect((Number(stdout) & IS_TURBOFANNED) !== 0).toBe(isExpected);
});

it('returns to the thresholds of V8', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--v8-options']);
  for (const [flag, { usual }] of Object.entries(THRESHOLDS)) {
    expect(stdout).toContain(`default: --${flag}=${usual}\n`);
  }
});
