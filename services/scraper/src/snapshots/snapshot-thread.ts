/** Entry of the threads that work on snapshots. */
import type { SnapshotCommand } from '@gleaner/contracts';
import { Budget, serveTasks } from '@gleaner/extraction';
import { workOnSnapshot } from './work-on-snapshot.ts';

/** About ten seconds of one core; the deadline may come first. */
const MAX_STEPS = 300_000_000;

serveTasks((command: SnapshotCommand) => workOnSnapshot(command, new Budget({ maxSteps: MAX_STEPS })));
