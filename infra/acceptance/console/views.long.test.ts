import { type Look, onEveryView } from './every-view.ts';

const LOOKS = (['dark', 'light'] as const).flatMap((scheme) =>
  [360, 768, 1440].map((width): Look => [scheme, width]),
);

onEveryView({ empty: LOOKS, full: LOOKS });
