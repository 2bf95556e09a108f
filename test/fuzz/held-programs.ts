import { expect } from 'vitest';
import type { RunOutcome } from '#engine/contracts/database.ts';
import type { RunOptions } from '#engine/contracts/run-options.ts';
import { evaluate } from '#engine/engine.ts';
import { HeldProgram, type RowEdit } from '#engine/maintain/held-program.ts';
import { smallInteger } from '#engine/values/dictionary.ts';
import type { AnalysedProgram, PredicateKey } from '#language/program/analysed-program.ts';
import { Picks, randomProgram } from '../engine/evaluate/random-program.ts';
import { hasErrors, programOf, RUN_OPTIONS } from '../engine/evaluate/run-program.ts';
import { type Counts, followEdits, keysIn, rowsIn } from '../engine/maintain/follow-edits.ts';
import type { Search } from './search.ts';

/** A recursion that never settles is ended by this, in all evaluations alike. */
const OPTIONS: RunOptions = { ...RUN_OPTIONS, limits: { ...RUN_OPTIONS.limits, maxRounds: 60 } };
const EDITS = 15;

const EXISTENTIAL = [
    'm(X, Z) <- e(X, Y), n(Y).',
    'm2(Z, X) <- m(X, Z), not r(X).',
    'm3(X, Y) <- m(X, Z), m(Y, Z).',
    'c(X, S) <- m2(Z, X), S = mcount().',
];

/** Results follow random edits of a program and its facts; tells how. */
export const editedPrograms: Search<Counts> = {
    name: 'edited-programs',
    text(seed) {
        const picks = new Picks(seed);
        return [...randomProgram(seed).split('\n'), ...EXISTENTIAL.filter(() => picks.chance(0.5))].join('\n');
    },
    async check(text, seed) {
        const counts = { followed: 0, evaluated: 0 };
        const picks = new Picks(seed + 1);
        const spare = randomProgram(seed + 1_000_000).split('\n');
        const edit = (now: readonly string[]): readonly string[] => edited(now, spare, picks);
        const followed = await followEdits({ lines: text.split('\n'), read: programOf, edit, options: OPTIONS }, EDITS, picks, counts);
        return followed ? counts : undefined;
    },
};

/** Results follow rows that come and go, given or derived; tells how often. */
export const editedRows: Search<number> = {
    name: 'edited-rows',
    text: randomProgram,
    async check(text, seed) {
        const picks = new Picks(seed);
        const lines = text.split('\n');
        const program = programOf(text);
        if (hasErrors(program)) return undefined;
        let compared = 0;
        const keys = ['e/2', 'f/3', 'n/1', 'p/2', 'r/1', 's/2'] as PredicateKey[];
        const edited = new Set(keys.filter(key => (program.predicates.get(key)?.rules.length ?? 0) > 0));
        const held = await HeldProgram.open(program, OPTIONS, { edited, leastLookedAt: picks.one([0, 30, 1 << 16]) });
        const given = new Map<string, 'add' | 'remove'>();
        for (let step = 0; step < 8 && held.notHeld === undefined; step++) {
            const edits = Array.from({ length: 1 + picks.below(3) }, (): RowEdit => {
                const predicate = picks.one(keys);
                const kind = picks.one(['add', 'remove'] as const);
                const values = Array.from({ length: Number(predicate.at(-1)) }, () => picks.below(4));
                given.set(`${predicate.slice(0, -2)}(${values.join(', ')})`, kind);
                return { predicate, values: values.map(value => smallInteger(value)), kind };
            });
            const before = answer(program, held.outcome);
            const tried = held.tried(edits, () => answer(program, held.outcome));
            if (tried === undefined || held.notHeld !== undefined) break;
            expect({ step, edits, answer: answer(program, held.outcome) }).toEqual({ step, edits, answer: before });
            const changes = held.edit(edits);
            if (changes === undefined) break;
            expect({ step, edits, answer: answer(program, held.outcome) }).toEqual({ step, edits, answer: tried });
            const changed = programOf(withRows(lines, given, edited));
            const expected = await evaluate(changed, OPTIONS);
            if (!expected.ok) break;
            const at = { step, edits };
            const evaluated = keysIn(expected, program);
            expect({ ...at, answer: rowsIn(evaluated, held.outcome) }).toEqual({ ...at, answer: rowsIn(evaluated, expected) });
            compared++;
        }
        return compared === 0 ? undefined : compared;
    },
};

/** The rows of all predicates. */
function answer(program: AnalysedProgram, outcome: RunOutcome): readonly string[] {
    return rowsIn(keysIn(outcome, program), outcome);
}

/** The program in which these rows are given, or do not hold whatever the rules say. */
function withRows(lines: readonly string[], given: ReadonlyMap<string, 'add' | 'remove'>, edited: ReadonlySet<string>): string {
    const facts = lines.filter(line => !line.includes('<-')).flatMap(line => line.split('. ').map(one => one.replace(/\.$/u, '')));
    const names = [...edited].map(key => key.slice(0, -2));
    const refused = names.map(name => `refused_${name}(${Array.from(edited.has(`${name}/1`) ? [99] : [99, 99]).join(', ')})`);
    const rules = lines
        .filter(line => line.includes('<-'))
        .map(line => {
            const head = line.slice(0, line.indexOf(' <-'));
            return names.includes(head.slice(0, head.indexOf('('))) ? line.replace(/\.$/u, `, not refused_${head}.`) : line;
        });
    const kept = facts.filter(fact => given.get(fact) !== 'remove');
    for (const [fact, kind] of given) {
        if (kind === 'add') kept.push(fact);
        else if (names.includes(fact.slice(0, fact.indexOf('(')))) refused.push(`refused_${fact}`);
    }
    return `${[...kept, ...refused].map(fact => `${fact}.`).join('\n')}\n${rules.join('\n')}`;
}

/** A fact or a rule more or less, or another one in its place. */
function edited(lines: readonly string[], spare: readonly string[], picks: Picks): string[] {
    const at = picks.below(lines.length);
    const isFact = picks.chance(0.7);
    const facts = lines.flatMap((line, index) => (line.includes('<-') ? [] : [index]));
    const place = isFact && facts.length > 0 ? picks.one(facts) : at;
    const fact = (): string =>
        picks.one([
            `e(${picks.below(6)}, ${picks.below(6)}).`,
            `f(${picks.below(6)}, ${picks.below(6)}, ${picks.one(['1', '2', '0.5', '0.25'])}).`,
            `n(${picks.below(6)}).`,
            `p(${picks.below(6)}, ${picks.below(6)}).`,
        ]);
    const added = isFact ? fact() : picks.one(spare);
    switch (picks.below(3)) {
        case 0:
            return lines.filter((_, index) => index !== place);
        case 1:
            return [...lines, added];
        default:
            return lines.map((line, index) => (index === place ? added : line));
    }
}
