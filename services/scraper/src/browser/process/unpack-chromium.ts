import { execFile } from 'node:child_process';
import { access, lchown, mkdir, readdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { homeOfChromium } from './chromium-versions.ts';
import { createOwnedFolder } from './owned-folder.ts';

/** The Chromium of @sparticuz/chromium on disk. */
export interface UnpackedChromium {
  /** Folder that has all of it. */
  readonly home: string;
  readonly path: string;
  /** Shared libraries that Chromium needs and a minimal system lacks. */
  readonly libraryDir: string;
  /** Points fontconfig to the package's font where the system has none. */
  readonly env: Readonly<Record<string, string>>;
}

const SYSTEM_FONTS = '/etc/fonts/fonts.conf';
const UNPACK_PROCESS = join(import.meta.dirname, 'unpack-chromium-process.ts');
const UNPACK_TIMEOUT_MS = 300_000;

/**
 * Unpacks the bundled Chromium into the folder, once for each version of it. Several processes may do so at once; the
 * first to finish wins.
 */
export async function unpackChromium(folder: string): Promise<UnpackedChromium> {
  const home = await homeOfChromium(folder);
  if (!(await exists(join(home, 'chromium')))) await unpackInto(home, folder);
  const hasFonts = await exists(SYSTEM_FONTS);
  return {
    home,
    path: join(home, 'chromium'),
    libraryDir: join(home, 'al2023/lib'),
    env: hasFonts ? {} : { FONTCONFIG_FILE: join(home, 'gleaner-fonts.conf') },
  };
}

async function unpackInto(home: string, folder: string): Promise<void> {
  const owned = await createOwnedFolder(folder);
  const draft = join(owned.path, 'unpacked');
  try {
    await mkdir(draft);
    await runPackage(draft);
    await takeOwnership(draft);
    await writeFile(join(draft, 'gleaner-fonts.conf'), fontsConf(home));
    await rename(draft, home).catch(async (error: unknown) => {
      if (!(await exists(join(home, 'chromium')))) throw error;
    });
  } finally {
    await owned.remove();
  }
}

/**
 * Lets the package unpack itself. It writes to the folder for temporary files and changes its process, so it gets a process
 * of its own; it unpacks the shared libraries only where the environment says AWS Lambda.
 */
async function runPackage(folder: string): Promise<void> {
  await promisify(execFile)(process.execPath, [UNPACK_PROCESS], {
    env: { TMPDIR: folder, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x' },
    timeout: UNPACK_TIMEOUT_MS,
    killSignal: 'SIGKILL',
  });
}

/** Makes the files those of the current user: unpacked by root, they belong to the owners that the archives name. */
async function takeOwnership(folder: string): Promise<void> {
  const [uid, gid] = [process.getuid?.() ?? -1, process.getgid?.() ?? -1];
  for (const name of await readdir(folder, { recursive: true })) await lchown(join(folder, name), uid, gid);
}

/** https://www.freedesktop.org/software/fontconfig/fontconfig-user.html */
function fontsConf(home: string): string {
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir>${join(home, 'fonts')}</dir><cachedir>${join(home, 'font-cache')}</cachedir></fontconfig>
`;
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
