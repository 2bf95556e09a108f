import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { evaluate } from '#engine/engine.ts';
import { PASSES, type PassName } from '#engine/plan/program-passes.ts';
import { printClause, printExpression } from '#language/program/print.ts';
import type { Clause, Expression, Fact, Head } from '#language/program/program.ts';
import { readProgram } from '#language/read-program.ts';
import { evaluateNaive } from '../naive/naive.ts';
import { colouredFacts } from './coloured-facts.ts';
import { check, type Evaluator, outcomeOf, runOptions } from './conformance.ts';
import { seededRandom, shuffledProgram } from './program-variations.ts';
import { renamedProgram } from './renamed-program.ts';

/** A program written otherwise, its modules by their paths, and what its predicates were called. */
interface Variation {
    readonly words: string;
    readonly text: string;
    readonly without?: ReadonlySet<PassName>;
    readonly evaluator?: Evaluator;
    readonly modules?: readonly (readonly [string, string])[];
    readonly folder?: string;
    readonly names?: ReadonlyMap<string, string>;
}

/** Limits and overflows may end a run sooner or later. */
const ENDS_SOONER = new Set(['RT010', 'RT031']);

/**
 * What differs between the naive evaluator and a program as it is written, and in one of the ways in which a program and its evaluation
 * may vary without another answer: a pass or all of them switched off, clauses in another order, other names, clauses in modules, facts
 * in files.
 */
export async function differences(text: string, choice: number): Promise<string[]> {
    const { program, errors } = check(text);
    if (errors.length > 0) return [];
    const random = seededRandom(choice);
    const folder = mkdtempSync(join(tmpdir(), 'variation-'));
    try {
        const expected = await answer({ words: 'naive', text, evaluator: evaluateNaive });
        // Where an order of clauses decides which nulls are found, other orders find others.
        const keepsNulls = program.chase.weaklyAcyclic;
        const ordered = text.includes('@post');
        const pass = PASSES[Math.floor(random() * PASSES.length)] ?? 'parts';
        const shuffled = shuffledProgram(text, random);
        const ways: readonly (() => Variation)[] = [
            () => ({ words: `without ${pass}`, text, without: new Set([pass]) }),
            () => ({ words: `without ${pass}, shuffled`, text: keepsNulls && !ordered ? shuffled : text, without: new Set([pass]) }),
            () => ({ words: 'without any pass', text, without: new Set(PASSES) }),
            () => renamed(text, random),
            ...(keepsNulls && !ordered ? [() => withModules(text, random), () => withFiles(shuffled, folder)] : []),
        ];
        const way = ways[Math.floor(random() * ways.length)];
        const variations: readonly Variation[] = [{ words: 'as written', text }, ...(way === undefined ? [] : [way()])];
        const found: string[] = [];
        for (const variation of variations) {
            const observed = await answer(variation);
            if (observed === undefined || expected === undefined || observed === expected) continue;
            const parts = (variation.modules ?? []).map(([path, part]) => `% ${path}\n${part}`);
            found.push([`${variation.words} (${choice})`, variation.text, ...parts, 'expected', expected, 'observed', observed].join('\n'));
        }
        return found;
    } finally {
        rmSync(folder, { recursive: true, force: true });
    }
}

/** The facts and whether the aggregation was monotone, or that the run failed; undefined where a limit or an overflow ended it. */
async function answer({ text, evaluator = evaluate, without, modules = [], folder = '.', names }: Variation): Promise<string | undefined> {
    const { program, errors } = check(text, new Map(), folder, modules);
    if (errors.length > 0) return `errors ${errors.join(', ')}`;
    const options = runOptions(folder, new Map(), program.program);
    const limits = { ...options.limits, maxRounds: 200, maxFacts: 2000, maxNullDepth: 20 };
    const outcome = await evaluator(program, { ...options, limits, ...(without === undefined ? {} : { disabledPasses: without }) });
    const { facts, reports } = outcomeOf(outcome);
    if (!outcome.ok) return reports.some(code => ENDS_SOONER.has(code)) ? undefined : 'failed';
    const originals = new Map([...(names ?? [])].map(([from, to]) => [to, from]));
    const named = new Map([...facts].map(([name, rows]) => [originals.get(name) ?? name, rows]));
    return `${reports.filter(code => code === 'RT050').join('')}\n${colouredFacts(named)}`;
}

/** Other names for predicates, and for variables in another order of the alphabet. */
function renamed(text: string, random: () => number): Variation {
    const { text: renamed, names } = renamedProgram(readProgram(text, 'renamed').value);
    const from = random() < 0.5 ? 90 + 65 : 0;
    const other = (name: string): string => (from === 0 ? `${name}${name}` : String.fromCharCode(from - name.charCodeAt(0)));
    // A variable is one letter in generated programs.
    const variables = renamed.replaceAll(/"(?:[^"]|"")*"|(?<![#?\w])[A-Z]\b/gu, found => (found.startsWith('"') ? found : other(found)));
    return { words: 'renamed', text: variables, names };
}

function clausesOf(text: string): readonly Clause[] {
    return readProgram(text, 'variation').value.clauses;
}

/** Some of the rules and facts in two modules, of which one includes the other. */
function withModules(text: string, random: () => number): Variation {
    const parts: [string[], string[], string[]] = [[], [], []];
    for (const clause of clausesOf(text)) {
        const at = clause.kind === 'annotation' || clause.annotations.length > 0 ? 0 : Math.floor(random() * 3);
        parts[at]?.push(printClause(clause));
    }
    const [own, one, other] = parts;
    const modules = [
        ['included/one.rulelang', ['@module("one").', '@include("other").', ...one].join('\n')],
        ['included/other.rulelang', ['@module("other").', ...other].join('\n')],
    ] as const;
    return { words: 'in modules', text: ['@include("one").', ...own].join('\n'), modules };
}

/** The facts of predicates that have nothing else, and values of one kind in each column, in CSV files. */
function withFiles(text: string, folder: string): Variation {
    const clauses = clausesOf(text);
    const derived = new Set(clauses.flatMap(clause => (clause.kind === 'rule' ? headNames(clause.head) : [])));
    const facts = new Map<string, Fact[]>();
    for (const clause of clauses) {
        if (clause.kind !== 'fact' || derived.has(clause.atom.predicate)) continue;
        facts.set(clause.atom.predicate, [...(facts.get(clause.atom.predicate) ?? []), clause]);
    }
    const moved = new Set<string>();
    const binds: string[] = [];
    for (const [name, own] of facts) {
        const types = columnTypes(own);
        if (types === undefined) continue;
        const rows = own.map(({ atom }) => atom.arguments.map(cellText).join(','));
        writeFileSync(join(folder, `${name}.csv`), `${rows.join('\n')}\n`);
        const model = types.map((type, i) => `'c${i}:${type}'`).join(', ');
        // A predicate that is bound and an output would be written.
        const variables = types.map((_, i) => `X${i}`).join(', ');
        binds.push(`@bind("file_${name}", "csv", ".", "${name}.csv"). @model("file_${name}", "[${model}]").`);
        binds.push(`${name}(${variables}) <- file_${name}(${variables}).`);
        moved.add(name);
    }
    const kept = clauses.filter(clause => clause.kind !== 'fact' || !moved.has(clause.atom.predicate));
    return { words: 'with facts in files', text: [...binds, ...kept.map(printClause)].join('\n'), folder };
}

function headNames(head: Head): string[] {
    return head.kind === 'atoms' ? head.atoms.map(({ predicate }) => predicate) : [];
}

const MODEL_TYPES: Partial<Record<Expression['kind'], string>> = {
    integer: 'long',
    double: 'double',
    string: 'string',
    boolean: 'boolean',
};

/** The types of the columns, where each has values of one kind that a cell of a file holds as they are. */
function columnTypes(facts: readonly Fact[]): readonly string[] | undefined {
    const types = facts[0]?.atom.arguments.map(({ kind }, column) => {
        const values = facts.map(({ atom }) => atom.arguments[column]);
        const isPlain = values.every(value => value?.kind === kind && (value.kind !== 'string' || /^[a-z ]+$/u.test(value.value)));
        return isPlain ? MODEL_TYPES[kind] : undefined;
    });
    if (types === undefined || types.length === 0 || types.some(type => type === undefined)) return undefined;
    return types as string[];
}

function cellText(value: Expression): string {
    return value.kind === 'boolean' ? `${value.value}` : printExpression(value);
}
