import { onHostileSnapshots } from './hostile-snapshots.ts';
import { VECTORS } from './hostile-vectors.ts';

onHostileSnapshots(VECTORS);
