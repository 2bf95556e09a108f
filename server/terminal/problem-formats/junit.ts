import type { Severity } from '#language/program/problem.ts';
import { say } from '#language/program/say.ts';
import type { Notice } from '#server/notices/notice.ts';
import { escaped, quoted } from '../xml-text.ts';
import { type CheckedFile, isAtLeast, messageOf, rangeOf } from './checked-file.ts';

/**
 * A test suite per file with a test case per problem, which fails where the problem makes the check fail; a file without
 * problems has one test case that passes.
 */
export function junitXml(checked: readonly CheckedFile[], failLevel: Severity): string {
    const failures = (notices: readonly Notice[]): number => notices.filter(({ severity }) => isAtLeast(severity, failLevel)).length;
    const suites = checked.map(one => {
        const cases =
            one.notices.length === 0
                ? [testCase(one.file, say`no problems`, '')]
                : one.notices.map(notice => caseOf(notice, one, failLevel));
        return `  <testsuite name=${quoted(one.file)} tests="${cases.length}" failures="${failures(one.notices)}" errors="0" skipped="0" time="0">\n${cases.join('')}  </testsuite>\n`;
    });
    const all = checked.flatMap(({ notices }) => notices);
    const tests = checked.reduce((count, { notices }) => count + Math.max(1, notices.length), 0);
    return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="rulelang check" tests="${tests}" failures="${failures(all)}" errors="0" time="0">\n${suites.join('')}</testsuites>\n`;
}

function caseOf(notice: Notice, { file, source }: CheckedFile, failLevel: Severity): string {
    const { start } = rangeOf(notice.place, source);
    const place = `${notice.place?.file ?? file}:${start.line + 1}:${start.character + 1}`;
    const text = `${place}: ${notice.severity} ${notice.code}: ${messageOf(notice)}`;
    const content = isAtLeast(notice.severity, failLevel)
        ? `      <failure type="${notice.severity}" message=${quoted(messageOf(notice))}>${escaped(text)}</failure>\n`
        : `      <system-out>${escaped(text)}</system-out>\n`;
    return testCase(file, say`${notice.code} at line ${start.line + 1}, column ${start.character + 1}`, content);
}

function testCase(file: string, name: string, content: string): string {
    const opening = `    <testcase classname=${quoted(file)} name=${quoted(name)} time="0"`;
    return content === '' ? `${opening}/>\n` : `${opening}>\n${content}    </testcase>\n`;
}
