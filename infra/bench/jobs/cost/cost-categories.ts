/** Categories of CPU use. */
export const COSTS = [
  'fetch',
  'parse',
  'select',
  'broker',
  'database',
  'orchestration',
  'garbage',
  'rest',
] as const;
export type Cost = (typeof COSTS)[number];

/** Category of code by the path of its file; the first match counts. */
const CODE: readonly (readonly [path: RegExp, cost: Cost])[] = [
  [/packages\/embedded\/src\/amqp\//, 'broker'],
  [/packages\/embedded\/src\/mongodb\//, 'database'],
  [/node_modules\/(?:lmdb|bson|mongodb|mongoose|mingo)\/|packages\/storage\//, 'database'],
  [/node_modules\/amqplib\/|packages\/broker\//, 'broker'],
  [/node_modules\/parse5\/|packages\/extraction\/src\/dom\/|scraper\/src\/decode\//, 'parse'],
  [/packages\/extraction\/src\/|scraper\/src\/extract\//, 'select'],
  [/packages\/egress\/|node_modules\/(?:got|tough-cookie)\/|node:_http_|scraper\/src\/classify\//, 'fetch'],
  [/services\/job-orchestrator\/src\//, 'orchestration'],
];

const GARBAGE_COLLECTOR = '(garbage collector)';

/** Returns the category of a function's own time; undefined when it is that of its caller. */
export function costOf({
  url,
  functionName,
}: {
  readonly url: string;
  readonly functionName: string;
}): Cost | undefined {
  if (functionName === GARBAGE_COLLECTOR) return 'garbage';
  return CODE.find(([path]) => path.test(url))?.[1];
}
