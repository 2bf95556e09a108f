import type { Database } from '#engine/contracts/database.ts';
import type { RuleProfile } from '#engine/contracts/run-statistics.ts';
import { type BodyCoverage, bodyCoverage } from '#engine/explain/body-coverage.ts';
import { isTestFile } from '#language/analysis/test-cases.ts';
import { printRuleText } from '#language/program/print.ts';
import { positionAt, type SourceText } from '#server/notices/source-texts.ts';
import type { CoveredFile, CoveredItem } from '#server/protocol/tests.ts';
import type { LoadedProgram } from '../load-program.ts';

interface Rule {
    readonly start: number;
    readonly end: number;
    readonly rule: string;
    cases: number;
    readonly items: CoveredItem[];
    cutShort?: true;
}

/** In how many cases the rules of the programs that are tested fired, and what in their bodies held and failed. */
export class Coverage {
    readonly #files = new Map<string, Map<number, Rule>>();

    /**
     * Counts a case, by what a run of it did; a rule that no case evaluated counts as one that never fired. What the items of bodies did is
     * counted again from the rows, of which a run that failed has none.
     */
    add({ program, texts }: LoadedProgram, profile: readonly RuleProfile[], database: Database | undefined, checkpoint: () => void): void {
        const fired = new Set<string>();
        for (const { location, variants } of profile) {
            if (variants.some(({ tried }) => tried > 0)) fired.add(keyOf(location.place.file, location.place.offset));
        }
        for (const analysed of program.rules) {
            const { rule } = analysed;
            const { file, offset } = rule.place;
            const text = texts.get(file);
            if (isTestFile(file) || text === undefined) continue;
            const rules = this.#files.get(file) ?? new Map<number, Rule>();
            this.#files.set(file, rules);
            const known = rules.get(offset) ?? {
                start: positionAt(text, offset + rule.head.span.start).line,
                end: positionAt(text, offset + rule.span.end).line,
                rule: printRuleText(rule),
                cases: 0,
                items: [],
            };
            if (fired.has(keyOf(file, offset))) known.cases++;
            rules.set(offset, known);
            const body = database && bodyCoverage(database, analysed, checkpoint);
            if (body !== undefined) count(known, body, offset, text);
        }
    }

    get files(): CoveredFile[] {
        return [...this.#files]
            .sort(([a], [b]) => (a < b ? -1 : 1))
            .map(([file, rules]) => ({ file, rules: [...rules].sort(([a], [b]) => a - b).map(([, rule]) => rule) }));
    }
}

/** Adds what the items of a body did in a case; those that a case does not tell keep their counts. */
function count(rule: Rule, { items, cutShort }: BodyCoverage, offset: number, text: SourceText): void {
    if (cutShort) rule.cutShort = true;
    for (const { text: item, span, tests, reached, held, failed } of items) {
        const start = positionAt(text, offset + span.start);
        const index = rule.items.findIndex(known => known.start.line === start.line && known.start.character === start.character);
        const before = rule.items[index];
        const counted: CoveredItem = {
            item,
            start,
            end: positionAt(text, offset + span.end),
            tests,
            reached: (before?.reached ?? 0) + Number(reached),
            held: (before?.held ?? 0) + Number(held),
            failed: (before?.failed ?? 0) + Number(failed),
        };
        if (index < 0) rule.items.push(counted);
        else rule.items[index] = counted;
    }
    rule.items.sort((a, b) => a.start.line - b.start.line || a.start.character - b.start.character);
}

function keyOf(file: string, offset: number): string {
    return `${file}\n${offset}`;
}
