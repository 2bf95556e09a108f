import type { Column } from '#language/program/analysed-program.ts';
import { say } from '#language/program/say.ts';
import { Dictionary } from '../values/dictionary.ts';
import { elementType, textOf } from '../values/text.ts';
import type { ValueId } from '../values/value-id.ts';
import type { OutputRows } from './source.ts';

/** How rows become statements of RDF (9.3). Columns are called by their names. */
export interface RdfMapping {
    readonly predicate: string;
    /** The prefix of names that are not IRIs. */
    readonly baseIri: string | undefined;
    /** A row is an entity with its columns, or one statement. */
    readonly mode: 'entity' | 'triple';
    readonly subjectColumn: string | undefined;
    readonly predicateColumn: string | undefined;
    readonly objectColumn: string | undefined;
    readonly subjectTypeColumn: string | undefined;
    readonly objectTypeColumn: string | undefined;
    /** Names of types of XML Schema, or addresses, by column. */
    readonly literalTypes: ReadonlyMap<string, string>;
    /** Classes and properties are described, too. */
    readonly emitOntology: boolean;
}

const RDF = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#';
const XSD = 'http://www.w3.org/2001/XMLSchema#';
const TYPE = `<${RDF}type>`;
const PROPERTY = `<${RDF}Property>`;
const CLASS = '<http://www.w3.org/2002/07/owl#Class>';
/** A text that begins so names a resource. */
const ADDRESS = /^(?:[a-z][a-z0-9+.-]*:\/\/|(?:urn|mailto|tag|did):)/iu;
const ROWS_PER_CHECKPOINT = 1024;
const COLUMNS: readonly Column[] = ['subject', 'predicate', 'object'].map(name => ({ name, type: { kind: 'string' }, cast: false }));

/**
 * The statements that rows make, each once, as rows of three terms in the form of N-Triples (https://www.w3.org/TR/n-triples/). Unknown values are
 * blank nodes. `refuse` hears of what cannot be a statement.
 */
export function rdfStatements(
    rows: OutputRows,
    mapping: RdfMapping,
    refuse: (reason: string) => never,
    checkpoint: () => void,
): OutputRows {
    const { dictionary, columns, count, at } = rows;
    const terms = new Terms(mapping, dictionary, refuse);
    const statements = new Statements();
    const classes = new Set<string>();
    const properties = new Set<string>();
    const columnOf = (option: string, name: string | undefined, usual: number | undefined): number | undefined => {
        const found = name === undefined ? usual : columns.findIndex(column => column.name === name);
        if (found !== undefined && columns[found] === undefined)
            refuse(say`has no column for ${option}: its columns are ${columns.map(column => `'${column.name}'`).join(', ')}`);
        return found;
    };
    for (const name of mapping.literalTypes.keys()) columnOf('literalTypes', name, undefined);
    const isEntity = mapping.mode === 'entity';
    const subject = columnOf('subjectColumn', mapping.subjectColumn, 0) ?? 0;
    const subjectType = columnOf('subjectTypeColumn', mapping.subjectTypeColumn, undefined);
    const objectType = columnOf('objectTypeColumn', mapping.objectTypeColumn, undefined);
    const property = isEntity ? undefined : columnOf('predicateColumn', mapping.predicateColumn, 1);
    const object = isEntity ? undefined : columnOf('objectColumn', mapping.objectColumn, 2);
    const described = [...columns.keys()].filter(column => column !== subject && column !== subjectType);
    const classed = (term: string, row: number, column: number): void => {
        const id = at(row, column);
        if (dictionary.isNull(id)) return;
        const type = terms.resource(id, columns[column]!, row);
        classes.add(type);
        statements.add(term, TYPE, type);
    };
    const ownClass = terms.named(mapping.predicate);
    for (let row = 0; row < count; row++) {
        if (row % ROWS_PER_CHECKPOINT === 0) checkpoint();
        const term = terms.resource(at(row, subject), columns[subject]!, row);
        if (subjectType !== undefined) classed(term, row, subjectType);
        if (property !== undefined && object !== undefined) {
            const id = at(row, property);
            if (dictionary.isNull(id)) refuse(say`cannot be written as RDF: the property of row ${row + 1} is unknown`);
            const name = terms.resource(id, columns[property]!, row);
            properties.add(name);
            const value = at(row, object);
            const isResource = objectType !== undefined && !dictionary.isNull(at(row, objectType));
            const objects = isResource ? [terms.resource(value, columns[object]!, row)] : terms.values(value, columns[object]!);
            for (const one of objects) {
                statements.add(term, name, one);
                if (isResource) classed(one, row, objectType);
            }
            continue;
        }
        if (subjectType === undefined) {
            classes.add(ownClass());
            statements.add(term, TYPE, ownClass());
        }
        for (const column of described) {
            const name = terms.named(columns[column]!.name)();
            properties.add(name);
            for (const one of terms.values(at(row, column), columns[column]!)) statements.add(term, name, one);
        }
    }
    if (mapping.emitOntology) {
        for (const one of classes) statements.add(one, TYPE, CLASS);
        for (const one of properties) if (one !== TYPE) statements.add(one, TYPE, PROPERTY);
    }
    return statements.rows();
}

/** Statements in their order, each once. */
class Statements {
    readonly #dictionary = new Dictionary();
    readonly #ids: ValueId[] = [];
    readonly #seen = new Set<string>();

    add(...terms: readonly [string, string, string]): void {
        const ids = terms.map(term => this.#dictionary.string(term));
        const key = ids.join(' ');
        if (this.#seen.has(key)) return;
        this.#seen.add(key);
        this.#ids.push(...ids);
    }

    rows(): OutputRows {
        const ids = this.#ids;
        const at = (row: number, column: number): ValueId => ids[row * COLUMNS.length + column]!;
        return { dictionary: this.#dictionary, columns: COLUMNS, count: ids.length / COLUMNS.length, at };
    }
}

/** Values as terms. */
class Terms {
    readonly #mapping: RdfMapping;
    readonly #dictionary: Dictionary;
    readonly #refuse: (reason: string) => never;
    readonly #blanks = new Map<ValueId, string>();

    constructor(mapping: RdfMapping, dictionary: Dictionary, refuse: (reason: string) => never) {
        this.#mapping = mapping;
        this.#dictionary = dictionary;
        this.#refuse = refuse;
    }

    /** The address that a name stands for; asked for once it is needed. */
    named(name: string): () => string {
        return () => this.#address(name);
    }

    resource(id: ValueId, { type, name }: Column, row: number): string {
        const dictionary = this.#dictionary;
        if (dictionary.isNull(id)) return this.#blank(id);
        if (dictionary.isCollection(id))
            this.#refuse(say`cannot be written as RDF: column '${name}' of row ${row + 1} names a resource, and holds a collection`);
        return this.#address(textOf(dictionary, id, type, String));
    }

    /** One for each element of a list or set. */
    values(id: ValueId, { name, type }: Column): string[] {
        const dictionary = this.#dictionary;
        const kind = dictionary.kind(id);
        if (kind === 'list' || kind === 'set')
            return dictionary.membersOf(id).flatMap(member => this.values(member, { name, type: elementType(type), cast: false }));
        if (kind === 'null') return [this.#blank(id)];
        const text = textOf(dictionary, id, type, String);
        const given = this.#mapping.literalTypes.get(name);
        if (given !== undefined) return [literal(text, ADDRESS.test(given) ? given : `${XSD}${given}`)];
        switch (kind) {
            case 'string':
                return [ADDRESS.test(text) ? this.#address(text) : literal(text)];
            case 'number': {
                const isInteger = type.kind !== 'double' && type.kind !== 'float' && dictionary.isInteger(id);
                return [literal(text, `${XSD}${isInteger ? 'integer' : 'double'}`)];
            }
            case 'timestamp':
                return [literal(text.includes(' ') ? text.replace(' ', 'T') : `${text}T00:00:00`, `${XSD}dateTime`)];
            case 'boolean':
            case 'date':
                return [literal(text, `${XSD}${kind}`)];
            default:
                return [literal(text)];
        }
    }

    #blank(id: ValueId): string {
        const known = this.#blanks.get(id) ?? `_:z${this.#blanks.size + 1}`;
        this.#blanks.set(id, known);
        return known;
    }

    #address(text: string): string {
        if (ADDRESS.test(text)) return `<${text.replaceAll(/[\p{Cc}\s<>"{}|^`\\]/gu, encodeURIComponent)}>`;
        const { baseIri } = this.#mapping;
        if (baseIri === undefined)
            return this.#refuse(
                say`cannot be written as RDF: '${text}' is no address; say with baseIri='https://…/' what comes before names`,
            );
        return `<${baseIri}${encodeURIComponent(text)}>`;
    }
}

function literal(text: string, type?: string): string {
    const quoted = `"${text.replaceAll(/["\\\n\r\t]/gu, sign => ESCAPES[sign] ?? sign)}"`;
    return type === undefined ? quoted : `${quoted}^^<${type}>`;
}

const ESCAPES: Readonly<Record<string, string>> = { '"': '\\"', '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };
