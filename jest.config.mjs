import { fileURLToPath } from 'node:url';

/** One configuration for every suite: TypeScript through swc, native ES modules, real servers, no mocks. */
export default {
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        jsc: { parser: { syntax: 'typescript' }, target: 'es2024' },
        module: { type: 'es6' },
        sourceMaps: 'inline',
      },
    ],
  },
  testMatch: ['<rootDir>/src/**/*.test.ts', '<rootDir>/test/**/*.test.ts', '<rootDir>/*/**/*.test.ts'],
  modulePathIgnorePatterns: ['<rootDir>/.gleaner', '<rootDir>/.toolchain', '<rootDir>/dist/'],
  injectGlobals: false,
  reporters: ['default', fileURLToPath(new URL('infra/check/jest/tally-reporter.mjs', import.meta.url))],
  // For tests that hang. The few that take longer name their own bound.
  testTimeout: 60_000,
  // Most of a suite's time is waiting for servers and browsers: two files at once fill two cores.
  maxWorkers: 2,
};
