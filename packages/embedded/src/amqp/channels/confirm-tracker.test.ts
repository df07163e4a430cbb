import { describe, expect, it } from '@jest/globals';
import { ConfirmTracker } from './confirm-tracker.ts';

describe('ConfirmTracker', () => {
  it('sums up what is settled without a gap, and names the rest one by one', () => {
    const tracker = new ConfirmTracker();
    for (let count = 0; count < 6; count += 1) tracker.next();
    for (const tag of [2, 1, 3, 5]) tracker.settle(tag, true);
    expect(tracker.take()).toEqual([
      { name: 'basic.ack', tag: 3, isMultiple: true },
      { name: 'basic.ack', tag: 5, isMultiple: false },
    ]);
    tracker.settle(4, true);
    tracker.settle(6, true);
    expect(tracker.take()).toEqual([{ name: 'basic.ack', tag: 6, isMultiple: true }]);
  });

  it('names what is refused before an acknowledgement could cover it, and nothing twice', () => {
    const tracker = new ConfirmTracker();
    for (let count = 0; count < 3; count += 1) tracker.next();
    tracker.settle(2, false);
    tracker.settle(2, true);
    tracker.settle(1, true);
    tracker.settle(3, true);
    expect(tracker.take()).toEqual([
      { name: 'basic.nack', tag: 2, isMultiple: false },
      { name: 'basic.ack', tag: 3, isMultiple: true },
    ]);
    expect(tracker.take()).toEqual([]);
  });
});
