import { access, mkdtemp, readdir, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { toAppError } from '@gleaner/contracts';
import { describe } from '@jest/globals';
import { openBrowserFolder } from '../src/browser/browser-folder.ts';
import { findChromium } from '../src/browser/find-chromium.ts';

/** Where Debian's Chromium is, for machines on which the bundled one does not run. */
const DEBIAN_CHROMIUM = '/usr/bin/chromium';

/** Defines the suite where a browser can run, with the settings that it takes; elsewhere a line says why not. */
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
  } catch (fault) {
    const hasDebians = await access(DEBIAN_CHROMIUM).then(
      () => true,
      () => false,
    );
    return hasDebians ? { CHROMIUM_PATH: DEBIAN_CHROMIUM } : toAppError(fault);
  }
}

/** A BROWSER_DIR of the test's own, with the Chromium that is unpacked already. */
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
