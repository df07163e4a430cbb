import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Writes how many tests of a run passed and failed, and what the failed ones said, so that the runs of all packages can
 * be added up.
 * @public
 */
export default class CountReporter {
  onRunComplete(_contexts, results) {
    const folder = process.env.GLEANER_TEST_RESULTS;
    if (!folder) return;
    const tally = {
      passed: results.numPassedTests,
      failed: results.numFailedTests + results.numRuntimeErrorTestSuites,
      failures: results.testResults.flatMap(({ failureMessage }) => failureMessage ?? []),
    };
    writeFileSync(join(folder, `${process.pid}.json`), JSON.stringify(tally));
  }
}
