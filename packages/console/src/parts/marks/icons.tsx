/** Outlines on a grid of 24, drawn with a stroke. */
const PATHS = {
  play: 'M7 5l12 7-12 7z',
  target: 'M12 3v4m0 10v4M3 12h4m10 0h4M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8z',
  jobs: 'M4 6h16M4 12h16M4 18h10',
  clock: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zm0 4v5l3.5 2',
  table: 'M4 5h16v14H4zm0 5h16M4 14.5h16M10 10v9',
  hook: 'M9 11a4 4 0 1 1 5.5-3.7M10 12l-3.5 6M14 10l3 5.5M18 14a4 4 0 1 1-3.7 5.5H7M6.5 14.2a4 4 0 1 0 3 6.3',
  bell: 'M6 17v-6a6 6 0 0 1 12 0v6l1.5 2h-15zm4 4h4',
  map: 'M10 3h4v5h-4zM4 16h4v5H4zm12 0h4v5h-4zM12 8v4m-6 4v-4h12v4',
  profile: 'M12 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM4 20a8 8 0 0 1 16 0',
  chart: 'M4 20V10m6 10V4m6 16v-7m4 7H2',
  key: 'M14.5 9.5a4.5 4.5 0 1 0-4 4L12 15h2v2h2v2h4v-4l-5.6-5.6z',
  lock: 'M6 11h12v9H6zm2.5 0V8a3.5 3.5 0 0 1 7 0v3',
  system: 'M4 5h16v6H4zm0 8h16v6H4zm3-5h.01M7 16h.01',
  search: 'M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14zm5 12l4.5 4.5',
  menu: 'M4 7h16M4 12h16M4 17h16',
  close: 'M6 6l12 12M18 6L6 18',
  plus: 'M12 5v14M5 12h14',
  sun: 'M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zm0-5v1m0 16v1M3 12h1m16 0h1M5.6 5.6l.7.7m11.4 11.4l.7.7m0-12.8l-.7.7M6.3 17.7l-.7.7',
  moon: 'M20 14.5A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.5z',
  auto: 'M12 3a9 9 0 1 0 0 18zm0 0a9 9 0 0 1 0 18',
  keyboard: 'M3 6h18v12H3zm4 4h.01M11 10h.01M15 10h.01M7 14h10',
  leave: 'M14 4H5v16h9M10 12h11m-4-4l4 4-4 4',
  arrow: 'M5 12h14m-6-6l6 6-6 6',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  check: 'M5 12.5l4.5 4.5L19 7.5',
  download: 'M12 4v11m-5-4l5 5 5-5M4 20h16',
  refresh: 'M20 11a8 8 0 0 0-14.5-4M4 13a8 8 0 0 0 14.5 4M5 3v4h4m10 14v-4h-4',
  alert: 'M12 4l9 16H3zm0 6v4m0 3h.01',
  dots: 'M5 12h.01M12 12h.01M19 12h.01',
  trash: 'M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13',
  pause: 'M8 5v14M16 5v14',
} as const;

export type IconName = keyof typeof PATHS;

/** A decoration; what it stands beside or its button carries the name. */
export function Icon({ name, size = 18 }: { readonly name: IconName; readonly size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={name === 'dots' ? 3 : 1.7}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      style={{ flex: 'none' }}
    >
      <path d={PATHS[name]} />
    </svg>
  );
}

/** The mark of Gleaner. */
export function Logo({ className }: { readonly className?: string | undefined }) {
  return (
    <svg className={className} width="24" height="24" viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="8" fill="#3b55c8" />
      <path
        d="M22 11.5A7.5 7.5 0 1 0 23.5 17H17"
        fill="none"
        stroke="#fff"
        strokeWidth="3"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}
