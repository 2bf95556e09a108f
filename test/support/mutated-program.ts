import fc from 'fast-check';

/** Strings, names, variables, numbers, blanks, and every other character for itself. */
const TOKEN = /"(?:[^"]|"")*"|[A-Za-z_@#?][A-Za-z0-9_]*|[0-9][0-9.]*|\s+|<-|:-|[<>=!]=|&&|\|\||./gsu;

/** What may take the place of a token: ends of things, rare constructs, values at the edges. */
const SPLICES = [
    ...['.', ',', '(', ')', '[', ']', '{', '}', '<', '>', '"', "'", '%', '#', '@', '?', '$', '|', '&', '~', ';', '\\', '\n', ' '],
    ...[
        '<-',
        ' not ',
        '!',
        '!in',
        ' in ',
        '=',
        '==',
        '-',
        '*',
        '/',
        '+',
        '&&',
        'dom(*)',
        '#F',
        '#T',
        '_',
        'X',
        'null',
        '#f(X)',
        '?k',
        // biome-ignore lint/suspicious/noTemplateCurlyInString: a parameter of the language.
        '${k}',
    ],
    ...[
        '0',
        '-1',
        '1.5',
        '9223372036854775807',
        '99999999999999999999',
        '1e308',
        '2031-04-09',
        '2031-02-30',
        '""',
        '"\\',
        '\u0000',
        '\ud83d',
        '\u{1f600}',
    ],
    ...[
        'msum(X)',
        'mmin(',
        'mcount(1, <X>)',
        'collections:explode(X)',
        'struct("a", 1)',
        'if(',
        '#TC(p)',
        '@output("p").',
        '@post("p", "certain").',
    ],
    ...['p(X) <- SELECT a FROM b. ', '@model("p", "[\'a:int\']").', '@bind("p", "csv", "", "x.csv").', 'X = Y <- p(X, Y). '],
];

type Mutation = readonly [kind: number, at: number, other: number, length: number];

const mutation: fc.Arbitrary<Mutation> = fc.tuple(
    fc.nat({ max: 4 }),
    fc.nat({ max: 100_000 }),
    fc.nat({ max: 100_000 }),
    fc.integer({ min: 1, max: 4 }),
);

/** One of these texts, with tokens deleted, repeated, swapped, replaced, or put there from another one. */
export function mutatedProgram(texts: readonly string[]): fc.Arbitrary<{ readonly text: string; readonly at: readonly number[] }> {
    return fc
        .tuple(fc.nat({ max: texts.length - 1 }), fc.array(mutation, { minLength: 1, maxLength: 4 }))
        .map(([index, mutations]) => mutated(texts[index] ?? '', mutations, texts));
}

function mutated(original: string, mutations: readonly Mutation[], texts: readonly string[]): { text: string; at: number[] } {
    const tokens: string[] = original.match(TOKEN) ?? [];
    const places: number[] = [];
    for (const [kind, where, other, length] of mutations) {
        const at = where % (tokens.length + 1);
        places.push(at);
        const taken = tokens.slice(at, at + length);
        const second = other % (tokens.length + 1);
        const foreign = texts[other % texts.length]?.match(TOKEN) ?? [];
        switch (kind) {
            case 0:
                tokens.splice(at, length);
                break;
            case 1:
                tokens.splice(at, 0, ...taken);
                break;
            case 2:
                tokens.splice(at, length, ...tokens.slice(second, second + length));
                break;
            case 3:
                tokens.splice(at, length - 1, SPLICES[other % SPLICES.length] ?? '');
                break;
            default:
                tokens.splice(at, 0, ...foreign.slice(where % (foreign.length + 1)).slice(0, 3 * length));
        }
    }
    return { text: tokens.join(''), at: places.map(place => tokens.slice(0, place).join('').length) };
}
