import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Names the current run of the machine: two that differ have a shutdown or power cut between them. */
export function readBootId(): string {
  try {
    if (process.platform === 'darwin') {
      return execFileSync('sysctl', ['-n', 'kern.bootsessionuuid'], {
        encoding: 'utf8',
        timeout: 2000,
      }).trim();
    }
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return 'unknown';
  }
}
