import { execFile } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import { promisify } from 'node:util';
import { AppError } from '@gleaner/contracts';
import { unpackChromium } from './unpack-chromium.ts';

/** A Chromium that runs on this machine, and the variables that it needs to. */
export interface Chromium {
  readonly path: string;
  readonly env: Readonly<Record<string, string>>;
  /** As it says itself; '' when it says something else. */
  readonly version: string;
}

type Candidate = Omit<Chromium, 'version'>;

/** Makes the Chromium ready to start: the bundled one is unpacked at its first use. */
export type PrepareChromium = (browserFolder: string) => Promise<Chromium>;

/** The only environment that Chromium gets: the scraper's own holds secrets. */
export const BASE_ENV = { PATH: '/usr/local/bin:/usr/bin:/bin', LANG: 'en_US.UTF-8' } as const;

const GLIBC_LOADER = '/lib64/ld-linux-x86-64.so.2';
const VERSION_TIMEOUT_MS = 20_000;
const OWN_CHROMIUM = 'Install one (Debian: apt-get install chromium) and set CHROMIUM_PATH to its binary.';

/**
 * Finds out whether a browser can run here, as far as that can be told without starting it. Throws SERVICE_UNAVAILABLE
 * that says what is missing and how to get it.
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

async function prepareBundled(browserFolder: string): Promise<Chromium> {
  const { path, libraryDir, env } = await unpackChromium(browserFolder);
  const asIs = await askVersion({ path, env });
  if (!('fault' in asIs)) return asIs;
  // The package brings NSS for systems that have none.
  return await requireVersion({ path, env: { ...env, LD_LIBRARY_PATH: libraryDir } });
}

async function requireBundledPlatform(): Promise<void> {
  const { platform, arch } = process;
  if (platform !== 'linux' || arch !== 'x64') {
    throw missing(
      `The bundled Chromium runs on Linux on x64, and this is ${platform} on ${arch}.`,
      OWN_CHROMIUM,
    );
  }
  const hasGlibc = await access(GLIBC_LOADER).then(
    () => true,
    () => false,
  );
  if (!hasGlibc)
    throw missing(`The bundled Chromium needs glibc (${GLIBC_LOADER}), which is not here.`, OWN_CHROMIUM);
}

async function requireExecutable(path: string): Promise<void> {
  await access(path, constants.X_OK).catch((cause: NodeJS.ErrnoException) => {
    const fault = cause.code === 'ENOENT' ? 'does not exist' : `cannot be executed (${cause.code})`;
    throw missing(
      `CHROMIUM_PATH is ${path}, which ${fault}.`,
      `${OWN_CHROMIUM} Unset it to use the bundled one.`,
    );
  });
}

async function requireVersion(chromium: Candidate): Promise<Chromium> {
  const answer = await askVersion(chromium);
  if (!('fault' in answer)) return answer;
  const { fault } = answer;
  const library = /error while loading shared libraries: ([^\s:]+)/.exec(fault)?.[1];
  throw library === undefined
    ? missing(`${chromium.path} does not run: ${fault}`, OWN_CHROMIUM)
    : missing(
        `${chromium.path} does not run: the shared library ${library} is missing.`,
        'Install what it needs (Debian: apt-get install libnss3 libnspr4 libexpat1 fonts-liberation).',
      );
}

/** Asks Chromium for its version, which loads all its libraries; or what goes wrong with that. */
async function askVersion({ path, env }: Candidate): Promise<Chromium | { readonly fault: string }> {
  try {
    const { stdout } = await promisify(execFile)(path, ['--version'], {
      env: { ...BASE_ENV, ...env },
      timeout: VERSION_TIMEOUT_MS,
    });
    return { path, env, version: /\d+(?:\.\d+)*/.exec(stdout)?.[0] ?? '' };
  } catch (thrown) {
    const { stderr = '', message } = thrown as Error & { stderr?: string };
    return { fault: (stderr.trim() || message).split('\n').at(-1)?.slice(0, 300) ?? '' };
  }
}

function missing(message: string, suggestion: string): AppError {
  return new AppError('SERVICE_UNAVAILABLE', { message, suggestion });
}
