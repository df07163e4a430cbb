import { onHostileSnapshots } from './hostile-snapshots.ts';
import { VECTORS, type Vector } from './hostile-vectors.ts';

/** The part of a name before the comma, and whether it is a link. */
const kindOf = ({ name, isLink = false }: Vector) => `${name.split(',', 1)} ${isLink}`;

onHostileSnapshots([...new Map(VECTORS.map((vector) => [kindOf(vector), vector])).values()]);
