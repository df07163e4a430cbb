import { htmlPath, scriptPath } from '@gleaner/test-kit';

/** Markup for every way in which a page can make its browser connect; `at` is the URL to reach. */
const WAYS: Readonly<Record<string, (at: string) => string>> = {
  fetch: (at) => `<script>fetch('${at}', { mode: 'no-cors' })</script>`,
  keepalive: (at) => `<script>fetch('${at}', { mode: 'no-cors', keepalive: true })</script>`,
  xhr: (at) => `<script>const x = new XMLHttpRequest(); x.open('GET', '${at}'); x.send()</script>`,
  websocket: (at) => `<script>new WebSocket('${at.replace('http', 'ws')}')</script>`,
  eventsource: (at) => `<script>new EventSource('${at}')</script>`,
  beacon: (at) => `<script>navigator.sendBeacon('${at}', 'x')</script>`,
  iframe: (at) => `<iframe src="${at}"></iframe>`,
  image: (at) => `<img src="${at}">`,
  script: (at) => `<script src="${at}"></script>`,
  stylesheet: (at) => `<link rel=stylesheet href="${at}">`,
  prefetch: (at) => `<link rel=prefetch href="${at}">`,
  preload: (at) => `<link rel=preload as=script href="${at}">`,
  modulepreload: (at) => `<link rel=modulepreload href="${at}">`,
  preconnect: (at) => `<link rel=preconnect href="${at}"><link rel=dns-prefetch href="${at}">`,
  video: (at) => `<video src="${at}" preload=auto autoplay muted></video>`,
  object: (at) => `<object data="${at}"></object>`,
  font: (at) => `<style>@font-face{font-family:f;src:url("${at}")}</style><p style="font-family:f">x`,
  redirect: (at) => `<img src="/redirect/302?to=${encodeURIComponent(at)}">`,
  form: (at) =>
    `<iframe name=f></iframe><form target=f method=post action="${at}"></form><script>document.forms[0].submit()</script>`,
  popup: (at) => `<script>window.open('${at}')</script>`,
  refresh: (at) => `<iframe srcdoc='<meta http-equiv=refresh content="0;url=${at}">'></iframe>`,
  speculation: (at) =>
    `<script type=speculationrules>{"prefetch":[{"urls":["${at}"],"eagerness":"immediate"}],"prerender":[{"urls":["${at}"],"eagerness":"immediate"}]}</script>`,
  worker: (at) => `<script>new Worker('${scriptPath(`fetch('${at}', { mode: 'no-cors' })`)}')</script>`,
  sharedworker: (at) =>
    `<script>new SharedWorker('${scriptPath(`fetch('${at}', { mode: 'no-cors' })`)}')</script>`,
  serviceworker: (at) =>
    `<script>navigator.serviceWorker.register('${scriptPath(`oninstall = (e) => e.waitUntil(fetch('${at}', { mode: 'no-cors' }))`)}')</script>`,
  webtransport: (at) => `<script>new WebTransport('${at.replace('http', 'https')}')</script>`,
  webrtc: (at) => `<script>const { hostname, port } = new URL('${at}');
    const peer = new RTCPeerConnection({ iceServers: [
      { urls: 'stun:' + hostname + ':' + port },
      { urls: 'turn:' + hostname + ':' + port + '?transport=tcp', username: 'u', credential: 'c' }] });
    peer.createDataChannel('c'); peer.createOffer().then((offer) => peer.setLocalDescription(offer))</script>`,
};

/** Returns every way by its name, with the path of a page that uses it; the ways are spread over the origins. */
export function escapePages(towards: readonly string[]): { way: string; page: string }[] {
  return Object.entries(WAYS).map(([way, markup], index) => ({
    way,
    page: htmlPath(`<body>${markup(`${towards[index % towards.length]}/status/200?via=${way}`)}`),
  }));
}
