import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openDocument } from '#language/document/open-document.ts';
import type { Problem, Severity } from '#language/program/problem.ts';
import { isOffByDefault } from '#language/reporting/severities.ts';
import { readQuery } from '#language/sql/read-query.ts';
import { finding } from './modules.ts';

/**
 * A fixture is prose, then files and golden sections, each under a line `== name`. Every file is a program of its own.
 * A marker line follows the line it is about, and is removed before the program is read:
 *
 *     sink(X) <- node(X), not edge(X, Z), Z > "m".
 *     %                                   ^ error RL2004
 *     edge("a", "b").
 *     %<- hover edge(string, string) · 1 fact
 *
 * Carets cover the range; `%<-` means the word that starts above the `%`. A range that runs over several lines is marked
 * on its first line. Problems and markers match one to one; `== only RL2*` narrows a fixture to some codes.
 */
export interface Fixture {
    readonly only: readonly string[];
    readonly files: readonly FixtureFile[];
    /** Sections whose name begins with `@`, by name: long expectations that markers refer to. */
    readonly goldens: ReadonlyMap<string, string>;
}

export interface FixtureFile {
    readonly name: string;
    readonly text: string;
    readonly markers: readonly Marker[];
}

export interface Marker {
    readonly name: string;
    readonly expectation: string;
    /** Offsets into the text of the file. */
    readonly start: number;
    readonly end: number;
    /** Zero-based line of the marker in the fixture. */
    readonly line: number;
}

/** What an editor feature answers at a marker, as the text that the marker states. */
export type MarkerFunction = (file: FixtureFile, marker: Marker, fixture: Fixture) => string;

const SEVERITIES: readonly string[] = ['error', 'warning', 'information', 'hint'] satisfies readonly Severity[];

/**
 * Tests for each `.txt` file of a folder. `features` names a function for every marker that is no problem. With
 * UPDATE_FIXTURES in the environment the files are rewritten first to say what holds now.
 */
export function describeFixtures(folder: string, features: ReadonlyMap<string, MarkerFunction> = new Map()): void {
    for (const entry of readdirSync(folder).filter(name => name.endsWith('.txt'))) {
        const path = join(folder, entry);
        if (process.env.UPDATE_FIXTURES) writeFileSync(path, updatedFixture(readFileSync(path, 'utf8'), features));
        const fixture = readFixture(readFileSync(path, 'utf8'), features);
        describe(entry, () => {
            for (const file of fixture.files) {
                test(file.name, () => expect(actualMarkers(file, fixture, features)).toEqual(statedMarkers(file)));
            }
        });
    }
}

export function readFixture(source: string, features: ReadonlyMap<string, MarkerFunction> = new Map()): Fixture {
    const sections: { readonly name: string; readonly lines: { readonly text: string; readonly line: number }[] }[] = [];
    source.split('\n').forEach((text, line) => {
        if (text.startsWith('== ')) sections.push({ name: text.slice(3).trim(), lines: [] });
        else sections.at(-1)?.lines.push({ text, line });
    });
    const isMarker = (name: string): boolean => SEVERITIES.includes(name) || features.has(name);
    const only = sections.filter(section => section.name.startsWith('only ')).flatMap(section => section.name.slice(5).split(/\s+/u));
    const goldens = sections.filter(section => section.name.startsWith('@'));
    return {
        only,
        files: sections
            .filter(section => !section.name.startsWith('only ') && !section.name.startsWith('@'))
            .map(section => readFile(section.name, section.lines, isMarker)),
        goldens: new Map(goldens.map(section => [section.name, section.lines.map(({ text }) => text).join('\n')])),
    };
}

function readFile(
    name: string,
    lines: readonly { readonly text: string; readonly line: number }[],
    isMarker: (name: string) => boolean,
): FixtureFile {
    const markers: Marker[] = [];
    const kept: string[] = [];
    let lineStart = 0;
    let nextStart = 0;
    for (const { text, line } of lines) {
        const marker = markerOn(text, kept.at(-1) ?? '', lineStart, line);
        if (marker !== undefined && isMarker(marker.name)) {
            markers.push(marker);
            continue;
        }
        kept.push(text);
        lineStart = nextStart;
        nextStart += text.length + 1;
    }
    return { name, text: kept.join('\n'), markers };
}

function markerOn(text: string, above: string, aboveStart: number, line: number): Marker | undefined {
    const carets = /^(%\s*)(\^+)\s+(\S+)\s*(.*)$/u.exec(text);
    if (carets !== null) {
        const [, indent = '', run = '', name = '', expectation = ''] = carets;
        const start = aboveStart + indent.length;
        return { name, expectation, start, end: start + run.length, line };
    }
    const word = /^(\s*)%<-\s*(\S+)\s*(.*)$/u.exec(text);
    if (word === null) return undefined;
    const [, indent = '', name = '', expectation = ''] = word;
    const length = /^(?:[A-Za-z0-9_]+|.)/u.exec(above.slice(indent.length))?.[0].length ?? 0;
    const start = aboveStart + indent.length;
    return { name, expectation, start, end: start + length, line };
}

interface ShownMarker {
    readonly at: string;
    readonly marker: string;
}

function statedMarkers(file: FixtureFile): ShownMarker[] {
    return inOrder(
        file.markers.map(marker => ({ ...marker, text: `${marker.name} ${marker.expectation}`.trim() })),
        file.text,
    );
}

function actualMarkers(file: FixtureFile, fixture: Fixture, features: ReadonlyMap<string, MarkerFunction>): ShownMarker[] {
    const problems = problemsOf(file, fixture).map(problem => ({ ...problem, text: `${problem.severity} ${problem.code}` }));
    const answers = file.markers.flatMap(marker => {
        const feature = features.get(marker.name);
        return feature === undefined ? [] : [{ ...marker, text: `${marker.name} ${feature(file, marker, fixture)}`.trim() }];
    });
    return inOrder([...problems, ...answers], file.text);
}

function inOrder(found: readonly { readonly start: number; readonly end: number; readonly text: string }[], text: string): ShownMarker[] {
    const sorted = [...found].sort((a, b) => a.start - b.start || a.end - b.end || a.text.localeCompare(b.text));
    return sorted.map(({ start, end, text: marker }) => {
        const before = text.slice(0, start).split('\n');
        return { at: `line ${before.length} column ${(before.at(-1) ?? '').length + 1} '${text.slice(start, end)}'`, marker };
    });
}

interface PlacedProblem {
    readonly severity: Severity;
    readonly code: string;
    readonly start: number;
    readonly end: number;
}

/** The problems of a file as one who sees it alone; the other files of the fixture may be its modules. */
function problemsOf({ name, text }: FixtureFile, { only, files }: Fixture): PlacedProblem[] {
    const find = finding(files.map(file => [file.name, file.text]));
    return openDocument(text, name, { sql: readQuery }, find)
        .problems.filter(found => only.includes(found.code) || (!isOffByDefault(found) && isWanted(found, only)))
        .map(({ severity, code, place, span }) => {
            const start = place.offset + span.start;
            const lineEnd = text.indexOf('\n', start);
            const end = place.offset + span.end;
            return { severity, code, start, end: lineEnd < 0 ? end : Math.min(end, lineEnd) };
        });
}

function isWanted({ code }: Problem, only: readonly string[]): boolean {
    return only.length === 0 || only.some(pattern => matches(code, pattern));
}

function matches(code: string, pattern: string): boolean {
    return pattern.endsWith('*') ? code.startsWith(pattern.slice(0, -1)) : code === pattern;
}

/** The fixture with the expectations that hold now; no marker moves, comes or goes. */
function updatedFixture(source: string, features: ReadonlyMap<string, MarkerFunction>): string {
    const fixture = readFixture(source, features);
    const lines = source.split('\n');
    for (const file of fixture.files) {
        const unclaimed = problemsOf(file, fixture);
        for (const marker of file.markers) {
            const feature = features.get(marker.name);
            const at = unclaimed.findIndex(problem => problem.start === marker.start && problem.end === marker.end);
            const [problem] = feature === undefined && at >= 0 ? unclaimed.splice(at, 1) : [];
            const now =
                feature !== undefined
                    ? `${marker.name} ${feature(file, marker, fixture)}`
                    : problem && `${problem.severity} ${problem.code}`;
            const line = lines[marker.line];
            if (now !== undefined && line !== undefined)
                lines[marker.line] = line.replace(/(?<=^\s*%(?:<-|\s*\^+)\s*)[^\s^].*$/u, now.trim());
        }
    }
    return lines.join('\n');
}
