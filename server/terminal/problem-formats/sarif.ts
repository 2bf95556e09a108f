import { createHash } from 'node:crypto';
import { PROBLEMS } from '#language/problems/catalogue.ts';
import type { ProblemEntry } from '#language/problems/problem-entry.ts';
import type { Severity } from '#language/program/problem.ts';
import { say } from '#language/program/say.ts';
import type { Notice, NoticePlace } from '#server/notices/notice.ts';
import { lineAt, positionAt, type SourceText } from '#server/notices/source-texts.ts';
import { visibleJson } from '#server/notices/visible-text.ts';
import { type CheckedFile, fileReference, messageOf, type NoticeFix } from './checked-file.ts';

const LEVELS: Record<Severity, 'error' | 'warning' | 'note'> = { error: 'error', warning: 'warning', information: 'note', hint: 'note' };
const SCHEMA = 'https://json.schemastore.org/sarif-2.1.0.json';
const ENTRIES: ReadonlyMap<string, ProblemEntry> = new Map(Object.entries(PROBLEMS));
const ROOT = '%SRCROOT%';

/** A log in the Static Analysis Results Interchange Format, version 2.1.0. References are relative to the folder. */
export function sarifLog(checked: readonly CheckedFile[], folder: string, version: string): string {
    const codes = [...new Set(checked.flatMap(({ notices }) => notices.map(({ code }) => code)))].sort();
    const numbers = new Map(codes.map((code, i) => [code, i]));
    const sources = new Map(checked.flatMap(({ file, source }) => (source === undefined ? [] : [[file, source] as const])));
    const results = checked.flatMap(one => {
        const fingerprint = fingerprints(one);
        return one.notices.map(notice => ({
            ruleId: notice.code,
            ruleIndex: numbers.get(notice.code),
            level: LEVELS[notice.severity],
            message: { text: messageOf(notice) },
            locations: [location(notice.place ?? { file: one.file, start: 0, end: 0 }, sources, folder)],
            ...(notice.related.length === 0
                ? {}
                : {
                      relatedLocations: notice.related.map((place, id) => ({
                          id,
                          ...location(place, sources, folder),
                          message: { text: place.message },
                      })),
                  }),
            partialFingerprints: { 'rulelangLine/v1': fingerprint(notice) },
            ...fixesOf(notice, one, folder),
        }));
    });
    const run = {
        tool: { driver: { name: 'rulelang', version, semanticVersion: version, rules: codes.map(rule) } },
        columnKind: 'utf16CodeUnits',
        originalUriBaseIds: { [ROOT]: { description: { text: say`The folder in which the check was called.` } } },
        results,
    };
    return `${visibleJson(JSON.stringify({ $schema: SCHEMA, version: '2.1.0', runs: [run] }, undefined, 2))}\n`;
}

/** Describes a code from the catalogue; only its id for codes of unreadable files. */
function rule(code: string): object {
    const entry = ENTRIES.get(code);
    if (entry === undefined) return { id: code };
    const title = `${entry.name.charAt(0).toUpperCase()}${entry.name.slice(1).replaceAll('-', ' ')}`;
    const remedy = entry.remedy === undefined ? '' : say`What helps: ${entry.remedy}.`;
    return {
        id: code,
        name: entry.name,
        shortDescription: { text: title },
        fullDescription: { text: entry.why },
        defaultConfiguration: { level: LEVELS[entry.severity] },
        help: {
            text: [`${title}.`, entry.why, remedy, say`A program with this problem:\n${entry.example}`]
                .filter(part => part !== '')
                .join('\n\n'),
            markdown: [`**${title}**`, entry.why, remedy, say`A program with this problem:\n\n\`\`\`rulelang\n${entry.example}\n\`\`\``]
                .filter(part => part !== '')
                .join('\n\n'),
        },
        properties: { tags: [family(code)] },
    };
}

/** The families of section 13. */
function family(code: string): string {
    const families: Record<string, string> = {
        0: 'syntax',
        1: 'names',
        2: 'logic',
        3: 'aggregation',
        4: 'types',
        5: 'functions',
        6: 'annotations',
        7: 'queries',
        8: 'modules',
        9: 'style',
    };
    return families[code.charAt(2)] ?? 'run';
}

function location(place: NoticePlace, sources: ReadonlyMap<string, SourceText>, folder: string): object {
    const source = sources.get(place.file);
    return {
        physicalLocation: {
            artifactLocation: artifact(place.file, folder),
            ...(source === undefined ? {} : { region: region(place, source) }),
        },
    };
}

function artifact(file: string, folder: string): object {
    const { uri, isRelative } = fileReference(file, folder);
    return isRelative ? { uri, uriBaseId: ROOT } : { uri };
}

/** One-based; the end is the column behind the last character. */
function region({ start, end }: { readonly start: number; readonly end: number }, source: SourceText): object {
    const [from, to] = [positionAt(source, start), positionAt(source, end)];
    return { startLine: from.line + 1, startColumn: from.character + 1, endLine: to.line + 1, endColumn: to.character + 1 };
}

function fixesOf(notice: Notice, { file, source, fixesOf: fixes }: CheckedFile, folder: string): object {
    const found = source === undefined ? [] : fixes(notice);
    if (source === undefined || found.length === 0) return {};
    const replacement = ({ start, end, text }: NoticeFix['edits'][number]): object => ({
        deletedRegion: region({ start, end }, source),
        ...(text === '' ? {} : { insertedContent: { text } }),
    });
    return {
        fixes: found.map(({ title, edits }) => ({
            description: { text: title },
            artifactChanges: [{ artifactLocation: artifact(notice.place?.file ?? file, folder), replacements: edits.map(replacement) }],
        })),
    };
}

/** Stays the same while lines move: the code, the text of the line, and which of several such problems it is. */
function fingerprints({ source }: CheckedFile): (notice: Notice) => string {
    const seen = new Map<string, number>();
    return ({ code, place }) => {
        const line = place === undefined || source === undefined ? '' : lineAt(source, positionAt(source, place.start).line).trim();
        const hash = createHash('sha256')
            .update(`${code}\n${line.replaceAll(/\s+/gu, ' ')}`)
            .digest('hex')
            .slice(0, 32);
        const number = (seen.get(hash) ?? 0) + 1;
        seen.set(hash, number);
        return `${hash}:${number}`;
    };
}
