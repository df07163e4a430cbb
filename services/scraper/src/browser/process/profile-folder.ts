import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, join } from 'node:path';

/** The folder of one running browser: its profile, its temporary files, and a note of the process that owns it. */
export interface ProfileFolder {
  readonly path: string;
  /** Records the browser's process, so that a later scraper can kill it if this one crashes. */
  claim(browserPid: number): Promise<void>;
  remove(): Promise<void>;
}

const OWNER_FILE = 'owner.json';
const RUNNING = 'running';

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

/** Creates a folder for a browser that is about to start. */
export async function createProfileFolder(browserFolder: string): Promise<ProfileFolder> {
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

/** Kills the browsers whose scraper has exited and removes their folders. Folders that cannot be removed are reported. */
export async function sweepProfileFolders(browserFolder: string): Promise<Sweep> {
  const running = join(browserFolder, RUNNING);
  const names = await readdir(running).catch(() => []);
  const sweeps = await Promise.allSettled(names.map((name) => sweep(join(running, name))));
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
