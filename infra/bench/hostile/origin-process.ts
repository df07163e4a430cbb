/** Runs the hostile site in a process of its own, so that it does not slow down the measurement. */
import { startHostileOrigin } from './hostile-origin.ts';

const origin = await startHostileOrigin();
process.once('disconnect', () => process.exit(0));
process.send?.({ type: 'ready', ports: { http: origin.port } });
