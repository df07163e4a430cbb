/** The hostile site in a process of its own, so that it does not slow down who measures. */
import { startHostileOrigin } from './hostile-origin.ts';

const origin = await startHostileOrigin();
process.once('disconnect', () => process.exit(0));
process.send?.({ type: 'ready', ports: { http: origin.port } });
