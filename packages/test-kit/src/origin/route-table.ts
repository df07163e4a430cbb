import type { OriginRoute } from './behaviour.ts';
import { BAD_FAILURE_ROUTES } from './behaviours/bad-failures.ts';
import { BLOCK_PAGE_ROUTES } from './behaviours/block-pages.ts';
import { BOMB_ROUTES } from './behaviours/bombs.ts';
import { ECHO_ROUTES } from './behaviours/echoes.ts';
import { ENCODING_ROUTES } from './behaviours/encodings.ts';
import { GARBAGE_ROUTES } from './behaviours/garbage.ts';
import { LENGTH_ROUTES } from './behaviours/lengths.ts';
import { PAGE_ROUTES } from './behaviours/pages.ts';
import { REDIRECT_ROUTES } from './behaviours/redirects.ts';
import { RESET_ROUTES } from './behaviours/resets.ts';
import { STALL_ROUTES } from './behaviours/stalls.ts';
import { STATUS_ROUTES } from './behaviours/statuses.ts';
import { WALL_ROUTES } from './behaviours/walls.ts';

/** Everything that the origin does: first the families that behave, then those that misbehave. */
export const ROUTES: readonly OriginRoute[] = [
  ...PAGE_ROUTES,
  ...ENCODING_ROUTES,
  ...ECHO_ROUTES,
  ...REDIRECT_ROUTES,
  ...STATUS_ROUTES,
  ...BLOCK_PAGE_ROUTES,
  ...WALL_ROUTES,
  ...BAD_FAILURE_ROUTES,
  ...STALL_ROUTES,
  ...RESET_ROUTES,
  ...LENGTH_ROUTES,
  ...BOMB_ROUTES,
  ...GARBAGE_ROUTES,
];
