import type { TestedCase, TestedFile, TestFailure, TestReport } from '#server/protocol/tests.ts';
import { escaped, quoted } from '../xml-text.ts';

/** A test suite per file with its cases; a file that could not be run has one case with an error. */
export function testsJunit({ files }: TestReport): string {
    const suites = files.map(suiteOf);
    const cases = files.flatMap(file => file.cases);
    const errors = files.filter(({ problems }) => problems.length > 0).length;
    return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="rulelang test" ${countsOf(cases, errors)}>\n${suites.join('')}</testsuites>\n`;
}

function suiteOf({ file, cases, problems }: TestedFile): string {
    const errors = problems.length === 0 ? 0 : 1;
    const content = errors === 0 ? cases.map(one => caseOf(file, one)).join('') : unread(file, problems);
    return `  <testsuite name=${quoted(file)} ${countsOf(cases, errors)} skipped="0">\n${content}  </testsuite>\n`;
}

function unread(file: string, problems: readonly string[]): string {
    const error = `      <error message=${quoted(problems[0] ?? '')}>${escaped(problems.join('\n'))}</error>\n`;
    return `    <testcase classname=${quoted(file)} name=${quoted(file)} time="0">\n${error}    </testcase>\n`;
}

function countsOf(cases: readonly TestedCase[], errors: number): string {
    const failures = cases.filter(one => one.failures.length > 0).length;
    return `tests="${cases.length + errors}" failures="${failures}" errors="${errors}" time="${seconds(cases)}"`;
}

function seconds(cases: readonly TestedCase[]): string {
    return (cases.reduce((sum, one) => sum + one.milliseconds, 0) / 1000).toFixed(3);
}

function caseOf(file: string, one: TestedCase): string {
    const opening = `    <testcase classname=${quoted(file)} name=${quoted(one.name)} time="${seconds([one])}"`;
    if (one.failures.length === 0) return `${opening}/>\n`;
    const failures = one.failures.map(
        failure => `      <failure message=${quoted(failure.message)}>${escaped(linesOf(failure).join('\n'))}</failure>\n`,
    );
    return `${opening}>\n${failures.join('')}    </testcase>\n`;
}

function linesOf({ message, details, missing, unexpected }: TestFailure): string[] {
    return [
        message,
        ...details,
        ...missing.flatMap(({ fact, why }) => [`- ${fact}`, ...why.map(line => `    ${line}`)]),
        ...unexpected.flatMap(({ fact, why }) => [`+ ${fact}`, ...why.map(line => `    ${line}`)]),
    ];
}
