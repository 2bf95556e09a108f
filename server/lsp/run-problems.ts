import { pathToFileURL } from 'node:url';
import { type Diagnostic, DiagnosticSeverity, type Location } from 'vscode-languageserver/node';
import { say } from '#language/program/say.ts';
import type { AtomFigures, RelatedPlace } from '#server/protocol/run-process.ts';
import type { RunNotice } from '#server/protocol/runs.ts';
import type { ToldOfText } from '#server/runs/editor-runs.ts';
import type { Documents } from '#server/workspace/documents.ts';
import { codeAndPage, type ProblemPage } from './problem-pages.ts';

/** Reports of the last runs at places of the programs' texts. They stay until a program or one of its modules changes or runs again. */
export interface RunProblems {
    /** A run of a program begins: these are the documents of its texts, by their files. */
    began(program: string, files: ReadonlyMap<string, string>): void;
    ended(program: string, notices: readonly RunNotice[], told: ToldOfText): void;
    /** The problems that stand in a document. */
    of(uri: string): readonly Diagnostic[];
    /** Figures of its atoms in profiled runs. */
    atomsOf(uri: string): readonly AtomFigures[];
}

interface LastRun {
    readonly files: ReadonlyMap<string, string>;
    /** The versions of the documents when the run began. */
    readonly versions: ReadonlyMap<string, number | undefined>;
    readonly problems: Map<string, Diagnostic[]>;
    atoms: readonly AtomFigures[];
}

/** `changed` is called with a document whose problems are others than before. */
export function runProblems(documents: Documents, page: ProblemPage, changed: (uri: string) => void): RunProblems {
    const runs = new Map<string, LastRun>();
    const forget = (program: string): void => {
        const problems = runs.get(program)?.problems;
        runs.delete(program);
        for (const uri of problems?.keys() ?? []) changed(uri);
    };
    const isOfText = ({ versions }: LastRun): boolean => [...versions].every(([uri, version]) => documents.get(uri)?.version === version);
    return {
        began(program, files) {
            forget(program);
            const versions = new Map([...files.values()].map(uri => [uri, documents.get(uri)?.version]));
            runs.set(program, { files, versions, problems: new Map(), atoms: [] });
        },
        ended(program, notices, { reported = [], atoms = [] }) {
            const run = runs.get(program);
            if (run === undefined || !isOfText(run)) return;
            run.atoms = atoms;
            const locationOf = ({ file, line, start, end }: Omit<RelatedPlace, 'message'>): Location[] => {
                if (line !== undefined) {
                    const range = { start: { line, character: start }, end: { line, character: end } };
                    return [{ uri: pathToFileURL(file).href, range }];
                }
                const uri = run.files.get(file);
                const range = uri === undefined ? undefined : documents.positionsOf(uri)?.rangeOf({ start, end });
                return uri === undefined || range === undefined ? [] : [{ uri, range }];
            };
            for (const place of reported) {
                const notice = notices[place.notice];
                const [location] = locationOf(place);
                if (notice === undefined || location === undefined) continue;
                const { uri, range } = location;
                const related = place.related.flatMap(({ message, ...other }) => locationOf(other).map(at => ({ location: at, message })));
                const diagnostic = {
                    range,
                    ...diagnosticOf(notice, page),
                    ...(related.length === 0 ? {} : { relatedInformation: related }),
                };
                run.problems.set(uri, [...(run.problems.get(uri) ?? []), diagnostic]);
            }
            for (const uri of run.problems.keys()) changed(uri);
        },
        atomsOf: uri =>
            [...runs.values()].filter(isOfText).flatMap(({ atoms, files }) => atoms.filter(({ file }) => files.get(file) === uri)),
        of(uri) {
            for (const [program, run] of [...runs]) if (run.versions.has(uri) && !isOfText(run)) forget(program);
            return [...runs.values()].flatMap(({ problems }) => problems.get(uri) ?? []);
        },
    };
}

const SEVERITIES: Readonly<Record<RunNotice['severity'], DiagnosticSeverity>> = {
    error: DiagnosticSeverity.Error,
    warning: DiagnosticSeverity.Warning,
    information: DiagnosticSeverity.Information,
    hint: DiagnosticSeverity.Hint,
};

function diagnosticOf({ code, severity, message, remedy, details = [] }: RunNotice, page: ProblemPage): Omit<Diagnostic, 'range'> {
    const words = remedy === undefined ? message : `${message}; ${remedy}`;
    const source = say`rulelang run`;
    return { severity: SEVERITIES[severity], ...codeAndPage(code, page), source, message: [words, ...details].join('\n') };
}
