import type { Static } from 'typebox';
import { OneOf } from '../map-of.ts';
import { Type } from '../type.ts';

/** Ways to dismiss the layers over a page. */
export const OVERLAY_ACTIONS = ['hide', 'accept', 'reject'] as const;
export type OverlayAction = (typeof OVERLAY_ACTIONS)[number];

/** A layer that was dismissed. */
export const OverlaySchema = Type.Object(
  {
    cmp: Type.String({
      description:
        'The consent platform, by its name in the rules of autoconsent, such as `Onetrust`; `unknown` for a layer that was found by its looks.',
    }),
    action: OneOf(OVERLAY_ACTIONS),
  },
  { additionalProperties: false },
);
export type Overlay = Static<typeof OverlaySchema>;
