import type { OriginRoute } from './behavior.ts';
import { BAD_FAILURE_ROUTES } from './behaviors/bad-failures.ts';
import { BLOCK_PAGE_ROUTES } from './behaviors/block-pages.ts';
import { BOMB_ROUTES } from './behaviors/bombs.ts';
import { CONSENT_PAGE_ROUTES } from './behaviors/consent-pages.ts';
import { ECHO_ROUTES } from './behaviors/echoes.ts';
import { ENCODING_ROUTES } from './behaviors/encodings.ts';
import { FILE_ROUTES } from './behaviors/files.ts';
import { GARBAGE_ROUTES } from './behaviors/garbage.ts';
import { LENGTH_ROUTES } from './behaviors/lengths.ts';
import { LONG_LIST_ROUTES } from './behaviors/long-lists.ts';
import { MEMBERS_ROUTES } from './behaviors/members.ts';
import { PAGE_ROUTES } from './behaviors/pages.ts';
import { REDESIGN_ROUTES } from './behaviors/redesigns.ts';
import { REDIRECT_ROUTES } from './behaviors/redirects.ts';
import { RESET_ROUTES } from './behaviors/resets.ts';
import { SCRIPTED_PAGE_ROUTES } from './behaviors/scripted-pages.ts';
import { STALL_ROUTES } from './behaviors/stalls.ts';
import { STATUS_ROUTES } from './behaviors/statuses.ts';
import { SUSPECT_PAGE_ROUTES } from './behaviors/suspect-pages.ts';
import { TRAP_ROUTES } from './behaviors/traps.ts';
import { UNKNOWN_PATH_ROUTES } from './behaviors/unknown-paths.ts';
import { WALL_ROUTES } from './behaviors/walls.ts';

/** All routes of the origin: first valid responses, then broken ones. */
export const ROUTES: readonly OriginRoute[] = [
  ...PAGE_ROUTES,
  ...ENCODING_ROUTES,
  ...ECHO_ROUTES,
  ...REDIRECT_ROUTES,
  ...STATUS_ROUTES,
  ...BLOCK_PAGE_ROUTES,
  ...WALL_ROUTES,
  ...SUSPECT_PAGE_ROUTES,
  ...SCRIPTED_PAGE_ROUTES,
  ...CONSENT_PAGE_ROUTES,
  ...LONG_LIST_ROUTES,
  ...REDESIGN_ROUTES,
  ...MEMBERS_ROUTES,
  ...FILE_ROUTES,
  ...UNKNOWN_PATH_ROUTES,
  ...TRAP_ROUTES,
  ...BAD_FAILURE_ROUTES,
  ...STALL_ROUTES,
  ...RESET_ROUTES,
  ...LENGTH_ROUTES,
  ...BOMB_ROUTES,
  ...GARBAGE_ROUTES,
];
