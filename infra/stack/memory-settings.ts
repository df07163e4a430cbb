import { resolve } from 'node:path';

/** Beside the code that it is made of, so that every data folder and every run shares it. */
const COMPILE_CACHE = resolve(import.meta.dirname, '../../node_modules/.cache/gleaner-modules');

/** Megabytes: what a request leaves behind stays until the nursery is swept. */
const SMALL_NURSERY = 4;
/** What reads pages holds the tree of a usual one in its nursery: outgrowing it costs a third more CPU; 12 save no more. */
const PAGE_NURSERY = 8;

/**
 * Environment that keeps a process small, as in infra/docker/Dockerfile: glibc gives buffers of bodies back at once and
 * keeps few arenas (mallopt(3)); modules compiled before are read, so that no process loads the compiler again; the
 * operator's own NODE_OPTIONS come before ours.
 */
export function memorySettings(nodeOptions: string | undefined) {
  return {
    MALLOC_ARENA_MAX: '2',
    MALLOC_MMAP_THRESHOLD_: '32768',
    NODE_COMPILE_CACHE: COMPILE_CACHE,
    ...withNursery(nodeOptions, SMALL_NURSERY),
  };
}

/** What differs in a process that reads pages, as in docker-compose.yml. */
export function pageReaderSettings(nodeOptions: string | undefined) {
  return withNursery(nodeOptions, PAGE_NURSERY);
}

function withNursery(nodeOptions: string | undefined, megabytes: number) {
  const nursery = `--max-semi-space-size=${megabytes}`;
  return { NODE_OPTIONS: [nodeOptions, nursery].filter(Boolean).join(' ') };
}
