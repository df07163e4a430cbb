/** Writes dashboard.json from the table of panels: node infra/bootstrap.mjs infra/monitoring/main.ts */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ROWS } from './panels.ts';
import { renderDashboard } from './render-dashboard.ts';

await writeFile(join(import.meta.dirname, 'dashboard.json'), renderDashboard(ROWS));
