import { chmod, chown, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Gleaner } from '@gleaner/client';
import { freePort } from '@gleaner/test-kit';
import { openDatabase } from '../../keys/open-database.ts';
import { type Image, type ImageOptions, runCommand } from './build-images.ts';
import { checkThrough, report, type Target } from './check-through.ts';
import { type RunningImage, startImage } from './run-images.ts';

/** The user of the image. */
const UID = 1000;
/** Version of a schema that no release has. */
const LATER_SCHEMA = 1_000_000;

/**
 * Works through the image of the whole stack: its first scrape, a rendered page, a job, a restart with its data, the command line
 * in it, and volumes on which it can't start. Throws when something does not work.
 */
export async function checkStack(image: Image, options: ImageOptions): Promise<void> {
  const volume = await makeVolume('volume', options);
  const ports = { PORT: String(await freePort()), DEMO_PORT: String(await freePort()) };
  const url = `http://127.0.0.1:${ports.PORT}`;
  const demoUrl = `http://127.0.0.1:${ports.DEMO_PORT}/`;
  const start = async () => {
    const running = await startImage(image, { settings: ports, volume: { folder: volume } }, options);
    const target = await firstScrape(running, { url, demoUrl, volume }).catch(async (error: unknown) => {
      await running.stop();
      throw error;
    });
    return { running, target };
  };

  const first = await start();
  let jobId: string;
  try {
    jobId = await checkThrough(first.target);
    report('doctor', firstLines(await first.running.exec(['gleaner', 'doctor'])), true);
  } finally {
    await first.running.stop();
  }
  const again = await start();
  try {
    const { apiKey } = again.target;
    const job = await new Gleaner({ url, apiKey }).jobs.get(jobId);
    report('restart', `same key, ${job.completedUrls} URLs of the job`, apiKey === first.target.apiKey);
  } finally {
    await again.running.stop();
  }
  await checkVolumes(image, volume, options);
}

/** Waits for a container that starts, and prints the time from there to its first scrape. */
async function firstScrape(
  running: RunningImage,
  { url, demoUrl, volume }: { readonly url: string; readonly demoUrl: string; readonly volume: string },
): Promise<Target> {
  await running.untilReady();
  const apiKey = (await readFile(join(volume, 'api-key'), 'utf8')).trim();
  const target = { url, apiKey, demoUrl };
  const { data } = await new Gleaner(target).scrape({ url: demoUrl, selectors: { title: 'h1' } });
  const seconds = ((performance.now() - running.startedAt) / 1000).toFixed(1);
  report('start', `first scrape after ${seconds} s`, data.title !== null);
  await running.checkHealth();
  return target;
}

/** Starts the image on volumes that it can't use, and compares the last words with what an operator has to know. */
async function checkVolumes(image: Image, used: string, options: ImageOptions): Promise<void> {
  const refused = async (what: string, folder: string, words: RegExp, isReadOnly = false) => {
    const settings = { PORT: '0', DEMO_PORT: '0' };
    const container = await startImage(image, { settings, volume: { folder, isReadOnly } }, options);
    const code = await container.ended;
    await container.stop();
    report(
      what,
      `exit code ${code}: ${lastLines(container.output())}`,
      code === 1 && words.test(container.output()),
    );
  };
  await refused('read-only volume', used, /can't be written \(EROFS\).*\n.*Mount its file system/, true);

  const foreign = await makeVolume('foreign-volume', options);
  await chown(foreign, 0, 0);
  await refused('foreign volume', foreign, /can't be written \(EACCES\).*\n.*chown -R 1000 \/data/);

  const full = await makeVolume('full-volume', options);
  await runCommand(
    'mount',
    ['-t', 'tmpfs', '-o', `size=64k,uid=${UID},mode=700`, 'gleaner-full', full],
    options,
  );
  try {
    await writeFile(join(full, 'filler'), Buffer.alloc(65_536)).catch(() => {});
    await refused('full volume', full, /The disk of the data folder \/data is full\.\n.*Free some space/);
  } finally {
    await runCommand('umount', [full], options);
  }

  await storeLaterSchema(used, options);
  await refused('later version', used, /schema version 1000000, and this Gleaner knows only \d+/);
}

/** Makes an empty folder of the image's user, as an engine makes a named volume. */
async function makeVolume(name: string, { folder }: ImageOptions): Promise<string> {
  const volume = join(folder, 'volumes', name);
  await rm(volume, { recursive: true, force: true });
  await mkdir(volume, { recursive: true });
  await chmod(volume, 0o700);
  await chown(volume, UID, UID);
  return volume;
}

/** Leaves the data as a later version would. */
async function storeLaterSchema(volume: string, options: ImageOptions): Promise<void> {
  const umask = process.umask();
  const { database, close } = await openDatabase(volume, undefined);
  await database.models.leases.db
    .collection<{ readonly _id: string; readonly version: number }>('meta')
    .updateOne({ _id: 'schema' }, { $set: { version: LATER_SCHEMA } });
  await close();
  process.umask(umask);
  const { uid, gid } = await stat(volume);
  await runCommand('chown', ['-R', `${uid}:${gid}`, volume], options);
}

function firstLines(text: string): string {
  return text
    .split('\n')
    .filter((line) => /Chromium|service answers/.test(line))
    .join(' ')
    .trim();
}

/** Returns the last words of the program, without those of buildah after them. */
function lastLines(text: string): string {
  const lines = text.trim().split('\n');
  const own = lines.filter((line) => !/^(subprocess exited|Error: exit status)/.test(line));
  return own.slice(-2).join(' ').replaceAll(/\s+/g, ' ');
}
