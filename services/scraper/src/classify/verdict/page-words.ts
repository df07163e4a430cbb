import type { PageKind } from '@gleaner/contracts';

/** Kinds of pages that name themselves in their titles and headings. */
export type NamedKind = Extract<PageKind, 'wall' | 'login' | 'consent' | 'notFound' | 'notice'>;

/**
 * Titles and headings by which pages name themselves, one a line, in some twenty languages. Each stands for a whole title, a
 * whole heading, or a part of one between separators; case, punctuation, "404" and words such as "error" do not count.
 */
const WORDS: Readonly<Record<NamedKind, string>> = {
  notFound: `
    not found
    page not found
    file not found
    page cannot be found
    this page cannot be found
    this page could not be found
    that page can't be found
    the page cannot be found
    the page could not be found
    the requested page could not be found
    the requested url was not found on this server
    the page you requested could not be found
    the page you were looking for doesn't exist
    the page you are looking for doesn't exist
    the page you're looking for doesn't exist
    the page you are looking for can't be found
    the page you're looking for can't be found
    the page you are looking for could not be found
    we can't find that page
    we can't find the page you're looking for
    we couldn't find that page
    we couldn't find the page you were looking for
    this page doesn't exist
    this page does not exist
    page does not exist
    this page isn't available
    page unavailable
    page no longer available
    page not available
    product not found
    nicht gefunden
    seite nicht gefunden
    die seite wurde nicht gefunden
    seite konnte nicht gefunden werden
    diese seite existiert nicht
    diese seite wurde nicht gefunden
    page non trouvée
    page introuvable
    cette page n'existe pas
    cette page est introuvable
    no encontrado
    página no encontrada
    no se encontró la página
    esta página no existe
    la página no existe
    pagina non trovata
    la pagina non esiste
    questa pagina non esiste
    página não encontrada
    não encontrado
    esta página não existe
    pagina niet gevonden
    niet gevonden
    deze pagina bestaat niet
    nie znaleziono
    nie znaleziono strony
    strona nie znaleziona
    strona nie została znaleziona
    strona nie istnieje
    stránka nenalezena
    stránka nebyla nalezena
    stránka neexistuje
    stránka sa nenašla
    sidan hittades inte
    sidan kunde inte hittas
    sidan finns inte
    siden blev ikke fundet
    siden findes ikke
    siden ble ikke funnet
    siden finnes ikke
    fant ikke siden
    sivua ei löytynyt
    sivua ei löydy
    страница не найдена
    не найдено
    такой страницы нет
    страница не существует
    сторінку не знайдено
    сторінка не знайдена
    sayfa bulunamadı
    bulunamadı
    ページが見つかりません
    ページが見つかりませんでした
    お探しのページは見つかりませんでした
    お探しのページが見つかりません
    页面不存在
    页面未找到
    找不到页面
    您访问的页面不存在
    頁面不存在
    找不到網頁
    페이지를 찾을 수 없습니다
    존재하지 않는 페이지입니다
    الصفحة غير موجودة
    لم يتم العثور على الصفحة
    הדף לא נמצא
    a keresett oldal nem található
    az oldal nem található
    pagina nu a fost găsită
    pagina nu există
    η σελίδα δεν βρέθηκε
    không tìm thấy trang
    halaman tidak ditemukan`,
  login: `
    login
    log in
    log on
    sign in
    signin
    please log in
    please sign in
    log in to continue
    sign in to continue
    sign in to your account
    log in to your account
    login required
    member login
    user login
    customer login
    authentication required
    anmelden
    anmeldung
    einloggen
    bitte melden sie sich an
    connexion
    se connecter
    identification
    connectez vous
    identifiez vous
    iniciar sesión
    inicia sesión
    inicio de sesión
    acceder
    accedi
    accesso
    iniciar sessão
    entrar
    fazer login
    inloggen
    aanmelden
    zaloguj się
    logowanie
    přihlášení
    přihlásit se
    prihlásenie
    logga in
    inloggning
    log ind
    logg inn
    kirjaudu sisään
    kirjautuminen
    вход
    войти
    авторизация
    вход в систему
    увійти
    вхід
    авторизація
    giriş yap
    oturum aç
    üye girişi
    ログイン
    サインイン
    登录
    用户登录
    登錄
    登入
    로그인
    تسجيل الدخول
    כניסה
    התחברות
    bejelentkezés
    autentificare
    conectare
    σύνδεση
    đăng nhập
    masuk`,
  wall: `
    access denied
    access to this page has been denied
    access to this page has been blocked
    request blocked
    your request has been blocked
    you have been blocked
    sorry you have been blocked
    attention required
    just a moment
    one moment please
    checking your browser
    checking your browser before accessing
    please wait while we verify your browser
    verifying you are human
    verify you are human
    please verify you are a human
    please verify you are human
    are you a human
    are you a robot
    are you human
    robot check
    bot check
    bot verification
    human verification
    security check
    security verification
    security challenge
    captcha
    captcha challenge
    captcha required
    pardon our interruption
    unusual traffic from your computer network
    ddos protection
    forbidden
    403 forbidden
    403
    zugriff verweigert
    sicherheitsüberprüfung
    sind sie ein mensch
    accès refusé
    vérification de sécurité
    acceso denegado
    verificación de seguridad
    accesso negato
    acesso negado
    toegang geweigerd
    odmowa dostępu
    dostęp zabroniony
    přístup odepřen
    åtkomst nekad
    adgang nægtet
    ingen tilgang
    pääsy estetty
    доступ запрещен
    доступ запрещён
    доступ ограничен
    вы не робот
    ой капча
    доступ заборонено
    erişim engellendi
    アクセスが拒否されました
    アクセス拒否
    访问被拒绝
    安全验证
    人机验证
    存取被拒
    액세스가 거부되었습니다
    접근이 거부되었습니다
    تم رفض الوصول
    hozzáférés megtagadva
    acces interzis
    δεν επιτρέπεται η πρόσβαση`,
  consent: `
    before you continue
    before you continue to google
    before you continue to youtube
    cookie consent
    cookie settings
    your privacy
    your privacy choices
    we value your privacy
    bevor sie fortfahren
    bevor sie zu google weitergehen
    ihre privatsphäre ist uns wichtig
    wir schätzen ihre privatsphäre
    avant d'accéder à google
    nous respectons votre vie privée
    le respect de votre vie privée est notre priorité
    antes de continuar
    valoramos tu privacidad
    prima di continuare
    la tua privacy è importante per noi
    voordat je verdergaat
    jouw privacy
    zanim przejdziesz dalej
    twoja prywatność
    než budete pokračovat
    innan du fortsätter
    ennen kuin jatkat
    прежде чем продолжить
    devam etmeden önce
    続行する前に
    在继续之前`,
  notice: `
    maintenance
    under maintenance
    we are down for maintenance
    we're down for maintenance
    down for maintenance
    site under maintenance
    website under maintenance
    this site is under maintenance
    scheduled maintenance
    maintenance mode
    we'll be right back
    we'll be back soon
    be right back
    temporarily unavailable
    site temporarily unavailable
    service unavailable
    service temporarily unavailable
    this site is temporarily unavailable
    coming soon
    under construction
    site under construction
    account suspended
    this account has been suspended
    website suspended
    this domain is for sale
    domain for sale
    domain parked
    this domain is parked
    this domain has expired
    welcome to nginx
    test page for the nginx http server
    apache2 ubuntu default page
    apache2 debian default page
    apache http server test page
    it works
    iis windows server
    web server's default page
    default web site page
    site not configured
    unsupported browser
    your browser is not supported
    browser not supported
    please update your browser
    wartungsarbeiten
    wartungsmodus
    wegen wartungsarbeiten geschlossen
    wir sind gleich zurück
    vorübergehend nicht erreichbar
    diese domain steht zum verkauf
    site en maintenance
    maintenance en cours
    en construction
    site en construction
    nous revenons bientôt
    en mantenimiento
    sitio en mantenimiento
    estamos en mantenimiento
    sitio en construcción
    próximamente
    in manutenzione
    sito in manutenzione
    sito in costruzione
    em manutenção
    site em manutenção
    em construção
    in onderhoud
    onderhoud
    website in onderhoud
    przerwa techniczna
    strona w budowie
    prace konserwacyjne
    probíhá údržba
    údržba
    webové stránky ve výstavbě
    underhåll
    vi är snart tillbaka
    vedligeholdelse
    vedlikehold
    huoltokatko
    huolto
    технические работы
    ведутся технические работы
    сайт на реконструкции
    сайт временно недоступен
    технічні роботи
    bakım çalışması
    bakımdayız
    site yapım aşamasında
    メンテナンス中
    ただいまメンテナンス中です
    メンテナンスのお知らせ
    网站维护中
    系统维护中
    系统维护
    網站維護中
    점검 중
    서비스 점검 안내
    الموقع تحت الصيانة
    karbantartás
    karbantartás alatt
    în mentenanță
    site în construcție
    υπό συντήρηση
    đang bảo trì
    sedang dalam perbaikan`,
};

const KINDS: ReadonlyMap<string, NamedKind> = new Map(
  Object.entries(WORDS).flatMap(([kind, phrases]) =>
    phrases
      .trim()
      .split('\n')
      .map((phrase) => [normalize(phrase), kind as NamedKind] as const),
  ),
);

/** Marks between the parts of a title, and the ends of sentences; dots before a small letter are a pause. */
const SEPARATORS = /\s[-–—|·•»«:/]+\s|[|•»]\s|(?<!\.)[.!?](?:\s|$)|(?:\.\.|…)(?:\s(?!\p{Ll})|$)|[。！？]/u;
/** Longer parts of titles are sentences about something. */
const MAX_PART_CHARS = 80;

/** Returns the kind of page that a title or heading stands for; undefined for nearly all. */
export function kindOfWords(text: string): NamedKind | undefined {
  for (const part of text.split(SEPARATORS)) {
    if (part.length > MAX_PART_CHARS) continue;
    const words = normalize(part);
    if (words === '' && part.includes('404')) return 'notFound';
    const kind = KINDS.get(words);
    if (kind !== undefined) return kind;
  }
  return undefined;
}

/** Returns the words of a text in lower case, without punctuation and what is said around them. */
function normalize(text: string): string {
  return text
    .normalize('NFC')
    .toLowerCase()
    .replace(/['’`]/g, '')
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, ' ')
    .replace(/(?<!\S)(?:404|http|error|erreur|fehler|errore|erro|oops|sorry|ups)(?!\S)/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}
