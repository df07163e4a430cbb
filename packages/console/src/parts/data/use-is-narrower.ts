import { type RefObject, useLayoutEffect, useState } from 'react';

/** Returns true while an element is narrower than a table in it needs to be: its rows become cards. */
export function useIsNarrower(element: RefObject<HTMLElement | null>, neededWidth: number): boolean {
  const [width, setWidth] = useState(Number.POSITIVE_INFINITY);
  useLayoutEffect(() => {
    const { current } = element;
    if (!current) return;
    const measure = () => setWidth(current.offsetWidth);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(current);
    return () => observer.disconnect();
  }, [element]);
  return width < neededWidth;
}
