/**
 * An archive is text, one JSON value a line: the header; for each collection its name and then its documents as canonical
 * EJSON; and the manifest, by which the archive is known to be whole.
 */
export interface ArchiveHeader {
  readonly archive: 'gleaner';
  readonly format: typeof FORMAT;
  /** Version of the schema of the documents. */
  readonly schemaVersion: number;
  readonly createdAt: string;
}

/** Contents of an archive. */
export interface ArchiveManifest {
  readonly collections: Readonly<Record<string, CollectionSummary>>;
}

/** Number of the documents of a collection, and the SHA-256 of their lines. */
export interface CollectionSummary {
  readonly documents: number;
  readonly sha256: string;
}

export const FORMAT = 1;

/** Collections that another installation does not need: pages, files and traces kept for a day, answers of models, roles, limits and heartbeats of the processes that run now. */
const LEFT_OUT = new Set([
  'leases',
  'boards',
  'rate_limits',
  'instances',
  'sessions',
  'snapshots',
  'cached_pages',
  'files',
  'file_parts',
  'traces',
  'answers',
  'meta',
]);

/**
 * Order in which collections are read while the service runs. Dependents are read before their sources, so an
 * archive is a state that a crash could have left: a finished job has finished pages, and a page that
 * succeeded has its result. A dataset comes after its records, whose revisions it must not fall behind. Charges come last,
 * after the accounts with the credits for them.
 */
const READ_FIRST = [
  'keys',
  'secrets',
  'profiles',
  'channels',
  'recipes',
  'recipe_versions',
  'feeds',
  'webhook_secrets',
  'rules',
  'schedules',
  'usage_months',
  'jobs',
  'deliveries',
  'pages',
  'results',
  'screenshots',
];
const READ_LAST = ['record_versions', 'records', 'dataset_runs', 'datasets', 'accounts', 'charges'];

/** Returns the collections of an archive in the order in which they are read. */
export function orderCollections(names: readonly string[]): string[] {
  const kept = names.filter((name) => !LEFT_OUT.has(name) && !name.startsWith('system.'));
  const rankOf = (name: string) => {
    if (READ_FIRST.includes(name)) return READ_FIRST.indexOf(name);
    if (READ_LAST.includes(name)) return 1000 + READ_LAST.indexOf(name);
    // The parts of a file are written after its record.
    return name.endsWith('.chunks') ? 200 : 100;
  };
  return kept.sort((a, b) => rankOf(a) - rankOf(b) || (a < b ? -1 : 1));
}
