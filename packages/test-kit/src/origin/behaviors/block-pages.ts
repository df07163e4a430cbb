import { type Exchange, type OriginRoute, page, sendHtml } from '../behavior.ts';

/** A vendor's block page, modeled on what its customers' sites send in public. */
interface BlockPage {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly html: string;
}

/** Block pages of bot walls, and pages that only mention them. */
export const BLOCK_PAGE_ROUTES: readonly OriginRoute[] = [
  { path: '/blocked/:vendor', behavior: blocked },
  { path: '/talks-about-blocking', behavior: (exchange) => sendHtml(exchange, ARTICLE) },
  { path: '/protected-but-open', behavior: protectedButOpen },
];

/** Block pages by vendor. */
export const BLOCK_PAGES: Readonly<Record<string, BlockPage>> = {
  'cloudflare-challenge': {
    status: 403,
    headers: { server: 'cloudflare', 'cf-mitigated': 'challenge', 'cf-ray': '8f0000000000abcd-FRA' },
    html: `<!DOCTYPE html><html lang="en-US"><head><title>Just a moment...</title></head><body>
      <div class="main-wrapper" role="main"><noscript><span id="challenge-error-text">Enable JavaScript and cookies to continue</span></noscript></div>
      <script>(function(){window._cf_chl_opt = {cvId: '3',cZone: 'shop.example',cType: 'managed'};var a = document.createElement('script');a.src = '/cdn-cgi/challenge-platform/h/b/orchestrate/chl_page/v1?ray=8f0';})();</script></body></html>`,
  },
  'cloudflare-block': {
    status: 403,
    headers: { server: 'cloudflare', 'cf-ray': '8f0000000000abcd-FRA' },
    html: `<!DOCTYPE html><html><head><title>Attention Required! | Cloudflare</title></head><body><div id="cf-wrapper"><div id="cf-error-details" class="cf-error-details-wrapper">
      <h1 data-translate="block_headline">Sorry, you have been blocked</h1></div></div></body></html>`,
  },
  akamai: {
    status: 403,
    headers: { server: 'AkamaiGHost' },
    html: `<HTML><HEAD><TITLE>Access Denied</TITLE></HEAD><BODY><H1>Access Denied</H1>You don't have permission to access "http&#58;&#47;&#47;shop&#46;example&#47;" on this server.<P>
      Reference&#32;&#35;18&#46;1234abcd&#46;1700000000&#46;1a2b3c<P>https&#58;&#47;&#47;errors&#46;edgesuite&#46;net&#47;18&#46;1234abcd</P></BODY></HTML>`,
  },
  'akamai-challenge': {
    status: 200,
    headers: {},
    html: `<!DOCTYPE html><html><head><title>&nbsp;</title></head><body><div id="sec-if-cpt-container" class="behavioral-content" style="display: none;"></div>
      <script src="/ZkQ/abc?v=1&t=2"></script><p>Powered and protected by Akamai</p></body></html>`,
  },
  'akamai-interstitial': {
    status: 200,
    headers: { 'set-cookie': 'ak_bmsc=0A1B; Path=/; HttpOnly' },
    html: `<!DOCTYPE html><html><head><meta http-equiv="refresh" content="5; URL='/?bm-verify=AAQAAAAN_____478'" /><title>&nbsp;</title><script> var i = 1786622965; var j = i + Number("9598" + "22629"); </script></head>
      <body><script> function triggerInterstitialChallenge() { var xhr = new XMLHttpRequest(); xhr.open("POST", "/_sec/verify?provider=interstitial", false); } </script></body></html>`,
  },
  amazon: {
    status: 200,
    headers: { server: 'Server' },
    html: `<!doctype html><html class="a-no-js" lang="en-us"><head><title dir="ltr">Amazon.com</title></head><body><h4>Enter the characters you see below</h4>
      <form method="get" action="/errors/validateCaptcha" name=""><input type=hidden name="amzn" value="x1"><input type=hidden name="amzn-r" value="&#047;dp&#047;B0">
      <img src="/captcha/Captcha_abc.jpg"><input autocomplete="off" id="captchacharacters" name="field-keywords" type="text"><button type="submit">Continue shopping</button></form></body></html>`,
  },
  datadome: {
    status: 403,
    headers: { 'x-datadome': 'protected', 'x-dd-b': '1' },
    html: `<html lang="en"><head><title>shop.example</title></head><body style="margin:0"><p id="cmsg">Please enable JS and disable any ad blocker</p>
      <script data-cfasync="false">var dd={'rt':'c','cid':'AHrl','hsh':'A55F','t':'fe','host':'geo.captcha-delivery.com'}</script><script data-cfasync="false" src="https://ct.captcha-delivery.com/c.js"></script></body></html>`,
  },
  perimeterx: {
    status: 403,
    headers: {},
    html: `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><meta name="description" content="px-captcha"><title>Access to this page has been denied</title></head><body>
      <script>
      window._pxVid = '';
      window._pxUuid = '00000000-0000';
      window._pxAppId = 'PXabcdefgh';
      var pxCaptchaSrc = '/abcdefgh/captcha/captcha.js?a=c';</script></body></html>`,
  },
  'perimeterx-custom': {
    status: 200,
    headers: {},
    html: `<!DOCTYPE html><html><head><title>Robot or human?</title></head><body><h1>Robot or human?</h1><p>Activate and hold the button to confirm that you are human.</p>
      <div id="px-captcha"></div><script>window._pxAppId='PXabcdefgh';var captchajs='/px/'+window._pxAppId+'/captcha/captcha.js?a=c'</script></body></html>`,
  },
  imperva: {
    status: 200,
    headers: {
      'x-iinfo': '10-1234-0 0NNN RT(1700000000 0) q(0 -1 -1 1) r(0 -1) B10(4,289,0) U18',
      'x-cdn': 'Imperva',
    },
    html: `<html style="height:100%"><head><META NAME="ROBOTS" CONTENT="NOINDEX, NOFOLLOW"></head><body style="margin:0px;height:100%">
      <iframe id="main-iframe" src="/_Incapsula_Resource?SWUDNSAI=31&xinfo=10-1234-0&incident_id=123-456&edet=12" width="100%">Request unsuccessful. Incapsula incident ID: 123-456</iframe></body></html>`,
  },
  'imperva-challenge': {
    status: 200,
    headers: { 'x-iinfo': '5-2434707-0 0NNN RT(1700000000 0) q(0 -1 -1 0) r(0 -1) B10(4,289,0) U18' },
    html: `<html>\n<head>\n<META NAME="robots" CONTENT="noindex,nofollow">\n<script src="/_Incapsula_Resource?SWJIYLWA=5074a744e2e3d891814e9a2dace20bd4,719d34d31c8e3a6e6fffd425f7e032f3">\n</script>\n<body>\n</body></html>\n`,
  },
  'imperva-interstitial': {
    status: 200,
    headers: { 'x-iinfo': '5-2434707-0 0NNN RT(1700000000 0) q(0 -1 -1 0) r(0 -1) B10(4,289,0) U18' },
    html: `<!DOCTYPE html><html><head>
      <noscript><title>Pardon Our Interruption</title></noscript><meta name="robots" content="noindex, nofollow">
      <script>
        var isSpa = new URLSearchParams(window.location.search).get('X-SPA') === '1' || window.isImpervaSpaSupport;
      </script>
      <!-- This head template should be placed before the following script tag that loads the challenge script -->
      <script>
        window.onProtectionInitialized = function(protection) {
          if (!isSpa) window.location.reload(true);
        };
        window.reeseSkipExpirationCheck = true;
     </script></head><body>
      <div class="container"><h1>Pardon Our Interruption</h1><p>As you were browsing something about your browser made us think you were a bot.</p></div></body></html>`,
  },
  sucuri: {
    status: 307,
    headers: { server: 'Sucuri/Cloudproxy', 'x-sucuri-id': '12005' },
    html: `<html><title>You are being redirected...</title>
<noscript>Javascript is required. Please enable javascript before you are allowed to see this page.</noscript>
<script>var s={},u,c,U,r,i,l=0,a,e=eval,w=String.fromCharCode,sucuri_cloudproxy_js='',S='bz0xOw==';L=S.length;U=0;r='';</script></html>`,
  },
  f5: {
    status: 200,
    headers: {},
    html: `<html><head><title>Request Rejected</title></head><body>The requested URL was rejected. Please consult with your administrator.<br><br>Your support ID is: 4045204596866416688<br><br><a href='javascript:history.back();'>[Go Back]</a></body></html>`,
  },
  anubis: {
    status: 200,
    headers: {},
    html: `<!doctype html><html lang="en"><head><title>Making sure you&#39;re not a bot!</title><meta name="robots" content="noindex,nofollow">
      <script id="anubis_version" type="application/json">"v1.24.0"</script><script id="anubis_challenge" type="application/json">{"rules":{"algorithm":"fast","difficulty":2},"challenge":{"id":"1","randomData":"f5"}}</script>
      </head><body id="top"><main><h1 id="title" class="centered-div">Making sure you&#39;re not a bot!</h1><p id="status">Loading...</p></main></body></html>`,
  },
  'aws-waf': {
    status: 202,
    headers: { 'x-amzn-waf-action': 'challenge', server: 'CloudFront' },
    html: `<!DOCTYPE html><html lang="en"><head><title></title><script>window.awsWafCookieDomainList = [];window.gokuProps = {"key":"AQID","iv":"A6","context":"x"};</script>
      <script src="https://00.edge.sdk.awswaf.com/00/11/challenge.js"></script></head><body><div id="challenge-container"></div></body></html>`,
  },
  kasada: {
    status: 429,
    headers: { 'x-kpsdk-ct': '0abc' },
    html: `<!DOCTYPE html><html><head></head><body><script>window.KPSDK={};KPSDK.now=Date.now;KPSDK.start=KPSDK.now();</script><script src="/149e9513-01fa-4fb0-aad4-566afd725d1b/2d206a39-8ed7-437e-a3be-862e0f06eea3/ips.js?x=1"></script></body></html>`,
  },
  vercel: {
    status: 429,
    headers: { server: 'Vercel', 'x-vercel-mitigated': 'challenge' },
    html: page('Vercel Security Checkpoint', '<p>We are verifying your browser</p>'),
  },
  'generic-captcha': {
    status: 403,
    headers: {},
    html: page(
      'Are you human?',
      '<form method="post"><p>Type the letters that you see.</p><img src="/captcha.png"><input name="captcha"></form>',
    ),
  },
};

/** Vendors that `/blocked/:vendor` knows. */
export const BLOCK_PAGE_VENDORS: readonly string[] = Object.keys(BLOCK_PAGES);

/** Sends a vendor's block page, with the vendor's usual status or that of `?status=`. */
function blocked({ response, params, query }: Exchange): void {
  const blockPage = BLOCK_PAGES[params.vendor ?? ''];
  if (!blockPage) throw new Error(`No block page is called ${params.vendor}.`);
  const status = Number(query.get('status') ?? blockPage.status);
  response.writeHead(status, { 'content-type': 'text/html; charset=UTF-8', ...blockPage.headers });
  response.end(blockPage.html);
}

const ARTICLE = page(
  'How bot walls work: Cloudflare, Akamai, DataDome, PerimeterX and Imperva',
  `<h1>Just a moment... and other pages that you have seen</h1>
   <p>"Attention Required! | Cloudflare", "Access Denied" with a Reference #18, "Access to this page has been denied":
   a captcha asks you to verify you are human. "Request unsuccessful. Incapsula incident ID" is Imperva's,
   and so is "Pardon Our Interruption", with window.onProtectionInitialized = function and window.reeseSkipExpirationCheck = true.
   "The requested URL was rejected. Please consult with your administrator. Your support ID is: 1" is F5's.</p>
   <pre>&lt;script&gt;window._cf_chl_opt = {}; window._pxAppId = 'PX1'; var dd={'host':'geo.captcha-delivery.com'}; var s={},sucuri_cloudproxy_js=''&lt;/script&gt;
   &lt;script id="anubis_challenge"&gt;
   &lt;meta http-equiv="refresh" content="5; URL='/?bm-verify=AAQ'"&gt; &lt;form method="get" action="/errors/validateCaptcha"&gt;
   &lt;div id="px-captcha"&gt;&lt;/div&gt; &lt;div id="sec-if-cpt-container"&gt;&lt;/div&gt;</pre>
   <form action="/contact"><div class="g-recaptcha" data-sitekey="x"></div><div class="cf-turnstile"></div></form>`,
);

/** A page that several walls have let through, with their headers, cookies and sensor scripts. */
function protectedButOpen(exchange: Exchange): void {
  sendHtml(
    exchange,
    page(
      'A shop behind walls',
      `<h1>Welcome</h1>
       <script>window._pxAppId = 'PXabcdefgh';</script><script src="https://js.datadome.co/tags.js"></script>
       <script src="/cdn-cgi/challenge-platform/scripts/jsd/main.js"></script>
       <script src="/_Incapsula_Resource?SWJIYLWA=719d34d31c8e3a6e6fffd425f7e032f3&ns=1"></script>
       <script src="/akam/13/abc" defer></script>`,
    ),
    {
      server: 'cloudflare',
      'x-datadome': 'protected',
      'x-iinfo': '1-2-3',
      'x-cdn': 'Imperva',
      'cf-ray': '8f0-FRA',
    },
  );
}
