import { Location, l10n, Position, TestMessage, type Uri } from 'vscode';
import type { TestFailure, ToldFact } from '#server/protocol/tests.ts';

/** Messages whose expectation can be made what is derived; the manifest has it in menus. */
const ACCEPTABLE = 'rulelang.acceptable';

/** A failure as the editor shows it: why the facts that differ are there or are not, and all facts side by side. */
export function failureMessages(uri: Uri, failure: TestFailure): TestMessage[] {
    const { message, details, line, expected, actual, missing, unexpected, acceptance } = failure;
    const lines = [message, ...details, ...missing.flatMap(one => told('-', one)), ...unexpected.flatMap(one => told('+', one))];
    const messages = [new TestMessage(lines.join('\n'))];
    if (expected !== undefined && actual !== undefined)
        messages.push(TestMessage.diff(l10n.t('Expected and derived facts'), factLines(expected), factLines(actual)));
    for (const one of messages) {
        one.location = new Location(uri, new Position(line, 0));
        if (acceptance !== undefined) one.contextValue = ACCEPTABLE;
    }
    return messages;
}

function told(sign: string, { fact, why }: ToldFact): string[] {
    return [`${sign} ${fact}`, ...why.map(line => `    ${line}`)];
}

/** The order of facts means nothing, so that equal ones stand beside each other. */
function factLines(facts: readonly string[]): string {
    return [...facts]
        .sort()
        .map(fact => `${fact}.`)
        .join('\n');
}
