import { expect, test } from 'vitest';
import { ANNOTATIONS } from '#language/library/annotation-catalogue.ts';
import { namingSecrets, withoutSecrets } from '#server/secrets/without-secrets.ts';

const SOURCE = "csv 'a.csv', password='hidden'";

test.each([
    ['a short name', 'p'],
    ['a name of any length', 'p'.repeat(5000)],
    ['a name with quotes and escapes', '\\"p""q'.repeat(500)],
])('%s hides no secret of its bind', (_, name) => {
    const text = `@bind("${name}", "${SOURCE}").`;
    expect(withoutSecrets(text)).not.toContain('hidden');
    expect(namingSecrets(text)).not.toContain('hidden');
});

test.each([...ANNOTATIONS.values()].filter(({ parameters }) => parameters.some(({ name }) => name === 'source')))(
    '@$name hides no secret of its source',
    ({ name, parameters }) => {
        const given = parameters.map(parameter => (parameter.name === 'source' ? `"${SOURCE}"` : '"p"'));
        expect(withoutSecrets(`@${name}(${given.join(', ')}).`)).not.toContain('hidden');
    },
);

test.each(['@bind("', '@bind(""', '@bind("""', '@bind("\\"', '"\\"', '@bind( \\"', '@explain("\\"', '@bind(p'])(
    'a text of %s alone stays as it is',
    piece => {
        const text = piece.repeat(20_000);
        expect(withoutSecrets(text)).toBe(text);
        expect(namingSecrets(text)).toBe(text);
    },
);
