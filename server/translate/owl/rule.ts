/** An atom of a rule. Terms are variables and constants as programs write them. */
export interface RuleAtom {
    readonly predicate: string;
    readonly terms: readonly string[];
}

export type RuleCondition =
    | { readonly kind: 'equal'; readonly variable: string; readonly constant: string }
    | { readonly kind: 'different'; readonly left: string; readonly right: string };

/** Atoms and conditions of a rule's body. */
export interface RuleBody {
    readonly atoms: readonly RuleAtom[];
    readonly conditions: readonly RuleCondition[];
}

/** A rule of an ontology; without heads it is a constraint. */
export interface OwlRule extends RuleBody {
    readonly heads: readonly RuleAtom[];
    /** Matches constants alone: `dom(*)`. */
    readonly constantsOnly: boolean;
}

const VARIABLE = /^[A-Z]/u;

/** Variables that a head has and its body binds nowhere. */
export function existentialVariables({ heads, atoms, conditions }: OwlRule): ReadonlySet<string> {
    const bound = new Set(atoms.flatMap(({ terms }) => terms));
    for (const condition of conditions) if (condition.kind === 'equal') bound.add(condition.variable);
    return new Set(heads.flatMap(({ terms }) => terms.filter(term => VARIABLE.test(term) && !bound.has(term))));
}

/** A rule as text. `hasUnknowns`: its variables may be unknown values, which `!=` compares with no constant. */
export function printRule({ heads, atoms, conditions, constantsOnly }: OwlRule, hasUnknowns: boolean): string {
    const uses = new Map<string, number>();
    const inConditions = conditions.flatMap(one => (one.kind === 'equal' ? [one.variable] : [one.left, one.right]));
    for (const term of [...[...heads, ...atoms].flatMap(({ terms }) => terms), ...inConditions]) uses.set(term, (uses.get(term) ?? 0) + 1);
    const printed = ({ predicate, terms }: RuleAtom, ofBody: boolean): string =>
        `${predicate}(${terms.map(term => (ofBody && VARIABLE.test(term) && uses.get(term) === 1 ? '_' : term)).join(',')})`;
    const compared = (condition: RuleCondition): string => {
        if (condition.kind === 'equal') return `${condition.variable} = ${condition.constant}`;
        const { left, right } = condition;
        return hasUnknowns ? `!(${left} == ${right})` : `${left} != ${right}`;
    };
    const head = heads.length === 0 ? '#F' : heads.map(atom => printed(atom, false)).join(', ');
    const body = [...atoms.map(atom => printed(atom, true)), ...conditions.map(compared), ...(constantsOnly ? ['dom(*)'] : [])];
    return `${head} :- ${[...new Set(body)].join(', ')}.`;
}

/** Gives the variables of one rule: X, Y, Z and further ones, each once. */
export function ruleVariables(): () => string {
    const letters = 'XYZUVW';
    let given = 0;
    return () => {
        const number = Math.floor(given / letters.length);
        return `${letters.charAt(given++ % letters.length)}${number === 0 ? '' : number}`;
    };
}

export function joined(...bodies: readonly RuleBody[]): RuleBody {
    return { atoms: bodies.flatMap(({ atoms }) => atoms), conditions: bodies.flatMap(({ conditions }) => conditions) };
}
