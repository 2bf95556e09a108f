import { evaluate } from '#engine/engine.ts';
import { listPredicate, nullLabels } from '#engine/results/listing.ts';
import { csvOptions } from '#engine/sources/csv-options.ts';
import { readCsv } from '#engine/sources/csv-reader.ts';
import type { ByteReader, Source } from '#engine/sources/source.ts';
import { analyse } from '#language/analysis/analyse.ts';
import type { Bind } from '#language/program/analysed-program.ts';
import { readProgram } from '#language/read-program.ts';
import { printJson } from '#server/terminal/print-json.ts';

export interface BrowserProgram {
    readonly name: string;
    readonly text: string;
    /** CSV files by their paths from the program. */
    readonly files: Readonly<Record<string, string>>;
}

/** What this place answers: the JSON of each program, and what it says to code that is made of text. */
export interface BrowserAnswer {
    readonly answers: readonly string[];
    readonly made: string;
}

/** Reads, analyses and evaluates programs where this file is loaded, as the command line does. */
export async function evaluateHere(programs: readonly BrowserProgram[]): Promise<BrowserAnswer> {
    const answers: string[] = [];
    for (const program of programs) answers.push(await answerOf(program));
    return { answers, made: madeOfText() };
}

async function answerOf({ name, text, files }: BrowserProgram): Promise<string> {
    const program = analyse(readProgram(text, name).value);
    const outcome = await evaluate(program, {
        parameters: new Map(),
        limits: { maxMemory: 2 ** 30, maxRounds: 10_000, maxNullDepth: 200, isoDepth: 3 },
        connectors: { source: bind => csvSource(bind, files), sink: () => undefined },
        cancelled: () => undefined,
        clock: () => performance.now(),
    });
    if (!outcome.ok) return outcome.reports.map(({ code, message }) => `${code}: ${message}`).join('\n');
    const { database } = outcome;
    const listings = database.program.outputs.map(key => listPredicate(database, key));
    let json = '';
    printJson(listings, Number.POSITIVE_INFINITY, nullLabels(database.dictionary), piece => {
        json += piece;
    });
    return json;
}

function csvSource(bind: Bind, files: BrowserProgram['files']): Source {
    const name = `${bind.outer}/${bind.inner}`;
    const bytes = bytesOf(files[name] ?? '');
    const options = csvOptions(bind.options, name, {});
    return { name, load: target => readCsv({ bytes, file: name, options, predicate: bind.predicate }, target) };
}

function bytesOf(text: string): ByteReader {
    let rest = new TextEncoder().encode(text);
    return {
        read: into => {
            const count = Math.min(into.length, rest.length);
            into.set(rest.subarray(0, count));
            rest = rest.subarray(count);
            return count;
        },
    };
}

/** The policy of the place is real if this is refused. */
function madeOfText(): string {
    try {
        return String(new Function('return "allowed"')());
    } catch (error) {
        return error instanceof Error ? error.name : String(error);
    }
}
