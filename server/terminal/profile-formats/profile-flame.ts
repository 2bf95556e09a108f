import { counted, countText } from '#language/program/count-text.ts';
import { say } from '#language/program/say.ts';
import {
    amountText,
    mebibytes,
    milliseconds,
    type ProfileReport,
    type ReportedRule,
    ruleName,
    stepLines,
    variantTitle,
} from './profile-report.ts';

/** A part of the time of its parent. */
interface Frame {
    readonly name: string;
    /** Milliseconds. */
    readonly time: number;
    /** The text beside the name under the pointer. */
    readonly details: string;
    readonly children: readonly Frame[];
}

/** Light and dark, and borders where colours are forced. A bar has no width of its own, so that all stay in proportion. */
const STYLE = `:root { color-scheme: light dark; --text: #1f2328; --quiet: #59636e; --page: #fff; --line: #d8dee4;
  --d0: #e4e8ed; --d1: #f6dfb5; --d2: #f3bf95; --d3: #eadccd; }
@media (prefers-color-scheme: dark) { :root { --text: #dfe3e8; --quiet: #9aa4af; --page: #1b1d20; --line: #3a3f45;
  --d0: #383d44; --d1: #5d4a1f; --d2: #7a4526; --d3: #4d3d33; } }
body { font: 14px system-ui, sans-serif; margin: 16px; color: var(--text); background: var(--page); }
h1 { font-size: 14px; margin: 0 0 4px; } p { color: var(--quiet); margin: 0 0 16px; }
.frame, .children > div { min-width: 0; overflow: hidden; } .children { display: flex; }
.name { overflow: hidden; white-space: nowrap; text-overflow: ellipsis; text-indent: 4px; padding: 4px 0; margin: 0 1px 1px 0; }
.d0 > .name { background: var(--d0); } .d1 > .name { background: var(--d1); } .d2 > .name { background: var(--d2); } .d3 > .name { background: var(--d3); }
table { border-collapse: collapse; margin-top: 16px; width: 100%; } td, th { padding: 4px 8px; vertical-align: top; text-align: right; }
th { color: var(--quiet); font-weight: normal; border-bottom: 1px solid var(--line); }
td { white-space: nowrap; font-variant-numeric: tabular-nums; }
td:last-child, th:last-child { width: 100%; text-align: left; }
td:last-child { white-space: normal; overflow-wrap: anywhere; } summary, pre { font-family: ui-monospace, monospace; }
pre { margin: 4px 0 8px; color: var(--quiet); white-space: pre-wrap; } summary { cursor: pointer; }
@media (max-width: 720px) { thead { display: none; } tr { display: flex; flex-wrap: wrap; border-bottom: 1px solid var(--line); }
  td::before { content: attr(data-title) ' '; color: var(--quiet); } td:last-child { order: -1; } td:last-child::before { content: none; } }
@media (forced-colors: active) { .name { border: 1px solid; } }`;

/** Constraints, which have no stratum, are checked at the end. */
const LAST = Number.POSITIVE_INFINITY;

/** A page that needs nothing beside itself: a bar as wide as each stratum, rule and way to run it took, and a table. */
export function profileFlame(report: ProfileReport): string {
    const { program, rules } = report;
    const titles = [say`time`, say`tried`, say`kept`, say`runs`, say`memory`, say`line`, say`rule`];
    return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escaped(say`Profile of ${program}`)}</title>
<style>${STYLE}</style>
<h1>${escaped(program)}</h1>
<p>${escaped(say`${amountText(report)}. A bar is as wide as what it stands for took; the table has the numbers, and below each rule its loops.`)}</p>
${drawn(wholeRun(report), 0)}
<table>
<thead><tr>${titles.map(title => `<th scope="col">${escaped(title)}</th>`).join('')}</tr></thead>
${rules.map(rule => tableRow(rule, titles)).join('\n')}
</table>
</html>
`;
}

function tableRow(rule: ReportedRule, titles: readonly string[]): string {
    const { tried, kept, runs, bytes, line, variants } = rule;
    const numbers = [
        milliseconds(rule.milliseconds),
        countText(tried),
        kept === undefined ? '?' : countText(kept),
        countText(runs),
        mebibytes(bytes),
        `${line}`,
    ];
    const loops = variants.map(variant => [variantTitle(variant), ...stepLines(variant).map(step => `  ${step}`)].join('\n'));
    const name = `<details><summary>${escaped(ruleName(rule))}</summary><pre>${escaped(loops.join('\n'))}</pre></details>`;
    return `<tr>${numbers.map((cell, i) => `<td data-title="${escaped(titles[i] ?? '')}">${escaped(cell)}</td>`).join('')}<td>${name}</td></tr>`;
}

function wholeRun({ loading, evaluating, betweenRules, rules }: ProfileReport): Frame {
    const strata = [...new Set(rules.map(({ stratum }) => stratum))].sort((left, right) => (left || LAST) - (right || LAST));
    return {
        name: say`run`,
        time: loading + evaluating,
        details: '',
        children: [
            frame(say`loading`, loading),
            ...strata.map(stratum => {
                const children = rules.filter(rule => rule.stratum === stratum).map(ruleFrame);
                const time = children.reduce((sum, child) => sum + child.time, 0);
                return { ...frame(stratum === 0 ? say`constraints` : say`stratum ${stratum}`, time), children };
            }),
            frame(say`between rules`, betweenRules),
        ],
    };
}

function ruleFrame(rule: ReportedRule): Frame {
    const { tried, kept, runs, line, variants } = rule;
    const counts = [say`${countText(tried)} tried`, ...(kept === undefined ? [] : [say`${countText(kept)} kept`]), counted(runs, 'run')];
    return {
        ...frame(ruleName(rule), rule.milliseconds),
        details: say`line ${line}: ${counts.join(', ')}`,
        children: variants.map(variant => ({
            ...frame(variant.delta === undefined ? say`from everything` : say`for new ${variant.delta}`, variant.milliseconds),
            details: [variant.execution, ...stepLines(variant)].join('\n'),
        })),
    };
}

function frame(name: string, time: number): Frame {
    return { name, time, details: '', children: [] };
}

function drawn({ name, time, details, children }: Frame, depth: number): string {
    const title = [name, milliseconds(time), details].filter(text => text !== '').join('\n');
    const below = children
        .filter(child => child.time > 0)
        .map(child => `<div style="width:${((100 * child.time) / time).toFixed(3)}%">${drawn(child, depth + 1)}</div>`);
    const nested = below.length === 0 ? '' : `<div class="children">${below.join('')}</div>`;
    return `<div class="frame d${depth}"><div class="name" title="${escaped(title)}">${escaped(name)}</div>${nested}</div>`;
}

function escaped(text: string): string {
    return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
