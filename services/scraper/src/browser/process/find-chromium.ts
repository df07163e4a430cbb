import { execFile } from 'node:child_process';
import { access, constants, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { AppError, type ChromiumFacts } from '@gleaner/contracts';
import { unpackChromium } from './unpack-chromium.ts';

/** A Chromium that runs on this machine, and its environment variables. */
export interface Chromium {
  readonly path: string;
  /** Folder into which it was unpacked; undefined for another Chromium. */
  readonly home?: string;
  readonly env: Readonly<Record<string, string>>;
  /** Version as it prints it; '' when it prints something else. */
  readonly version: string;
}

type Candidate = Omit<Chromium, 'version'>;

/** Prepares Chromium for its start: the bundled one is unpacked at its first use. */
export type PrepareChromium = (browserFolder: string) => Promise<Chromium>;

/** Chromium's whole environment: the scraper's own holds secrets. */
export const BASE_ENV = { PATH: '/usr/local/bin:/usr/bin:/bin', LANG: 'en_US.UTF-8' } as const;

/** The version of @sparticuz/chromium, and the day on which it was published (`npm view @sparticuz/chromium time`). */
export const BUNDLED_CHROMIUM: ChromiumFacts = {
  version: '153.0.0',
  releasedAt: '2026-09-11T00:00:00.000Z',
};

const GLIBC_LOADER = '/lib64/ld-linux-x86-64.so.2';
const VERSION_TIMEOUT_MS = 20_000;
const LARGEST_SCRIPT_BYTES = 100_000;
const OWN_CHROMIUM = 'Install one (Debian: apt-get install chromium) and set CHROMIUM_PATH to its binary.';

/**
 * Checks that a browser can run here, as far as possible without unpacking or starting it. Throws SERVICE_UNAVAILABLE
 * naming what is missing and how to get it.
 */
export async function findChromium(configuredPath: string | undefined): Promise<PrepareChromium> {
  if (configuredPath !== undefined) {
    await requireExecutable(configuredPath);
    const chromium = await requireVersion({ path: configuredPath, env: {} });
    return async () => chromium;
  }
  await requireBundledPlatform();
  return prepareBundled;
}

/** Returns the version and the age of the browser, which is not unpacked for that. */
export async function describeChromium(configuredPath: string | undefined): Promise<ChromiumFacts> {
  if (configuredPath === undefined) return BUNDLED_CHROMIUM;
  const { version } = await requireVersion({ path: configuredPath, env: {} });
  return { version, releasedAt: await dateOf(configuredPath) };
}

/** Returns the date of a program, which packages take from their build. Debian and Google have a script that starts it. */
async function dateOf(path: string): Promise<string> {
  const file = await realpath(path);
  const { size, mtime } = await stat(file);
  if (size > LARGEST_SCRIPT_BYTES) return mtime.toISOString();
  const programs = [join('/usr/lib/chromium', basename(path)), join(dirname(file), 'chrome')];
  for (const program of programs) {
    const found = await stat(program).catch(() => undefined);
    if (found) return found.mtime.toISOString();
  }
  return mtime.toISOString();
}

async function prepareBundled(browserFolder: string): Promise<Chromium> {
  const { path, home, libraryDir, env } = await unpackChromium(browserFolder);
  const asIs = await readVersion({ path, home, env });
  if (!('failure' in asIs)) return asIs;
  // The package brings NSS for systems without it.
  return await requireVersion({ path, home, env: { ...env, LD_LIBRARY_PATH: libraryDir } });
}

async function requireBundledPlatform(): Promise<void> {
  const { platform, arch } = process;
  if (platform !== 'linux' || arch !== 'x64') {
    throw missing(`The bundled Chromium needs Linux on x64; this is ${platform} on ${arch}.`, OWN_CHROMIUM);
  }
  const hasGlibc = await access(GLIBC_LOADER).then(
    () => true,
    () => false,
  );
  if (!hasGlibc)
    throw missing(`The bundled Chromium needs glibc, and ${GLIBC_LOADER} does not exist.`, OWN_CHROMIUM);
}

async function requireExecutable(path: string): Promise<void> {
  await access(path, constants.X_OK).catch((cause: NodeJS.ErrnoException) => {
    const problem = cause.code === 'ENOENT' ? 'does not exist' : `cannot be executed (${cause.code})`;
    throw missing(
      `CHROMIUM_PATH is ${path}, which ${problem}.`,
      `${OWN_CHROMIUM} Unset it to use the bundled one.`,
    );
  });
}

async function requireVersion(chromium: Candidate): Promise<Chromium> {
  const answer = await readVersion(chromium);
  if (!('failure' in answer)) return answer;
  const { failure } = answer;
  const library = /error while loading shared libraries: ([^\s:]+)/.exec(failure)?.[1];
  throw library === undefined
    ? missing(`${chromium.path} does not run: ${failure}`, OWN_CHROMIUM)
    : missing(
        `${chromium.path} does not run: the shared library ${library} is missing.`,
        'Install the libraries that it needs (Debian: apt-get install libnss3 libnspr4 libexpat1 fonts-liberation).',
      );
}

/** Runs Chromium for its version, which loads all its libraries. Returns the last line of the error if that fails. */
async function readVersion({
  path,
  env,
  ...rest
}: Candidate): Promise<Chromium | { readonly failure: string }> {
  try {
    const { stdout } = await promisify(execFile)(path, ['--version'], {
      env: { ...BASE_ENV, ...env },
      timeout: VERSION_TIMEOUT_MS,
    });
    return { ...rest, path, env, version: /\d+(?:\.\d+)*/.exec(stdout)?.[0] ?? '' };
  } catch (error) {
    const { stderr = '', message } = error as Error & { stderr?: string };
    return { failure: (stderr.trim() || message).split('\n').at(-1)?.slice(0, 300) ?? '' };
  }
}

function missing(message: string, suggestion: string): AppError {
  return new AppError('SERVICE_UNAVAILABLE', { message, suggestion });
}
