#!/usr/bin/env node
import { enableCompileCache } from 'node:module';
import { readVersion } from './version.ts';

const isVersion = process.argv.length === 3 && ['--version', '-V'].includes(process.argv[2] ?? '');
if (isVersion) process.stdout.write(`${readVersion()}\n`);
else {
  // The next start finds the modules compiled, in the folder for temporary files.
  enableCompileCache();
  // Loaded only now: the version needs none of it.
  const { runCommandLine } = await import('./run-command-line.ts');
  process.exitCode = await runCommandLine(process);
}
