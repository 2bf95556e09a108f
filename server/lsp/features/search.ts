import type { TextEdit } from '#language/editing/format-edits.ts';
import { say } from '#language/program/say.ts';
import { readSearch, type Search } from '#language/search/read-search.ts';
import { asOneEdit, searchProgram } from '#language/search/search-program.ts';
import type { ResultOf } from '#server/protocol/methods.ts';
import { MOST_FOUND, SEARCH_METHODS } from '#server/protocol/search.ts';
import { answerMethods } from '../answer-methods.ts';
import { reviewedEdit } from '../edits.ts';
import type { Feature, LanguageServer } from '../language-server.ts';

/** Finds rules and facts of the workspace by their structure, and rewrites them. */
export const search: Feature = {
    capabilities: () => ({}),
    register: server => {
        answerMethods(server, SEARCH_METHODS, {
            'rulelang/search': async ({ search: text }) => {
                const read = readSearch(text);
                return 'wrong' in read ? read : places(server, read.search);
            },
            'rulelang/replaceFound': async ({ search: text }) => {
                const read = readSearch(text);
                if ('wrong' in read) return read;
                const edits = await replacements(server, read.search);
                const count = [...edits.values()].reduce((sum, own) => sum + own.length, 0);
                if (count === 0) return { applied: false, edits: 0 };
                const label = say`Replace by structure`;
                const { applied } = await server.connection.workspace.applyEdit({ label, edit: reviewedEdit(server, edits, label) });
                return { applied, edits: count };
            },
        });
    },
};

async function places({ documents, reading }: LanguageServer, wanted: Search): Promise<ResultOf<typeof SEARCH_METHODS, 'rulelang/search'>> {
    await reading.settled();
    const found: { uri: string; range: ReturnType<NonNullable<ReturnType<typeof documents.positionsOf>>['rangeOf']> }[] = [];
    let total = 0;
    for (const { file, program } of documents.documents()) {
        for (const { range } of searchProgram(program.clauses, wanted)) {
            const positions = ++total > MOST_FOUND ? undefined : documents.positionsOf(file);
            if (positions !== undefined) found.push({ uri: file, range: positions.rangeOf(range) });
        }
    }
    return { places: found, total };
}

/** Builds one edit for each place, so that the user can agree to one and not to another. */
async function replacements({ documents, reading }: LanguageServer, wanted: Search): Promise<ReadonlyMap<string, readonly TextEdit[]>> {
    await reading.settled();
    const all = new Map<string, readonly TextEdit[]>();
    for (const { file, program, text } of documents.documents()) {
        const edits: TextEdit[] = [];
        for (const found of searchProgram(program.clauses, wanted)) {
            const whole = asOneEdit(text, found);
            // The parts of some places lie between those of others: these are left for another time.
            if (whole !== undefined && !edits.some(({ start, end }) => whole.start < end && start < whole.end)) edits.push(whole);
        }
        if (edits.length > 0) all.set(file, edits);
    }
    return all;
}
