import { parseDate, parseTimestamp } from '#engine/values/calendar.ts';
import { printConstant, printString } from '#language/program/print-constant.ts';
import { type NameOf, predicateNames } from './predicate-names.ts';
import type { Literal, Resource, Triple } from './rdf-triples.ts';

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
    const names = predicateNames();
    const outputs = new Set<string>();
    const write = factWriter((iri, kind) => {
        const name = names(iri, kind);
        outputs.add(name);
        return name;
    });
    const facts = triples.map(write);
    const lines = [...facts, ...Array.from(outputs, name => `@output(${printString(name)}).`)];
    return lines.map(line => `${line}\n`).join('');
}

/** Writes statements of one document as facts. */
export function factWriter(nameOf: NameOf): (triple: Triple) => string {
    const blanks = new Map<string, string>();
    const resource = ({ kind, value }: Resource): string => {
        if (kind === 'iri') return printString(value);
        const label = blanks.get(value) ?? `_:b${blanks.size + 1}`;
        blanks.set(value, label);
        return printString(label);
    };
    return ({ subject, predicate, object }) => {
        const isClass = predicate === TYPE && object.kind === 'iri';
        const name = isClass ? nameOf(object.value, 'class') : nameOf(predicate, 'property');
        const first = resource(subject);
        if (isClass) return `${name}(${first}).`;
        return `${name}(${first},${object.kind === 'literal' ? literal(object) : resource(object)}).`;
    };
}

/** A value of its datatype where there is one like it, else its text. */
function literal({ value, datatype }: Literal): string {
    const type = datatype.startsWith(XSD) ? datatype.slice(XSD.length) : '';
    const text = value.trim();
    if (INTEGERS.has(type) && /^[+-]?\d+$/u.test(text) && text.length <= LONGEST_INTEGER) return String(BigInt(text.replace('+', '')));
    if (DOUBLES.has(type) && /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/u.test(text) && Number.isFinite(Number(text)))
        return printConstant({ kind: 'double', value: Number(text), span: NOWHERE });
    const flag = type === 'boolean' ? TRUE_OR_FALSE.get(text) : undefined;
    if (flag !== undefined) return printConstant({ kind: 'boolean', value: flag, span: NOWHERE });
    const days = type === 'date' ? parseDate(text) : undefined;
    if (days !== undefined) return printConstant({ kind: 'date', days, span: NOWHERE });
    const micros = type === 'dateTime' ? parseTimestamp(text) : undefined;
    return micros === undefined ? printString(value) : printConstant({ kind: 'timestamp', micros, span: NOWHERE });
}
