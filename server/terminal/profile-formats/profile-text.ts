import { countText } from '#language/program/count-text.ts';
import { say } from '#language/program/say.ts';
import { cutToWidth, visible } from '../visible-text.ts';
import { amountText, mebibytes, milliseconds, type ProfileReport, ruleName, variantTitle } from './profile-report.ts';

const TITLES = ['', 'time', 'share', 'tried', 'kept', 'runs', 'memory', 'line', 'rule'];
const GAP = '  ';
/** What a terminal keeps of a rule, however narrow it is. */
const LEAST_RULE = 20;

/** A table of the rules, the slowest first, cut to the width of a terminal, and under it their join orders. */
export function profileText(report: ProfileReport, width = Number.POSITIVE_INFINITY): string {
    const { loading, evaluating, betweenRules, rules } = report;
    const share = (time: number): string => (evaluating > 0 ? `${((100 * time) / evaluating).toFixed(0)} %` : '');
    const rows = rules.map((rule, i) => {
        const { tried, kept, runs, bytes, line } = rule;
        return [
            `${i + 1}`,
            milliseconds(rule.milliseconds),
            share(rule.milliseconds),
            countText(tried),
            kept === undefined ? '?' : countText(kept),
            countText(runs),
            mebibytes(bytes),
            `${line}`,
            visible(ruleName(rule)),
        ];
    });
    const rest = [
        [
            '',
            milliseconds(betweenRules),
            share(betweenRules),
            '',
            '',
            '',
            '',
            '',
            say`between rules: indexes, rounds, groups, equal values`,
        ],
        ['', milliseconds(loading), '', '', '', '', '', '', 'loading'],
    ];
    const orders = rules.flatMap(({ rule, variants }, i) => [
        `${i + 1}. ${visible(rule)}`,
        ...variants.flatMap(variant => [`   ${visible(variantTitle(variant))}`, ...variant.steps.map(step => `     ${visible(step)}`)]),
    ]);
    return `${[amountText(report), '', ...aligned([TITLES, ...rows, ...rest], width), '', ...orders].join('\n')}\n`;
}

/** Numbers to the right; rules, which come last, to the left. */
function aligned(rows: readonly (readonly string[])[], width: number): string[] {
    const columns = TITLES.slice(0, -1).map((_, column) => Math.max(...rows.map(row => row[column]?.length ?? 0)));
    const used = columns.reduce((sum, one) => sum + one + GAP.length, 0);
    return rows.map(row => {
        const numbers = columns.map((wide, column) => (row[column] ?? '').padStart(wide));
        return [...numbers, cutToWidth(row.at(-1) ?? '', Math.max(LEAST_RULE, width - used))].join(GAP);
    });
}
