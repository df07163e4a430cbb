import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const LIST_TIMEOUT_MS = 10_000;

/**
 * Tells whether fontconfig knows a font for Chinese, which those for Japanese and Korean usually come with. Returns
 * undefined where `fc-list` (https://man.archlinux.org/man/fc-list.1) is missing.
 */
export async function hasChineseFont(): Promise<boolean | undefined> {
  try {
    const { stdout } = await promisify(execFile)('fc-list', [':lang=zh', 'family'], {
      timeout: LIST_TIMEOUT_MS,
    });
    return stdout.trim() !== '';
  } catch {
    return undefined;
  }
}
