import { onEveryView } from './every-view.ts';

onEveryView({
  empty: [['dark', 360]],
  full: [
    ['dark', 1280],
    ['light', 360],
  ],
});
