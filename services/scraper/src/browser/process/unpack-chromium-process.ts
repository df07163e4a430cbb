/** Unpacks the Chromium of the package into the folder for temporary files (`TMPDIR`). */
import chromium from '@sparticuz/chromium';

await chromium.executablePath();
