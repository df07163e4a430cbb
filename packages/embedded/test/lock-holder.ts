import { lockFolder } from '../src/lock-folder.ts';

// Run as a child process: locks the folder given as its argument, and keeps it until it is killed.
const [, , folder = ''] = process.argv;
try {
  lockFolder(folder);
  process.stdout.write('locked\n');
  setInterval(() => undefined, 60_000);
} catch (error) {
  process.stdout.write(`${String(error)}\n`);
}
