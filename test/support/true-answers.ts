import type { Database } from '#engine/database.ts';
import { evaluate } from '#engine/engine.ts';
import { type AbsentFact, type Cause, isEdit, type Reason, type WhyNot } from '#engine/explain/cause.ts';
import { whyNot } from '#engine/explain/why-not.ts';
import { nullLabels } from '#engine/results/listing.ts';
import { factText } from '#engine/values/fact-text.ts';
import { predicateKey } from '#language/program/analysed-program.ts';
import { carryOut, chainOf } from './carried-out.ts';
import { check, runOptions } from './conformance.ts';
import { editedText } from './edited-text.ts';
import { seededRandom } from './program-variations.ts';

type Random = () => number;

const GIVEN = [
    ['e', 2],
    ['f', 2],
    ['s', 1],
] as const;

/** A small program of joins, repeated variables, negation, conditions, recursion and aggregates over few values. */
export function smallProgram(random: Random): string {
    const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)] as T;
    const atom = (names: readonly string[], predicates: readonly (readonly [string, number])[]): string => {
        const [name, arity] = pick(predicates);
        const term = (): string => (random() < 0.12 ? '_' : random() < 0.1 ? `${Math.floor(random() * 4)}` : pick(names));
        return `${name}(${Array.from({ length: arity }, term).join(',')})`;
    };
    const facts = GIVEN.flatMap(([name, arity]) =>
        Array.from(
            { length: 1 + Math.floor(random() * 5) },
            () => `${name}(${Array.from({ length: arity }, () => Math.floor(random() * 4)).join(',')}).`,
        ),
    );
    const known: (readonly [string, number])[] = [...GIVEN];
    const rules: string[] = [];
    for (const name of ['p', 'q', 'r']) {
        const arity = 1 + Math.floor(random() * 2);
        const variables = ['X', 'Y', 'Z'].slice(0, 2 + Math.floor(random() * 2));
        const times = 1 + Math.floor(random() * 2);
        for (let rule = 0; rule < times; rule++) {
            const recursive = rule > 0 && random() < 0.5 ? [[name, arity] as const] : [];
            const body = Array.from({ length: 1 + Math.floor(random() * 3) }, () => atom(variables, [...known, ...recursive]));
            const bound = variables.filter(variable => body.some(one => one.includes(variable)));
            if (bound.length === 0) continue;
            if (random() < 0.35) body.push(`not ${atom([...bound, '_'], known)}`);
            if (random() < 0.35) body.push(`${pick(bound)} ${pick(['<', '>', '!='])} ${pick([...bound, '1', '2'])}`);
            if (rule === 0 && times === 1 && random() < 0.4) {
                const group = arity === 1 ? [] : [pick(bound)];
                const aggregate = pick([`sum(${pick(bound)})`, 'count()', `max(${pick(bound)})`]);
                rules.push(
                    `${name}(${[...group, 'N'].join(',')}) <- ${body.join(', ')}, N = ${aggregate}${random() < 0.3 ? ', N > 2' : ''}.`,
                );
            } else rules.push(`${name}(${Array.from({ length: arity }, () => pick(bound)).join(',')}) <- ${body.join(', ')}.`);
        }
        if (rules.some(rule => rule.startsWith(`${name}(`))) known.push([name, arity]);
    }
    const outputs = known.slice(GIVEN.length).map(([name]) => `@output("${name}").`);
    return [...facts, ...rules, ...outputs].join('\n');
}

/** A small program with unknown values that equality heads may make equal. */
export function linkedProgram(random: Random): string {
    const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)] as T;
    const digit = (): number => Math.floor(random() * 4);
    const facts = Array.from({ length: 2 + Math.floor(random() * 4) }, () => `e(${digit()},${digit()}).`);
    const more = Array.from({ length: 1 + Math.floor(random() * 3) }, () => pick([`f(${digit()},${digit()}).`, `s(${digit()}).`]));
    const links = [
        'who(I,P), who(J,Q), e(E,I), e(E,J)',
        'who(I,P), who(J,Q), f(I,J)',
        'who(I,P), who(J,Q), e(E,I), e(E,J), s(E)',
        'who(I,P), who(J,Q), e(E,I), e(E,J), I < J, J < 3',
    ];
    const rules = [
        `who(I,P) <- ${pick(['e(_,I)', 'e(I,_)', 's(I)'])}.`,
        `P = Q <- ${pick(links)}.`,
        ...(random() < 0.3 ? [`P = Q <- ${pick(links)}.`] : []),
        'same(I,J) <- who(I,P), who(J,P).',
        `rep(I,N) <- who(I,P), who(J,P), N = ${pick(['min(J)', 'count()', 'sum(J)'])}.`,
        `far(I,J) <- who(I,_), who(J,_), not same(I,J)${pick(['', ', I < J'])}.`,
    ];
    return [...facts, ...more, ...rules, ...['same', 'rep', 'far'].map(name => `@output("${name}").`)].join('\n');
}

async function run(text: string): Promise<Database | undefined> {
    const { program, errors } = check(text);
    if (errors.length > 0) return undefined;
    const outcome = await evaluate(program, { ...runOptions('.', new Map(), program.program), heights: true });
    return outcome.ok ? outcome.database : undefined;
}

/**
 * Asks a program about facts that it lacks, and gives every statement of the answers that is not true of it; `carried` counts
 * the causes that were done away with to see.
 */
export async function falseStatements(
    text: string,
    seed: number,
    questions: number,
): Promise<{ asked: number; told: number; carried: number; untrue: string[] }> {
    const random = seededRandom(seed);
    const database = await run(text);
    const untrue: string[] = [];
    let asked = 0;
    let told = 0;
    let carried = 0;
    if (database === undefined) return { asked, told, carried, untrue };
    const label = nullLabels(database.dictionary);
    const facts = allFacts(database, label);
    for (let question = 0; question < questions; question++) {
        const outputs = database.program.outputs.map(key => database.program.predicates.get(key));
        const predicate = outputs[Math.floor(random() * outputs.length)];
        if (predicate === undefined) break;
        const values = predicate.columns.map(() => Math.floor(random() * 5));
        const name = `${predicate.name}(${values.join(',')})`;
        if (facts.has(name)) continue;
        asked++;
        const absent: AbsentFact = { predicate: predicate.key, values: values.map(value => database.dictionary.number(value)) };
        const answer = whyNot(database, absent, { label });
        const judged = new Judge(text, facts);
        judged.answer(answer);
        for (const { cause, place, changes, because } of answer.edits) {
            if (changes === undefined || because !== undefined || place === undefined) continue;
            const changed = proposedText(text, cause, place.place.offset + place.span.start, place.place.offset + place.span.end);
            const after = changed === undefined ? undefined : await run(changed);
            if (after === undefined) continue;
            told++;
            if (!allFacts(after).has(name)) judged.untrue.push(`${JSON.stringify(cause)} gives ${name}`);
        }
        for (const reason of answer.reasons) {
            const verdict = await carryOut(text, reason, async (changed, fact = name) => {
                const after = await run(changed);
                return after && allFacts(after).has(fact);
            });
            if (verdict === 'unsaid') continue;
            carried++;
            if (verdict === 'gives') continue;
            const chain = JSON.stringify(chainOf(reason).map(({ cause, needed }) => ({ cause, needed })));
            if (verdict === 'false') judged.untrue.push(`false cause: ${chain}`);
            const despite = verdict === 'needed' ? await holdsDespite(text, name, reason, random) : undefined;
            if (despite !== undefined) judged.untrue.push(`not needed: ${despite}: ${chain}`);
        }
        told += judged.told;
        untrue.push(...judged.untrue.map(statement => `${name}: ${statement}\n${text}`));
    }
    return { asked, told, carried, untrue };
}

function allFacts(database: Database, label = nullLabels(database.dictionary)): ReadonlySet<string> {
    const found = new Set<string>();
    for (const predicate of database.program.predicates.values()) {
        const rows = database.relation(predicateKey(predicate.name, predicate.arity));
        for (let row = 0; row < (rows?.count ?? 0); row++)
            found.add(factText(database.dictionary, predicate, rows?.columns.map(column => column[row] ?? 0) ?? [], label));
    }
    return found;
}

/** The program with the change that an answer proposes. */
function proposedText(text: string, cause: Cause, start: number, end: number): string | undefined {
    if (cause.kind === 'exchanged') return text.slice(0, start) + cause.to + text.slice(end);
    return cause.kind === 'repair' ? editedText(text, start, end, cause.to ?? '0 < 1') : undefined;
}

/** Facts that are tried out against what a rule is said to need, and how often. */
const MORE = 8;
const ROUNDS = 8;

/** Facts under which the rules that are shown give a fact, though what they are said to need is still as it was. */
async function holdsDespite(text: string, name: string, reason: Reason, random: Random): Promise<string | undefined> {
    const chain = chainOf(reason);
    const shown = new Map(chain.flatMap(({ rule }) => (rule === undefined ? [] : [[headOf(rule.text), plain(rule.text)] as const])));
    // What another rule can do without says nothing about the one that is shown.
    const alone = text.split('\n').filter(line => !line.includes('<-') || (shown.get(headOf(line)) ?? plain(line)) === plain(line));
    const digit = (): number => Math.floor(random() * 4);
    const fact = (): string =>
        random() < 0.4 ? `e(${digit()},${digit()}).` : random() < 0.6 ? `f(${digit()},${digit()}).` : `s(${digit()}).`;
    for (let round = 0; round < ROUNDS; round++) {
        const more = Array.from({ length: MORE }, fact);
        const after = await run([...alone, ...more].join('\n'));
        const facts = after && allFacts(after);
        if (!facts?.has(name)) continue;
        const still = chain.find(({ cause }) => isStill(cause, facts));
        if (still !== undefined) return `${name} holds with ${more.join(' ')} and ${JSON.stringify(still.cause)}`;
    }
    return undefined;
}

/** Whether a cause is as it was; only what facts tell alone. */
function isStill(cause: Cause, facts: ReadonlySet<string>): boolean {
    switch (cause.kind) {
        case 'missing':
            return cause.further !== true && cause.among === undefined && !fits(cause.fact, facts);
        case 'negation':
            return facts.has(cause.fact);
        case 'several':
            return cause.causes.some(one => isStill(one, facts));
        default:
            return false;
    }
}

function headOf(rule: string): string {
    return rule.slice(0, rule.indexOf('('));
}

function plain(rule: string): string {
    return rule.replaceAll(/\s|\.$/gu, '');
}

/** Whether some fact fits, where names stand for equal values. */
function fits(pattern: string, facts: ReadonlySet<string>): boolean {
    return [...facts].some(fact => agrees(pattern, fact, new Map()) !== undefined);
}

class Judge {
    readonly untrue: string[] = [];
    told = 0;
    readonly #text: string;
    readonly #facts: ReadonlySet<string>;

    constructor(text: string, facts: ReadonlySet<string>) {
        this.#text = text;
        this.#facts = facts;
    }

    answer({ fact, further, present, reasons, edits }: WhyNot): void {
        this.#expect(this.#some(fact) === (further || present === true), `${fact} further ${further} present ${present}`);
        for (const reason of [...reasons, ...edits]) {
            this.#reason(reason);
            if (reason.because !== undefined) this.answer(reason.because);
        }
    }

    #reason({ cause, premises, rule }: Reason): void {
        for (const premise of premises) this.#expect(this.#facts.has(premise), `premise ${premise}`);
        this.#cause(cause);
        // Of two values that should be one, and of two atoms that have nothing in common, the facts are told.
        if (cause.kind === 'unequal' || cause.kind === 'apart') return;
        const isOfGroup = rule?.text.includes('N=') || (cause.kind === 'missing' && cause.among !== undefined);
        if (rule !== undefined && !isOfGroup && premises.length > 0)
            this.#expect(joins(rule.text, premises), `${premises.join(' ')} join in ${rule.text}`);
    }

    #cause(cause: Cause): void {
        switch (cause.kind) {
            case 'missing': {
                for (const { fact, difference } of cause.near) {
                    this.#expect(this.#facts.has(fact), `near ${fact}`);
                    if (difference === 'exchanged') this.#expect(!this.#facts.has(cause.fact), `${cause.fact} exchanged in ${fact}`);
                }
                const { among } = cause;
                if (among === undefined) this.#expect(this.#some(cause.fact) === (cause.further === true), JSON.stringify(cause));
                for (const value of among?.values ?? []) {
                    const values = among?.variables.length === 1 ? [value] : value.slice(1, -1).split(',');
                    const one =
                        among?.variables.reduce((fact, name, index) => fact.replaceAll(name, values[index] ?? ''), cause.fact) ?? '';
                    this.#expect(!this.#some(one), `${one} among ${JSON.stringify(cause)}`);
                }
                return;
            }
            case 'negation':
            case 'holds':
                this.#expect(this.#facts.has(cause.fact), `${cause.fact} is there`);
                return;
            case 'condition': {
                const values = new Map(cause.values.map(({ name, value }) => [name, Number(value)]));
                const parts = /^(\w+) (<|>|!=) (\w+)$/u.exec(cause.condition);
                if (parts === null) return;
                const [left, right] = [parts[1], parts[3]].map(name => values.get(name ?? '') ?? Number(name)) as [number, number];
                const holds = parts[2] === '<' ? left < right : parts[2] === '>' ? left > right : left !== right;
                this.#expect(!holds, JSON.stringify(cause));
                return;
            }
            case 'aggregate': {
                const heads = this.#text.split('\n').filter(line => line.includes('N = '));
                const names = heads.map(line => line.slice(0, line.indexOf('(')));
                const isThere = [...this.#facts].some(
                    fact => names.includes(fact.slice(0, fact.indexOf('('))) && fact.endsWith(`${cause.given})`),
                );
                this.#expect(isThere || cause.given === 'another value' || heads.length === 0, JSON.stringify(cause));
                return;
            }
            case 'argument':
            case 'unknown':
                this.#expect(this.#facts.has(cause.near.fact), `near ${cause.near.fact}`);
                return;
            case 'slip':
                this.#expect(this.#facts.has(cause.near.fact), `slip ${cause.near.fact}`);
                return;
            case 'several':
                for (const one of cause.causes) if (!isEdit(one)) this.#cause(one);
                return;
            default:
        }
    }

    /** Whether some fact fits, where names stand for equal values. */
    #some(pattern: string): boolean {
        return fits(pattern, this.#facts);
    }

    #expect(holds: boolean, statement: string): void {
        this.told++;
        if (!holds) this.untrue.push(statement);
    }
}

/** The values of variables under which an atom is a fact. */
function agrees(atom: string, fact: string, known: ReadonlyMap<string, string>): ReadonlyMap<string, string> | undefined {
    const [asked, given] = [atom, fact].map(text => /^(\w+)\((.*)\)$/u.exec(text.replaceAll(' ', '')));
    if (asked?.[1] !== given?.[1]) return undefined;
    const [terms, values] = [asked, given].map(match => match?.[2]?.split(',') ?? []) as [string[], string[]];
    if (terms.length !== values.length) return undefined;
    const bound = new Map(known);
    for (const [column, term] of terms.entries()) {
        const value = values[column] ?? '';
        if (term === '_') continue;
        const isName = /^[A-Z]/u.test(term);
        if (!isName && term !== value) return undefined;
        if (isName && (bound.get(term) ?? value) !== value) return undefined;
        if (isName) bound.set(term, value);
    }
    return bound;
}

/** Whether facts can stand for different atoms of one body together. */
function joins(rule: string, premises: readonly string[]): boolean {
    const atoms = rule
        .slice(rule.indexOf('<-') + 2)
        .split(/,(?![^(]*\))/u)
        .map(one => one.trim())
        .filter(one => /^[a-z]\w*\(/u.test(one));
    const place = (left: readonly string[], open: readonly string[], bound: ReadonlyMap<string, string>): boolean => {
        const [fact, ...more] = left;
        if (fact === undefined) return true;
        return open.some((atom, index) => {
            const next = agrees(atom, fact, bound);
            return next !== undefined && place(more, open.toSpliced(index, 1), next);
        });
    };
    return place(premises, atoms, new Map());
}
