import { countText } from '#language/program/count-text.ts';
import { say } from '#language/program/say.ts';
import { cutToWidth, visible } from '#server/notices/visible-text.ts';
import { amountText, mebibytes, milliseconds, type ProfileReport, ruleName, stepLines, variantTitle } from './profile-report.ts';

const GAP = '  ';
/** Columns of a rule's text that a terminal keeps, however narrow it is. */
const LEAST_RULE = 20;

/** A table of the rules, the slowest first, cut to the width of a terminal, and under it their join orders. */
export function profileText(report: ProfileReport, width = Number.POSITIVE_INFINITY): string {
    const { loading, evaluating, betweenRules, rules, sources } = report;
    const share = (time: number): string => (evaluating > 0 ? `${((100 * time) / evaluating).toFixed(0)} %` : '');
    const titles = ['', say`time`, say`share`, say`tried`, say`kept`, say`runs`, say`memory`, say`line`, say`rule`];
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
        ['', milliseconds(loading), '', '', '', '', '', '', say`loading`],
    ];
    const orders = rules.flatMap(({ rule, variants }, i) => [
        `${i + 1}. ${visible(rule)}`,
        ...variants.flatMap(variant => [
            `   ${visible(variantTitle(variant))}`,
            ...stepLines(variant).map(step => `     ${visible(step)}`),
        ]),
    ]);
    const asked = sources.length === 0 ? [] : [say`asked of sources:`, ...sources.map(source => `   ${visible(source)}`), ''];
    return `${[amountText(report), '', ...aligned(titles, [...rows, ...rest], width), '', ...asked, ...orders].join('\n')}\n`;
}

/** Numbers to the right; rules, which come last, to the left. */
function aligned(titles: readonly string[], rows: readonly (readonly string[])[], width: number): string[] {
    const lines = [titles, ...rows];
    const columns = titles.slice(0, -1).map((_, column) => Math.max(...lines.map(row => row[column]?.length ?? 0)));
    const used = columns.reduce((sum, one) => sum + one + GAP.length, 0);
    return lines.map(row => {
        const numbers = columns.map((wide, column) => (row[column] ?? '').padStart(wide));
        return [...numbers, cutToWidth(row.at(-1) ?? '', Math.max(LEAST_RULE, width - used))].join(GAP);
    });
}
