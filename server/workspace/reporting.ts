import { dirname } from 'node:path';
import type { OpenDocument } from '#language/document/open-document.ts';
import type { Problem } from '#language/program/problem.ts';
import { reportedProblems } from '#language/reporting/reported-problems.ts';
import { readSeverities, type Severities, USUAL_SEVERITIES } from '#language/reporting/severities.ts';
import { projectSettings } from '#server/files/project-settings.ts';
import { filePath, type WorkspaceFolders } from './folders.ts';

/** Decides which problems of the open documents to report. */
export interface Reporting {
    /** In text order, as severe as the editor's settings and those of the project say. */
    problemsOf(document: OpenDocument): readonly Problem[];
    severitiesOf(document: OpenDocument): Severities;
    /** Takes what the editor's setting says, which counts before the files of projects. */
    configure(given: unknown): void;
    /** Files with settings may have changed. */
    refresh(): void;
}

/** `complain` hears once of everything that is wrong with settings. */
export function reporting(folders: WorkspaceFolders, complain: (complaint: string) => void): Reporting {
    let editor = USUAL_SEVERITIES;
    let ofFolder = new Map<string, Severities>();
    let reported = new WeakMap<OpenDocument, readonly Problem[]>();
    const told = new Set<string>();
    const tell = (complaints: readonly string[]): void => {
        for (const complaint of complaints.filter(other => !told.has(other))) {
            told.add(complaint);
            complain(complaint);
        }
    };
    const forget = (): void => {
        ofFolder = new Map();
        reported = new WeakMap();
    };
    const severitiesIn = (folder: string, top: string): Severities => {
        let severities = ofFolder.get(folder);
        if (severities === undefined) {
            const project = projectSettings(folder, top);
            tell(project.complaints);
            severities = new Map([...project.severities, ...editor]);
            ofFolder.set(folder, severities);
        }
        return severities;
    };
    const severitiesOf = ({ file }: OpenDocument): Severities => {
        const path = filePath(file);
        return path === undefined ? editor : severitiesIn(dirname(path), folders.around(path));
    };
    return {
        severitiesOf,
        problemsOf: document => {
            let problems = reported.get(document);
            if (problems === undefined) {
                problems = reportedProblems({ ...document, clauses: document.analysed.program.clauses }, severitiesOf(document));
                reported.set(document, problems);
            }
            return problems;
        },
        configure: given => {
            const { severities, complaints } =
                given === undefined ? { severities: USUAL_SEVERITIES, complaints: [] } : readSeverities(given);
            tell(complaints.map(complaint => `rulelang.problems.severity: ${complaint}`));
            editor = severities;
            forget();
        },
        refresh: forget,
    };
}
