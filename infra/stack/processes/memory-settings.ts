import { totalmem } from 'node:os';
import { resolve } from 'node:path';

/** In the folder of the code, so that it is shared by all data folders and all starts. */
const COMPILE_CACHE = resolve(import.meta.dirname, '../../../node_modules/.cache/gleaner-modules');

/** Megabytes of the young generation of V8: garbage of requests stays in memory until it is collected. */
const YOUNG_GENERATION_MB = 4;
/** Megabytes for a process that reads pages, enough for the trees of some usual pages: half of it costs a fifth more CPU on a busy machine, twice saves none. */
const PAGE_READER_YOUNG_GENERATION_MB = 16;
/** Bytes of a machine, or of the limit of a container, below which memory counts more than CPU. */
const SMALL_MACHINE_BYTES = 800_000_000;

/**
 * Returns the environment that keeps a process small, as in infra/docker/Dockerfile. glibc returns the buffers of bodies
 * at once and keeps few arenas (mallopt(3)); compiled modules are read from a cache, so that no process loads the type
 * stripper; the operator's own NODE_OPTIONS come first.
 */
export function memorySettings(nodeOptions: string | undefined) {
  return {
    MALLOC_ARENA_MAX: '2',
    MALLOC_MMAP_THRESHOLD_: '32768',
    NODE_COMPILE_CACHE: COMPILE_CACHE,
    ...withYoungGeneration(nodeOptions, YOUNG_GENERATION_MB),
  };
}

/** Returns the arguments of Node; on a small machine, V8 collects garbage sooner. NODE_OPTIONS does not take that flag. */
export function nodeArguments(machineBytes = bytesOfMachine()): string[] {
  const always = ['--disable-warning=ExperimentalWarning'];
  return machineBytes < SMALL_MACHINE_BYTES ? always.concat('--memory-saver-mode') : always;
}

/** Returns the settings specific to a process that reads pages, as in docker-compose.yml. */
export function pageReaderSettings(nodeOptions: string | undefined, machineBytes = bytesOfMachine()) {
  const isSmall = machineBytes < SMALL_MACHINE_BYTES;
  return withYoungGeneration(nodeOptions, isSmall ? YOUNG_GENERATION_MB : PAGE_READER_YOUNG_GENERATION_MB);
}

function bytesOfMachine(): number {
  return Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
}

function withYoungGeneration(nodeOptions: string | undefined, megabytes: number) {
  const flag = `--max-semi-space-size=${megabytes}`;
  return { NODE_OPTIONS: [nodeOptions, flag].filter(Boolean).join(' ') };
}
