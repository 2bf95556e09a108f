import { parseDate, parseTimestamp } from '#engine/values/calendar.ts';
import { printConstant, printString } from '#language/program/print-constant.ts';
import type { Constant } from '#language/program/program.ts';
import { type NameOf, predicateNames } from './predicate-names.ts';
import type { Literal, Resource, Triple } from './triples.ts';

const XSD = 'http://www.w3.org/2001/XMLSchema#';
const TYPE = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#type';
const INTEGERS = new Set(
    'integer int long short byte nonNegativeInteger positiveInteger nonPositiveInteger negativeInteger unsignedInt unsignedLong unsignedShort unsignedByte'.split(
        ' ',
    ),
);
const DOUBLES = new Set(['decimal', 'double', 'float']);
const LONGEST_INTEGER = 18;
const NOWHERE = { start: 0, end: 0 };
const TRUE_OR_FALSE = new Map([
    ['true', true],
    ['1', true],
    ['false', false],
    ['0', false],
]);

/**
 * One fact for each statement, in the order of the document, and one output for each predicate. A type gives a fact of its
 * class with one argument; resources are their IRIs, blank nodes `_:b1`, `_:b2`… in the order of their first appearance.
 */
export function rdfProgram(triples: readonly Triple[]): string {
    const lines = function* (): Iterable<string> {
        const outputs = new Set<string>();
        const read = factReader(predicateNames());
        for (const triple of triples) {
            const fact = read(triple);
            yield factText(fact);
            outputs.add(fact.predicate);
        }
        for (const name of outputs) yield `@output(${printString(name)}).`;
    };
    return textOf(lines());
}

/** Lines that are put together at a time: a million of them at once would take more memory than their text. */
const PIECE = 1024;

/** A text of lines, each with its end. */
export function textOf(lines: Iterable<string>): string {
    const pieces: string[] = [];
    let some: string[] = [];
    const end = (): void => {
        if (some.length > 0) pieces.push(`${some.join('\n')}\n`);
        some = [];
    };
    for (const line of lines) if (some.push(line) === PIECE) end();
    end();
    return pieces.join('');
}

/** The content of a statement. */
export interface Fact {
    readonly predicate: string;
    readonly terms: readonly Constant[];
}

export function factText({ predicate, terms }: Fact): string {
    return `${predicate}(${terms.map(printConstant).join(',')}).`;
}

/** Reads the terms of one document as constants. */
export function termReader(): (term: Resource | Literal) => Constant {
    const blanks = new Map<string, string>();
    return term => {
        if (term.kind === 'literal') return literal(term);
        if (term.kind === 'iri') return string(term.value);
        const known = blanks.get(term.value);
        if (known !== undefined) return string(known);
        const label = `_:b${blanks.size + 1}`;
        blanks.set(term.value, label);
        return string(label);
    };
}

/** Reads statements of one document as facts. */
export function factReader(nameOf: NameOf, term = termReader()): (triple: Triple) => Fact {
    return ({ subject, predicate, object }) => {
        const first = term(subject);
        if (predicate === TYPE && object.kind === 'iri') return { predicate: nameOf(object.value, 'class'), terms: [first] };
        return { predicate: nameOf(predicate, 'property'), terms: [first, term(object)] };
    };
}

function string(value: string): Constant {
    return { kind: 'string', value, span: NOWHERE };
}

/** A value of its datatype where there is one like it, else its text. */
function literal({ value, datatype }: Literal): Constant {
    const type = datatype.startsWith(XSD) ? datatype.slice(XSD.length) : '';
    const text = value.trim();
    if (INTEGERS.has(type) && /^[+-]?\d+$/u.test(text) && text.length <= LONGEST_INTEGER)
        return { kind: 'integer', value: BigInt(text.replace('+', '')), span: NOWHERE };
    if (DOUBLES.has(type) && /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/u.test(text) && Number.isFinite(Number(text)))
        return { kind: 'double', value: Number(text), span: NOWHERE };
    const flag = type === 'boolean' ? TRUE_OR_FALSE.get(text) : undefined;
    if (flag !== undefined) return { kind: 'boolean', value: flag, span: NOWHERE };
    const days = type === 'date' ? parseDate(text) : undefined;
    if (days !== undefined) return { kind: 'date', days, span: NOWHERE };
    const micros = type === 'dateTime' ? parseTimestamp(text) : undefined;
    return micros === undefined ? string(value) : { kind: 'timestamp', micros, span: NOWHERE };
}
