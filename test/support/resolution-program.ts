import { Chase, Clash, isNull, type OracleAtom, type OracleEquality, type OracleRule, type Value } from './chase-oracle.ts';
import type { Row } from './expected-facts.ts';

type Compute = NonNullable<OracleRule['compute']>;

/** A rule as text and as the oracle runs it. The text of the body stands as it is; `more` is what the oracle computes instead. */
interface Template {
    readonly head: string;
    readonly body: string;
    readonly more?: string;
    readonly compute?: Compute;
    readonly counts?: OracleRule['counts'];
}

const known =
    (...names: string[]): Compute =>
    match =>
        names.some(name => isNull(match[name])) ? undefined : {};

/** What a level finds out about the entities, before anybody asks what is not known. `@` is the number of the level. */
const POSITIVE: readonly Template[] = [
    { head: 'who@(X, P)', body: 'src@(X, P)' },
    { head: 'own@(P, Q)', body: 'who@(_, P)' },
    { head: 'chain@(Y, P)', body: 'who@(X, P), link(X, Y)' },
    { head: 'chain@(Z, P)', body: 'chain@(Y, P), link(Y, Z)' },
    { head: 'pair@(P, R)', body: 'who@(X, P), chain@(X, R)' },
    { head: 'joined@(X, Y)', body: 'who@(X, P), who@(Y, P)' },
    { head: 'named@(X)', body: 'who@(X, P), kn(_, P)' },
    { head: 'isA@(X)', body: 'who@(X, "A")' },
    { head: 'same@(X, Y)', body: 'who@(X, P), chain@(Y, Q)', more: 'P == Q', compute: m => (m.P === m.Q ? {} : undefined) },
    { head: 'sure@(X)', body: 'who@(X, P)', more: 'is_not_null(P)', compute: known('P') },
    { head: 'sure@(X)', body: 'chain@(X, R), who@(X, P)', more: 'dom(*)', compute: known('X', 'P', 'R') },
    { head: 'sk@(X, S)', body: 'who@(X, P)', more: 'S = #f(P)', compute: (m, c) => ({ S: c.invent('f', [m.P ?? '']) }) },
    { head: 'li@(X, L)', body: 'who@(X, P)', more: 'L = [P, X]', compute: m => ({ L: [m.P ?? '', m.X ?? ''] }) },
];

const EQUALITIES: readonly { readonly sides: readonly [string, string]; readonly body: string }[] = [
    { sides: ['P', 'K'], body: 'who@(X, P), kn(X, K)' },
    { sides: ['P', 'Q'], body: 'who@(X, P), who@(X, Q)' },
    { sides: ['P', 'Q'], body: 'who@(X, P), who@(Y, Q), link(X, Y)' },
    { sides: ['P', 'Q'], body: 'who@(X, P), chain@(X, Q)' },
    { sides: ['P', 'Q'], body: 'joined@(X, Y), who@(X, P), src@(Y, Q)' },
    { sides: ['P', '"C"'], body: 'who@(3, P)' },
    { sides: ['P', 'Q'], body: 'who@(X, P), who@(Y, Q), below@(X, Y)' },
    { sides: ['P', 'K'], body: 'who@(X, P), kn(Y, K), below@(X, Y)' },
    { sides: ['Q', 'R'], body: 'own@(_, Q), own@("A", R)' },
    { sides: ['L', 'M'], body: 'li@(X, L), li@(X, M)' },
];

/** What asks for what is not known. Each reads what is complete before it; `@` as above, `&` a predicate of entities that was asked for before. */
const SENSITIVE: readonly Template[] = [
    { head: '(X)', body: 'who@(X, P)', more: 'is_null(P)', compute: m => (isNull(m.P) ? {} : undefined) },
    { head: '(X)', body: 'chain@(X, P)', more: 'is_null(P)', compute: m => (isNull(m.P) ? {} : undefined) },
    {
        head: '(X, Y)',
        body: 'who@(X, P), who@(Y, Q)',
        more: 'P != Q',
        compute: m => (m.P !== m.Q && isNull(m.P) === isNull(m.Q) ? {} : undefined),
    },
    { head: '(X)', body: 'who@(X, P)', more: 'P != "A"', compute: m => (isNull(m.P) || m.P === '"A"' ? undefined : {}) },
    { head: '(X)', body: 'who@(X, P)', more: '!(P == "A")', compute: m => (m.P === '"A"' ? undefined : {}) },
    { head: '(X)', body: 'who@(X, P)', more: 'P !in ["A", "B"]', compute: m => (m.P === '"A"' || m.P === '"B"' ? undefined : {}) },
    {
        head: '(X, T)',
        body: 'who@(X, P)',
        more: 'T = nullManagement:coalesce(P, "none")',
        compute: m => ({ T: isNull(m.P) ? '"none"' : (m.P ?? '') }),
    },
    {
        head: '(X, T)',
        body: 'who@(X, P)',
        more: 'T = nullManagement:ifnull(P, "open", "settled")',
        compute: m => ({ T: isNull(m.P) ? '"open"' : '"settled"' }),
    },
    { head: '(X, T)', body: 'chain@(X, P)', more: 'T = if(is_null(P), "u", "k")', compute: m => ({ T: isNull(m.P) ? '"u"' : '"k"' }) },
    { head: '(X, T)', body: 'who@(X, P)', more: 'T = "is " + P', compute: (m, c) => ({ T: joined('is ', m.P ?? '', c) }) },
    { head: '(X)', body: 'x(X), not joined@(X, X)' },
    { head: '(X)', body: 'x(X), not named@(X)' },
    { head: '(X)', body: 'who@(X, P), not kn(X, P)' },
    { head: '(P)', body: 'who@(_, P), not kn(_, P)' },
    { head: '(X)', body: 'x(X), not sure@(X)' },
    { head: '(X)', body: 'x(X), not &(X)' },
    { head: '(X)', body: 'who@(X, P), not &(X)' },
    { head: '(N)', body: 'who@(X, P)', more: 'N = mcount()', counts: { variable: 'N', of: ['X', 'P'] } },
    { head: '(P, N)', body: 'who@(X, P)', more: 'N = mcount()', counts: { variable: 'N', of: ['X'] } },
    { head: '(X, N)', body: 'chain@(X, P)', more: 'N = count(1, <P>)', counts: { variable: 'N', of: ['P'] } },
    { head: '(X, N)', body: 'joined@(X, Y)', more: 'N = mcount()', counts: { variable: 'N', of: ['Y'] } },
];

function joined(text: string, value: Value, chase: Chase): Value {
    return isNull(value) ? chase.invent(text, [value]) : `"${text}${String(value).slice(1)}`;
}

/** A program, and what the oracle says that it gives; undefined where two different constants would have to be equal. */
export interface ResolutionProgram {
    readonly text: string;
    readonly facts: ReadonlyMap<string, readonly Row[]> | undefined;
}

/** Up to three levels of entities with unknown names, what makes names equal, and questions about what is not known, which the next level reads. */
export function resolutionProgram(random: () => number): ResolutionProgram {
    const below = (count: number): number => Math.floor(random() * count);
    const some = <T>(items: readonly T[], least: number, share: number): T[] => {
        const chosen = items.filter(() => random() < share);
        while (chosen.length < least) chosen.push(items[below(items.length)] as T);
        return [...new Set(chosen)];
    };
    const lines: string[] = [];
    const chase = new Chase();
    const arities = new Map<string, number>();
    const fact = (predicate: string, ...values: string[]): void => {
        lines.push(`${predicate}(${values.join(', ')}).`);
        arities.set(predicate, values.length);
        chase.add(
            predicate,
            values.map(value => (value === 'null' ? chase.fresh() : value)),
        );
    };
    const entity = (): string => String(1 + below(5));
    const name = (): string => ['"A"', '"A"', '"B"'][below(3)] ?? '"A"';
    for (let i = 1; i <= 4; i++) fact('x', String(i));
    fact('kn', '9', '"A"');
    fact('link', '8', '9');
    for (let i = below(3); i > 0; i--) fact('kn', entity(), name());
    for (let i = below(4); i > 0; i--) fact('link', entity(), entity());
    const asked: string[] = [];
    let isClash = false;
    const attempt = (step: () => void): void => {
        try {
            if (!isClash) step();
        } catch (thrown) {
            if (!(thrown instanceof Clash)) throw thrown;
            isClash = true;
        }
    };
    const levels = 1 + below(3);
    for (let level = 1; level <= levels; level++) {
        const at = (text: string): string => text.replaceAll('@', String(level)).replaceAll('&', asked[below(asked.length)] ?? 'x');
        fact(`src${level}`, '9', '"A"');
        for (let i = below(3); i > 0; i--) fact(`src${level}`, entity(), random() < 0.6 ? 'null' : name());
        const start: Template = { head: 'who@(X, P)', body: asked.length > 0 && random() < 0.7 ? 'x(X), &(X)' : 'x(X)' };
        const between: Template = { head: 'below@(X, Y)', body: asked.length > 0 ? '&(X), link(X, Y)' : 'link(X, Y)' };
        const fixed = [start, between, ...POSITIVE.slice(0, 1), ...some(POSITIVE.slice(1), 3, 0.6)];
        const rules = fixed.map(template => rule(template, at, lines, arities));
        const defined = (body: readonly OracleAtom[]): boolean => body.every(({ predicate }) => arities.has(predicate));
        const equalities = some(EQUALITIES, 1, 0.25).flatMap(({ sides, body }): OracleEquality[] => {
            const text = at(body);
            const read = atomsOf(text).atoms;
            if (!defined(read)) return [];
            lines.push(`${sides.join(' = ')} <- ${text}.`);
            return [{ sides, body: read }];
        });
        complete(rules, arities, fact);
        attempt(() => chase.run(rules, equalities));
        for (const template of some(SENSITIVE, 2, 0.3)) {
            const predicate = `ask${level}x${lines.length}`;
            const made = rule({ ...template, head: predicate + template.head }, at, lines, arities);
            complete([made], arities, fact);
            attempt(() => chase.apply(made));
            if (arities.get(predicate) === 1 && template.head === '(X)') asked.push(predicate);
        }
    }
    const outputs = [...arities.keys()].map(predicate => `@output("${predicate}").`);
    return { text: [...lines, ...outputs].join('\n'), facts: isClash ? undefined : factsOf(chase, arities.keys()) };
}

/** Gives a fact to what rules read and nothing defines. */
function complete(
    rules: readonly OracleRule[],
    arities: Map<string, number>,
    fact: (predicate: string, ...values: string[]) => void,
): void {
    for (const { predicate, terms } of rules.flatMap(({ body, absent }) => [...body, ...absent])) {
        if (!arities.has(predicate)) fact(predicate, ...terms.map(() => '7'));
    }
}

function rule(template: Template, at: (text: string) => string, lines: string[], arities: Map<string, number>): OracleRule {
    const { compute, counts } = template;
    const text = at(template.body);
    const { atoms, absent } = atomsOf(text);
    const [head] = atomsOf(at(template.head)).atoms;
    if (head === undefined) throw new Error('A rule without a head');
    lines.push(`${at(template.head)} <- ${text}${template.more === undefined ? '' : `, ${at(template.more)}`}.`);
    arities.set(head.predicate, head.terms.length);
    return { head, body: atoms, absent, ...(compute === undefined ? {} : { compute }), ...(counts === undefined ? {} : { counts }) };
}

function atomsOf(text: string): { readonly atoms: OracleAtom[]; readonly absent: OracleAtom[] } {
    const atoms: OracleAtom[] = [];
    const absent: OracleAtom[] = [];
    for (const [, not, predicate = '', terms = ''] of text.matchAll(/(not )?(\w+)\(([^)]*)\)/gu)) {
        (not === undefined ? atoms : absent).push({ predicate, terms: terms.split(', ') });
    }
    return { atoms, absent };
}

function factsOf(chase: Chase, predicates: Iterable<string>): Map<string, readonly Row[]> {
    const words = (value: Value): string => {
        if (typeof value === 'number') return `z${value + 1}`;
        return typeof value === 'string' ? value : `[${value.map(words).join(',')}]`;
    };
    return new Map(
        [...predicates].map(predicate => [predicate, [...(chase.facts.get(predicate)?.values() ?? [])].map(row => row.map(words))]),
    );
}
