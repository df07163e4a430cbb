import UPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { useComputedColorScheme } from '@mantine/core';
import { useEffect, useRef } from 'react';
import type { DayOfUse } from './days-between.ts';

const HEIGHT = 220;
/** Room for the bars of the first and the last day. */
const HALF_DAY_SECONDS = 43_200;

/** Bars of the credits by day. The table below has the same numbers for those who cannot see it. */
export function UsageChart({ days }: { readonly days: readonly DayOfUse[] }) {
  const place = useRef<HTMLDivElement>(null);
  const scheme = useComputedColorScheme('light');
  // biome-ignore lint/correctness/useExhaustiveDependencies: the colors of a canvas are those of the scheme.
  useEffect(() => {
    const element = place.current;
    if (!element) return;
    const plot = new UPlot(optionsOf(element), dataOf(days), element);
    const resizing = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height: HEIGHT }));
    resizing.observe(element);
    return () => {
      resizing.disconnect();
      plot.destroy();
    };
  }, [days, scheme]);
  return (
    <figure
      className="card"
      style={{ margin: 0 }}
      aria-label="Credits by day; the table below has the numbers"
    >
      <div ref={place} style={{ height: HEIGHT, overflow: 'hidden' }} aria-hidden="true" />
    </figure>
  );
}

function dataOf(days: readonly DayOfUse[]): UPlot.AlignedData {
  return [days.map(({ day }) => Date.parse(day) / 1_000), days.map(({ credits }) => credits)];
}

function optionsOf(element: HTMLElement): UPlot.Options {
  const style = getComputedStyle(element);
  const color = (name: string) => style.getPropertyValue(name).trim();
  const axis = {
    stroke: color('--gl-muted'),
    grid: { stroke: color('--gl-line'), width: 1 },
    ticks: { show: false },
  };
  const bars = UPlot.paths.bars?.({ size: [0.7, 28], radius: 0.2 });
  return {
    width: element.clientWidth,
    height: HEIGHT,
    tzDate: (seconds) => UPlot.tzDate(new Date(seconds * 1_000), 'Etc/UTC'),
    legend: { show: false },
    cursor: { show: false },
    scales: {
      x: { range: (_plot, min, max) => [min - HALF_DAY_SECONDS, max + HALF_DAY_SECONDS] },
      y: { range: (_plot, _min, max) => [0, Math.max(1, max * 1.1)] },
    },
    axes: [{ ...axis, grid: { show: false } }, axis],
    series: [{}, { fill: color('--gl-accent'), points: { show: false }, ...(bars && { paths: bars }) }],
  };
}
