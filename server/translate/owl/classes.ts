import type { Literal, Resource } from '../rdf/triples.ts';
import type { ClassExpression, Property } from './expressions.ts';
import { joined, type OwlRule, type RuleAtom, type RuleBody, type RuleCondition, ruleVariables } from './rule.ts';

/** Names that rules have for parts of an ontology. */
export interface OwlNames {
    classOf(iri: string): string;
    propertyOf(iri: string): string;
    /** The predicate for equal individuals. */
    equality(): string;
    /** A predicate that no class has. */
    helper(): string;
    constant(value: Resource | Literal): string;
    /** Whether the values of a property are data. */
    isData(property: string): boolean;
}

/** Bodies that one description may become: products of alternatives grow fast. */
const MOST_BODIES = 64;

/** Writes descriptions of classes into rules. */
export class OwlClasses {
    readonly #names: OwlNames;
    readonly #constraints: boolean;
    readonly #write: (rule: OwlRule) => void;

    /** `constraints`: contradictions become constraints; else no rule is written for them. */
    constructor(names: OwlNames, constraints: boolean, write: (rule: OwlRule) => void) {
        this.#names = names;
        this.#constraints = constraints;
        this.#write = write;
    }

    /** Writes the rules by which members of one class are members of another. Says whether they tell all of it. */
    include(part: ClassExpression, whole: ClassExpression): boolean {
        const fresh = ruleVariables();
        const at = fresh();
        const bodies = this.bodies(part, at, fresh);
        return bodies?.map(body => this.conclude(whole, at, body, fresh)).every(told => told) ?? false;
    }

    /** Writes that no individual is a member of both classes. */
    exclude(one: ClassExpression, other: ClassExpression): boolean {
        const fresh = ruleVariables();
        const at = fresh();
        return this.#contradict(this.#both(this.bodies(one, at, fresh), this.bodies(other, at, fresh)));
    }

    /** The bodies that a term matches exactly if it is a member of a class; undefined if there are none. */
    bodies(expression: ClassExpression, at: string, fresh: () => string): readonly RuleBody[] | undefined {
        switch (expression.kind) {
            case 'named':
                return [ofAtoms({ predicate: this.#names.classOf(expression.iri), terms: [at] })];
            case 'thing':
            case 'literal':
                return [ofAtoms()];
            case 'nothing':
                return [];
            case 'and':
                return expression.parts.reduce<readonly RuleBody[] | undefined>(
                    (found, part) => this.#both(found, found && this.bodies(part, at, fresh)),
                    [ofAtoms()],
                );
            case 'or':
                return few(allOf(expression.parts.map(part => this.bodies(part, at, fresh)))?.flat());
            case 'one-of':
                return few(expression.members.map(member => ofConditions(this.#equal(at, member))));
            case 'some':
                return this.#someBodies(expression.property, expression.filler, at, fresh);
            case 'has':
                return [ofAtoms(this.atom(expression.property, at, this.#names.constant(expression.value)))];
            case 'self':
                return [ofAtoms(this.atom(expression.property, at, at))];
            case 'count':
                if (expression.most !== undefined || expression.least > 1) return undefined;
                return expression.least === 0 ? [ofAtoms()] : this.#someBodies(expression.property, expression.filler, at, fresh);
            case 'not':
            case 'all':
            case 'datatype':
            case 'unknown':
                return undefined;
        }
    }

    /** Writes that a term is a member of a class if a body holds. Says whether the rules tell all of it. */
    conclude(expression: ClassExpression, at: string, body: RuleBody, fresh: () => string): boolean {
        switch (expression.kind) {
            case 'thing':
            case 'literal':
                return true;
            case 'nothing':
                return this.#contradict([body]);
            case 'named':
                return this.#derive([{ predicate: this.#names.classOf(expression.iri), terms: [at] }], body);
            case 'has':
                return this.#derive([this.atom(expression.property, at, this.#names.constant(expression.value))], body);
            case 'self':
                return this.#derive([this.atom(expression.property, at, at)], body);
            case 'and':
                return expression.parts.map(part => this.conclude(part, at, body, fresh)).every(told => told);
            case 'or': {
                const [only, ...others] = expression.parts.filter(({ kind }) => kind !== 'nothing');
                if (only === undefined) return this.#contradict([body]);
                return others.length === 0 && this.conclude(only, at, body, fresh);
            }
            case 'one-of': {
                const [only, ...others] = expression.members;
                if (only === undefined) return this.#contradict([body]);
                if (others.length > 0 || only.kind === 'literal') return false;
                return this.identify(at, this.#names.constant(only), body);
            }
            case 'not':
                return this.#contradict(this.#both([body], this.bodies(expression.of, at, fresh)));
            case 'some':
                return this.#invent(expression.property, expression.filler, at, body, fresh);
            case 'all': {
                const value = fresh();
                const reached = joined(body, ofAtoms(this.atom(expression.property, at, value)));
                return this.conclude(expression.filler, value, reached, fresh);
            }
            case 'count':
                return this.#concludeCount(expression, at, body, fresh);
            case 'datatype':
            case 'unknown':
                return false;
        }
    }

    /** The atom of a property, whose terms change places if it is an inverse. */
    atom({ iri, inverse }: Property, subject: string, object: string): RuleAtom {
        return { predicate: this.#names.propertyOf(iri), terms: inverse ? [object, subject] : [subject, object] };
    }

    /** Writes that both terms are the same individual if a body holds and they differ; of data, that they may not differ. */
    equate(left: string, right: string, body: RuleBody, { iri, inverse }: Property): boolean {
        if (inverse || !this.#names.isData(iri)) return this.identify(left, right, body);
        return this.#contradict([joined(body, ofConditions({ kind: 'different', left, right }))]);
    }

    /** Writes that both terms are the same individual if a body holds and they differ. */
    identify(left: string, right: string, body: RuleBody, constantsOnly = false): boolean {
        const differing = joined(body, ofConditions({ kind: 'different', left, right }));
        return this.#derive([{ predicate: this.#names.equality(), terms: [left, right] }], differing, constantsOnly);
    }

    #equal(at: string, member: Resource | Literal): RuleCondition {
        return { kind: 'equal', variable: at, constant: this.#names.constant(member) };
    }

    #someBodies(property: Property, filler: ClassExpression, at: string, fresh: () => string): readonly RuleBody[] | undefined {
        if (filler.kind === 'one-of')
            return few(filler.members.map(member => ofAtoms(this.atom(property, at, this.#names.constant(member)))));
        const value = fresh();
        return this.#both([ofAtoms(this.atom(property, at, value))], this.bodies(filler, value, fresh));
    }

    #both(some: readonly RuleBody[] | undefined, others: readonly RuleBody[] | undefined): readonly RuleBody[] | undefined {
        if (some === undefined || others === undefined || some.length * others.length > MOST_BODIES) return undefined;
        return some.flatMap(one => others.map(other => joined(one, other)));
    }

    #contradict(bodies: readonly RuleBody[] | undefined): boolean {
        if (!this.#constraints || bodies === undefined) return false;
        return bodies.map(body => this.#derive([], body)).every(told => told);
    }

    /** A body without atoms and conditions holds for all individuals, whom no rule knows. */
    #derive(heads: readonly RuleAtom[], body: RuleBody, constantsOnly = false): boolean {
        if (body.atoms.length === 0 && body.conditions.length === 0) return false;
        this.#write({ heads, ...body, constantsOnly });
        return true;
    }

    /** Writes that bodies contradict the ontology, if constraints are wanted. */
    contradict(...bodies: readonly RuleBody[]): boolean {
        return this.#contradict(bodies);
    }

    /** Writes that a term has some value of a class: an unknown one. */
    #invent(property: Property, filler: ClassExpression, at: string, body: RuleBody, fresh: () => string): boolean {
        if (filler.kind === 'nothing') return this.#contradict([body]);
        if (filler.kind === 'one-of' && filler.members.length === 1)
            return filler.members.every(value => this.conclude({ kind: 'has', property, value }, at, body, fresh));
        const value = fresh();
        const heads = this.#heads(filler, value, fresh);
        if (heads !== undefined) return this.#derive([this.atom(property, at, value), ...heads], body);
        const helper = this.#names.helper();
        if (!this.#derive([this.atom(property, at, value), { predicate: helper, terms: [value] }], body)) return false;
        const own = ruleVariables();
        const member = own();
        return this.conclude(filler, member, ofAtoms({ predicate: helper, terms: [member] }), own);
    }

    /** The atoms that say of an unknown value that it is a member of a class; undefined if atoms alone cannot. */
    #heads(expression: ClassExpression, at: string, fresh: () => string): readonly RuleAtom[] | undefined {
        switch (expression.kind) {
            case 'thing':
            case 'literal':
            case 'datatype':
                return [];
            case 'named':
                return [{ predicate: this.#names.classOf(expression.iri), terms: [at] }];
            case 'has':
                return [this.atom(expression.property, at, this.#names.constant(expression.value))];
            case 'self':
                return [this.atom(expression.property, at, at)];
            case 'and':
                return allOf(expression.parts.map(part => this.#heads(part, at, fresh)))?.flat();
            case 'some': {
                const value = fresh();
                const heads = this.#heads(expression.filler, value, fresh);
                return heads && [this.atom(expression.property, at, value), ...heads];
            }
            default:
                return undefined;
        }
    }

    #concludeCount(
        { property, filler, least, most }: Extract<ClassExpression, { kind: 'count' }>,
        at: string,
        body: RuleBody,
        fresh: () => string,
    ): boolean {
        const told = [least < 1 || (least === 1 && this.#invent(property, filler, at, body, fresh))];
        if (most === 0) told.push(this.#contradict(this.#both([body], this.#someBodies(property, filler, at, fresh))));
        if (most === 1) {
            const [left, right] = [fresh(), fresh()];
            const values = [left, right].map(value =>
                this.#both([ofAtoms(this.atom(property, at, value))], this.bodies(filler, value, fresh)),
            );
            const bodies = values.reduce((found, some) => this.#both(found, some), [body]);
            told.push(bodies?.map(one => this.equate(left, right, one, property)).every(Boolean) ?? false);
        }
        return told.every(Boolean) && (most === undefined || most <= 1);
    }
}

export function ofAtoms(...atoms: readonly RuleAtom[]): RuleBody {
    return { atoms, conditions: [] };
}

function ofConditions(...conditions: readonly RuleCondition[]): RuleBody {
    return { atoms: [], conditions };
}

function few(bodies: readonly RuleBody[] | undefined): readonly RuleBody[] | undefined {
    return bodies === undefined || bodies.length > MOST_BODIES ? undefined : bodies;
}

function allOf<T>(found: readonly (T | undefined)[]): readonly T[] | undefined {
    const all = found.filter(one => one !== undefined);
    return all.length === found.length ? all : undefined;
}
