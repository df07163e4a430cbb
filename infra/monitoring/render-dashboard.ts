import type { Panel, Row } from './panels.ts';

/** Width of Grafana's grid, and the panels side by side in it. */
const GRID_WIDTH = 24;
const PER_LINE = 3;
const HEIGHT = 8;

/** Renders rows of panels as a dashboard for Grafana, whose data source the reader chooses. */
export function renderDashboard(rows: readonly Row[]): string {
  const panels: object[] = [];
  let y = 0;
  for (const row of rows) {
    panels.push({
      id: panels.length + 1,
      type: 'row',
      title: row.title,
      collapsed: false,
      panels: [],
      gridPos: { x: 0, y, w: GRID_WIDTH, h: 1 },
    });
    y += 1;
    for (const [place, panel] of row.panels.entries()) {
      const w = GRID_WIDTH / PER_LINE;
      const gridPos = {
        x: (place % PER_LINE) * w,
        y: y + Math.floor(place / PER_LINE) * HEIGHT,
        w,
        h: HEIGHT,
      };
      panels.push({ id: panels.length + 1, ...renderPanel(panel), gridPos });
    }
    y += Math.ceil(row.panels.length / PER_LINE) * HEIGHT;
  }
  const dashboard = {
    uid: 'gleaner',
    title: 'Gleaner',
    tags: ['gleaner'],
    schemaVersion: 39,
    editable: true,
    refresh: '30s',
    time: { from: 'now-3h', to: 'now' },
    templating: {
      list: [{ name: 'datasource', label: 'Data source', type: 'datasource', query: 'prometheus' }],
    },
    panels,
  };
  return `${JSON.stringify(dashboard, undefined, 2)}\n`;
}

// biome-ignore lint/suspicious/noTemplateCurlyInString: Grafana fills in the variable.
const DATA_SOURCE = { type: 'prometheus', uid: '${datasource}' };

function renderPanel({ title, unit, queries, stacked }: Panel): object {
  return {
    type: 'timeseries',
    title,
    datasource: DATA_SOURCE,
    fieldConfig: {
      defaults: {
        unit,
        min: 0,
        custom: stacked ? { stacking: { mode: 'normal' }, fillOpacity: 40 } : { fillOpacity: 5 },
      },
      overrides: [],
    },
    options: {
      legend: { displayMode: 'list', placement: 'bottom' },
      tooltip: { mode: 'multi', sort: 'desc' },
    },
    targets: queries.map(({ expr, legend }, place) => ({
      refId: String.fromCharCode('A'.charCodeAt(0) + place),
      datasource: DATA_SOURCE,
      expr,
      legendFormat: legend,
    })),
  };
}
