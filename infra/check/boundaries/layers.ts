/** The packages of ours that a folder may import. */
export interface Layer {
  folder: string;
  imports: readonly string[];
  /** Packages that it may import types from; such an import is gone at run time. */
  types?: readonly string[];
  /** Entries of other packages that it may import as well. */
  entries?: readonly string[];
  /** Packages that its tests may import as well. */
  tests?: readonly string[];
}

/** Entries of packages besides their index, for processes that must not load the whole package. */
export const ENTRIES: ReadonlySet<string> = new Set([
  '@gleaner/contracts/browser-state',
  '@gleaner/contracts/csv',
  // Loaded by a gateway that is asked for the document, and by no idle service.
  '@gleaner/contracts/openapi',
  '@gleaner/embedded/lock-folder',
]);

const SERVER_PACKAGES = [
  'contracts',
  'extraction',
  'frontier',
  'selectors',
  'export',
  'egress',
  'broker',
  'storage',
  'config',
  'service-kit',
  'xml',
] as const;
const TEST_PACKAGES = ['embedded', 'test-kit'] as const;

/** The layers of docs/architecture.md; a package that is not here may import none of ours. */
export const LAYERS: readonly Layer[] = [
  { folder: 'packages/contracts', imports: [] },
  { folder: 'packages/config', imports: [] },
  { folder: 'packages/embedded', imports: [], tests: ['test-kit'] },
  { folder: 'packages/test-kit', imports: ['contracts', 'config'] },
  { folder: 'packages/xml', imports: [] },
  { folder: 'packages/extraction', imports: ['contracts', 'xml'], tests: ['test-kit'] },
  { folder: 'packages/frontier', imports: ['contracts', 'xml'], tests: ['test-kit'] },
  { folder: 'packages/egress', imports: ['contracts'], tests: ['test-kit'] },
  { folder: 'packages/broker', imports: ['contracts'], tests: TEST_PACKAGES },
  { folder: 'packages/storage', imports: ['contracts'], tests: TEST_PACKAGES },
  { folder: 'packages/selectors', imports: ['contracts', 'extraction'], tests: ['test-kit'] },
  { folder: 'packages/export', imports: ['contracts', 'extraction'], tests: ['test-kit'] },
  {
    folder: 'packages/service-kit',
    imports: ['contracts', 'broker', 'storage', 'config'],
    tests: TEST_PACKAGES,
  },
  { folder: 'packages/client', imports: [], types: ['contracts'], tests: ['contracts', 'test-kit'] },
  {
    folder: 'packages/cli',
    imports: ['client', 'mcp', 'xml'],
    types: ['contracts'],
    entries: ['@gleaner/contracts/browser-state', '@gleaner/contracts/csv'],
    tests: ['test-kit'],
  },
  { folder: 'packages/mcp', imports: ['client'], types: ['contracts'], tests: ['contracts', 'test-kit'] },
  { folder: 'packages/console', imports: ['client'], types: ['contracts'], tests: ['test-kit'] },
  { folder: 'services', imports: SERVER_PACKAGES, tests: [...TEST_PACKAGES, 'client'] },
  { folder: 'infra', imports: [...SERVER_PACKAGES, ...TEST_PACKAGES, 'client', 'mcp'] },
];

/** Libraries behind one package of ours, and the folders that may import them. */
export const LIBRARIES: Readonly<Record<string, { folders: readonly string[]; instead: string }>> = {
  amqplib: {
    folders: ['packages/broker', 'packages/embedded/test', 'infra'],
    instead: 'use the typed requests and broadcasts of packages/broker',
  },
  mongoose: {
    folders: ['packages/storage', 'packages/embedded/test'],
    instead: 'use the stores of packages/storage',
  },
  mongodb: {
    folders: ['packages/storage', 'packages/embedded/test'],
    instead: 'use the stores of packages/storage',
  },
  got: { folders: ['packages/egress', 'infra'], instead: 'send requests through packages/egress' },
};
