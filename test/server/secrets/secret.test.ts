import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { hostGrant, hostText, isGranted } from '#server/protocol/host-grant.ts';
import { Secret, secretsNamed } from '#server/secrets/secret.ts';

test('a secret shows nowhere but to who opens it', () => {
    const secret = new Secret('canary');
    expect([`${secret}`, JSON.stringify({ secret }), inspect({ secret }, { showHidden: true })].join()).not.toContain('canary');
    expect(secret.open()).toBe('canary');
});

test('a name that the environment lacks is granted, and has no value', () => {
    const secrets = secretsNamed(['A', 'B'], { A: 'x', C: 'y' });
    expect([secrets.get('A')?.open(), secrets.has('B'), secrets.get('B'), secrets.has('C')]).toEqual(['x', true, undefined, false]);
});

test.each([
    ['db.example.org', { host: 'db.example.org' }],
    ['LocalHost:5432', { host: 'localhost', port: 5432 }],
    ['[::1]:3306', { host: '::1', port: 3306 }],
    ['[::1]', { host: '::1' }],
    ['', undefined],
    ['*', undefined],
    ['host:0', undefined],
    ['host:65536', undefined],
    ['http://host', undefined],
    ['a b', undefined],
    ['user@host', undefined],
])("the host '%s'", (text, grant) => {
    expect(hostGrant(text)).toEqual(grant);
    if (grant !== undefined) expect(hostText(grant)).toBe(text.toLowerCase());
});

test('a host is granted at its port, or at every one', () => {
    const at = (port: number) => ({ host: 'DB', port });
    expect([
        isGranted(at(1), [{ host: 'db', port: 1 }]),
        isGranted(at(2), [{ host: 'db', port: 1 }]),
        isGranted(at(2), [{ host: 'db' }]),
    ]).toEqual([true, false, true]);
    expect(isGranted({ host: 'sub.db', port: 1 }, [{ host: 'db' }])).toBe(false);
});
