import { fileURLToPath } from 'node:url';

/** Tests of scale, killed processes and random input, which `npm run test:long` runs. */
const LONG = '**/*.long.test.ts';
/** The script of a package that runs its suite; other commands run all files that they name. */
const script = process.env.npm_lifecycle_event ?? '';
const isLong = script === 'test:long';
const isQuick = ['test', 'test:acceptance', 'test:stack'].includes(script);

/** One configuration for every suite: the module loader of Node, which strips types; real servers, no mocks. */
export default {
  testEnvironment: 'node',
  testRunner: fileURLToPath(new URL('infra/check/jest/native-modules.mjs', import.meta.url)),
  extensionsToTreatAsEsm: ['.ts'],
  transform: {},
  testMatch: isLong ? [`<rootDir>/${LONG}`] : ['<rootDir>/*/**/*.test.ts', ...(isQuick ? [`!${LONG}`] : [])],
  modulePathIgnorePatterns: ['<rootDir>/.gleaner', '<rootDir>/.toolchain', '<rootDir>/dist/'],
  injectGlobals: false,
  reporters: ['default', fileURLToPath(new URL('infra/check/jest/tally-reporter.mjs', import.meta.url))],
  // For tests that hang. The few that take longer name their own bound.
  testTimeout: 300_000,
  // Most of a suite's time is waiting for servers and browsers: two files at once fill two cores.
  maxWorkers: 2,
  // For the last sockets and timers of a worker, on a machine under load. What is still open then is a leak, and jest says so.
  workerGracefulExitTimeout: 10_000,
};
