import type { Literal, Resource, Triple } from '../rdf/triples.ts';
import { isDatatype, isVocabulary, owl, rdf, rdfs } from './vocabulary.ts';

export interface Property {
    readonly iri: string;
    readonly inverse: boolean;
}

/** A class or a range of data, as an ontology describes it. */
export type ClassExpression =
    | { readonly kind: 'named'; readonly iri: string }
    /** `datatype` is a range of data whose values no rule tells from others; `unknown` is not a known description. */
    | { readonly kind: 'thing' | 'nothing' | 'literal' | 'datatype' | 'unknown' }
    | { readonly kind: 'and' | 'or'; readonly parts: readonly ClassExpression[] }
    | { readonly kind: 'one-of'; readonly members: readonly (Resource | Literal)[] }
    | { readonly kind: 'not'; readonly of: ClassExpression }
    | { readonly kind: 'some' | 'all'; readonly property: Property; readonly filler: ClassExpression }
    | { readonly kind: 'has'; readonly property: Property; readonly value: Resource | Literal }
    | { readonly kind: 'self'; readonly property: Property }
    | {
          readonly kind: 'count';
          readonly property: Property;
          readonly filler: ClassExpression;
          readonly least: number;
          /** Absent if there may be any number. */
          readonly most?: number;
      };

const UNKNOWN: ClassExpression = { kind: 'unknown' };
/** Levels of a description, and parts of one axiom, beyond which it is unknown: a node that is used twice is read twice. */
const [DEEPEST, MOST_PARTS] = [64, 1_000];
const [THING, NOTHING] = [owl('Thing'), owl('Nothing')];
const NUMBER = /^\s*\+?\d{1,9}\s*$/u;

/** Reads descriptions of classes and properties from the statements of one document. */
export class OwlExpressions {
    /** By subject and property. */
    readonly #statements = new Map<string, Triple[]>();
    readonly #datatypes: ReadonlySet<string>;
    readonly #classes = new Map<string, ClassExpression>();
    readonly #lists = new Map<string, readonly (Resource | Literal)[] | undefined>();
    #parts = 0;

    constructor(triples: readonly Triple[], datatypes: ReadonlySet<string>) {
        this.#datatypes = datatypes;
        for (const triple of triples) {
            if (!isVocabulary(triple.predicate)) continue;
            const key = `${triple.predicate} ${keyOf(triple.subject)}`;
            const own = this.#statements.get(key);
            if (own === undefined) this.#statements.set(key, [triple]);
            else own.push(triple);
        }
    }

    /** The object of the only such statement. */
    object(subject: Resource, predicate: string): Resource | Literal | undefined {
        const found = this.#of(subject, predicate);
        return found.length === 1 ? found[0]?.object : undefined;
    }

    /** The members of a list; undefined if it is not one. */
    list(head: Resource | Literal | undefined): readonly (Resource | Literal)[] | undefined {
        if (head === undefined || head.kind === 'literal') return undefined;
        const key = keyOf(head);
        if (!this.#lists.has(key)) this.#lists.set(key, this.#list(head));
        return this.#lists.get(key);
    }

    #list(head: Resource): readonly (Resource | Literal)[] | undefined {
        const members: (Resource | Literal)[] = [];
        const seen = new Set<string>();
        let at: Resource | Literal | undefined = head;
        while (at !== undefined && at.kind !== 'literal') {
            if (at.value === rdf('nil')) return members;
            if (seen.has(keyOf(at))) return undefined;
            seen.add(keyOf(at));
            const first = this.object(at, rdf('first'));
            if (first === undefined) return undefined;
            members.push(first);
            at = this.object(at, rdf('rest'));
        }
        return undefined;
    }

    /** A named property or the inverse of one. */
    property(node: Resource | Literal | undefined): Property | undefined {
        if (node?.kind === 'iri') return isVocabulary(node.value) ? undefined : { iri: node.value, inverse: false };
        if (node?.kind !== 'blank') return undefined;
        const other = this.object(node, owl('inverseOf'));
        return other?.kind === 'iri' && !isVocabulary(other.value) ? { iri: other.value, inverse: true } : undefined;
    }

    /** The class that a node names or describes. */
    class(node: Resource | Literal): ClassExpression {
        if (node.kind !== 'blank') return this.#class(node, 0);
        this.#parts = 0;
        const known = this.#classes.get(node.value) ?? this.#class(node, 0);
        this.#classes.set(node.value, known);
        return known;
    }

    /** The class that one statement about a node describes, such as the one with a list of its parts. */
    described({ predicate, object }: Triple): ClassExpression {
        this.#parts = 0;
        return this.#built(predicate, object, 0);
    }

    #of(subject: Resource, predicate: string): readonly Triple[] {
        return this.#statements.get(`${predicate} ${keyOf(subject)}`) ?? [];
    }

    #class(node: Resource | Literal, depth: number): ClassExpression {
        if (++this.#parts > MOST_PARTS || depth > DEEPEST || node.kind === 'literal') return UNKNOWN;
        if (node.kind === 'iri') return this.#named(node.value);
        const defining = CONSTRUCTORS.flatMap(predicate => this.#of(node, predicate));
        const [first, ...others] = defining;
        if (first !== undefined && others.length === 0) return this.#built(first.predicate, first.object, depth);
        return defining.length === 0 && this.object(node, owl('onProperty')) !== undefined ? this.#restriction(node, depth) : UNKNOWN;
    }

    #named(iri: string): ClassExpression {
        if (iri === THING || iri === rdfs('Resource')) return { kind: 'thing' };
        if (iri === NOTHING) return { kind: 'nothing' };
        if (iri === rdfs('Literal')) return { kind: 'literal' };
        if (isDatatype(iri) || this.#datatypes.has(iri)) return { kind: 'datatype' };
        return isVocabulary(iri) ? UNKNOWN : { kind: 'named', iri };
    }

    #built(predicate: string, object: Resource | Literal, depth: number): ClassExpression {
        switch (predicate) {
            case owl('intersectionOf'):
            case owl('unionOf'): {
                const parts = this.list(object)?.map(part => this.#class(part, depth + 1));
                return parts === undefined ? UNKNOWN : { kind: predicate === owl('unionOf') ? 'or' : 'and', parts };
            }
            case owl('oneOf'): {
                const members = this.list(object);
                return members === undefined ? UNKNOWN : { kind: 'one-of', members };
            }
            case owl('complementOf'):
                return { kind: 'not', of: this.#class(object, depth + 1) };
            default:
                return UNKNOWN;
        }
    }

    #restriction(node: Resource, depth: number): ClassExpression {
        const property = this.property(this.object(node, owl('onProperty')));
        const said = RESTRICTIONS.flatMap(predicate => this.#of(node, predicate));
        const [only, ...others] = said;
        if (property === undefined || only === undefined || others.length > 0) return UNKNOWN;
        const { predicate, object } = only;
        switch (predicate) {
            case owl('someValuesFrom'):
            case owl('allValuesFrom'):
                return {
                    kind: predicate === owl('someValuesFrom') ? 'some' : 'all',
                    property,
                    filler: this.#class(object, depth + 1),
                };
            case owl('hasValue'):
                return { kind: 'has', property, value: object };
            case owl('hasSelf'):
                return object.kind === 'literal' && ['true', '1'].includes(object.value.trim()) ? { kind: 'self', property } : UNKNOWN;
            default:
                return this.#count(node, property, only, depth);
        }
    }

    #count(node: Resource, property: Property, { predicate, object }: Triple, depth: number): ClassExpression {
        const kind = COUNTS.get(predicate);
        const on = this.object(node, owl('onClass')) ?? this.object(node, owl('onDataRange'));
        if (kind === undefined || kind.qualified !== (on !== undefined)) return UNKNOWN;
        if (object.kind !== 'literal' || !NUMBER.test(object.value)) return UNKNOWN;
        const number = Number(object.value);
        return {
            kind: 'count',
            property,
            filler: on === undefined ? { kind: 'thing' } : this.#class(on, depth + 1),
            least: kind.bound === 'most' ? 0 : number,
            ...(kind.bound !== 'least' && { most: number }),
        };
    }
}

const COUNTS: ReadonlyMap<string, { readonly bound: 'least' | 'most' | 'both'; readonly qualified: boolean }> = new Map([
    [owl('minCardinality'), { bound: 'least', qualified: false }],
    [owl('maxCardinality'), { bound: 'most', qualified: false }],
    [owl('cardinality'), { bound: 'both', qualified: false }],
    [owl('minQualifiedCardinality'), { bound: 'least', qualified: true }],
    [owl('maxQualifiedCardinality'), { bound: 'most', qualified: true }],
    [owl('qualifiedCardinality'), { bound: 'both', qualified: true }],
]);
const CONSTRUCTORS = ['intersectionOf', 'unionOf', 'oneOf', 'complementOf'].map(owl);
const RESTRICTIONS = [...['someValuesFrom', 'allValuesFrom', 'hasValue', 'hasSelf'].map(owl), ...COUNTS.keys()];

function keyOf({ kind, value }: Resource): string {
    return `${kind} ${value}`;
}
