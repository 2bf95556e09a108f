import type { Database } from '#engine/contracts/database.ts';
import { evaluate } from '#engine/engine.ts';
import { type AbsentFact, type Cause, firstCause, type Reason } from '#engine/explain/cause.ts';
import type { Origin } from '#engine/explain/explanation.ts';
import { whyNot } from '#engine/explain/why-not.ts';
import { causeText } from '#engine/explain/why-not-text.ts';
import { nullLabels } from '#engine/results/listing.ts';
import { factText } from '#engine/values/fact-text.ts';
import type { PredicateKey } from '#language/program/analysed-program.ts';
import { printAtomText } from '#language/program/print.ts';
import { check, runOptions } from './conformance.ts';
import { seededRandom } from './program-variations.ts';
import { BUG_KINDS, type SeededBug, seededBugs } from './seeded-bugs.ts';

/** What why-not named first where one mistake had been seeded. */
export interface Verdict {
    readonly kind: SeededBug['kind'];
    readonly named: boolean;
    readonly story: string;
}

async function run(text: string, folder: string): Promise<Database | undefined> {
    const { program, errors } = check(text, new Map(), folder);
    if (errors.length > 0) return undefined;
    const outcome = await evaluate(program, { ...runOptions(folder, new Map(), program.program), heights: true });
    return outcome.ok ? outcome.database : undefined;
}

/** The facts of all outputs without unknown values, as text. */
function outputs(database: Database): Map<string, OutputFact> {
    const label = nullLabels(database.dictionary);
    const found = new Map<string, OutputFact>();
    for (const key of database.program.outputs) {
        const predicate = database.program.predicates.get(key);
        const rows = database.relation(key);
        if (predicate === undefined || rows === undefined) continue;
        for (let row = 0; row < rows.count; row++) {
            const values = rows.columns.map(column => column[row] ?? 0);
            if (values.some(value => database.dictionary.isNull(value))) continue;
            found.set(factText(database.dictionary, predicate, values, label), { key, values });
        }
    }
    return found;
}

interface OutputFact {
    readonly key: PredicateKey;
    readonly values: readonly number[];
}

/** Breaks a program in many places, and asks each time for a fact that has gone. */
export async function judge(text: string, folder: string, seed: number, tries: number): Promise<Verdict[]> {
    const random = seededRandom(seed);
    const sound = await run(text, folder);
    if (sound === undefined) throw new Error('The program does not work');
    const expected = outputs(sound);
    const bugs = seededBugs(text, random);
    const verdicts: Verdict[] = [];
    // Kinds take turns, so that the common ones do not decide alone.
    for (let tried = 0; tried < tries; tried++) {
        const kind = BUG_KINDS[tried % BUG_KINDS.length];
        const own = bugs.filter(bug => bug.kind === kind);
        const bug = own[Math.floor(random() * own.length)];
        if (bug === undefined) continue;
        const broken = await run(bug.text, folder);
        if (broken === undefined) continue;
        const left = outputs(broken);
        const valuesNow = ({ values }: OutputFact): number[] => values.map(value => copied(sound, value, broken));
        const isGone = (fact: OutputFact): boolean => (broken.relation(fact.key)?.find(valuesNow(fact)) ?? -1) < 0;
        const gone = [...expected].filter(([text, fact]) => !left.has(text) && broken.program.predicates.has(fact.key) && isGone(fact));
        const asked = gone[Math.floor(random() * gone.length)];
        if (asked === undefined) continue;
        const [fact, { key }] = asked;
        verdicts.push(verdict(bug, broken, fact, { predicate: key, values: valuesNow(asked[1]) }));
    }
    return verdicts;
}

function verdict(bug: SeededBug, broken: Database, fact: string, asked: AbsentFact): Verdict {
    const answer = whyNot(broken, asked, { label: nullLabels(broken.dictionary) });
    // The value that a group has is told before what would give it another one.
    const reasons = answer.reasons.filter(({ cause }) => cause.kind !== 'aggregate');
    const firsts = [reasons.length > 0 ? reasons : answer.reasons, answer.edits].flatMap(([nearest]) =>
        nearest === undefined ? [] : [endOf(nearest)],
    );
    const named = firsts.some(reason => names(reason, bug));
    const mistake = bug.text.slice(bug.from, bug.to) || `without ${bug.fact === undefined ? '' : printAtomText(bug.fact.atom)}`;
    return {
        kind: bug.kind,
        named,
        story: `${named ? 'yes' : 'NO '} ${bug.kind}: ${mistake} | ${fact} | ${firsts.map(({ cause }) => causeText(cause)).join(' / ')}`,
    };
}

function endOf(reason: Reason): Reason {
    return (reason.because && firstCause(reason.because)) ?? reason;
}

/** A value of one database as an id of another. */
function copied({ dictionary: from }: Database, value: number, { dictionary: to }: Database): number {
    switch (from.kind(value)) {
        case 'string':
            return to.string(from.stringOf(value));
        case 'number':
            return to.number(from.numberOf(value));
        case 'date':
            return to.date(from.daysOf(value));
        default:
            return value;
    }
}

/** Whether the reason names the clause with the mistake, in a rule the literal, condition or head, or the fact that was changed. */
function names({ cause, place }: Reason, bug: SeededBug): boolean {
    if (bug.fact !== undefined) {
        const given = printAtomText(bug.fact.atom);
        const wanted = factsOf(cause).some(fact => fits(fact, given));
        return wanted || (bug.clause >= 0 && nearOf(cause).some(({ origin }) => isAt(origin, bug)));
    }
    if (place === undefined || !isAt(place, bug)) return false;
    const [start, end] = [place.place.offset + place.span.start, place.place.offset + place.span.end];
    return start < bug.to && end > bug.from;
}

function isAt(origin: Origin | undefined, bug: SeededBug): boolean {
    return origin?.kind === 'clause' && origin.place.offset === bug.clause;
}

function factsOf(cause: Cause): string[] {
    return cause.kind === 'several' ? cause.causes.flatMap(factsOf) : cause.kind === 'missing' ? missingFacts(cause) : [];
}

function missingFacts({ fact, among }: Extract<Cause, { kind: 'missing' }>): string[] {
    const [variable, ...others] = among?.variables ?? [];
    if (among === undefined || variable === undefined || others.length > 0) return [fact];
    return among.values.map(value => fact.replace(new RegExp(`(?<=[(,])${variable}(?=[,)])`, 'gu'), value));
}

/** Where the given facts are that a cause names. */
function nearOf(cause: Cause): { readonly origin?: Origin }[] {
    switch (cause.kind) {
        case 'several':
            return cause.causes.flatMap(nearOf);
        case 'missing':
            return cause.near.slice(0, 1);
        case 'argument':
        case 'unknown':
            return [cause.near];
        case 'slip':
            return [cause.near, ...(cause.other === undefined ? [] : [cause.other])];
        case 'exchanged':
            return cause.near === undefined ? [] : [cause.near];
        case 'odd':
            return [cause];
        default:
            return [];
    }
}

/** Whether a fact text with blanks could be this fact; one column at least has to be told. */
function fits(pattern: string, fact: string): boolean {
    const [asked, given] = [pattern, fact].map(text =>
        text
            .replace(/\.0\b/gu, '')
            .split(/[(),]/u)
            .map(part => part.trim()),
    );
    if (asked === undefined || given === undefined || asked.length !== given.length) return false;
    return asked.every((part, i) => part === '_' || part === given[i]) && asked.slice(1, -1).some(part => part !== '_');
}
