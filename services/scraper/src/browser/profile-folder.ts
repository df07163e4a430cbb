import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { killGroup } from './kill-group.ts';

/** The folder of one running browser: its profile, its temporary files, and who is responsible for it. */
export interface ProfileFolder {
  readonly path: string;
  /** Takes note of the browser's process, so that a later scraper can end it should this one not get to. */
  claim(browserPid: number): Promise<void>;
  remove(): Promise<void>;
}

const OWNER_FILE = 'owner.json';
const RUNNING = 'running';

interface Owner {
  /** Process ids mean nothing on another machine, or in another container. */
  readonly host: string;
  readonly scraper: ProcessIdentity;
  readonly browser?: ProcessIdentity;
}

/** A process id is given out again; together with the time of its start it is not. */
interface ProcessIdentity {
  readonly pid: number;
  readonly startedAt: string;
}

/** Makes a folder for a browser that is about to start. */
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

/** Ends the browsers whose scraper is gone, and removes what they left; the number of folders removed. */
export async function sweepProfileFolders(browserFolder: string): Promise<number> {
  const running = join(browserFolder, RUNNING);
  const names = await readdir(running).catch(() => []);
  const swept = await Promise.all(names.map((name) => sweep(join(running, name))));
  return swept.filter(Boolean).length;
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
    // The name begins with the scraper's id: it may be about to write the file.
    const pid = Number(/(\d+)-[^/]*$/.exec(path)?.[1]);
    const scraper = await identify(pid);
    return scraper.startedAt === '' ? undefined : { host: hostname(), scraper };
  }
}

async function isAlive({ pid, startedAt }: ProcessIdentity): Promise<boolean> {
  return startedAt !== '' && (await identify(pid)).startedAt === startedAt;
}

/** Field 22 of /proc/pid/stat (proc(5)); '' for a process that is gone. Its name may hold spaces and brackets. */
async function identify(pid: number): Promise<ProcessIdentity> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  const startedAt = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  return { pid, startedAt };
}
