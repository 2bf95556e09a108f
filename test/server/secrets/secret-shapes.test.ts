import { expect, test } from 'vitest';
import { maskedCode, maskedText } from '#server/secrets/secret-shapes.ts';
import { growth, MOST_GROWTH } from '../../support/growth.ts';

const SECRET = 'Zk91Qx7vB3mLp';

test.each([
    ['a login without a password of its own', 'https://Zk91Qx7vB3mLp:x-oauth-basic@example.org/'],
    ['an address of Oracle', 'jdbc:oracle:thin:ada/Zk91Qx7vB3mLp@h:1521:x'],
    ['a login without a scheme', 'ada:Zk91Qx7vB3mLp@tcp(h:3306)/db'],
    ['the address of a hook', 'https://hooks.slack.com/services/T00/B00/Zk91Qx7vB3mLp'],
    ['the login of a command', 'curl -u ada:Zk91Qx7vB3mLp https://example.org'],
    ['an option of a command', 'psql --password Zk91Qx7vB3mLp -h h'],
    ['a clause of SQL', "CREATE USER ada IDENTIFIED BY 'Zk91Qx7vB3mLp'"],
    ['another one', "ALTER ROLE ada ENCRYPTED PASSWORD 'Zk91Qx7vB3mLp'"],
    ['an element', '<user>ada</user><db:password>Zk91Qx7vB3mLp</db:password>'],
    ['a pair of attributes', '<add key="Db.Password" value="Zk91Qx7vB3mLp"/>'],
    ['an encoded query', 'u%3Dada%26password%3DZk91Qx7vB3mLp'],
    ['a block of YAML', 'password: >\n  Zk91Qx7vB3mLp'],
    ['braces', 'Driver=x;UID=ada;PWD={Zk91Qx7vB3mLp}'],
])('%s is masked in a text, and in a literal and a comment of code', (_, text) => {
    expect(maskedText(text)).toContain('***');
    expect(maskedText(text)).not.toContain(SECRET);
    expect(maskedCode(`p(${JSON.stringify(text)}).`)).not.toContain(SECRET);
    expect(maskedCode(`SELECT '${text.replaceAll("'", "''")}' FROM t`)).not.toContain(SECRET);
    expect(maskedCode(`SELECT a /* ${text} */ FROM t`)).not.toContain(SECRET);
});

test('a comment between signs is one, and a literal with doubled quotes too', () => {
    const query = `SELECT a /* password=${SECRET}, no more */ FROM t WHERE b = 'user=ada password=''${SECRET}''' AND c = 'kept'`;
    expect(maskedCode(query)).toBe("SELECT a /* password=*** FROM t WHERE b = 'user=ada password=''***''' AND c = 'kept'");
});

test.each([
    'a(X) <- b(X, "", "kept"), Password = 5, c("x" + "").',
    "SELECT '' AS a, 'kept' AS b, c / 2 * d FROM t WHERE e = '' AND f = 'x'",
    'https://example.org/a/b?mail=ada@example.org',
    '<tokens>3</tokens> > 2',
    'at 10:30@tcp',
])('%s holds none', text => {
    expect(maskedCode(text)).toBe(text);
});

test.each(['a', 'a:', '://', '<token>', 'password ', '"', "''", '/*', '--token-', ' -u a:', 'key="token" ', 'password%3D', 'password:>\n'])(
    'much of %s is read in a time that follows its length',
    piece => {
        expect(growth(length => maskedCode(piece.repeat(length / piece.length)), 50_000)).toBeLessThan(MOST_GROWTH);
    },
);
