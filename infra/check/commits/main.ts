/**
 * `npm run commits`: every commit since the convention began is a Conventional Commit. Without a history (an archive)
 * there is nothing to check; of a shallow clone it checks the commits that are there.
 */
import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { lintCommit } from './lint-commit.ts';

/** The last commit before the convention. */
const LAST_BEFORE = '2e93cd9d6134a34bc13e952f275591dab428e308';

const commits = readCommits();
if (!commits) console.log('There is no git history of this project here: no commit message was checked.');
let rejected = 0;
for (const { hash, message } of commits ?? []) {
  const problems = await lintCommit(message);
  if (problems.length === 0) continue;
  rejected += 1;
  console.log(`${hash.slice(0, 8)}  ${message.split('\n')[0]}\n  ${problems.join('\n  ')}`);
}
if (commits) console.log(`${commits.length} commit messages checked, ${rejected} rejected`);
process.exitCode = rejected > 0 ? 1 : 0;

function readCommits(): { hash: string; message: string }[] | undefined {
  const range = rangeOf();
  return (range && git('log', '--format=%H%n%B%x00', range))
    ?.split('\0')
    .map((entry) => entry.trim())
    .filter(Boolean)
    .map((entry) => {
      const [hash = '', ...lines] = entry.split('\n');
      return { hash, message: lines.join('\n') };
    });
}

/** Returns the commits to check as git names them; nothing when this is another history. */
function rangeOf(): string | undefined {
  if (has(LAST_BEFORE)) return `${LAST_BEFORE}..HEAD`;
  // In a shallow clone without that commit, all commits are younger than it.
  return git('rev-parse', '--is-shallow-repository')?.trim() === 'true' ? 'HEAD' : undefined;
}

function has(commit: string): boolean {
  return git('cat-file', '-e', `${commit}^{commit}`) !== undefined;
}

/** Returns what git prints, nothing when it fails or is not installed, or when this folder is not its repository. */
function git(...args: string[]): string | undefined {
  const root = resolve(import.meta.dirname, '../../..');
  // Without the ceiling git would find the repository of a folder further up.
  const env = { ...process.env, GIT_CEILING_DIRECTORIES: resolve(root, '..') };
  const done = spawnSync('git', args, { cwd: root, env, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
  return done.status === 0 ? done.stdout : undefined;
}
