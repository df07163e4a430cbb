import { createReadStream, createWriteStream } from 'node:fs';
import { access, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { createBrotliDecompress } from 'node:zlib';
import { extract } from 'tar-fs';

/** The Chromium of @sparticuz/chromium on disk. */
export interface UnpackedChromium {
  readonly path: string;
  /** Shared libraries that Chromium needs and a minimal system lacks. */
  readonly libraryDir: string;
  /** Points fontconfig to the package's font where the system has none. */
  readonly env: Readonly<Record<string, string>>;
}

const SYSTEM_FONTS = '/etc/fonts/fonts.conf';

/**
 * Unpacks the bundled Chromium into the folder, once for each version of it. Several processes may do so at once; the
 * first to finish wins.
 */
export async function unpackChromium(folder: string): Promise<UnpackedChromium> {
  const packageDir = resolve(fileURLToPath(import.meta.resolve('@sparticuz/chromium')), '../..');
  const { version } = JSON.parse(await readFile(join(packageDir, 'package.json'), 'utf8'));
  const home = join(folder, `chromium-${version}`);
  if (!(await exists(join(home, 'chromium')))) await unpackInto(home, join(packageDir, 'bin'), folder);
  const hasFonts = await exists(SYSTEM_FONTS);
  return {
    path: join(home, 'chromium'),
    libraryDir: join(home, 'lib'),
    env: hasFonts ? {} : { FONTCONFIG_FILE: join(home, 'gleaner-fonts.conf') },
  };
}

async function unpackInto(home: string, binDir: string, folder: string): Promise<void> {
  const draft = await mkdtemp(join(folder, 'unpacking-'));
  const open = (name: string) => createReadStream(join(binDir, name));
  try {
    await Promise.all([
      pipeline(
        open('chromium.br'),
        createBrotliDecompress(),
        createWriteStream(join(draft, 'chromium'), { mode: 0o755 }),
      ),
      pipeline(open('al2023.tar.br'), createBrotliDecompress(), extractAsOurs(draft)),
      pipeline(open('fonts.tar.br'), createBrotliDecompress(), extractAsOurs(draft)),
      writeFile(join(draft, 'gleaner-fonts.conf'), fontsConf(home)),
    ]);
    await rename(draft, home).catch(async (error: unknown) => {
      if (!(await exists(join(home, 'chromium')))) throw error;
    });
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/** Extracts files as the current user: as root, tar would keep the owner in the archive. */
function extractAsOurs(folder: string) {
  const { uid, gid } = userInfo();
  return extract(folder, { map: (header) => ({ ...header, uid, gid }) });
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
