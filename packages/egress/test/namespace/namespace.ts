import { execFile, execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { ProbedAddress } from './probe.ts';

const run = promisify(execFile);
const PROBE = fileURLToPath(new URL('probe.ts', import.meta.url));

/** Returns why no network namespace can be created here; undefined when one can. */
export function findObstacle(): string | undefined {
  if (process.platform !== 'linux') return 'network namespaces need Linux';
  if (process.getuid?.() !== 0) return 'only root may create a network namespace';
  const name = `gleaner-try-${process.pid}`;
  try {
    execFileSync('ip', ['netns', 'add', name], { stdio: 'pipe' });
    execFileSync('ip', ['netns', 'delete', name], { stdio: 'pipe' });
    return undefined;
  } catch (error) {
    return `"ip netns add" fails here (${error instanceof Error ? error.message.trim() : String(error)})`;
  }
}

/** Probes the addresses from inside a new namespace whose every address is local; the namespace is removed afterwards. */
export async function probeInNamespace(addresses: readonly string[]): Promise<ProbedAddress[]> {
  const name = `gleaner-${process.pid}`;
  await run('ip', ['netns', 'add', name]);
  try {
    const inside = (...command: string[]) =>
      run('ip', ['netns', 'exec', name, ...command], { timeout: 240_000 });
    await inside('ip', 'link', 'set', 'lo', 'up');
    await inside('ip', 'route', 'add', 'local', '0.0.0.0/0', 'dev', 'lo');
    await inside('ip', '-6', 'route', 'add', 'local', '::/0', 'dev', 'lo');
    const { stdout } = await inside(process.execPath, PROBE, ...addresses);
    return JSON.parse(stdout) as ProbedAddress[];
  } finally {
    await run('ip', ['netns', 'delete', name]);
  }
}
