import type { AnalysedRule, Predicate, PredicateKey, ResolvedAtom } from '#language/program/analysed-program.ts';
import { printRuleText } from '#language/program/print.ts';
import type { Fact } from '#language/program/program.ts';
import { MIXED } from '#language/program/types.ts';
import type { Database, Rows } from '../database.ts';
import { compileExpression } from '../evaluate/expression.ts';
import type { ValueId } from '../values/dictionary.ts';
import { compareValues } from '../values/order.ts';
import type { NullLabel } from '../values/text.ts';
import type { DerivationNode, FactNode, GroupNode, Origin, PremiseNode } from './explanation.ts';
import { factText, verbalize } from './fact-text.ts';
import { type FactRow, type HeadPattern, matchRule, type RuleMatch } from './match-rule.ts';

export interface ExplainOptions {
    /** Every derivation of the fact asked about instead of the first; its premises are explained by their first. */
    readonly all?: boolean;
    readonly label: NullLabel;
}

/**
 * Explains a fact of a database whose run kept heights. Each premise of a derivation has a smaller height than its
 * conclusion, so explanations are finite. An aggregated fact may have got its final value after a fact was derived from
 * an earlier one: as that fact's premise it is explained by the contributions that were there, and lists the later ones
 * unexplained. The first derivation is one of smallest height
 * (ties: textual order of rules, then order of the premises' values).
 */
export function explainFact(database: Database, fact: FactRow, options: ExplainOptions): FactNode {
    return new Explainer(database, options).question(fact);
}

interface Candidate {
    readonly rule: AnalysedRule;
    readonly match: RuleMatch;
    readonly height: number;
}

class Explainer {
    readonly #database: Database;
    readonly #options: ExplainOptions;
    readonly #nodes = new Map<string, FactNode>();
    readonly #clauses = new Map<PredicateKey, Map<string, Fact>>();

    constructor(database: Database, options: ExplainOptions) {
        this.#database = database;
        this.#options = options;
    }

    question(fact: FactRow): FactNode {
        const all = this.#options.all === true;
        return this.#node(fact, all ? Number.POSITIVE_INFINITY : this.#height(fact), all);
    }

    /** The node of a fact, explained by what had appeared below the height `limit`. */
    #fact(fact: FactRow, limit: number): FactNode {
        const below = Math.min(limit, this.#height(fact));
        const key = `${fact.predicate}:${fact.row}:${below}`;
        const node = this.#nodes.get(key) ?? this.#node(fact, below, false);
        this.#nodes.set(key, node);
        return node;
    }

    #node(fact: FactRow, below: number, all: boolean): FactNode {
        const predicate = this.#predicate(fact.predicate);
        const height = this.#height(fact);
        const values = this.#values(fact);
        const origin = height === 0 ? this.#origin(fact, predicate, values) : undefined;
        let derivations: readonly DerivationNode[] | undefined = height === 0 && !all ? [] : undefined;
        const explain = (): readonly DerivationNode[] => this.#derivations(fact, predicate, values, below, all);
        return {
            ...this.#listed(fact),
            deferred: false,
            ...(origin === undefined ? {} : { origin }),
            get derivations() {
                derivations ??= explain();
                return derivations;
            },
        };
    }

    #derivations(fact: FactRow, predicate: Predicate, values: readonly ValueId[], limit: number, all: boolean): DerivationNode[] {
        const plain: Candidate[] = [];
        const contributions: Candidate[] = [];
        for (const { rule, head } of this.#rulesOf(predicate)) {
            const aggregated = rule.assignments.some(assignment => assignment.aggregates.length > 0);
            const pattern = aggregated ? groupPattern(rule, head, values) : values;
            matchRule(this.#database, rule, head, pattern, match => {
                if (!aggregated && match.some(premise => premise.predicate === fact.predicate && premise.row === fact.row)) return;
                if (aggregated) contributions.push({ rule, match, height: this.#heightOf(match) });
                else
                    plain.push({
                        rule,
                        match,
                        height: this.#heightOf(match.filter(premise => !isAggregated(this.#predicate(premise.predicate)))),
                    });
            });
        }
        const grounded = plain.filter(candidate => candidate.height < limit);
        grounded.sort(
            (left, right) => left.height - right.height || left.rule.index - right.rule.index || this.#compare(left.match, right.match),
        );
        const shown = all ? grounded : grounded.slice(0, contributions.length > 0 ? 0 : 1);
        const derivations = shown.map(candidate => this.#derivation(candidate, limit));
        return contributions.length > 0 ? [this.#aggregation(predicate, values, contributions, limit), ...derivations] : derivations;
    }

    #derivation({ rule, match }: Candidate, limit: number): DerivationNode {
        return { ...this.#ruleText(rule), premises: match.map(premise => this.#fact(premise, limit)) };
    }

    #aggregation(predicate: Predicate, values: readonly ValueId[], contributions: Candidate[], limit: number): DerivationNode {
        contributions.sort((left, right) => left.rule.index - right.rule.index || this.#compare(left.match, right.match));
        const first = contributions[0]!;
        const keys = values.filter((_, column) => !predicate.aggregatedColumns.includes(column));
        const keyPredicate = { ...predicate, name: `aggregated_explainability_${predicate.name}`, columns: keyColumns(predicate) };
        const group: GroupNode = {
            kind: 'group',
            fact: this.#text(keyPredicate, keys),
            verbalization: `the values that contribute to ${this.#text(predicate, values)}`,
            contributions: contributions.map(({ rule, match, height }) => ({
                ...this.#ruleText(rule),
                premises: match.map((premise): PremiseNode => (height < limit ? this.#fact(premise, limit) : this.#listed(premise))),
            })),
        };
        return { ...this.#ruleText(first.rule), premises: [group] };
    }

    /** A contribution's fact that is named but not explained. */
    #listed(fact: FactRow): FactNode {
        const predicate = this.#predicate(fact.predicate);
        const values = this.#values(fact);
        const verbalization = verbalize(this.#database.dictionary, predicate, values, this.#options.label);
        return { kind: 'fact', row: fact, fact: this.#text(predicate, values), verbalization, deferred: true, derivations: [] };
    }

    #rulesOf(predicate: Predicate): { rule: AnalysedRule; head: ResolvedAtom }[] {
        return predicate.rules.flatMap(index => {
            const rule = this.#database.program.rules[index];
            if (rule === undefined) return [];
            return rule.heads.filter(head => head.predicate === predicate.key).map(head => ({ rule, head }));
        });
    }

    #ruleText(rule: AnalysedRule): { rule: string; place: AnalysedRule['rule']['place']; span: AnalysedRule['rule']['span'] } {
        return { rule: printRuleText(rule.rule), place: rule.rule.place, span: rule.rule.span };
    }

    #heightOf(match: RuleMatch): number {
        return Math.max(0, ...match.map(premise => this.#height(premise)));
    }

    #compare(left: RuleMatch, right: RuleMatch): number {
        for (let i = 0; i < Math.min(left.length, right.length); i++) {
            const [a, b] = [this.#values(left[i]!), this.#values(right[i]!)];
            for (let column = 0; column < a.length; column++) {
                const order = compareValues(this.#database.dictionary, a[column]!, b[column]!);
                if (order !== 0) return order;
            }
        }
        return 0;
    }

    #origin(fact: FactRow, predicate: Predicate, values: readonly ValueId[]): Origin | undefined {
        const { lines, sources, sourceNames } = this.#rows(fact.predicate);
        const line = lines?.[fact.row] ?? 0;
        const source = sources?.[fact.row] ?? 0;
        const bind = predicate.inputBinds[source];
        if (line > 0 && bind !== undefined) return { kind: 'source', bind, file: sourceNames?.[source] ?? bind.inner, line };
        const clause = this.#clausesOf(predicate).get(values.join(','));
        return clause === undefined ? undefined : { kind: 'clause', place: clause.place, span: clause.span };
    }

    /** The program facts of a predicate by the ids of their values. */
    #clausesOf(predicate: Predicate): Map<string, Fact> {
        const known = this.#clauses.get(predicate.key);
        if (known !== undefined) return known;
        const { dictionary, parameters } = this.#database;
        const clauses = new Map<string, Fact>();
        for (const fact of predicate.facts) {
            const scope = {
                dictionary,
                place: fact.place,
                slot: () => 0,
                type: () => MIXED,
                parameter: (name: string) => ({ value: parameters.get(name) ?? 0, type: MIXED }),
                report: () => undefined,
            };
            clauses.set(fact.atom.arguments.map(argument => compileExpression(argument, scope)(new Int32Array(1))).join(','), fact);
        }
        this.#clauses.set(predicate.key, clauses);
        return clauses;
    }

    #text(predicate: Predicate, values: readonly ValueId[]): string {
        return factText(this.#database.dictionary, predicate, values, this.#options.label);
    }

    #predicate(key: PredicateKey): Predicate {
        return this.#database.program.predicates.get(key)!;
    }

    #rows(key: PredicateKey): Rows {
        return this.#database.relation(key)!;
    }

    #height({ predicate, row }: FactRow): number {
        return this.#rows(predicate).heights?.[row] ?? 0;
    }

    #values({ predicate, row }: FactRow): ValueId[] {
        return this.#rows(predicate).columns.map(column => column[row]!);
    }
}

function isAggregated(predicate: Predicate): boolean {
    return predicate.aggregatedColumns.length > 0;
}

function keyColumns(predicate: Predicate): Predicate['columns'] {
    return predicate.columns.filter((_, column) => !predicate.aggregatedColumns.includes(column));
}

/** The values of the head columns that do not depend on an aggregate. */
function groupPattern(rule: AnalysedRule, head: ResolvedAtom, values: readonly ValueId[]): HeadPattern {
    const dependent = new Set(
        rule.assignments.filter(assignment => assignment.afterAggregation).map(assignment => assignment.variable.name),
    );
    return head.atom.arguments.map((term, column) => (term.kind === 'variable' && dependent.has(term.name) ? undefined : values[column]));
}
