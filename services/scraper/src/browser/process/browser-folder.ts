import { chmod, lstat, mkdir } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { AppError } from '@gleaner/contracts';

/**
 * Creates the folder that holds the unpacked Chromium and the profiles of this user's running browsers. Throws
 * SERVICE_UNAVAILABLE when it belongs to another user, who could have put anything into it.
 */
export async function openBrowserFolder(configured: string | undefined): Promise<string> {
  const { uid } = userInfo();
  const folder = configured ?? join(tmpdir(), `gleaner-browser-${uid}`);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const found = await lstat(folder);
  if (!found.isDirectory() || (uid >= 0 && found.uid !== uid)) {
    throw new AppError('SERVICE_UNAVAILABLE', {
      message: `${folder} does not belong to the user that the scraper runs as.`,
      suggestion: 'Remove it, or set BROWSER_DIR to another folder.',
    });
  }
  await chmod(folder, 0o700);
  return folder;
}
