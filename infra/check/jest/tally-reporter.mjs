import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** For handles that close on their own, such as draining sockets and timers. */
const OPEN_HANDLES_MS = 10_000;
/** For the teardown of a suite: its processes, each with a bound of its own. */
const TEARDOWN_MS = 90_000;

/**
 * Writes how many tests of a suite passed and failed, with the messages of the failed ones, to `.results/` of its
 * package. turbo keeps that file with the result, so that a suite which is not repeated still counts.
 * @public
 */
export default class TallyReporter {
  #folder;
  #patienceMs;

  constructor({ rootDir, globalTeardown }) {
    this.#folder = join(rootDir, '.results');
    this.#patienceMs = globalTeardown ? TEARDOWN_MS : OPEN_HANDLES_MS;
  }

  onRunComplete(_contexts, results) {
    const tally = {
      passed: results.numPassedTests,
      failed: results.numFailedTests + results.numRuntimeErrorTestSuites,
      failures: results.testResults.flatMap(({ failureMessage }) => failureMessage ?? []),
    };
    mkdirSync(this.#folder, { recursive: true });
    writeFileSync(join(this.#folder, `${taskName()}.json`), JSON.stringify(tally));
    setTimeout(exitDespiteOpenHandles, this.#patienceMs).unref();
  }
}

function exitDespiteOpenHandles() {
  const open = process.getActiveResourcesInfo().join(', ');
  console.error(`The tests have ended and left open: ${open}. Find them with --detectOpenHandles.`);
  // Jest has set the exit code of the run.
  process.exit();
}

/** Returns the name of the package script that runs the suite. */
function taskName() {
  return (process.env.npm_lifecycle_event ?? 'test').replaceAll(':', '-');
}
