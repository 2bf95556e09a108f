import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Database } from '#engine/contracts/database.ts';
import { evaluate } from '#engine/engine.ts';
import { type Cause, isEdit, type Reason, type WhyNot } from '#engine/explain/cause.ts';
import { type EmptyRule, emptyRules } from '#engine/explain/empty-rules.ts';
import { whyNot, whyNotEqual } from '#engine/explain/why-not.ts';
import { nullLabels } from '#engine/results/listing.ts';
import { factText } from '#engine/values/fact-text.ts';
import { termText } from '#engine/values/text.ts';
import type { ValueId } from '#engine/values/value-id.ts';
import { type Predicate, type PredicateKey, predicateKey } from '#language/program/analysed-program.ts';
import { MIXED } from '#language/program/types.ts';
import { evaluateNaive } from '../naive/naive.ts';
import { termsOf } from './atom-terms.ts';
import { carryOut, chainOf, isOfUnknown } from './carried-out.ts';
import { check, runOptions } from './conformance.ts';
import { editedText } from './edited-text.ts';
import { seededRandom } from './program-variations.ts';

type Random = () => number;

const NAMED_FILE = /@bind\("\w+","csv","\.","([^"]*)\.csv"\)/gu;
let folder: string | undefined;

/** Where the files of programs are that are named after their rows: `1,2;3,N.csv`, `N` for an unknown value. */
function filesOf(text: string): string {
    const files = [...text.matchAll(NAMED_FILE)].map(([, name = '']) => name);
    if (files.length === 0) return '.';
    folder ??= mkdtempSync(join(tmpdir(), 'why-not-'));
    for (const name of files) writeFileSync(join(folder, `${name}.csv`), `${name.replaceAll('N', '\\N').replaceAll(';', '\n')}\n`);
    return folder;
}

async function run(text: string): Promise<Database | undefined> {
    const files = filesOf(text);
    const { program, errors } = check(text, undefined, files);
    if (errors.length > 0) return undefined;
    const outcome = await evaluate(program, { ...runOptions(files, new Map(), program.program), heights: true });
    return outcome.ok ? outcome.database : undefined;
}

/** The facts of a changed program by the reference evaluator, which has nothing of the engine that answers; undefined where it does not run. */
async function factsOf(text: string): Promise<ReadonlySet<string> | undefined> {
    const files = filesOf(text);
    // Whether facts are allowed is another question than whether they are derived.
    const { program, errors } = check(text.replaceAll(/^#F <-.*$/gmu, ''), undefined, files);
    if (errors.length > 0) return undefined;
    const options = runOptions(files, new Map(), program.program);
    const outcome = await evaluateNaive(program, { ...options, limits: { ...options.limits, maxRounds: 60 } });
    // Where an aggregation is not monotone, its order decides.
    if (!outcome.ok || outcome.reports.some(({ code }) => code === 'RT050')) return undefined;
    return new Set([...allFacts(outcome.database)].map(withPlainNumbers));
}

/** A fact with whole numbers as they look in columns of all types. */
function withPlainNumbers(fact: string): string {
    const { name, terms } = termsOf(fact);
    return `${name}(${terms.join(',')})`;
}

/** What came of the questions to a program. */
export interface Judged {
    readonly asked: number;
    /** Statements that were compared with the database. */
    readonly told: number;
    /** Reasons and changes of rules that were carried out, by the kind of their cause and what came of it: `missing gives`. */
    readonly carried: ReadonlyMap<string, number>;
    readonly untrue: readonly string[];
}

/** Asks a program about facts that it lacks, carries out every reason that it gives, and tells what is not true of it. */
export async function falseStatements(text: string, seed: number, questions: number, isPlain = true): Promise<Judged> {
    try {
        return await judgedAnswers(text, seed, questions, isPlain);
    } finally {
        if (folder !== undefined) rmSync(folder, { recursive: true });
        folder = undefined;
    }
}

async function judgedAnswers(text: string, seed: number, questions: number, isPlain: boolean): Promise<Judged> {
    const random = seededRandom(seed);
    const database = await run(text);
    const before = await factsOf(text);
    const judged = { asked: 0, told: 0, carried: new Map<string, number>(), untrue: [] as string[] };
    if (database === undefined) return judged;
    const { dictionary, program } = database;
    const label = nullLabels(dictionary);
    const facts = allFacts(database, label);
    const outputs = program.outputs.flatMap(key => program.predicates.get(key) ?? []);
    const judge = async (name: string, answer: WhyNot): Promise<void> => {
        judged.asked++;
        const statements = new Judge(text, facts);
        if (isPlain) statements.answer(answer);
        const shown = [name.slice(0, name.indexOf('(')), ...outputs.map(one => one.name)];
        const tried = await carriedOut({ text, name, shown, before, random }, answer);
        for (const verdict of tried.verdicts) judged.carried.set(verdict, (judged.carried.get(verdict) ?? 0) + 1);
        judged.told += statements.told;
        judged.untrue.push(...[...statements.untrue, ...tried.untrue].map(statement => `${name}: ${statement}\n${text}`));
    };
    for (let question = 0; question < questions && outputs.length > 0; question++) {
        const predicate = outputs[Math.floor(random() * outputs.length)] as Predicate;
        const values = predicate.columns.map(({ type }, column) => {
            if (!isPlain) return knownValue(database, predicate.key, column, random);
            if (predicate.arity > 1 && random() < 0.1) return undefined;
            const number = Math.floor(random() * 5);
            return type.kind === 'string' ? dictionary.string('abAcd'.charAt(number)) : dictionary.number(number);
        });
        const terms = values.map((value, at) =>
            value === undefined ? '_' : termText(dictionary, value, predicate.columns[at]?.type ?? MIXED, label),
        );
        const name = `${predicate.name}(${terms.join(',')})`;
        if (!fits(name, facts) && !isOfUnknown(name)) await judge(name, whyNot(database, { predicate: predicate.key, values }, { label }));
    }
    for (const [name, values] of unequalPairs(database, text)) await judge(name, whyNotEqual(database, values, { label }));
    for (const predicate of outputs) {
        if ((database.relation(predicate.key)?.count ?? 0) > 0) continue;
        for (const rule of emptyRules(database, predicate)) {
            const verdict = await judgedEmpty(text, rule);
            if (verdict === undefined) continue;
            judged.carried.set(`empty ${verdict}`, (judged.carried.get(`empty ${verdict}`) ?? 0) + 1);
            if (verdict === 'false') judged.untrue.push(`${predicate.name} is empty: ${rule.fails?.text}\n${text}`);
        }
    }
    return judged;
}

interface Question {
    readonly text: string;
    /** The fact that is not there. */
    readonly name: string;
    /** The predicates whose facts count as changed. */
    readonly shown: readonly string[];
    readonly before: ReadonlySet<string> | undefined;
    readonly random: Random;
}

/** Carries out the changes of rules and the reasons of an answer; a verdict is `missing gives`. */
async function carriedOut(question: Question, { edits, reasons }: WhyNot): Promise<{ verdicts: string[]; untrue: string[] }> {
    const { text, name, shown, before, random } = question;
    const verdicts: string[] = [];
    const untrue: string[] = [];
    for (const edit of edits) {
        const { cause, place, changes, untried } = chainOf(edit).at(-1) ?? edit;
        if (untried || place === undefined) continue;
        const changed = proposedText(text, cause, place.place.offset + place.span.start, place.place.offset + place.span.end);
        const after = changed === undefined ? undefined : await factsOf(changed);
        if (after === undefined) {
            verdicts.push(`${cause.kind} unsaid`);
            continue;
        }
        const gives = fits(name, after);
        verdicts.push(`${cause.kind} ${gives ? 'gives' : 'false'}`);
        if (!gives) untrue.push(`${JSON.stringify(cause)} gives ${name}`);
        const others = before && differing(before, after, shown);
        if (others !== undefined && changes !== undefined && others !== changes + 1)
            untrue.push(`${JSON.stringify(cause)} changes ${others - 1}, not ${changes}`);
    }
    for (const reason of reasons) {
        const { cause } = chainOf(reason).at(-1) ?? reason;
        const verdict = await carryOut(text, reason, async (changed, fact = name) => {
            const after = await factsOf(changed);
            return after && fits(fact, after);
        });
        verdicts.push(`${cause.kind} ${verdict}`);
        const chain = JSON.stringify(chainOf(reason).map(({ cause, needed }) => ({ cause, needed })));
        if (verdict === 'false') untrue.push(`false cause: ${chain}`);
        const despite = verdict === 'needed' ? await holdsDespite(text, name, reason, random) : undefined;
        if (despite !== undefined) untrue.push(`not needed: ${despite}: ${chain}`);
    }
    return { verdicts, untrue };
}

/** Unknown values that could be one, in programs that tell which are: `same(1,2)` once those of 1 and 2 are. */
function unequalPairs({ relation, dictionary }: Database, text: string): [string, [ValueId, ValueId]][] {
    if (!text.includes('same(I,J) <- who(I,P), who(J,P).')) return [];
    const [ids = [], values = []] = relation(predicateKey('who', 2))?.columns ?? [];
    const count = relation(predicateKey('who', 2))?.count ?? 0;
    const of = (row: number): [ValueId, ValueId] => [ids[row] ?? 0, values[row] ?? 0];
    return Array.from({ length: Math.max(0, count - 1) }, (_, row): [string, [ValueId, ValueId]] => {
        const [[first, left], [second, right]] = [of(row), of(row + 1)];
        return [`same(${dictionary.numberOf(first)},${dictionary.numberOf(second)})`, [left, right]];
    }).filter(([, [left, right]]) => left !== right && dictionary.isNull(left) && dictionary.isNull(right));
}

/** Whether what is said to hold in the body of a rule does, and with what is said to stop it nothing does; undefined where nothing is said. */
async function judgedEmpty(text: string, { holds, fails }: EmptyRule): Promise<'stops' | 'false' | undefined> {
    if (fails === undefined) return undefined;
    const before = holds.map(step => step.text);
    const has = async (body: readonly string[]): Promise<boolean | undefined> =>
        body.length === 0 ? true : (await factsOf(`${text}\nprobe(1) <- ${body.join(', ')}.\n@output("probe").`))?.has('probe(1)');
    const [isThere, isStopped] = [await has(before), await has([...before, fails.text])];
    return isThere === undefined || isStopped === undefined ? undefined : isThere && !isStopped ? 'stops' : 'false';
}

/** A value that the column of a predicate has, or that of another one. */
function knownValue({ program, relation, dictionary }: Database, key: PredicateKey, column: number, random: Random): ValueId {
    const keys = random() < 0.6 ? [key] : [...program.predicates.keys()];
    const columns = keys.flatMap(one => {
        const rows = relation(one);
        const ids = rows?.columns[one === key ? column : Math.floor(random() * rows.columns.length)];
        return ids === undefined || rows?.count === 0 ? [] : [ids.subarray(0, rows?.count)];
    });
    const ids = columns[Math.floor(random() * columns.length)];
    return ids?.[Math.floor(random() * ids.length)] ?? dictionary.number(3);
}

/** How many facts of some predicates only one of two programs has; undefined where unknown values cannot be told apart. */
function differing(before: ReadonlySet<string>, after: ReadonlySet<string>, names: readonly string[]): number | undefined {
    const isCounted = (fact: string): boolean => names.includes(fact.slice(0, fact.indexOf('(')));
    const differing = [...[...before].filter(fact => !after.has(fact)), ...[...after].filter(fact => !before.has(fact))].filter(isCounted);
    return [...before, ...after].some(fact => isCounted(fact) && isOfUnknown(fact)) ? undefined : differing.length;
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
    const given = givenPredicates(text);
    const fact = (): string => {
        const { name: predicate, terms } = given[Math.floor(random() * given.length)] as (typeof given)[number];
        return `${predicate}(${terms.map(term => (term.startsWith('"') ? term : digit())).join(',')}).`;
    };
    for (let round = 0; round < ROUNDS; round++) {
        const more = Array.from({ length: MORE }, fact);
        const facts = await factsOf([...alone, ...more].join('\n'));
        if (facts === undefined || !fits(name, facts)) continue;
        const still = chain.find(({ cause }) => isStill(cause, facts));
        if (still !== undefined) return `${name} holds with ${more.join(' ')} and ${JSON.stringify(still.cause)}`;
    }
    return undefined;
}

/** A fact of each predicate that has no rules. */
function givenPredicates(text: string): ReturnType<typeof termsOf>[] {
    const lines = text.split('\n');
    const derived = new Set(
        lines.filter(line => line.includes('<-')).flatMap(line => line.slice(0, line.indexOf('<-')).match(/\w+(?=\()/gu) ?? []),
    );
    const facts = lines.filter(line => /^[a-z]\w*\([^<]*\)\.$/u.test(line)).map(line => termsOf(line.slice(0, -1)));
    const bound = text.includes('@bind("g"') ? [termsOf('g(1,1)')] : [];
    return [...new Map([...facts, ...bound].filter(({ name }) => !derived.has(name)).map(one => [one.name, one])).values()];
}

/** Whether a cause is as it was; only what facts tell alone. */
function isStill(cause: Cause, facts: ReadonlySet<string>): boolean {
    switch (cause.kind) {
        case 'missing':
            return cause.further !== true && cause.among === undefined && !isOfUnknown(cause.fact) && !fits(cause.fact, facts);
        case 'negation':
            return fits(cause.fact, facts) && !isOfUnknown(cause.fact);
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
                if (parts === null || [...values.values()].some(Number.isNaN)) return;
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
    const [asked, given] = [atom, fact].map(termsOf);
    if (asked === undefined || given === undefined || asked.name !== given.name) return undefined;
    const [terms, values] = [asked.terms, given.terms];
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
