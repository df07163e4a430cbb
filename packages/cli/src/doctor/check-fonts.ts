import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Check } from './check.ts';

const WITHIN_MS = 5000;
const REMEDY =
  'Install them (Debian: apt-get install fonts-noto-cjk), or texts show as boxes in screenshots.';

/** Checks that the browser of this machine has fonts for Chinese, Japanese and Korean; nothing where fontconfig is missing. */
export async function* checkFonts(): AsyncGenerator<Check> {
  if (process.platform !== 'linux') return;
  try {
    const { stdout } = await promisify(execFile)('fc-list', [':lang=ja', 'family'], { timeout: WITHIN_MS });
    const found = stdout.trim() !== '';
    yield found
      ? { id: 'fonts', state: 'ok', found: 'Fonts for Chinese, Japanese and Korean are installed.' }
      : {
          id: 'fonts',
          state: 'warning',
          found: 'No fonts for Chinese, Japanese and Korean are installed.',
          remedy: REMEDY,
        };
  } catch {
    return;
  }
}
