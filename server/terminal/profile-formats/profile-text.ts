import { countText } from '#language/program/count-text.ts';
import { visible } from '../visible-text.ts';
import { type ProfileReport, ruleName } from './profile-report.ts';

/** A table of the rules, the slowest first, and under it their join orders. */
export function profileText({ loading, evaluating, betweenRules, rules }: ProfileReport): string {
    const share = (milliseconds: number): string => (evaluating > 0 ? `${((100 * milliseconds) / evaluating).toFixed(0)} %` : '');
    const titles = ['', 'time', 'share', 'tried', 'kept', 'runs', 'memory', 'line', 'rule'];
    const rows = rules.map((rule, i) => {
        const { milliseconds, tried, kept, runs, bytes, line } = rule;
        return [
            `${i + 1}`,
            seconds(milliseconds),
            share(milliseconds),
            countText(tried),
            kept === undefined ? '?' : countText(kept),
            countText(runs),
            mebibytes(bytes),
            `${line}`,
            visible(ruleName(rule)),
        ];
    });
    const rest = [
        ['', seconds(betweenRules), share(betweenRules), '', '', '', '', '', 'between rules: indexes, rounds, groups'],
        ['', seconds(loading), '', '', '', '', '', '', 'loading'],
    ];
    const named = [titles, ...rows, ...rest];
    const widths = titles.map((_, column) => Math.max(...named.map(row => row[column]?.length ?? 0)));
    const table = named.map(row =>
        row
            .map((cell, column) => cell.padStart(widths[column] ?? 0))
            .join('  ')
            .trimEnd(),
    );
    const orders = rules.flatMap(({ variants }, i) =>
        variants.flatMap(({ delta, steps, runs, tried }) => [
            `${i + 1}. ${delta === undefined ? 'from everything' : `for new ${visible(delta)}`}: ${countText(runs)} ${runs === 1 ? 'run' : 'runs'}, ${countText(tried)} tried`,
            ...steps.map(step => `     ${visible(step)}`),
        ]),
    );
    return `${[...table, '', ...orders].join('\n')}\n`;
}

function seconds(milliseconds: number): string {
    return `${(milliseconds / 1000).toFixed(3)} s`;
}

function mebibytes(bytes: number): string {
    return `${(bytes / 2 ** 20).toFixed(1)} MiB`;
}
