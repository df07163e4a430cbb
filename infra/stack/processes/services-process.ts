/** Runs the services that its arguments name, side by side in one process: `node services-process.ts scheduler …`. */
import { join, resolve } from 'node:path';

const SERVICES_FOLDER = resolve(import.meta.dirname, '../../../services');

await Promise.all(process.argv.slice(2).map((name) => import(join(SERVICES_FOLDER, name, 'src/main.ts'))));
