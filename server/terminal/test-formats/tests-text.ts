import { countText } from '#language/program/count-text.ts';
import { say } from '#language/program/say.ts';
import { visible } from '#server/notices/visible-text.ts';
import type { CoveredFile, CoveredItem, CoveredRule, TestedFile, TestFailure, TestReport, ToldFact } from '#server/protocol/tests.ts';
import type { Colour } from '../colour.ts';

/** A file in a line, and below it the cases that failed, with the facts that differ: `-` is missing, `+` was not expected. */
export function testedText({ file, cases, problems }: TestedFile, colour: Colour): string {
    const failed = cases.filter(({ failures }) => failures.length > 0);
    const isFine = failed.length === 0 && problems.length === 0;
    const mark = isFine ? colour.information('✓') : colour.error('✗');
    const counts = problems.length > 0 ? say`not run` : casesText(cases.length, failed.length);
    const lines = [`${mark} ${visible(file)}  ${colour.quiet(counts)}`, ...problems.map(problem => `    ${visible(problem)}`)];
    for (const { name, line, failures } of failed) {
        lines.push('', `  ${colour.error('✗')} ${colour.strong(visible(name))}  ${colour.quiet(`${visible(file)}:${line + 1}`)}`);
        for (const one of failures) lines.push(...failureLines(one, colour));
    }
    if (!isFine) lines.push('');
    return `${lines.join('\n')}\n`;
}

function casesText(count: number, failed: number): string {
    const all = count === 1 ? say`1 case` : say`${countText(count)} cases`;
    return failed === 0 ? all : say`${all}, ${countText(failed)} failed`;
}

function failureLines({ message, details, missing, unexpected }: TestFailure, colour: Colour): string[] {
    return [
        `    ${visible(message)}`,
        ...details.map(line => `      ${visible(line)}`),
        ...missing.flatMap(one => factLines('-', one, colour.error)),
        ...unexpected.flatMap(one => factLines('+', one, colour.information)),
    ];
}

function factLines(sign: string, { fact, why }: ToldFact, marked: (text: string) => string): string[] {
    return [`    ${marked(`${sign} ${visible(fact)}`)}`, ...why.map(line => `        ${visible(line)}`)];
}

/** The rules that fired in no case, with what stopped them, and what of the others never stopped a match, by file. */
export function coverageText(files: readonly CoveredFile[], colour: Colour): string {
    return files
        .map(({ file, rules }) => {
            const fired = rules.filter(({ cases }) => cases > 0).length;
            const tests = rules.flatMap(({ items }) => items).filter(item => item.tests);
            const decided = tests.filter(({ held, failed }) => held > 0 && failed > 0).length;
            const head = say`${visible(file)}: ${countText(fired)} of ${countText(rules.length)} rules fired, ${countText(decided)} of ${countText(tests.length)} tests in bodies held and failed`;
            const lines = rules
                .flatMap(gapsOf)
                .map(({ line, what, text }) => `  ${visible(file)}:${line + 1}  ${colour.warning(what)}  ${visible(text)}`);
            return `${[head, ...lines].join('\n')}\n`;
        })
        .join('');
}

interface Gap {
    readonly line: number;
    readonly what: string;
    readonly text: string;
}

function gapsOf({ start, rule, cases, items, cutShort }: CoveredRule): Gap[] {
    const gap = ({ start: { line }, item }: CoveredItem, what: string): Gap => ({ line, what, text: item });
    const seen = cutShort ? [] : items;
    if (cases > 0) return seen.filter(({ tests, failed }) => tests && failed === 0).map(item => gap(item, say`never failed`));
    const stopping = seen.filter(({ reached, held }) => reached > 0 && held === 0).map(item => gap(item, say`never held`));
    return [{ line: start, what: say`never fired`, text: rule }, ...stopping];
}

export function totalText({ files }: TestReport, colour: Colour): string {
    const cases = files.flatMap(file => file.cases);
    const failed = cases.filter(({ failures }) => failures.length > 0).length;
    const unread = files.filter(({ problems }) => problems.length > 0).length;
    const passed = say`${countText(cases.length - failed)} passed`;
    const parts = [
        ...(failed > 0 ? [colour.error(say`${countText(failed)} failed`)] : []),
        passed,
        ...(unread === 0 ? [] : [colour.error(unread === 1 ? say`1 file not run` : say`${countText(unread)} files not run`)]),
    ];
    const milliseconds = cases.reduce((sum, one) => sum + one.milliseconds, 0);
    return `${parts.join(', ')} · ${(milliseconds / 1000).toFixed(1)} s\n`;
}
