import type { Literal, Resource, Triple } from '../rdf/triples.ts';
import { OwlClasses, type OwlNames, ofAtoms } from './classes.ts';
import type { ClassExpression, OwlExpressions, Property } from './expressions.ts';
import { joined, type OwlRule, type RuleBody, ruleVariables } from './rule.ts';
import { owl, rdfs, TYPE } from './vocabulary.ts';

/** How much of a statement its rules tell; undefined if it is not one that rules could tell. */
export type Told = 'all' | 'part' | 'nothing' | undefined;

type Node = Resource | Literal;
type Axiom = (triple: Triple) => boolean | undefined;

/** Writes the rules of statements about classes and properties. */
export class OwlAxioms {
    readonly #read: OwlExpressions;
    readonly #names: OwlNames;
    readonly #classes: OwlClasses;
    readonly #axioms: ReadonlyMap<string, Axiom>;
    readonly #write: (rule: OwlRule) => void;
    #written = 0;

    constructor(read: OwlExpressions, names: OwlNames, constraints: boolean, write: (rule: OwlRule) => void) {
        this.#read = read;
        this.#names = names;
        this.#write = rule => {
            this.#written++;
            write(rule);
        };
        this.#classes = new OwlClasses(names, constraints, this.#write);
        this.#axioms = new Map([...this.#aboutClasses(), ...this.#aboutProperties(), ...this.#aboutIndividuals()]);
    }

    /** Writes the rules of one statement. */
    tell(triple: Triple): Told {
        const before = this.#written;
        const { predicate, object } = triple;
        const axiom =
            predicate === TYPE ? (object.kind === 'iri' ? this.#types.get(object.value) : undefined) : this.#axioms.get(predicate);
        const told = axiom?.(triple);
        if (told === undefined) return undefined;
        return told ? 'all' : this.#written > before ? 'part' : 'nothing';
    }

    /** Writes that members of a helper predicate are members of a class without a name. */
    describe(helper: string, node: Node): Told {
        const before = this.#written;
        const fresh = ruleVariables();
        const at = fresh();
        const body = ofAtoms({ predicate: helper, terms: [at] });
        if (this.#classes.conclude(this.#read.class(node), at, body, fresh)) return 'all';
        return this.#written > before ? 'part' : 'nothing';
    }

    #aboutClasses(): [string, Axiom][] {
        const equal: Axiom = ({ subject, object }) => this.#same(this.#read.class(subject), this.#read.class(object));
        const defined: Axiom = triple => {
            if (triple.subject.kind === 'blank') return undefined;
            return this.#same(this.#read.class(triple.subject), this.#read.described(triple));
        };
        return [
            [rdfs('subClassOf'), ({ subject, object }) => this.#classes.include(this.#read.class(subject), this.#read.class(object))],
            [owl('equivalentClass'), equal],
            [owl('disjointWith'), ({ subject, object }) => this.#classes.exclude(this.#read.class(subject), this.#read.class(object))],
            [owl('intersectionOf'), defined],
            [owl('unionOf'), defined],
            [owl('oneOf'), defined],
            [owl('complementOf'), defined],
            [
                owl('disjointUnionOf'),
                ({ subject, object }) => {
                    const parts = this.#read.list(object)?.map(part => this.#read.class(part));
                    if (parts === undefined) return false;
                    const isDisjoint = this.#excludeEachOther(parts);
                    return this.#same(this.#read.class(subject), { kind: 'or', parts }) && isDisjoint;
                },
            ],
            [owl('hasKey'), ({ subject, object }) => this.#key(this.#read.class(subject), this.#properties(object))],
        ];
    }

    /** Writes the second direction even if the first has no rules. */
    #same(one: ClassExpression, other: ClassExpression): boolean {
        return [this.#classes.include(one, other), this.#classes.include(other, one)].every(Boolean);
    }

    #excludeEachOther(parts: readonly ClassExpression[]): boolean {
        return everyPair(parts, (one, other) => this.#classes.exclude(one, other));
    }

    #properties(list: Node): readonly Property[] | undefined {
        const found = this.#read.list(list)?.map(member => this.#read.property(member));
        const properties = found?.filter(property => property !== undefined);
        return properties?.length === found?.length ? properties : undefined;
    }

    /** Individuals with the same values of all properties are the same, as far as all of them have names. */
    #key(keyed: ClassExpression, properties: readonly Property[] | undefined): boolean {
        if (properties === undefined || properties.length === 0) return false;
        const fresh = ruleVariables();
        const [left, right] = [fresh(), fresh()];
        const values = properties.map(property => {
            const value = fresh();
            return ofAtoms(this.#classes.atom(property, left, value), this.#classes.atom(property, right, value));
        });
        const lefts = this.#classes.bodies(keyed, left, fresh);
        const rights = this.#classes.bodies(keyed, right, fresh);
        if (lefts === undefined || rights === undefined) return false;
        const bodies = lefts.flatMap(one => rights.map(other => joined(one, other, ...values)));
        return bodies.map(body => this.#classes.identify(left, right, body, true)).every(Boolean);
    }

    #aboutProperties(): [string, Axiom][] {
        const both =
            (write: (one: Property, other: Property) => boolean): Axiom =>
            ({ subject, object }) => {
                const [one, other] = [this.#read.property(subject), this.#read.property(object)];
                return one !== undefined && other !== undefined && write(one, other);
            };
        return [
            [rdfs('subPropertyOf'), both((one, other) => this.#imply(one, other))],
            [owl('equivalentProperty'), both((one, other) => this.#imply(one, other) && this.#imply(other, one))],
            [
                owl('inverseOf'),
                triple => {
                    // A node without a name is the inverse, and says nothing.
                    if (triple.subject.kind === 'blank') return undefined;
                    return both((one, other) => this.#imply(one, turned(other)) && this.#imply(other, turned(one)))(triple);
                },
            ],
            [owl('propertyDisjointWith'), both((one, other) => this.#excludeProperties(one, other))],
            [rdfs('domain'), ({ subject, object }) => this.#type(this.#read.property(subject), object, 'subject')],
            [rdfs('range'), ({ subject, object }) => this.#type(this.#read.property(subject), object, 'object')],
            [owl('propertyChainAxiom'), ({ subject, object }) => this.#chain(this.#read.property(subject), this.#properties(object))],
        ];
    }

    #imply(one: Property, other: Property): boolean {
        const [subject, object] = ['X', 'Y'];
        const body = ofAtoms(this.#classes.atom(one, subject, object));
        this.#write({ heads: [this.#classes.atom(other, subject, object)], ...body, constantsOnly: false });
        return true;
    }

    #excludeProperties(one: Property, other: Property): boolean {
        return this.#classes.contradict(ofAtoms(this.#classes.atom(one, 'X', 'Y'), this.#classes.atom(other, 'X', 'Y')));
    }

    #type(property: Property | undefined, node: Node, end: 'subject' | 'object'): boolean {
        if (property === undefined) return false;
        const fresh = ruleVariables();
        const [subject, object] = [fresh(), fresh()];
        const body = ofAtoms(this.#classes.atom(property, subject, object));
        return this.#classes.conclude(this.#read.class(node), end === 'subject' ? subject : object, body, fresh);
    }

    #chain(property: Property | undefined, parts: readonly Property[] | undefined): boolean {
        if (property === undefined || parts === undefined || parts.length === 0) return false;
        const fresh = ruleVariables();
        const start = fresh();
        let at = start;
        const atoms = parts.map(part => {
            const next = fresh();
            const atom = this.#classes.atom(part, at, next);
            at = next;
            return atom;
        });
        this.#write({ heads: [this.#classes.atom(property, start, at)], ...ofAtoms(...atoms), constantsOnly: false });
        return true;
    }

    #aboutIndividuals(): [string, Axiom][] {
        return [[owl('differentFrom'), ({ subject, object }) => this.#differ([subject, object])]];
    }

    #differ(nodes: readonly Node[]): boolean {
        const predicate = this.#names.equality();
        const constants = nodes.map(node => this.#names.constant(node));
        return everyPair(constants, (one, other) => this.#classes.contradict(ofAtoms({ predicate, terms: [one, other] })));
    }

    readonly #types: ReadonlyMap<string, Axiom> = new Map<string, Axiom>([
        [owl('SymmetricProperty'), triple => this.#ofProperty(triple, property => this.#imply(property, turned(property)))],
        [owl('TransitiveProperty'), triple => this.#ofProperty(triple, property => this.#chain(property, [property, property]))],
        [owl('FunctionalProperty'), triple => this.#ofProperty(triple, property => this.#functional(property))],
        [owl('InverseFunctionalProperty'), triple => this.#ofProperty(triple, property => this.#functional(turned(property)))],
        [owl('AsymmetricProperty'), triple => this.#ofProperty(triple, property => this.#excludeProperties(property, turned(property)))],
        [
            owl('IrreflexiveProperty'),
            triple => this.#ofProperty(triple, property => this.#classes.contradict(ofAtoms(this.#classes.atom(property, 'X', 'X')))),
        ],
        [
            owl('AllDisjointClasses'),
            ({ subject }) => {
                const parts = this.#members(subject)?.map(part => this.#read.class(part));
                return parts !== undefined && this.#excludeEachOther(parts);
            },
        ],
        [
            owl('AllDisjointProperties'),
            ({ subject }) => {
                const list = this.#read.object(subject, owl('members'));
                const properties = list && this.#properties(list);
                return properties !== undefined && everyPair(properties, (one, other) => this.#excludeProperties(one, other));
            },
        ],
        [
            owl('AllDifferent'),
            ({ subject }) => {
                const members = this.#members(subject);
                return members !== undefined && this.#differ(members);
            },
        ],
        [owl('NegativePropertyAssertion'), ({ subject }) => this.#deny(subject)],
    ]);

    #members(subject: Resource): readonly Node[] | undefined {
        return this.#read.list(this.#read.object(subject, owl('members')) ?? this.#read.object(subject, owl('distinctMembers')));
    }

    #ofProperty({ subject }: Triple, write: (property: Property) => boolean): boolean {
        const property = this.#read.property(subject);
        return property !== undefined && write(property);
    }

    #functional(property: Property): boolean {
        const body: RuleBody = ofAtoms(this.#classes.atom(property, 'X', 'Y'), this.#classes.atom(property, 'X', 'Z'));
        return this.#classes.equate('Y', 'Z', body, property);
    }

    #deny(subject: Resource): boolean {
        const source = this.#read.object(subject, owl('sourceIndividual'));
        const property = this.#read.property(this.#read.object(subject, owl('assertionProperty')));
        const target = this.#read.object(subject, owl('targetIndividual')) ?? this.#read.object(subject, owl('targetValue'));
        if (source === undefined || property === undefined || target === undefined) return false;
        const [from, to] = [this.#names.constant(source), this.#names.constant(target)];
        return this.#classes.contradict(ofAtoms(this.#classes.atom(property, from, to)));
    }
}

function turned({ iri, inverse }: Property): Property {
    return { iri, inverse: !inverse };
}

/** Asks of each two members, until one pair has no rule. */
function everyPair<T>(all: readonly T[], isTold: (one: T, other: T) => boolean): boolean {
    return all.every((one, i) => all.slice(i + 1).every(other => isTold(one, other)));
}
