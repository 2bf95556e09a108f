import { StatementCount } from '../rdf/statement-count.ts';
import type { Resource, Triple } from '../rdf/triples.ts';
import { OwlAxioms, type Told } from './axioms.ts';
import type { OwlNames } from './classes.ts';
import type { OwlExpressions } from './expressions.ts';
import { existentialVariables, type OwlRule, printRule } from './rule.ts';
import { endlessRules } from './termination.ts';
import { TYPE } from './vocabulary.ts';

/** Rules with the statements that they come from. */
export interface ReadRules {
    readonly rules: readonly OwlRule[];
    readonly sourceOf: ReadonlyMap<OwlRule, Triple>;
    /** Of each statement that rules could tell, how much they tell. */
    readonly told: ReadonlyMap<Triple, Exclude<Told, undefined>>;
    /** Members of classes without a name, by predicates of their own. */
    readonly members: readonly { readonly helper: string; readonly individual: Resource }[];
}

/** Reads the rules of all statements of an ontology, in their order. Refuses an ontology with too many. */
export function readRules(triples: readonly Triple[], expressions: OwlExpressions, names: OwlNames, constraints: boolean): ReadRules {
    const count = new StatementCount();
    const sourceOf = new Map<OwlRule, Triple>();
    const told = new Map<Triple, Exclude<Told, undefined>>();
    const members: { helper: string; individual: Resource }[] = [];
    let source: Triple | undefined;
    const axioms = new OwlAxioms(expressions, names, constraints, rule => {
        for (const { predicate, terms } of [...rule.heads, ...rule.atoms]) count.write(predicate.length + terms.join().length);
        if (source !== undefined) sourceOf.set(rule, source);
    });
    const describe = (individual: Resource, node: Resource): Told => {
        const helper = names.helper();
        members.push({ helper, individual });
        return axioms.describe(helper, node);
    };
    for (const triple of triples) {
        source = triple;
        const { subject, predicate, object } = triple;
        const found = predicate === TYPE && object.kind === 'blank' ? describe(subject, object) : axioms.tell(triple);
        if (found !== undefined) told.set(triple, found);
    }
    return { rules: [...sourceOf.keys()], sourceOf, told, members };
}

/** Rules as text, each once, and those that match known individuals alone so that evaluation ends. */
export function printRules(rules: readonly OwlRule[]): { readonly texts: readonly string[]; readonly restricted: ReadonlySet<OwlRule> } {
    const hasUnknowns = rules.some(rule => existentialVariables(rule).size > 0);
    const restricted = endlessRules(rules, () => rules.map(rule => printRule(rule, hasUnknowns)).join('\n'));
    const texts = rules.map(rule => printRule(restricted.has(rule) ? { ...rule, constantsOnly: true } : rule, hasUnknowns));
    return { texts: [...new Set(texts)], restricted };
}
