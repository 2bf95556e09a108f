import { parseDate, parseTimestamp } from '#engine/values/calendar.ts';
import { countText } from '#language/program/count-text.ts';
import { printConstant, printString } from '#language/program/print-constant.ts';
import type { Constant } from '#language/program/program.ts';
import type { InferredTable } from '../inferred-program.ts';
import { type AnsweredRow, answeredTables } from './answered-tables.ts';
import type { DocumentColumnType, DocumentLine, DocumentTable } from './document.ts';
import { areHeld } from './held-values.ts';

/** Lines that a model is shown at a time, or one picture. */
export type DocumentPart =
    | { readonly kind: 'lines'; readonly lines: readonly DocumentLine[] }
    | { readonly kind: 'picture'; readonly page: number | undefined };

/** Facts that a model finds in the parts of a document. */
export interface FoundFacts {
    /**
     * Takes those of an answer; what is wrong with it, in sentences for the model, where it takes none. With `isLast` facts that their lines do not
     * hold are left out, and where the last answer has other faults, an earlier one about this part counts that has not.
     */
    take(answer: string, part: DocumentPart, isLast: boolean): readonly string[];
    /** The tables that are known so far. */
    readonly known: readonly DocumentTable[];
    /** Those with facts. Their last column says where in the document each fact stands. */
    tables(): readonly InferredTable[];
    /** A comment for the end of the program; empty where nothing was left out. */
    readonly remark: string;
}

const MOST_FACTS = 20_000;

/** `schema` has the tables that are looked for, where these are stated; else the model says which there are. */
export function foundFacts(document: string, schema: readonly DocumentTable[] | undefined): FoundFacts {
    const known = new Map(schema?.map(table => [table.name, table]));
    const facts = new Map<string, Set<string>>();
    let count = 0;
    let leftOut = 0;
    /** An answer that went back to the model for facts that their lines do not hold alone: what comes after it may be worse. */
    let held: TakenAnswer | undefined;

    const keep = (found: TakenAnswer): readonly string[] => {
        const more = found.tables.reduce((sum, table) => sum + table.facts.length, 0);
        if (count + more > MOST_FACTS) return [`There are more than ${countText(MOST_FACTS)} facts; give those that matter most.`];
        leftOut += found.leftOut;
        count += more;
        for (const { facts: own, ...table } of found.tables) {
            if (!known.has(table.name)) known.set(table.name, table);
            facts.set(table.name, new Set([...(facts.get(table.name) ?? []), ...own]));
        }
        return [];
    };

    return {
        get known() {
            return [...known.values()];
        },
        get remark() {
            return leftOut === 0 ? '' : `\n% Left out: ${leftOut} facts whose lines do not hold them.\n`;
        },
        take: (answer, part, isLast) => {
            const { problems, unheld, tables } = readAnswer(answer, { document, part, known, isStated: schema !== undefined });
            const found = { part, tables, leftOut: unheld.length };
            if (problems.length > 0) return isLast && held?.part === part ? keep(held) : problems;
            if (unheld.length === 0 || isLast) return keep(found);
            held = found;
            return unheld;
        },
        tables: () => {
            const found = [...known.values()].filter(({ name }) => (facts.get(name)?.size ?? 0) > 0);
            const has = (table: string, columns: readonly string[]): boolean => {
                const names = found.find(({ name }) => name === table)?.columns.map(({ name }) => name) ?? [];
                return columns.every(column => names.includes(column));
            };
            return found.map(({ name, columns, foreignKeys }) => ({
                name,
                columns: [...columns, { name: 'place', type: 'STRING' }],
                foreignKeys: foreignKeys.filter(key => has(name, key.columns) && has(key.table, key.references)),
                rowsOf: predicate => [...(facts.get(name) ?? [])].map(fact => `${predicate}(${fact}).`).join('\n'),
            }));
        },
    };
}

interface TakenAnswer {
    readonly part: DocumentPart;
    readonly tables: readonly (DocumentTable & { readonly facts: readonly string[] })[];
    readonly leftOut: number;
}

/** Reads an answer: its facts, what is wrong with it, and which of its rows their lines do not hold. */
function readAnswer(
    answer: string,
    {
        document,
        part,
        known,
        isStated,
    }: {
        readonly document: string;
        readonly part: DocumentPart;
        readonly known: ReadonlyMap<string, DocumentTable>;
        /** There are no other tables. */
        readonly isStated: boolean;
    },
) {
    const problems: string[] = [];
    const unheld: string[] = [];
    const columned = answeredTables(answer, problems).flatMap(table => {
        const before = known.get(table.name);
        if (isStated && before === undefined) {
            problems.push(`Table ${shown(table.name)} is not asked for; those that are: ${[...known.keys()].join(', ')}.`);
            return [];
        }
        const columns = before?.columns ?? table.columns;
        if (columns === undefined) {
            problems.push(`Table ${shown(table.name)} says no columns; give the name and type of each.`);
            return [];
        }
        if (before !== undefined && table.columns !== undefined && !sameNames(before.columns, table.columns))
            problems.push(`Table ${shown(table.name)} has the columns ${namesOf(columns)}; give its values in this order.`);
        return [{ ...table, columns, foreignKeys: before?.foreignKeys ?? table.foreignKeys }];
    });
    const tables = columned.map(({ rows, name, columns, foreignKeys }) => {
        const facts = rows.flatMap((row, i): string[] => {
            const found = factOf(row, columns, part);
            if (found.kind === 'fact') return [`${found.text},${printString(placeOf(document, part, found.line))}`];
            const told = found.kind === 'wrong' ? problems : unheld;
            if (found.kind !== 'empty') told.push(`Row ${i + 1} of table ${shown(name)} ${found.reason}.`);
            return [];
        });
        return { name, columns, foreignKeys, facts };
    });
    return { problems, unheld, tables };
}

/** `notes.pdf, page 2, line 7` */
function placeOf(document: string, part: DocumentPart, line: DocumentLine | undefined): string {
    const page = line?.page ?? (part.kind === 'picture' ? part.page : undefined);
    return [document, ...(page === undefined ? [] : [`page ${page}`]), ...(line === undefined ? [] : [`line ${line.line}`])].join(', ');
}

type ReadFact =
    /** The arguments, and the line that holds them. */
    | { readonly kind: 'fact'; readonly text: string; readonly line: DocumentLine | undefined }
    | { readonly kind: 'empty' }
    /** It fits no fact of its table. */
    | { readonly kind: 'wrong'; readonly reason: string }
    /** It may be a fact, but not of its line. */
    | { readonly kind: 'unheld'; readonly reason: string };

function factOf({ line: number, values }: AnsweredRow, columns: DocumentTable['columns'], part: DocumentPart): ReadFact {
    if (values.length !== columns.length)
        return {
            kind: 'wrong',
            reason: `has ${values.length} values, and the columns are ${namesOf(columns)}; write null for what is not there`,
        };
    const constants: Constant[] = [];
    for (const [at, { name, type }] of columns.entries()) {
        const constant = constantOf(values[at], type);
        if (constant === undefined) return { kind: 'wrong', reason: `has ${shown(values[at])} in column ${name}, which is ${FORMS[type]}` };
        constants.push(constant);
    }
    if (constants.every(({ kind }) => kind === 'null')) return { kind: 'empty' };
    const text = constants.map(printConstant).join(',');
    if (part.kind === 'picture') return { kind: 'fact', text, line: undefined };
    const at = (number ?? 0) - 1;
    const line = part.lines[at];
    if (line === undefined) return { kind: 'unheld', reason: `names line ${shown(number)}, and the lines are 1 to ${part.lines.length}` };
    // A value may go on in the next line.
    if (areHeld(constants, part.lines.slice(at, at + 2))) return { kind: 'fact', text, line };
    return {
        kind: 'unheld',
        reason: `names line ${number}, which holds none of its values; name the line that does, or leave the row out`,
    };
}

const NOWHERE = { start: 0, end: 0 };

/** What a value of each type is, for the model. */
const FORMS: Readonly<Record<DocumentColumnType, string>> = {
    INT: 'a whole number',
    DOUBLE: 'a number',
    STRING: 'a text',
    BOOLEAN: 'true or false',
    DATE: 'a date as "2031-04-09"',
    DATETIME: 'a time as "2031-04-09 10:15:00"',
};

/** The value as a constant of a type; undefined where it is none. */
function constantOf(value: unknown, type: DocumentColumnType): Constant | undefined {
    const span = NOWHERE;
    if (value === null) return { kind: 'null', span };
    switch (type) {
        case 'INT':
            return Number.isSafeInteger(value) ? { kind: 'integer', value: value as number, span } : undefined;
        case 'DOUBLE':
            return typeof value === 'number' && Number.isFinite(value) ? { kind: 'double', value, span } : undefined;
        case 'BOOLEAN':
            return typeof value === 'boolean' ? { kind: 'boolean', value, span } : undefined;
        case 'STRING':
            return typeof value === 'string' || typeof value === 'number' ? { kind: 'string', value: String(value), span } : undefined;
        case 'DATE': {
            const days = typeof value === 'string' ? parseDate(value) : undefined;
            return days === undefined ? undefined : { kind: 'date', days, span };
        }
        case 'DATETIME': {
            const micros = typeof value === 'string' ? parseTimestamp(value) : undefined;
            return micros === undefined ? undefined : { kind: 'timestamp', micros, span };
        }
    }
}

function sameNames(left: DocumentTable['columns'], right: DocumentTable['columns']): boolean {
    return left.length === right.length && left.every(({ name }, i) => name === right[i]?.name);
}

function namesOf(columns: DocumentTable['columns']): string {
    return columns.map(({ name }) => name).join(', ');
}

const LONGEST_SHOWN = 100;

function shown(value: unknown): string {
    return (JSON.stringify(value) ?? 'nothing').slice(0, LONGEST_SHOWN);
}
