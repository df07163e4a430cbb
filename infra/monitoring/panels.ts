/** One chart of the dashboard. */
export interface Panel {
  readonly title: string;
  readonly unit: Unit;
  /** Expressions in PromQL, each with the legend of its lines. */
  readonly queries: readonly Query[];
  readonly stacked?: true;
}

/** Charts under one heading. */
export interface Row {
  readonly title: string;
  readonly panels: readonly Panel[];
}

/** Unit in Grafana's names. */
type Unit = 'short' | 's' | 'bytes' | 'ops' | 'percentunit';

interface Query {
  readonly expr: string;
  readonly legend: string;
}

const STACKED = 'stacked';
/** Title, unit and queries of a panel; a stacked one shows parts of a whole. */
type PanelEntry = readonly [string, Unit, Query | readonly Query[], typeof STACKED?];

const OWN_ERRORS = 'code=~"INTERNAL_ERROR|SERVICE_UNAVAILABLE"';
const RATE_OF_CALLS = (filter = '') => `sum(rate(gleaner_http_requests_total${filter}[$__rate_interval]))`;

/** The dashboard by rows, from what callers see down to the machine. */
const TABLE: Readonly<Record<string, readonly PanelEntry[]>> = {
  API: [
    ['Calls by status', 'ops', rate('gleaner_http_requests_total', 'status'), STACKED],
    [
      'Share of calls that fail by our own errors',
      'percentunit',
      line(`${RATE_OF_CALLS(`{${OWN_ERRORS}}`)} / ${RATE_OF_CALLS()}`, 'own errors'),
    ],
    ['Duration of calls', 's', quantiles('gleaner_http_request_duration_seconds', 'route')],
    ['Calls in flight', 'short', line('sum(gleaner_http_requests_in_flight)', 'calls')],
  ],
  Scrapers: [
    [
      'Outcomes of scrapes and pages',
      'ops',
      rate('gleaner_scrape_duration_seconds_count', 'engine, outcome'),
      STACKED,
    ],
    ['Duration of scrapes and pages', 's', quantiles('gleaner_scrape_duration_seconds', 'engine')],
    [
      'Browsers and tabs',
      'short',
      [line('sum(gleaner_browsers)', 'browsers'), line('sum(gleaner_browser_tabs)', 'tabs')],
    ],
    ['Memory of browsers', 'bytes', by('sum', 'instance', 'gleaner_browser_memory_bytes')],
    ['Browsers that ended', 'ops', rate('gleaner_browsers_ended_total', 'reason')],
    ['Uses of proxies', 'ops', rate('gleaner_proxy_uses_total', 'proxy, verdict')],
    ['Proxies that rest', 'short', by('count', 'country', 'gleaner_proxy_ready == 0')],
  ],
  Jobs: [
    [
      'Demand for scrapers and pages in flight',
      'short',
      [
        line('max by (engine) (gleaner_dispatchable_pages)', 'dispatchable, {{engine}}'),
        line('max(gleaner_running_pages)', 'in flight'),
      ],
    ],
    ['Oldest waiting page', 's', by('max', 'engine', 'gleaner_oldest_waiting_page_seconds')],
    [
      'Attempts at pages',
      'ops',
      [
        rate('gleaner_page_tries_total', 'outcome'),
        line('sum(rate(gleaner_pages_dispatched_total[$__rate_interval]))', 'dispatched'),
      ],
      STACKED,
    ],
    [
      'Active jobs, paused hosts, dispatchers',
      'short',
      [
        line('max(gleaner_active_jobs)', 'active jobs'),
        line('max(gleaner_paused_hosts)', 'paused hosts'),
        line('sum(gleaner_dispatching)', 'dispatchers'),
      ],
    ],
    ['Repairs', 'ops', rate('gleaner_reconciled_total', 'what')],
    ['Runs of schedules', 'ops', rate('gleaner_schedule_runs_total', 'outcome')],
    ['Lag of schedules', 's', quantiles('gleaner_schedule_lag_seconds', 'service')],
  ],
  'Queues and webhooks': [
    ['Messages that wait', 'short', by('max', 'queue', 'gleaner_queue_messages')],
    ['Age of the oldest messages', 's', by('max', 'queue', 'gleaner_queue_oldest_seconds')],
    ['Consumers', 'short', by('max', 'queue', 'gleaner_queue_consumers')],
    ['Dead letters', 'short', line('max(gleaner_dead_letters)', 'messages')],
    ['Messages', 'ops', rate('gleaner_broker_events_total', 'event')],
    ['Deliveries due', 'short', line('max(gleaner_deliveries_due)', 'deliveries')],
    ['Oldest due delivery', 's', line('max(gleaner_oldest_due_delivery_seconds)', 'delivery')],
    ['Attempts at deliveries', 'ops', rate('gleaner_webhook_tries_total', 'outcome'), STACKED],
  ],
  Processes: [
    ['Failed checks', 'short', by('count', 'service, check', 'gleaner_check_ok == 0')],
    [
      'Memory',
      'bytes',
      [
        by('sum', 'service', 'process_resident_memory_bytes'),
        line('gleaner_process_resident_bytes{process="backends"}', '{{process}}'),
      ],
    ],
    ['CPU', 'short', rate('process_cpu_seconds_total', 'service')],
    ['Event loop stalls', 'ops', rate('gleaner_event_loop_stalls_total', 'service')],
    ['Longest turn of the event loop', 's', by('max', 'service, work', 'gleaner_longest_turn_seconds')],
    [
      'npm start: processes and restarts',
      'short',
      [
        line('sum(gleaner_process_ready)', 'ready'),
        line('gleaner_process_restarts_total', 'restarts of {{process}}'),
      ],
    ],
    [
      'npm start: disk',
      'bytes',
      [line('gleaner_data_bytes', 'data'), line('gleaner_data_free_bytes', 'free')],
    ],
    [
      'Versions',
      'short',
      line('count by (version, node) (gleaner_build_info)', '{{version}} on Node {{node}}'),
    ],
  ],
};

/** The rows of the dashboard with their panels. */
export const ROWS: readonly Row[] = Object.entries(TABLE).map(([title, entries]) => ({
  title,
  panels: entries.map(([name, unit, queries, stacked]) => ({
    title: name,
    unit,
    queries: [queries].flat(),
    ...(stacked && { stacked: true }),
  })),
}));

function line(expr: string, legend: string): Query {
  return { expr, legend };
}

/** Returns a line for each value of the labels. */
function by(operator: 'sum' | 'max' | 'count', labels: string, expr: string): Query {
  const legend = labels.replaceAll(/\w+/g, '{{$&}}').replaceAll(',', '');
  return line(`${operator} by (${labels}) (${expr})`, legend);
}

function rate(metric: string, labels: string): Query {
  return by('sum', labels, `rate(${metric}[$__rate_interval])`);
}

function quantiles(metric: string, label: string): Query[] {
  return [0.5, 0.99].map((quantile) =>
    line(
      `histogram_quantile(${quantile}, sum by (le, ${label}) (rate(${metric}_bucket[$__rate_interval])))`,
      `{{${label}}} p${quantile * 100}`,
    ),
  );
}
