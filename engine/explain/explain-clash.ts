import { countText } from '#language/program/count-text.ts';
import { printRuleText } from '#language/program/print.ts';
import { say } from '#language/program/say.ts';
import type { Clash, MatchedFact } from '../contracts/clash.ts';
import type { Database } from '../contracts/database.ts';
import { shown } from '../evaluate/expression-site.ts';
import { type Report, report } from '../reports/reports.ts';
import { nullLabels } from '../results/listing.ts';
import { factText } from '../values/fact-text.ts';
import type { ValueId } from '../values/value-id.ts';
import { explainFact } from './explain.ts';
import type { Origin } from './explanation.ts';
import { explanationTree } from './explanation-tree.ts';
import { sourcePlace } from './origin.ts';

/** Facts drawn at most of the derivation of each fact that clashes. */
const FACTS_DRAWN = 20;

/** Earlier equalities told at most: half from the beginning, half from the end. */
const EQUALITIES_TOLD = 20;

/** The report of two different constants that were to be equal: the match, and why its facts hold (RT040). */
export function clashReport(database: Database, { rule, facts, sides, earlier }: Clash): Report {
    const { dictionary } = database;
    const label = nullLabels(dictionary);
    const text = (fact: MatchedFact): string => factText(dictionary, database.program.predicates.get(fact.predicate)!, fact.values, label);
    const because = earlier.map(merge => {
        const [left, right] = merge.values.map(value => (dictionary.isNull(value) ? label(value) : shown(dictionary, value)));
        return say`${left} = ${right} by ${printRuleText(merge.rule.rule)} from ${merge.facts.map(text).join(say` and `)}`;
    });
    const drawn = new Map(facts.map(fact => [text(fact), fact]));
    const trees = [...drawn].flatMap(([words, fact]) => {
        const relation = database.relation(fact.predicate);
        const find = (values: readonly ValueId[]): number => relation?.find(values) ?? -1;
        const asMatched = find(fact.values);
        const row = asMatched >= 0 ? asMatched : find(fact.values.map(value => dictionary.resolve(value)));
        if (row < 0) return [words];
        const explanation = explainFact(database, { predicate: fact.predicate, row }, { label });
        return explanationTree(explanation, { place: placeText, limit: FACTS_DRAWN });
    });
    const { place, span } = rule.rule;
    const [left, right] = [shown(dictionary, sides[0]), shown(dictionary, sides[1])];
    return report(
        'RT040',
        { location: { place, span }, details: [...shortened(because), ...trees] },
        printRuleText(rule.rule),
        left,
        right,
    );
}

function shortened(lines: readonly string[]): readonly string[] {
    const left = lines.length - EQUALITIES_TOLD;
    if (left <= 0) return lines;
    const half = EQUALITIES_TOLD / 2;
    return [...lines.slice(0, half), say`… ${countText(left)} more`, ...lines.slice(-half)];
}

function placeText(origin: Origin): string {
    return origin.kind === 'source' ? sourcePlace(origin) : `${origin.place.file}:${origin.place.line + 1}`;
}
