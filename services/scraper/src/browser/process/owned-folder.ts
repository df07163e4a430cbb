import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, join } from 'node:path';

/** Folder of a running browser, or of a Chromium that is being unpacked, with a note of the process that owns it. */
export interface OwnedFolder {
  readonly path: string;
  /** Records the browser's process, so that a later scraper can kill it if this one crashes. */
  claim(browserPid: number): Promise<void>;
  remove(): Promise<void>;
}

const OWNER_FILE = 'owner.json';
const RUNNING = 'running';
/** Name of the folders of Chromium in older versions; unpacking took five minutes at most. */
const OLD_DRAFT = 'unpacking-';
const OLD_DRAFT_MS = 600_000;

interface Owner {
  /** Process ids are only valid on this machine and in this container. */
  readonly host: string;
  readonly scraper: ProcessIdentity;
  readonly browser?: ProcessIdentity;
}

/** A process. Process ids are reused; the id together with the start time is unique. */
interface ProcessIdentity {
  readonly pid: number;
  readonly startedAt: string;
}

/** Creates a folder that later scrapers remove once this process has ended. */
export async function createOwnedFolder(browserFolder: string): Promise<OwnedFolder> {
  const running = join(browserFolder, RUNNING);
  await mkdir(running, { recursive: true });
  const path = await mkdtemp(join(running, `${process.pid}-`));
  const scraper = await identify(process.pid);
  const write = (owner: Owner) => writeFile(join(path, OWNER_FILE), JSON.stringify(owner));
  await write({ host: hostname(), scraper });
  return {
    path,
    claim: async (browserPid) => write({ host: hostname(), scraper, browser: await identify(browserPid) }),
    remove: () => rm(path, { recursive: true, force: true, maxRetries: 5 }),
  };
}

/** Result of a sweep: how many folders were removed, and why others could not be. */
export interface Sweep {
  readonly removed: number;
  readonly errors: readonly unknown[];
}

/** Kills the browsers of exited scrapers and removes their folders. Folders that cannot be removed are reported. */
export async function sweepOwnedFolders(browserFolder: string): Promise<Sweep> {
  const running = join(browserFolder, RUNNING);
  const names = await readdir(running).catch(() => []);
  const drafts = (await readdir(browserFolder).catch(() => [])).filter((name) => name.startsWith(OLD_DRAFT));
  const sweeps = await Promise.allSettled([
    ...names.map((name) => sweep(join(running, name))),
    ...drafts.map((name) => sweepOldDraft(join(browserFolder, name))),
  ]);
  return {
    removed: sweeps.filter((result) => result.status === 'fulfilled' && result.value).length,
    errors: sweeps.flatMap((result) => (result.status === 'rejected' ? [result.reason] : [])),
  };
}

async function sweep(path: string): Promise<boolean> {
  const owner = await readOwner(path);
  if (owner && (owner.host !== hostname() || (await isAlive(owner.scraper)))) return false;
  if (owner?.browser && (await isAlive(owner.browser))) killGroup(owner.browser.pid);
  await rm(path, { recursive: true, force: true, maxRetries: 5 });
  return true;
}

async function sweepOldDraft(path: string): Promise<boolean> {
  const { mtimeMs } = await stat(path);
  if (Date.now() - mtimeMs < OLD_DRAFT_MS) return false;
  await rm(path, { recursive: true, force: true, maxRetries: 5 });
  return true;
}

async function readOwner(path: string): Promise<Owner | undefined> {
  try {
    return JSON.parse(await readFile(join(path, OWNER_FILE), 'utf8'));
  } catch {
    // The file may not be written yet; the folder's name begins with the scraper's process id.
    const pid = Number(/(?<!\d)(\d+)-/.exec(basename(path))?.[1]);
    const scraper = await identify(pid);
    return scraper.startedAt === '' ? undefined : { host: hostname(), scraper };
  }
}

async function isAlive({ pid, startedAt }: ProcessIdentity): Promise<boolean> {
  return startedAt !== '' && (await identify(pid)).startedAt === startedAt;
}

/** Reads field 22 of /proc/pid/stat (proc(5)), '' for a process that has exited. The name in field 2 may hold spaces and brackets. */
async function identify(pid: number): Promise<ProcessIdentity> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  const startedAt = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  return { pid, startedAt };
}

/** Kills a process and everything that it started; does nothing when it has exited already. */
export function killGroup(leaderPid: number): void {
  try {
    process.kill(-leaderPid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
