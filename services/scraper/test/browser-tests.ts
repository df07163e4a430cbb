import { access, mkdtemp, readdir, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { toAppError } from '@gleaner/contracts';
import { describe } from '@jest/globals';
import { openBrowserFolder } from '../src/browser/process/browser-folder.ts';
import { findChromium } from '../src/browser/process/find-chromium.ts';

/** Path of Debian's Chromium, for machines on which the bundled one does not run. */
const DEBIAN_CHROMIUM = '/usr/bin/chromium';

/** Defines the suite, with the settings that a browser needs here; prints the reason instead where none can run. */
export async function describeWithBrowser(
  name: string,
  define: (settings: Readonly<Record<string, string>>) => void,
): Promise<void> {
  const settings = await findSettings();
  if (settings instanceof Error) process.stderr.write(`Not tested: ${name}. ${settings.message}\n`);
  else describe(name, () => define(settings));
}

async function findSettings(): Promise<Readonly<Record<string, string>> | Error> {
  const { CHROMIUM_PATH } = process.env;
  if (CHROMIUM_PATH !== undefined) return { CHROMIUM_PATH };
  try {
    await findChromium(undefined);
    return {};
  } catch (error) {
    const hasDebianChromium = await access(DEBIAN_CHROMIUM).then(
      () => true,
      () => false,
    );
    return hasDebianChromium ? { CHROMIUM_PATH: DEBIAN_CHROMIUM } : toAppError(error);
  }
}

/** Creates a BROWSER_DIR for one test, with the Chromium that is already unpacked. */
export async function makeBrowserFolder(): Promise<string> {
  const shared = await openBrowserFolder(undefined);
  const prepare = await findChromium(undefined).catch(() => undefined);
  await prepare?.(shared);
  const folder = await mkdtemp(join(tmpdir(), 'gleaner-browsers-'));
  for (const name of await readdir(shared)) {
    if (name.startsWith('chromium-')) await symlink(join(shared, name), join(folder, name));
  }
  return folder;
}
