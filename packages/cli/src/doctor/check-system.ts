import { execFile } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { promisify } from 'node:util';
import { type Gleaner, GleanerError, type ResultOf } from '@gleaner/client';

type System = ResultOf<'getSystem'>['system'];
type Queue = System['queues'][number];

/** Number of messages in one queue from which its service does not keep up. */
const MANY_MESSAGES = 1000;
const DAY_MS = 86_400_000;
/** Age from which pages meet a browser some releases behind: there is one every two weeks. */
const OLD_BROWSER_DAYS = 60;
const NEWER_BROWSER =
  'Holes that are known by now are open in it. Install a newer one (Debian: apt-get install chromium) and set CHROMIUM_PATH, or update Gleaner.';
/** Processes or hosts that a line names. */
const MAX_NAMED = 5;
const DEAD_LETTERS = 'dead-letters';
/** Services that take messages, by the beginning of the names of their queues; the first that fits counts. */
const OWNERS = [
  ['scrape.', 'scraper'],
  ['snapshots.', 'scraper'],
  ['pages.http', 'scraper'],
  ['pages.browser', 'scraper'],
  ['pages.', 'job-orchestrator'],
  ['jobs.', 'job-orchestrator'],
  ['schedules.', 'scheduler'],
  ['webhooks.', 'webhook-notifier'],
] as const;

/** Facts about this machine that the remedies depend on. */
interface Here {
  readonly version: string;
  /** Folder of the stack that runs here. */
  readonly stack: string | undefined;
}

/** Checks the version, the processes and the queues of the service; needs an admin key. */
export async function* checkSystem(gleaner: Gleaner, call: object, here: Here): AsyncGenerator<Check> {
  try {
    yield* checkParts(await gleaner.system(call), here);
  } catch (error) {
    if (!(error instanceof GleanerError)) throw error;
    const isForbidden = error.code === 'FORBIDDEN';
    const found = isForbidden
      ? 'The key lacks the scope admin, so processes and queues were not checked.'
      : error.message;
    const remedy = isForbidden ? 'Use a key with the scope admin.' : error.suggestion;
    yield { id: 'system', state: isForbidden ? 'warning' : 'failed', found, ...(remedy && { remedy }) };
  }
}

function* checkParts(system: System, here: Here): Generator<Check> {
  // A service that is older than this command lacks the last two.
  const { version, services, queues, instances = [], pausedHosts = [] } = system;
  yield checkVersion(version, here.version);
  yield* checkInstances(instances, version);
  yield* checkChromium(instances);
  const missing = services.filter(({ processes }) => processes === 0);
  for (const { name, purpose } of missing) {
    const found = `No ${name} takes ${purpose}.`;
    yield { id: 'services', state: 'failed', found, remedy: startRemedy(name, here) };
  }
  if (missing.length === 0) {
    const counts = services.map(({ name, purpose, processes }) => `${processes} ${name} for ${purpose}`);
    yield { id: 'services', state: 'ok', found: `Every service runs: ${counts.join(', ')}.` };
  }
  const problems = queues.map((queue) => checkQueue(queue, here)).filter((check) => check !== undefined);
  yield* problems;
  const waiting = queues.reduce((sum, { messages }) => sum + messages, 0);
  if (problems.length === 0) yield { id: 'queues', state: 'ok', found: `The queues hold ${count(waiting)}.` };
  yield* checkPausedHosts(pausedHosts);
}

function checkVersion(theirs: string, ours: string): Check {
  if (theirs === ours)
    return { id: 'version', state: 'ok', found: `The service and this command are both version ${theirs}.` };
  return {
    id: 'version',
    state: 'warning',
    found: `The service is version ${theirs}, this command is version ${ours}.`,
    remedy: 'Update the older one: the service rejects options that it does not know.',
  };
}

/** Checks that every process has the version of the gateway. */
function* checkInstances(instances: System['instances'], version: string): Generator<Check> {
  const others = instances.filter((instance) => instance.version !== version);
  if (others.length === 0) return;
  const named = others
    .slice(0, MAX_NAMED)
    .map(({ service, name, version: own }) => `${service} ${name} (${own})`);
  yield {
    id: 'instances',
    state: 'warning',
    found: `${others.length === 1 ? '1 process runs' : `${others.length} processes run`} another version than the gateway: ${named.join(', ')}.`,
    remedy: 'Finish the update: restart them with the same version.',
  };
}

/** Tells the version and the age of each browser that pages are rendered in. */
function* checkChromium(instances: System['instances']): Generator<Check> {
  const releases = new Map(
    instances.flatMap(({ chromium }) => (chromium ? [[chromium.version, chromium.releasedAt] as const] : [])),
  );
  for (const [version, releasedAt] of releases) {
    const days = Math.floor((Date.now() - Date.parse(releasedAt)) / DAY_MS);
    const found = `Pages are rendered by Chromium ${version} of ${releasedAt.slice(0, 10)}, ${days === 1 ? '1 day' : `${days} days`} old.`;
    if (days <= OLD_BROWSER_DAYS) yield { id: 'chromium', state: 'ok', found };
    else yield { id: 'chromium', state: 'warning', found, remedy: NEWER_BROWSER };
  }
}

/** Says which hosts asked for a pause, since pages of jobs wait for them. */
function* checkPausedHosts(hosts: System['pausedHosts']): Generator<Check> {
  if (hosts.length === 0) return;
  const named = hosts.slice(0, MAX_NAMED).map(({ host, until }) => `${host} until ${until}`);
  yield {
    id: 'hosts',
    state: 'warning',
    found: `Pages wait for ${hosts.length === 1 ? '1 host' : `${hosts.length} hosts`} that asked for a pause: ${named.join(', ')}.`,
    remedy: 'Wait, or give jobs a longer delay between the pages of a host.',
  };
}

/** Returns what is wrong with a queue; undefined when nothing is. */
function checkQueue({ name, messages, consumers }: Queue, here: Here): Check | undefined {
  if (name === DEAD_LETTERS) {
    if (messages === 0) return undefined;
    const remedy = 'Follow "GleanerDeadLetters" in docs/operations.md.';
    return { id: 'queues', state: 'warning', found: `${count(messages)} could not be handled.`, remedy };
  }
  const owner = OWNERS.find(([beginning]) => name.startsWith(beginning))?.[1] ?? 'service';
  if (consumers === 0) {
    const found = `No process takes messages from ${name} (${count(messages)} there).`;
    return { id: 'queues', state: 'failed', found, remedy: startRemedy(owner, here) };
  }
  if (messages < MANY_MESSAGES) return undefined;
  const remedy = `Start another ${owner}, or read its log.`;
  return { id: 'queues', state: 'warning', found: `${count(messages)} wait in ${name}.`, remedy };
}

function startRemedy(service: string, { stack }: Here): string {
  return stack
    ? `Read ${stack}/logs/${service}.log for the reason, then restart npm start.`
    : `Start it, or read its log for the reason: docker compose up -d ${service}`;
}

function count(messages: number): string {
  if (messages === 0) return 'no messages';
  return messages === 1 ? '1 message' : `${messages.toLocaleString('en-US')} messages`;
}

/** Checks that only its owner can read a file with a key; nothing where there is no such file. */
export async function* checkFileMode(file: string): AsyncGenerator<Check> {
  const found = await stat(file).catch(() => undefined);
  if (!found || process.platform === 'win32') return;
  const isPrivate = (found.mode & 0o077) === 0;
  yield isPrivate
    ? { id: 'key-file', state: 'ok', found: `Only its owner can read ${file}.` }
    : {
        id: 'key-file',
        state: 'failed',
        found: `Others can read ${file}.`,
        remedy: `Run: chmod 600 ${file}`,
      };
}

const WITHIN_MS = 5000;
const REMEDY =
  'Install them (Debian: apt-get install fonts-noto-cjk), or texts show as boxes in screenshots.';

/** Checks that the browser of this machine has fonts for Chinese, Japanese and Korean; nothing where fontconfig is missing. */
export async function* checkFonts(): AsyncGenerator<Check> {
  if (process.platform !== 'linux') return;
  try {
    const { stdout } = await promisify(execFile)('fc-list', [':lang=ja', 'family'], { timeout: WITHIN_MS });
    const found = stdout.trim() !== '';
    yield found
      ? { id: 'fonts', state: 'ok', found: 'Fonts for Chinese, Japanese and Korean are installed.' }
      : {
          id: 'fonts',
          state: 'warning',
          found: 'No fonts for Chinese, Japanese and Korean are installed.',
          remedy: REMEDY,
        };
  } catch {
    return;
  }
}

/** Outcome of one check. */
export interface Check {
  readonly id: string;
  readonly state: 'ok' | 'warning' | 'failed';
  /** Sentence about what was found. */
  readonly found: string;
  /** Next step to take. */
  readonly remedy?: string;
}
