import { onStrainedConsole } from './strain.ts';

onStrainedConsole({ records: 1_000, rows: 5_000, jobs: 51 });
