"""Runs the unittest suite in `test/`: `run.py <results> [-k pattern …]`. Writes the tally that `npm test` adds up."""

import faulthandler
import json
import sys
import unittest

HANG_SECONDS = 600
"""A suite that takes longer hangs: the place is printed."""


class TallyResult(unittest.TextTestResult):
    """Counts the tests that passed."""

    passed = 0

    def addSuccess(self, test):
        super().addSuccess(test)
        self.passed += 1


def main(results, *arguments):
    faulthandler.dump_traceback_later(HANG_SECONDS, exit=True)
    runner = unittest.TextTestRunner(resultclass=TallyResult)
    argv = ["unittest", "discover", "-t", ".", "-s", "test", *arguments]
    result = unittest.main(module=None, argv=argv, testRunner=runner, exit=False).result
    bad = (
        result.failures
        + result.errors
        + [(test, "passed unexpectedly") for test in result.unexpectedSuccesses]
    )
    bad += [(test, f"was skipped: {reason}") for test, reason in result.skipped]
    tally = {
        "passed": result.passed,
        "failed": len(bad),
        "failures": [f"● {test}\n{text}" for test, text in bad],
    }
    with open(results, "w", encoding="utf-8") as file:
        json.dump(tally, file)
    return 1 if bad or result.testsRun == 0 else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
