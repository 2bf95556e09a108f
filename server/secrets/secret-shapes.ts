import { namesSecret } from '#server/protocol/secret-names.ts';

/** The replacement for a secret. */
export const MASK = '***';

/** Secrets by what they look like, wherever they stand. Lengths are bounded, so that no text takes longer than its length. */
const SHAPES: readonly (readonly [RegExp, string])[] = [
    [/-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY[A-Z ]{0,20}-----[\s\S]*?(?:-----END [A-Z0-9 ]{0,40}-----|$)/gu, MASK],
    // A login in an address: `scheme://token:x@host`, `scheme://name:password@host`, `scheme://token@host`, or one without a scheme.
    [/(:\/\/)[^\s/@:"']{1,256}:(?:x|x-oauth-basic)?@/gu, `$1${MASK}@`],
    [/(:\/\/[^\s/@:"']{0,256}:)[^\s"']{1,256}@/gu, `$1${MASK}@`],
    [/(:\/\/)[^\s/@:"'?#]{1,256}@/gu, `$1${MASK}@`],
    [/(:thin:[^\s/@:"']{0,256}\/)[^\s"'@]{1,256}@/gu, `$1${MASK}@`],
    [/\b([\w.-]{1,128}:)[^\s"'@]{1,256}@(?=(?:tcp|unix)\()/gu, `$1${MASK}@`],
    [/(hooks\.slack\.com\/services\/|discord(?:app)?\.com\/api\/webhooks\/)[\w/-]+/gu, `$1${MASK}`],
    // Options of commands, and clauses of SQL.
    [/((?:^|[\s"'])(?:-u|--user|--proxy-user)[\s=]{1,8}["']?[^\s:"']{1,256}:)[^\s"']{1,256}/gu, `$1${MASK}`],
    [/((?:^|[\s"'])--(?:[\w-]{0,20}-)?(?:password|passphrase|secret|token|api-key|access-key)\s{1,8})[^\s"']{1,256}/gu, `$1${MASK}`],
    [/\b((?:identified\s{1,8}by|password)\s{1,8}(?:"{1,2}|'{1,2}))[^"']{1,256}/giu, `$1${MASK}`],
    // Elements of XML, and pairs of attributes.
    [/(<[\w.:-]{0,40}(?:password|passwd|passphrase|pwd|secret|token|api-?_?key)>)[^<]{1,4096}/giu, `$1${MASK}`],
    [
        /(\b(?:key|name)=\\?"[\w.:-]{0,40}(?:password|passwd|passphrase|pwd|secret|token|api-?_?key)\\?"\s{1,8}value=\\?")[^"\\]{1,4096}/giu,
        `$1${MASK}`,
    ],
    [/\b(bearer\s{1,8})[\w~+/.-]{4,}=*/giu, `$1${MASK}`],
    [/\b((?:basic|token|digest)\s{1,8})(?=[\w~+/.-]{0,256}[\d=+])[\w~+/.-]{8,}=*/giu, `$1${MASK}`],
    [/\b(?:sk|pk|rk)[-_][\w-]{16,}|\bgh[oprsu]_\w{20,}|\b(?:github_pat|hf|npm)_\w{20,}|\bglpat-[\w-]{16,}|\bxox[a-z]-[\w-]{10,}/gu, MASK],
    [/\b(?:AKIA|ASIA)[0-9A-Z]{16}\b|\bAIza[\w-]{30,}|\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/gu, MASK],
];

function withoutShapes(text: string): string {
    return SHAPES.reduce((shown, [shape, instead]) => shown.replaceAll(shape, instead), text);
}

/** A name with what parts it from a value; quotes may be escaped, as in JSON that is a string, or doubled, as in one of SQL. */
const NAME = /((?:[A-Za-z]{1,20} )?[A-Za-z_][\w.-]{0,63})(\\{0,3}["']?\s{0,8}(?:=>|[=:]|%3[ADad])\s{0,8}(?:[|>][+-]?\s{1,40})?)/gu;
const QUOTED = /(\\{0,3}(?:""(?=\w)|''(?=\w)|["']))((?:(?!\1)[^\\]|\\[\s\S])*)/uy;
const BARE = /[^;&\n\r"']+/uy;

/** The text with values masked that are named as secrets: `password=…`, `"api_key": "…"`. */
function withoutNamed(text: string, readsBare: boolean): string {
    let shown = '';
    let from = 0;
    NAME.lastIndex = 0;
    for (let found = NAME.exec(text); found !== null; found = NAME.exec(text)) {
        if (!namesSecret(found[1] ?? '')) continue;
        const start = NAME.lastIndex;
        QUOTED.lastIndex = BARE.lastIndex = start;
        const quoted = QUOTED.exec(text);
        const value = quoted?.[2] ?? (readsBare && quoted === null ? BARE.exec(text)?.[0].trimEnd() : undefined) ?? '';
        if (value === '' || value.startsWith('${')) continue;
        const at = start + (quoted?.[1]?.length ?? 0);
        shown += text.slice(from, at) + MASK;
        from = NAME.lastIndex = at + value.length;
    }
    return shown + text.slice(from);
}

/** Masks the secrets in a text other than a program: in addresses, headers, connection strings, JSON. */
export function maskedText(text: string): string {
    return withoutNamed(withoutShapes(text), true);
}

/** String literals, and comments as languages have them. */
const LITERAL = /"(?:[^"\\]|\\[\s\S]|"")*\\?(?:"|$)|'(?:[^'\\]|\\[\s\S]|'')*\\?(?:'|$)|\/\*[\s\S]*?(?:\*\/|$)|(?:%|#|--|\/\/)[^\n]*/gu;
const PARAMETER = /(@param\s{0,8}\(\s{0,8}"([\w.-]{1,128})"\s{0,8},\s{0,8})("(?:[^"\\]|\\[\s\S])*\\?(?:"|$)|[^\s")]+)/gu;

/** A program, query or script with the secrets in its literals and comments masked; its names stay. */
export function maskedCode(code: string): string {
    const literals = withoutShapes(code).replaceAll(LITERAL, literal => withoutNamed(literal, true));
    const parameters = literals.replaceAll(PARAMETER, (whole, head: string, name: string) =>
        namesSecret(name) ? `${head}"${MASK}"` : whole,
    );
    return withoutNamed(parameters, false);
}
