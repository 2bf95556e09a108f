import { countText, theMatches } from '#language/program/count-text.ts';
import type { Severity } from '#language/program/problem.ts';
import { say, translated } from '#language/program/say.ts';
import type { Location } from '#language/program/span.ts';
import type { ScriptFault, ShownFailure } from './script-fault.ts';

/** A report of an evaluation: an error stops the run, the others come with its answer (13.11). */
export interface Report {
    readonly code: ReportCode;
    readonly severity: Severity;
    /** One sentence without a final dot. */
    readonly message: string;
    readonly remedy?: string;
    /** Lines that show what the message is about: facts, derivations. */
    readonly details?: readonly string[];
    /** The rule, annotation or construct concerned. */
    readonly location?: Location;
    /** The place in a data file, one-based line. */
    readonly source?: { readonly file: string; readonly line?: number };
    /** The matches of a rule that the report is about. */
    readonly match?: FailedMatch;
    /** The values in the message, in the order of its entry's parameters. */
    readonly arguments?: readonly unknown[];
    /** The file that the message names is not there. */
    readonly isAbsent?: true;
    /** The error of a script, and its line if the host knows it. */
    readonly script?: FailedScript;
}

export type FailedScript = ScriptFault & Pick<ShownFailure, 'at'> & { readonly script: string };

/** The first of the matches for which an expression has no value, and how many there are. */
export interface FailedMatch {
    /** In the order of the atoms, each once; none where atoms do not tell the match. */
    readonly facts: readonly MatchFact[];
    /** `X = 1` for each variable, where the facts do not tell. */
    readonly values: readonly string[];
    readonly count: number;
    /** There are more than were counted. */
    readonly isMore: boolean;
}

export interface MatchFact {
    /** `price("P37",12,0)`. */
    readonly fact: string;
    /** The place that gave it. */
    readonly location?: Location;
    readonly source?: { readonly file: string; readonly line?: number };
}

interface ReportEntry {
    readonly severity: Severity;
    readonly message: (...args: never[]) => string;
    readonly remedy?: string;
}

/** Quantities that limits of a run cap. */
export type LimitName = 'rounds' | 'facts' | 'memory' | 'time' | 'nested unknown values' | 'size of a value';

const LIMIT_WORDS: Readonly<Record<LimitName, (value: string) => string>> = {
    rounds: value => say`limit of ${value} rounds`,
    facts: value => say`limit of ${value} facts`,
    memory: value => say`limit of ${value} MB of memory`,
    time: () => say`time limit of this run`,
    'nested unknown values': value => say`limit of ${value} unknown values made from one another`,
    'size of a value': value => say`limit of ${value} characters in a value`,
};

export const LIMIT_REMEDIES: Readonly<Record<LimitName, string>> = {
    rounds: 'Where a sum or a length grows around a cycle, keep one row for each pair, such as D = mmin(C + D), or bound it, such as N < 100. A recursion that ends but takes more rounds than there are facts needs a higher limit (--max-rounds, rulelang.run.maxRounds).',
    facts: 'Look for a condition that is missing in a join, or allow more facts (--max-facts).',
    memory: 'Look for a condition that is missing in a join, or allow more memory (--max-memory).',
    time: 'Look for a condition that is missing in a join, or allow more time (--timeout).',
    'nested unknown values': 'Bound the recursion in which unknown values are made from one another.',
    'size of a value': 'Bound the recursion in which a text or a list grows, such as string_length(T) < 1000.',
};

export const REPORTS = {
    RT010: { severity: 'error', message: (expression: string) => say`Integer overflow: ${expression} does not fit 64 bits` },
    RT011: { severity: 'error', message: (expression: string) => say`Division by zero in ${expression}` },
    RT020: {
        severity: 'warning',
        message: (left: string, right: string) => say`Comparing ${left} with ${right}, which are never equal or ordered`,
    },
    RT021: {
        severity: 'warning',
        message: (count: number, type: string, column: string | undefined, predicate: string | undefined, example: string) =>
            column === undefined
                ? say`A value could not be read as ${type} and became unknown, first ${example}`
                : say`${count === 1 ? say`A value` : say`${countText(count)} values`} of column '${column}' of '${predicate}' could not be read as ${type} and became unknown, first ${example}`,
    },
    RT022: { severity: 'error', message: (aggregate: string, value: string) => say`'${aggregate}' needs numbers but got ${value}` },
    RT023: { severity: 'error', message: (pattern: string, reason: string) => say`Pattern '${pattern}' cannot be used: ${reason}` },
    RT024: {
        severity: 'warning',
        message: (name: string, value: string) => say`'${name}' is undefined for ${value} and gave an unknown value`,
    },
    RT025: { severity: 'error', message: (name: string, value: string) => say`'${name}' cannot take ${value}` },
    RT026: {
        severity: 'error',
        message: (name: string, left: number, right: number) => say`'${name}' needs vectors of equal length but got ${left} and ${right}`,
    },
    RT027: {
        severity: 'warning',
        message: (name: string, count: number, predicate: string) =>
            say`'${name}' ignored ${count === 1 ? say`a row` : say`${countText(count)} rows`} of '${predicate}' with an unknown endpoint`,
    },
    RT028: { severity: 'error', message: (name: string, weight: string) => say`'${name}' needs weights of at least 0 but got ${weight}` },
    RT029: {
        severity: 'error',
        message: (name: string, predicate: string) =>
            say`'${name}' needs endpoints of '${predicate}' that are all structs or all simple values`,
    },
    RT030: {
        severity: 'information',
        message: (depth: number) =>
            say`Unknown values that a recursion creates are joined: of facts that differ in them alone, ${depth === 1 ? say`one was kept` : say`${depth} were kept`} in each derivation`,
        remedy: 'A larger isomorphism depth (--iso-depth) explores more joins.',
    },
    RT031: {
        severity: 'error',
        message: (limit: LimitName, value: string, predicate: string | undefined) =>
            say`The ${LIMIT_WORDS[limit](value)} was reached${predicate === undefined ? '' : say`; '${predicate}' grew most`}`,
        remedy: LIMIT_REMEDIES.rounds,
    },
    RT032: { severity: 'error', message: (by: string) => say`The run was stopped by ${by}` },
    RT040: {
        severity: 'error',
        message: (rule: string, left: string, right: string) =>
            say`The equality head ${rule} makes ${left} and ${right} equal, which are different`,
        remedy: 'Correct one of the facts, or give the rule a condition that leaves this match out.',
    },
    RT041: {
        severity: 'error',
        message: (rule: string, count: number, more: boolean) =>
            more
                ? say`The constraint ${rule} has more than ${count} violations; the first ${count} are listed`
                : say`The constraint ${rule} has ${count === 1 ? say`a violation` : say`${count} violations`}`,
        remedy: 'Correct the facts, or the constraint.',
    },
    RT050: {
        severity: 'warning',
        message: (predicate: string, group: string) =>
            say`The recursive aggregation of '${predicate}' is not monotone on this data, first for ${group}`,
    },
    RT051: {
        severity: 'warning',
        message: (aggregate: string, value: string) => say`'${aggregate}' in recursion got ${value}, which is outside its monotone range`,
    },
    RT052: {
        severity: 'warning',
        /** Without a predicate the rule has no head with one; without a group it has a single one. */
        message: (aggregate: string, predicate: string | undefined, count: number, group: string | undefined) => {
            const of = predicate === undefined ? say`this rule` : `'${predicate}'`;
            if (group === undefined)
                return say`${aggregate} has no value in ${of}, as all that it is made of is unknown: the row is left out`;
            if (count === 1)
                return say`${aggregate} has no value in the group ${group} of ${of}, as all that it is made of is unknown: its row is left out`;
            return say`${aggregate} has no value in ${countText(count)} groups of ${of}, as all that it is made of is unknown: their rows are left out, first that of ${group}`;
        },
        remedy: 'Give unknown values another value in the aggregate, such as sum(nullManagement:coalesce(V, 0)). If the rows are to be left out, the condition is_not_null(V) says so.',
    },
    RT060: {
        severity: 'error',
        message: (name: string) => say`Function '${name}' needs a provider, and none is installed`,
        remedy: 'Run the program where a provider of the function is configured, or give its rows as data.',
    },
    RT061: {
        severity: 'error',
        message: (type: string, kind: 'bind' | 'qbind') =>
            kind === 'qbind'
                ? say`Queries of data sources of type '${type}' need a connector, and none is installed`
                : say`Data sources of type '${type}' need a connector, and none is installed`,
        remedy: 'Read or write a file or a database of another type instead, and let a tool of the data source move its rows.',
    },
    RT062: { severity: 'error', message: (construct: string) => say`${construct} is not supported by the embedded evaluator` },
    RT063: { severity: 'error', message: (path: string, reason: string) => say`Access to '${path}' is not granted: ${reason}` },
    RT064: { severity: 'error', message: (path: string, reason: string) => `'${path}' ${reason}` },
    RT065: { severity: 'error', message: (construct: string) => say`${construct} is not evaluated by this version` },
    RT066: {
        severity: 'error',
        message: (predicate: string, target: string) => say`Nothing can fill '${predicate}', so it is not written to '${target}'`,
        remedy: 'Give the output a name of its own and rules that fill it, and read the bind of the other.',
    },
    RT067: {
        severity: 'error',
        message: (target: string, reason: string) => say`'${target}' is not replaced: ${reason}`,
        remedy: 'Write saveMode=overwrite into the bind to replace it, saveMode=append to add the rows to it, or name another target.',
    },
    RT070: {
        severity: 'error',
        message: (predicate: string) => say`No rows were supplied for input '${predicate}', and it has no bind`,
        remedy: 'Name a file of its rows with @bind, or write them as facts.',
    },
    RT071: {
        severity: 'warning',
        message: (count: number, kind: 'few' | 'many', expected: number) => {
            const rows = countText(count);
            if (kind === 'few')
                return count === 1
                    ? say`1 row has fewer than ${expected} cells and was padded with unknown values`
                    : say`${rows} rows have fewer than ${expected} cells and were padded with unknown values`;
            return count === 1
                ? say`1 row has more than ${expected} cells and was cut`
                : say`${rows} rows have more than ${expected} cells and were cut`;
        },
    },
    RT072: {
        severity: 'warning',
        /** `isPart` where the source has more columns than are read. */
        message: (count: number, isPart = false) => {
            if (!isPart) return say`${countText(count)} duplicate ${count === 1 ? say`row was` : say`rows were`} merged`;
            return count === 1
                ? say`1 row equals another in the columns that are read, and was merged with it`
                : say`${countText(count)} rows equal others in the columns that are read, and were merged with them`;
        },
        remedy: 'Add a key column where sums and counts must see every row. Rows with unknown values equal no others, and each counts.',
    },
    RT073: {
        severity: 'warning',
        message: (count: number) =>
            say`${countText(count)} ${count === 1 ? say`cell has` : say`cells have`} text behind the closing quote, which was kept as it stands`,
        remedy: 'Double the quotes inside a quoted cell where the text is not what was meant.',
    },
    RT080: {
        severity: 'error',
        /** Without a value, one has to be given. */
        message: (parameter: string, value = say`nothing`, type = say`given a value`) =>
            say`Parameter '${parameter}' must be ${type}, but '${value}' is not`,
    },
    RT090: { severity: 'error', message: (script: string, reason: string) => say`Script '${script}' ${reason}` },
    RT091: { severity: 'error', message: (reason: string) => say`The query failed: ${reason}` },
    RT092: { severity: 'error', message: (name: string, reason: string) => say`'${name}' was not answered: ${reason}` },
    RT100: {
        severity: 'hint',
        message: (atom: string, from: number, to: number) =>
            say`${atom} makes ${countText(to)} matches of ${countText(from)}, ${countText(Math.floor(to / from))} of each`,
        remedy: 'Look for a variable in common with the atoms before it, or for a condition, that is missing.',
    },
    RT101: {
        severity: 'hint',
        /** Without matches it is the first; without rows these were not counted. */
        message: (atom: string, matches: number | undefined, rows: number | undefined) => {
            if (rows === 0) return say`${atom} has no rows`;
            const none = rows === undefined ? say`No row` : say`No row of ${countText(rows)}`;
            if (matches === undefined) return say`${none} meets ${atom}`;
            return say`${none} meets ${atom} beside ${theMatches(matches)} before it`;
        },
        remedy: 'Compare the values of both sides: they may differ in their types, in spaces, or in capital letters.',
    },
    RT102: {
        severity: 'hint',
        message: (stop: string | undefined) => (stop === undefined ? say`This rule never fired` : say`This rule never fired: ${stop}`),
    },
} as const satisfies Record<string, ReportEntry>;

export type ReportCode = keyof typeof REPORTS;

export type ReportArguments<C extends ReportCode> = Parameters<(typeof REPORTS)[C]['message']>;

/** The place of a report, in parts that are all optional. */
export interface ReportContext {
    readonly location?: Location;
    readonly source?: { readonly file: string; readonly line?: number };
    readonly remedy?: string;
    readonly details?: readonly string[];
    readonly isAbsent?: true;
    readonly script?: FailedScript;
}

export function report<C extends ReportCode>(code: C, context: ReportContext, ...args: ReportArguments<C>): Report {
    const entry: ReportEntry = REPORTS[code];
    const message = (entry.message as (...values: unknown[]) => string)(...args);
    return {
        code,
        severity: entry.severity,
        message,
        ...(entry.remedy === undefined ? {} : { remedy: translated(entry.remedy) }),
        arguments: args,
        ...context,
    };
}

/** Returns the values in the message of a report, if it has this code. */
export function argumentsOf<C extends ReportCode>(told: Report, code: C): ReportArguments<C> | undefined {
    return told.code === code ? (told.arguments as ReportArguments<C> | undefined) : undefined;
}

/** The report with the match that it is about in its message. */
export function withMatch(told: Report, match: FailedMatch): Report {
    const from = ({ file, line }: { readonly file: string; readonly line?: number }): string =>
        line === undefined ? ` (${file})` : say` (${file} line ${line})`;
    const facts = match.facts.map(({ fact, source }) => `${fact}${source === undefined ? '' : from(source)}`);
    const words = [...facts, ...match.values].join(' and ');
    return { ...told, match, message: words === '' ? told.message : say`${told.message}, for ${words}${othersText(match)}` };
}

function othersText({ facts, count, isMore }: FailedMatch): string {
    const [one, many] = facts.length === 1 ? ['row', 'rows'] : ['match', 'matches'];
    if (count === 1) return isMore ? say` and perhaps more ${many}` : '';
    return say` and ${isMore ? say`at least ` : ''}${countText(count - 1)} more ${count === 2 ? one : many}`;
}

/** Thrown inside the engine to end a run; the facade turns it into the run's outcome. */
export class RunStopped extends Error {
    readonly report: Report;

    constructor(stopped: Report) {
        super(stopped.message);
        this.report = stopped;
    }
}

export function stop<C extends ReportCode>(code: C, context: ReportContext, ...args: ReportArguments<C>): never {
    throw new RunStopped(report(code, context, ...args));
}

const OF_VALUES: ReadonlySet<ReportCode> = new Set(['RT010', 'RT011', 'RT022', 'RT023', 'RT025', 'RT026']);

/** Whether an error says of an expression, or of what is contributed to an aggregate, that it has no value for some match. */
export function isOfValues({ code }: Report): boolean {
    return OF_VALUES.has(code);
}
