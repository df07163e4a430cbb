import { onEveryView } from './every-view.ts';

/** Looks that the quick suite leaves out. */
onEveryView({
  empty: [['light', 1440]],
  full: [
    ['dark', 360],
    ['light', 768],
    ['dark', 1440],
  ],
});
