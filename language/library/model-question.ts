import { say } from '#language/program/say.ts';
import type { Type } from '#language/program/types.ts';
import { splitKnownOptions } from './known-options.ts';
import { nearestName } from './nearest-name.ts';
import type { OptionProblem } from './relation-options.ts';
import { typeNamed } from './type-names.ts';

/** A question of `#LLM`, with its options read (7.6). */
export interface ModelQuestion {
    /** Templates, of which each gives a column. */
    readonly prompts: readonly string[];
    /** The type of the column of each prompt. */
    readonly types: readonly Type[];
    /** Predicates whose facts around the values of a row stand for `{facts}` in the templates; none where absent. */
    readonly facts?: { readonly predicates: readonly string[]; readonly steps: number };
    /** The columns of the answer; absent for all input columns and then all prompts. */
    readonly projected?: readonly ProjectedColumn[];
}

/** One-based: an input column, or the column of a prompt. */
export interface ProjectedColumn {
    readonly kind: 'arg' | 'llm';
    readonly index: number;
}

export type ModelProblem =
    | Extract<OptionProblem, { readonly code: 'RL7103' | 'RL7104' | 'RL7105' | 'RL7106' | 'RL7107' }>
    /** Input columns, or prompts, that are named and do not exist. */
    | { readonly code: 'RL7122' | 'RL7123'; readonly count: number }
    | { readonly code: 'RL7124' };

const PROMPT = /^prompt(?:_(\d+))?$/u;
const OUTPUT_TYPE = /^output_type(?:_(\d+))?$/u;
const OTHERS = ['prompts', 'projected_columns', 'selected_models', 'num_partitions', 'facts', 'steps'];
/** A template's place for the facts around a row. */
export const FACTS_PLACE = '{facts}';
const MOST_STEPS = 3;
const KEYS = ['prompt', 'output_type', ...OTHERS];

const TYPES = 'string int integer long double float number boolean bool list<string> list<int> list<double> set<string>'.split(' ');

/** Reads the option text of `#LLM` for an input with so many columns, where they are known. */
export function readModelQuestion(
    text: string,
    columns: number | undefined,
): { question?: ModelQuestion; problems: readonly ModelProblem[] } {
    const problems: ModelProblem[] = [];
    const values = new Map<string, string>();
    for (const { key, value } of splitKnownOptions(text, isKnown, key => PROMPT.test(key) || key === 'prompts')) {
        if (!isKnown(key)) {
            const nearest = nearestName(key, KEYS);
            problems.push({ code: 'RL7103', key: key === '' ? value : key, ...(nearest === undefined ? {} : { nearest }) });
        } else if (values.has(key)) problems.push({ code: 'RL7104', key });
        else values.set(key, value);
    }
    const prompts = readPrompts(values, problems);
    const types = prompts.map((_, i) => outputType(values, `output_type_${i + 1}`) ?? outputType(values, 'output_type') ?? STRING);
    checkTypes(values, prompts.length, problems);
    const partitions = values.get('num_partitions');
    if (partitions !== undefined && !/^[1-9]\d*$/u.test(partitions)) {
        problems.push({ code: 'RL7105', key: 'num_partitions', expected: say`a whole number of at least 1` });
    }
    const facts = readFacts(values, prompts, problems);
    const projected = readProjection(values, problems);
    const used = [...prompts.flatMap(columnsInTemplate), ...(projected ?? []).flatMap(one => (one.kind === 'arg' ? [one.index] : []))];
    if (columns !== undefined && used.some(index => index < 1 || index > columns)) problems.push({ code: 'RL7122', count: columns });
    if (projected?.some(({ kind, index }) => kind === 'llm' && (index < 1 || index > prompts.length))) {
        problems.push({ code: 'RL7123', count: prompts.length });
    }
    return problems.length > 0
        ? { problems }
        : { question: { prompts, types, ...(facts && { facts }), ...(projected === undefined ? {} : { projected }) }, problems };
}

/** The predicates that the option text of `#LLM` names for facts; none where parameters in it decide. */
export function factPredicates(text: string): readonly string[] {
    if (text.includes('${')) return [];
    return readModelQuestion(text, undefined).question?.facts?.predicates ?? [];
}

/** The columns of the answer for an input with so many columns. */
export function projectedColumns({ prompts, projected }: ModelQuestion, columns: number): readonly ProjectedColumn[] {
    const input = Array.from({ length: columns }, (_, i) => ({ kind: 'arg' as const, index: i + 1 }));
    return projected ?? [...input, ...prompts.map((_, i) => ({ kind: 'llm' as const, index: i + 1 }))];
}

const STRING: Type = { kind: 'string' };

function isKnown(key: string): boolean {
    return PROMPT.test(key) || OUTPUT_TYPE.test(key) || OTHERS.includes(key);
}

function readPrompts(values: ReadonlyMap<string, string>, problems: ModelProblem[]): string[] {
    const single = values.get('prompt');
    const compact = values.get('prompts');
    const numbered = new Map<number, string>();
    for (const [key, value] of values) {
        const number = PROMPT.exec(key)?.[1];
        if (number !== undefined) numbered.set(Number(number), value);
    }
    const forms = [...(single === undefined ? [] : ['prompt']), ...(compact === undefined ? [] : ['prompts'])];
    if (numbered.size > 0) forms.push(`prompt_${[...numbered.keys()][0]}`);
    const [first, second] = forms;
    if (first === undefined) problems.push({ code: 'RL7107', key: 'prompt' });
    if (first !== undefined && second !== undefined) problems.push({ code: 'RL7106', first, second });
    if (single !== undefined) return [single];
    if (compact !== undefined) {
        const starts = [...compact.matchAll(/(?:^|;)\s*prompt_(\d+)\s*:/gu)];
        if (starts.length === 0) problems.push({ code: 'RL7105', key: 'prompts', expected: say`a list such as 'prompt_1:…;prompt_2:…'` });
        for (const [i, start] of starts.entries()) {
            numbered.set(Number(start[1]), compact.slice(start.index + start[0].length, starts[i + 1]?.index).trim());
        }
    }
    const prompts = [...numbered].sort(([a], [b]) => a - b);
    if (prompts.some(([number], i) => number !== i + 1)) problems.push({ code: 'RL7124' });
    return prompts.map(([, prompt]) => prompt);
}

function readFacts(values: ReadonlyMap<string, string>, prompts: readonly string[], problems: ModelProblem[]): ModelQuestion['facts'] {
    const [named, steps] = [values.get('facts'), values.get('steps') ?? '1'];
    const isUsed = prompts.some(prompt => prompt.includes(FACTS_PLACE));
    if (named === undefined) {
        if (isUsed || values.has('steps')) problems.push({ code: 'RL7107', key: 'facts' });
        return undefined;
    }
    const predicates = [...new Set(named.split(';').map(name => name.trim()))];
    if (!predicates.every(name => /^[A-Za-z_][A-Za-z0-9_]*$/u.test(name)))
        problems.push({ code: 'RL7105', key: 'facts', expected: say`names of predicates, such as 'owns;person'` });
    if (!isUsed) problems.push({ code: 'RL7105', key: 'facts', expected: say`a prompt with {facts} in it` });
    if (!/^[1-3]$/u.test(steps)) problems.push({ code: 'RL7105', key: 'steps', expected: say`a whole number from 1 to ${MOST_STEPS}` });
    return { predicates, steps: Number(steps) };
}

function outputType(values: ReadonlyMap<string, string>, key: string): Type | undefined {
    const named = values.get(key);
    return named === undefined ? undefined : typeNamed(named);
}

function checkTypes(values: ReadonlyMap<string, string>, prompts: number, problems: ModelProblem[]): void {
    for (const [key, value] of values) {
        const match = OUTPUT_TYPE.exec(key);
        if (match === null) continue;
        if (!TYPES.includes(value)) problems.push({ code: 'RL7105', key, expected: say`one of ${TYPES.join(', ')}` });
        if (match[1] !== undefined && (Number(match[1]) < 1 || Number(match[1]) > prompts))
            problems.push({ code: 'RL7123', count: prompts });
    }
}

function readProjection(values: ReadonlyMap<string, string>, problems: ModelProblem[]): ProjectedColumn[] | undefined {
    const text = values.get('projected_columns');
    if (text === undefined) return undefined;
    const columns = text.split(':').map(part => /^\s*(arg|llm)_(\d+)\s*$/u.exec(part));
    if (columns.includes(null)) problems.push({ code: 'RL7105', key: 'projected_columns', expected: say`columns such as 'arg_1:llm_1'` });
    return columns.flatMap(match =>
        match === null ? [] : [{ kind: match[1] === 'arg' ? ('arg' as const) : ('llm' as const), index: Number(match[2]) }],
    );
}

/** The one-based input columns in `{arg_1}`. */
function columnsInTemplate(template: string): number[] {
    return [...template.matchAll(/\{arg_(\d+)\}/gu)].map(match => Number(match[1]));
}
