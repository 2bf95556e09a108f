const SECRET_WORD =
    /^(?:\w*(?:password|passwd|passphrase|secret|token|apikey|accesskey)|passwort|pwd|pass|passcode|secrets|credentials?|authorization|bearer|cookie|signature|sig|pem)$/u;
const KEY_OF = /(?:^| )(?:access|account|api|auth|encryption|licen[cs]e|master|private|secret|service|shared|signing|ssh) keys?(?: |$)/u;
/** Words after which a name describes a secret and does not hold one. */
const ABOUT_ONE = new Set([
    'count',
    'expires',
    'expiry',
    'field',
    'file',
    'hint',
    'id',
    'label',
    'length',
    'limit',
    'name',
    'path',
    'type',
]);

/** Whether a name says that its value is a secret: `SMTP_PASS`, `db_pwd`, `apiKey`. */
export function namesSecret(name: string): boolean {
    const words = name
        .slice(0, 256)
        .replaceAll(/([a-z0-9])([A-Z])/gu, '$1 $2')
        .toLowerCase()
        .split(/[^a-z0-9]+/u)
        .filter(word => word !== '');
    if (ABOUT_ONE.has(words.at(-1) ?? '')) return false;
    return words.some(word => SECRET_WORD.test(word)) || KEY_OF.test(words.join(' '));
}
