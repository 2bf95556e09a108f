/** What a conformance program says that it gives: the `%!` lines of its text or of the file beside it. */
export interface Expectation {
    /** By predicate name, rows as terms without blanks; a proposition that holds has one row without terms. */
    readonly facts: ReadonlyMap<string, readonly Row[]>;
    /** Predicates whose rows are listed in this order. */
    readonly ordered: ReadonlySet<string>;
    readonly columnNames: ReadonlyMap<string, string>;
    readonly types: ReadonlyMap<string, string>;
    /** Errors that refuse the program, `RL2401 3`: code and one-based line. */
    readonly problems: readonly string[];
    readonly reports: readonly string[];
    readonly parameters: ReadonlyMap<string, string>;
    /** What the program is an example of, beyond what it shows by itself: `D-27` a decision, `B4` or `5.2` one of the reference. */
    readonly covers: readonly string[];
}

/** The terms of a fact as text, without blanks outside strings. A labelled null is `z` and a number. */
export type Row = readonly string[];

const DIRECTIVE = /^%! ?(facts|rows|columns|types|problem|report|param|covers) (.*)$/u;
const ROW = /^%! {2,}(.*)$/u;

/** Reads the `%!` lines; an unknown one is an error of the test. */
export function readExpectation(text: string): Expectation {
    const facts = new Map<string, Row[]>();
    const ordered = new Set<string>();
    const columnNames = new Map<string, string>();
    const types = new Map<string, string>();
    const problems: string[] = [];
    const reports: string[] = [];
    const parameters = new Map<string, string>();
    const covers: string[] = [];
    let rows: Row[] | undefined;
    for (const line of text.split(/\r?\n/u).filter(line => line.startsWith('%!'))) {
        const row = ROW.exec(line)?.[1];
        if (row !== undefined) {
            if (rows === undefined) throw new Error(`A row without '%! facts': ${line}`);
            rows.push(readRow(row));
            continue;
        }
        const [, directive, rest = ''] = DIRECTIVE.exec(line) ?? [];
        const [word = '', ...words] = rest.trim().split(' ');
        rows = undefined;
        switch (directive) {
            case 'facts':
            case 'rows':
                rows = [];
                facts.set(word, rows);
                if (directive === 'rows') ordered.add(word);
                break;
            case 'columns':
                columnNames.set(word, words.join(' '));
                break;
            case 'types':
                types.set(word, words.join(' '));
                break;
            case 'problem':
                problems.push(rest.trim());
                break;
            case 'report':
                reports.push(word);
                break;
            case 'param':
                parameters.set(rest.slice(0, rest.indexOf('=')), rest.slice(rest.indexOf('=') + 1));
                break;
            case 'covers':
                covers.push(...rest.trim().split(/, */u));
                break;
            default:
                throw new Error(`Not understood: ${line}`);
        }
    }
    return { facts, ordered, columnNames, types, problems, reports, parameters, covers };
}

/** Splits a row at the commas outside strings and brackets, and drops blanks outside strings. */
export function readRow(text: string): Row {
    if (text.trim() === '()') return [];
    const terms: string[] = [''];
    let depth = 0;
    let quoted = false;
    for (const character of text.trim()) {
        if (character === '"') quoted = !quoted;
        if (!quoted && '([{'.includes(character)) depth++;
        if (!quoted && ')]}'.includes(character)) depth--;
        if (character === ',' && depth === 0 && !quoted) terms.push('');
        else if (quoted || character !== ' ') terms.push((terms.pop() ?? '') + character);
    }
    return terms;
}

const LABEL = /("(?:[^"]|"")*")|\bz\d+\b/gu;

type FactSets = ReadonlyMap<string, readonly Row[]>;

/** Whether both hold the same facts, up to a one-to-one renaming of labelled nulls that is the same in all predicates. */
export function sameFacts(left: FactSets, right: FactSets): boolean {
    const a = flatten(left);
    const b = flatten(right);
    if (a.length !== b.length) return false;
    const plain = new Set(b.filter(fact => !hasLabel(fact)));
    const rest = a.filter(fact => !plain.delete(fact));
    return plain.size === 0 && rename(rest, b.filter(hasLabel), new Map());
}

function flatten(facts: FactSets): string[] {
    return [...new Set([...facts].flatMap(([predicate, rows]) => rows.map(row => `${predicate}(${row.join(',')})`)))];
}

function hasLabel(fact: string): boolean {
    return labels(fact).length > 0;
}

function labels(fact: string): string[] {
    return [...fact.matchAll(LABEL)].flatMap(([label, string]) => (string === undefined ? [label] : []));
}

function shape(fact: string): string {
    return fact.replaceAll(LABEL, (_, string: string | undefined) => string ?? 'z');
}

/** Backtracking over the facts with labels, which are few in a test. */
function rename(left: readonly string[], right: readonly string[], renaming: ReadonlyMap<string, string>): boolean {
    const [fact, ...rest] = left;
    if (fact === undefined) return right.length === 0;
    for (const candidate of right) {
        if (shape(candidate) !== shape(fact)) continue;
        const extended = extend(renaming, labels(fact), labels(candidate));
        if (extended === undefined) continue;
        if (
            rename(
                rest,
                right.filter(other => other !== candidate),
                extended,
            )
        )
            return true;
    }
    return false;
}

function extend(renaming: ReadonlyMap<string, string>, from: readonly string[], to: readonly string[]): Map<string, string> | undefined {
    const extended = new Map(renaming);
    for (const [i, label] of from.entries()) {
        const target = to[i] ?? '';
        const known = extended.get(label);
        if (known === undefined ? [...extended.values()].includes(target) : known !== target) return undefined;
        extended.set(label, target);
    }
    return extended;
}

/** The facts as the text of an expectation, sorted, for a readable difference. */
export function factsText(facts: FactSets): string {
    return [...facts]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .flatMap(([predicate, rows]) => [
            `%! facts ${predicate}`,
            ...rows.map(row => `%!   ${row.length === 0 ? '()' : row.join(', ')}`).sort(),
        ])
        .join('\n');
}
