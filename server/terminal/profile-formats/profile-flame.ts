import { countText } from '#language/program/count-text.ts';
import { type ProfileReport, type ReportedRule, ruleName } from './profile-report.ts';

/** A part of the time of its parent. */
interface Frame {
    readonly name: string;
    readonly milliseconds: number;
    /** What stands beside the name when it is pointed at. */
    readonly details: string;
    readonly children: readonly Frame[];
}

const STYLE = `body { font: 14px system-ui, sans-serif; margin: 1.5em; color: #222; background: #fff; }
.frame { display: flex; flex-direction: column; min-width: 0; }
.name { overflow: hidden; white-space: nowrap; text-overflow: ellipsis; padding: 3px 5px; margin: 0 1px 1px 0; border-radius: 2px; }
.children { display: flex; }
.d0 > .name { background: #f4d58d; } .d1 > .name { background: #f2b880; } .d2 > .name { background: #e8926c; } .d3 > .name { background: #d9cab3; }
table { border-collapse: collapse; margin-top: 2em; } td, th { padding: 2px 10px; text-align: right; }
td:last-child, th:last-child { text-align: left; font-family: ui-monospace, monospace; }
@media (prefers-color-scheme: dark) { body { color: #ddd; background: #1b1b1b; } .name { color: #222; } }`;

/** A page that needs nothing beside itself: a bar as wide as each stratum, rule and way to run it took, and a table. */
export function profileFlame(report: ProfileReport): string {
    const { program, rules, facts, rounds } = report;
    const rows = rules.map(rule => {
        const { milliseconds, tried, kept, runs, bytes, line } = rule;
        return [
            time(milliseconds),
            countText(tried),
            kept === undefined ? '?' : countText(kept),
            countText(runs),
            size(bytes),
            `${line}`,
            ruleName(rule),
        ]
            .map(cell => `<td>${escaped(cell)}</td>`)
            .join('');
    });
    return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Profile of ${escaped(program)}</title>
<style>${STYLE}</style>
<h1>${escaped(program)}</h1>
<p>${countText(facts)} facts in ${countText(rounds)} rounds. A bar is as wide as what it stands for took; point at it to see more.</p>
${drawn(wholeRun(report), 0)}
<table>
<tr>${['time', 'tried', 'kept', 'runs', 'memory', 'line', 'rule'].map(title => `<th>${title}</th>`).join('')}</tr>
${rows.map(row => `<tr>${row}</tr>`).join('\n')}
</table>
</html>
`;
}

function wholeRun({ loading, evaluating, betweenRules, rules }: ProfileReport): Frame {
    const strata = [...new Set(rules.map(({ stratum }) => stratum))].sort((left, right) => left - right);
    return {
        name: 'run',
        milliseconds: loading + evaluating,
        details: '',
        children: [
            frame('loading', loading),
            ...strata.map(stratum => {
                const children = rules.filter(rule => rule.stratum === stratum).map(ruleFrame);
                const milliseconds = children.reduce((sum, child) => sum + child.milliseconds, 0);
                return { ...frame(stratum === 0 ? 'constraints' : `stratum ${stratum}`, milliseconds), children };
            }),
            frame('between rules', betweenRules),
        ],
    };
}

function ruleFrame(rule: ReportedRule): Frame {
    const { milliseconds, tried, kept, runs, line, variants } = rule;
    const keeps = kept === undefined ? '' : `, ${countText(kept)} kept`;
    return {
        ...frame(ruleName(rule), milliseconds),
        details: `line ${line}: ${countText(tried)} tried${keeps}, ${countText(runs)} runs`,
        children: variants.map(variant => ({
            ...frame(variant.delta === undefined ? 'from everything' : `for new ${variant.delta}`, variant.milliseconds),
            details: variant.steps.join('\n'),
        })),
    };
}

function frame(name: string, milliseconds: number): Frame {
    return { name, milliseconds, details: '', children: [] };
}

function drawn({ name, milliseconds, details, children }: Frame, depth: number): string {
    const title = [name, time(milliseconds), details].filter(text => text !== '').join('\n');
    const below = children
        .filter(child => child.milliseconds > 0)
        .map(child => `<div style="width:${((100 * child.milliseconds) / milliseconds).toFixed(3)}%">${drawn(child, depth + 1)}</div>`);
    const nested = below.length === 0 ? '' : `<div class="children">${below.join('')}</div>`;
    return `<div class="frame d${depth}"><div class="name" title="${escaped(title)}">${escaped(name)}</div>${nested}</div>`;
}

function time(milliseconds: number): string {
    return `${milliseconds.toFixed(1)} ms`;
}

function size(bytes: number): string {
    return `${(bytes / 2 ** 20).toFixed(1)} MiB`;
}

function escaped(text: string): string {
    return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
