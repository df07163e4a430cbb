import { tokenize } from '../text/tokens.ts';
import { NameTable, type Period } from './name-table.ts';

/** Names of months in use that are not in the data of Unicode, by language. Names that it has are built, not listed. */
export const EXTRA_MONTHS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  be: { стд: 1, лют: 2, сак: 3, крс: 4, чрв: 6, лпн: 7, жнв: 8, врс: 9, кст: 10, лст: 11, снж: 12 },
  bg: { ян: 1 },
  bn: { জানুয়ারী: 1, ফেব্রুয়ারী: 2 },
  cs: { čer: 6 },
  de: { jaenner: 1, jänner: 1, feber: 2, maerz: 3, mrz: 3 },
  es: { setiembre: 9 },
  fil: { peb: 2, hun: 6 },
  he: buildHebrew(),
  hi: { सितम्बर: 9, अक्तूबर: 10, नवम्बर: 11, दिसम्बर: 12 },
  hr: { studenog: 11, studenom: 11 },
  id: { pebruari: 2, nop: 11, nopember: 11 },
  pt: { marco: 3 },
  sr: { јануар: 1, фебруар: 2 },
  th: { กุมภา: 2 },
  vi: buildVietnamese(),
};

/** Words between the parts of dates and times that no pattern of Unicode has, in many languages. */
export const EXTRA_FILLERS: ReadonlySet<string> = new Set(
  tokenize(
    'of the year at on in de del di der den dem dne a ad al alle as às las les le el la ore om um uhr ob o v ve u y en w ' +
      'kl klo kello klokken saat saa pukul jam tahun tanggal rok roku mee d r ' +
      'и о об от в у г год году года року час гадзін ngày năm lúc в ' +
      'في يوم الساعة من عام سنة সাল წლის წ का को की בשעה เดือน วันที่ พ.ศ.',
  ).flatMap(({ kind, text }) => (kind === 'word' ? [text] : [])),
);

/** Periods of the 12-hour clock in use beside those of Unicode, as the first hour that they can mean. */
export const EXTRA_PERIODS: NameTable<Period> = buildPeriods({
  am: (
    'a.m.,a m,vorm,vm,dop,d.o.,öö,ap,dopoledne,rano,morgens,vormittags,in the morning,de la mañana,da manhã,du matin,' +
    'del mattino,πμ,π.μ.,утра,пре подне,pre podne,上午,早上,凌晨,午前,오전,صباحا,पूर्वाह्न,मपू'
  ).split(','),
  pm: (
    'p.m.,p m,nachm,nm,odp,ip,odpoledne,po południu,nachmittags,abends,in the afternoon,in the evening,de la tarde,' +
    'de la noche,da tarde,da noite,de l’après-midi,du soir,del pomeriggio,di sera,pasdite,pēcpusd,μμ,μ.μ.,вечера,' +
    'по подне,po podne,下午,晚上,晚,午後,오후,مساء,अपराह्न,मउ'
  ).split(','),
});

function buildPeriods(names: Readonly<Record<'am' | 'pm', readonly string[]>>): NameTable<Period> {
  const table = new NameTable<Period>();
  const hours = Array.from({ length: 12 }, (_, hour) => hour);
  for (const name of names.am) table.add(name, hours);
  for (const name of names.pm)
    table.add(
      name,
      hours.map((hour) => hour + 12),
    );
  return table;
}

function buildHebrew(): Record<string, number> {
  const months = 'ינואר פברואר מרץ אפריל מאי יוני יולי אוגוסט ספטמבר אוקטובר נובמבר דצמבר'.split(' ');
  return Object.fromEntries(months.flatMap((name, index) => [[`ל${name}`, index + 1]]));
}

/** Months are numbered in words, too: "tháng một" is the first. */
function buildVietnamese(): Record<string, number> {
  const names = 'một,hai,ba,tư,năm,sáu,bảy,tám,chín,mười,mười một,mười hai'.split(',');
  return Object.fromEntries(names.map((name, index) => [`tháng ${name}`, index + 1]));
}
