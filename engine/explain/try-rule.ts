import type { AnalysedRule, ResolvedAtom } from '#language/program/analysed-program.ts';
import { variablesOf } from '#language/program/expression-variables.ts';
import { printAtomText, printExpression } from '#language/program/print.ts';
import type { Expression, RelationCall } from '#language/program/program.ts';
import type { ValueId } from '../values/value-id.ts';
import { type Absence, premisesOf, type RuleSearch, reasonIn } from './absence.ts';
import { CONTRIBUTIONS, tryGroups } from './absent-group.ts';
import { type Cause, nearestReason, type Reason } from './cause.ts';
import { DISTANCE } from './distances.ts';
import type { HeadPattern } from './match-rule.ts';
import { toBeGiven } from './missing-fact.ts';
import { hasRow } from './pattern-rows.ts';
import { queryReasons } from './query-reasons.ts';
import { withTerms } from './remedy.ts';
import { tryFailing, tryNothing, tryPairs } from './several-items.ts';
import { suspectsOf } from './suspects.ts';
import { trySuspect } from './try-suspect.ts';
import { isWalk } from './walked-edges.ts';
import { matchesOf } from './weakened-matches.ts';

/** A nearest cause that is farther has two items looked at together. */
const FAR = 0.9;

/** Adds to `found` what stops a rule from giving a fact of its head that fits a pattern. */
export function tryRule(
    absence: Absence,
    rule: AnalysedRule,
    head: ResolvedAtom,
    asked: HeadPattern,
    depth: number,
    further: boolean,
    found: Reason[],
): void {
    if (rule.rule.body.kind !== 'items') {
        const { body } = rule.rule;
        if (body.kind === 'query') {
            found.push(...queryReasons(absence, rule, asked, depth));
            return;
        }
        const call = body.kind === 'relation-function' ? { call: printCall(body.call) } : {};
        found.push(
            { ...reasonIn(rule, { kind: 'function', ...call }, body.span, [], DISTANCE.function), needed: true },
            ...inputReasons(absence, rule, asked, depth),
        );
        return;
    }
    const { dictionary } = absence.database;
    const invented = head.atom.arguments.findIndex((term, column) => {
        const value = asked[column];
        const isMade = term.kind === 'anonymous' || (term.kind === 'variable' && rule.existential.includes(term.name));
        return isMade && value !== undefined && !dictionary.isNull(value);
    });
    if (invented >= 0) {
        const cause: Cause = {
            kind: 'invented',
            head: printAtomText(head.atom),
            column: invented,
            wanted: absence.words.valueAt(head.predicate, invented, asked[invented]!),
        };
        found.push({ ...reasonIn(rule, cause, head.atom.span, [], DISTANCE.invented), needed: true });
        const pattern = asked.map((value, column) => (column === invented ? undefined : value));
        tryColumns({ absence, rule, head, matcher: absence.matcher(rule, head), pattern, depth, found }, asked[invented]!, invented);
        return;
    }
    const matcher = absence.matcher(rule, head);
    const aggregating = rule.assignments.some(({ aggregates }) => aggregates.length > 0);
    const dependent = new Set(rule.assignments.filter(one => one.afterAggregation).map(({ variable }) => variable.name));
    const isDependent = (expression: Expression): boolean => variablesOf(expression).some(name => dependent.has(name));
    const pattern = aggregating ? asked.map((value, column) => (isDependent(head.atom.arguments[column]!) ? undefined : value)) : asked;
    const search: RuleSearch = { absence, rule, head, matcher, pattern, depth, further, found };
    const contributions = aggregating ? matchesOf(search, [], CONTRIBUTIONS) : [];
    if (contributions.length > 0) {
        const open = head.atom.arguments.flatMap((term, column) => (asked[column] === undefined && !isDependent(term) ? [column] : []));
        tryGroups(search, asked, open, contributions);
        return;
    }
    const before = found.length;
    for (const suspect of suspectsOf(
        matcher,
        pattern.map(value => value !== undefined),
    ))
        trySuspect(search, suspect);
    if (rule.constantsOnly && found.length === before)
        found.push({ ...reasonIn(rule, { kind: 'domain' }, rule.rule.body.span, [], DISTANCE.domain), needed: true });
    // An odd value stands beside what was looked for, and may have nothing to do with it.
    const nearest = Math.min(...found.slice(before).flatMap(({ cause, distance }) => (cause.kind === 'odd' ? [] : distance)));
    if (nearest > FAR) tryPairs(search);
    if (nearest > FAR) tryFailing(search);
    if (found.length === before) tryNothing(search);
    // Whatever else is said turns out not to be a cause, this is true.
    found.push({ ...reasonIn(rule, { kind: 'nothing' }, rule.rule.body.span, [], Number.MAX_SAFE_INTEGER), needed: true });
}

/** The arguments of the body that would give the head a value that nothing gives it. */
function tryColumns(search: RuleSearch, wanted: ValueId, headColumn: number): void {
    const { absence, matcher, rule, head, found } = search;
    for (const suspect of suspectsOf(matcher, [])) {
        if (suspect.kind !== 'argument' || suspect.item === undefined || suspect.item.kind !== 'atom') continue;
        const { item, column } = suspect;
        matcher.run(search.pattern, [suspect], absence.steps, match => {
            const fact = match.facts.get(item);
            if (fact === undefined || absence.database.relation(fact.predicate)!.columns[column]![fact.row] !== wanted) return true;
            const { atom } = item.literal;
            const cause: Cause = {
                kind: 'unbound',
                literal: printAtomText(atom),
                column,
                variable: printExpression(head.atom.arguments[headColumn]!),
                wanted: absence.words.valueAt(head.predicate, headColumn, wanted),
            };
            const term = head.atom.arguments[headColumn]!;
            const remedies =
                term.kind === 'variable' ? { remedies: [withTerms(rule, item.literal, atom.arguments.with(column, term))] } : {};
            found.push({ ...reasonIn(rule, cause, atom.span, premisesOf(search, match), DISTANCE.inventedColumn), ...remedies });
            return false;
        });
    }
}

function printCall({ name, input }: RelationCall): string {
    return `#${name}(${input.kind === 'query' ? JSON.stringify(input.text) : input.text})`;
}

/** The facts that the input of a relation function may lack: from or to values of the question. */
function inputReasons(absence: Absence, rule: AnalysedRule, asked: HeadPattern, depth: number): Reason[] {
    const { database, words } = absence;
    const { body } = rule.rule;
    const [read] = body.kind === 'relation-function' && body.call.input.kind === 'predicate' ? rule.reads : [];
    const input = read && database.program.predicates.get(read);
    if (input === undefined || input.arity < 2) return [];
    const isOfWalks = body.kind === 'relation-function' && isWalk(body.call.name);
    return (isOfWalks ? endsOfWalk(asked) : endsWith(asked)).flatMap(([from, to]): Reason[] => {
        const pattern = input.columns.map((_, column) => [from, to][column]);
        const derivable = input.rules.length > 0;
        const rows = database.relation(input.key);
        const further = hasRow(rows, pattern, absence.steps.pause) ? ({ further: true } as const) : {};
        const cause: Cause = { kind: 'missing', fact: words.pattern(input, pattern), derivable, near: [], ...further };
        const reason = reasonIn(rule, cause, rule.rule.body.span, [], DISTANCE.missing);
        if (!derivable) return [{ ...reason, ...toBeGiven({ predicate: input.key, values: pattern }) }];
        const because = absence.absent(input.key, pattern, depth + 1, 'further' in further);
        const first = because && nearestReason(because);
        return because === undefined || first === undefined
            ? []
            : [
                  {
                      ...reason,
                      // A walk begins and ends with some edge.
                      ...(isOfWalks && (from === undefined || to === undefined) && !('further' in further) && { needed: true }),
                      remedies: [{ kind: 'fact', fact: { predicate: input.key, values: pattern } }],
                      because,
                      distance: first.distance + DISTANCE.step,
                  },
              ];
    });
}

/** Starts and ends of edges that a walk from the first to the second value needs. */
function endsOfWalk([from, to]: HeadPattern): HeadPattern[] {
    return [[from, to], [from], [undefined, to]].filter(
        (ends, at) => ends.some(value => value !== undefined) && (at > 0 || !ends.includes(undefined)),
    );
}

/** Starts and ends of edges with values of the question. */
function endsWith(asked: HeadPattern): HeadPattern[] {
    const values = [...new Set(asked)].filter(value => value !== undefined).slice(0, 2);
    return [...values.slice(1).map(second => [values[0], second]), ...values.flatMap(value => [[value], [undefined, value]])];
}
