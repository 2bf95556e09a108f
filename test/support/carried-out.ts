import type { Cause, Reason } from '#engine/explain/cause.ts';
import { termsOf } from './atom-terms.ts';
import { editedText } from './edited-text.ts';

/** What is done to a program about a cause. */
type Deed =
    /** One of these facts is added; names and `_` stand for any values, a name for one everywhere. */
    | { readonly kind: 'facts'; readonly facts: readonly string[] }
    | { readonly kind: 'text'; readonly start: number; readonly end: number; readonly change: (text: string) => string };

/** Whether a program has the fact that was asked about, or another one; undefined for one that does not run. */
type Holds = (text: string, fact?: string) => Promise<boolean | undefined>;

/** What a claim of why-not comes to. */
export type Verdict =
    /** The fact is derived once the cause, with what it is shown with, is done away with. */
    | 'gives'
    /** It is not, and the answer says no more than that its rule needs it. */
    | 'needed'
    /** The answer says that nobody has tried it. */
    | 'untried'
    /** No change of the text that is known here does away with it. */
    | 'unsaid'
    | 'false';

/** Values that open columns are tried with, beside those of the facts of a program. */
const VALUES = ['0', '1', '2', '3', '4', '7'];
const FACT = /^[a-z]\w*\([^<]*\)\.$/u;
/** Programs that are evaluated for one cause. */
const MOST = 300;

/** Does away with a cause, as the answer shows it, and looks whether the fact is derived then. */
export async function carryOut(text: string, reason: Reason, holds: Holds): Promise<Verdict> {
    const chain = chainOf(reason);
    const leaf = chain.at(-1) as Reason;
    if (leaf.untried) return 'untried';
    const isNeeded = chain.every(({ needed }) => needed);
    const deeds = chain.flatMap(one => {
        const { cause } = one;
        const all = cause.kind === 'several' ? cause.causes : [cause];
        // What is followed is done away with below.
        return (one === leaf ? all : all.slice(1)).map(each => deedOf(text, each, one));
    });
    if (!deeds.every(deed => deed !== undefined)) return isNeeded ? 'needed' : 'unsaid';
    if (await holdsOnceDerived(text, chain, holds)) return 'gives';
    const values = valuesOf(text);
    let programs = 0;
    let hasRun = false;
    for (const facts of combinations(deeds.flatMap(deed => (deed.kind === 'facts' ? [deed.facts] : [])))) {
        for (const given of fillings(facts, values)) {
            if (++programs > MOST) return isNeeded ? 'needed' : 'unsaid';
            const isThere = await holds(changed(text, deeds, given));
            if (isThere) return 'gives';
            hasRun ||= isThere === false;
        }
    }
    if (isNeeded) return 'needed';
    const added = deeds.flatMap(deed => (deed.kind === 'facts' ? deed.facts : []));
    return hasRun && !added.some(fact => mayBeOfUnknown(text, fact)) ? 'false' : 'unsaid';
}

/**
 * Whether a condition or negation keeps the premise above it from being there, and that premise the fact, which needs it or comes with it: left out
 * for all matches it may bring other facts that stand in the way.
 */
async function holdsOnceDerived(text: string, chain: readonly Reason[], holds: Holds): Promise<boolean> {
    const [above, leaf] = chain.slice(-2);
    if (above === undefined || leaf === undefined || above.cause.kind !== 'missing' || above.cause.among !== undefined) return false;
    if (leaf.cause.kind !== 'condition' && leaf.cause.kind !== 'negation') return false;
    const deed = deedOf(text, leaf.cause, leaf);
    if (deed?.kind !== 'text') return false;
    const isNeeded = chain.slice(0, -1).every(({ needed }) => needed);
    for (const [premise] of fillings([above.cause.fact], valuesOf(text)))
        if ((isNeeded || (await holds(`${text}\n${premise}.`))) && (await holds(deed.change(text), premise))) return true;
    return false;
}

/** The reason with what is shown below it. */
export function chainOf(reason: Reason): Reason[] {
    const next = reason.because?.reasons[0] ?? reason.because?.edits[0];
    return next === undefined ? [reason] : [reason, ...chainOf(next)];
}

function deedOf(text: string, cause: Cause, { place }: Reason): Deed | undefined {
    switch (cause.kind) {
        case 'missing': {
            const { among, fact } = cause;
            // No text gives a fact with the unknown value that a rule makes.
            if (isOfUnknown(fact)) return undefined;
            if (among === undefined) return { kind: 'facts', facts: [fact] };
            const tuples = among.values.map(value => (among.variables.length === 1 ? [value] : value.slice(1, -1).split(',')));
            const facts = tuples.map(values => among.variables.reduce((one, name, at) => one.replaceAll(name, values[at] ?? '_'), fact));
            return { kind: 'facts', facts };
        }
        case 'apart':
            return { kind: 'facts', facts: [cause.atoms.join(' ')] };
        case 'condition':
        case 'negation': {
            if (place === undefined) return undefined;
            const written = cause.kind === 'condition' ? cause.condition : `not ${cause.literal}`;
            const [start, end] = spanOf(text, written, place.place.offset);
            // What is computed has the value that is wanted instead.
            const [, assigned] = /^(\w+)=/u.exec(written) ?? [];
            const wanted = cause.kind === 'condition' ? cause.values.find(({ name }) => name === assigned)?.value : undefined;
            const instead = wanted === undefined ? '0 < 1' : `${assigned} = ${wanted}`;
            return start < 0 ? undefined : { kind: 'text', start, end, change: all => editedText(all, start, end, instead) };
        }
        case 'head': {
            const [start, end] = place === undefined ? [-1, -1] : spanOf(text, cause.head, place.place.offset);
            const { name, terms } = termsOf(cause.head);
            const head = `${name}(${terms.with(cause.column, cause.wanted).join(',')})`;
            return start < 0 ? undefined : { kind: 'text', start, end, change: all => all.slice(0, start) + head + all.slice(end) };
        }
        case 'exchanged': {
            if (place === undefined) return undefined;
            const [start, end] = [place.place.offset + place.span.start, place.place.offset + place.span.end];
            return { kind: 'text', start, end, change: all => all.slice(0, start) + cause.to + all.slice(end) };
        }
        case 'turned':
            return exchanging(text, cause.fact, cause.meant);
        case 'slip': {
            const { name, terms } = termsOf(cause.near.fact);
            return exchanging(
                text,
                cause.near.fact,
                `${name}(${terms.map(term => (term === cause.value ? cause.meant : term)).join(',')})`,
            );
        }
        default:
            return undefined;
    }
}

/** Another fact in the place of a given one. */
function exchanging(text: string, fact: string, other: string): Deed | undefined {
    const [start, end] = spanOf(text, `${fact}.`, 0);
    // It may stand there several times, with any blanks.
    const written = new RegExp([...`${fact}.`].map(one => one.replace(/[.*+?^${}()|[\]\\]/u, '\\$&')).join(' *'), 'gu');
    return start < 0 ? undefined : { kind: 'text', start, end, change: all => all.replaceAll(written, () => `${other}.`) };
}

/** Whether what is open in a fact may be an unknown value that a rule makes, which no text can give. */
function mayBeOfUnknown(text: string, fact: string): boolean {
    const { name, terms } = termsOf(fact);
    const heads = text.split('\n').flatMap(line => {
        const [head = '', body] = line.split('<-');
        return body === undefined ? [] : [...head.matchAll(/\w+\([^)]*\)/gu)].map(([atom]) => ({ ...termsOf(atom), body }));
    });
    return heads.some(head => {
        const isMade = (term = ''): boolean => /^[A-Z_]/u.test(term) && !new RegExp(`\\b${term}\\b`, 'u').test(head.body);
        return head.name === name && terms.some((term, column) => /^[A-Z_]/u.test(term) && isMade(head.terms[column]));
    });
}

export function isOfUnknown(fact: string): boolean {
    return /\bz\d+\b/u.test(fact);
}

/** Where a condition or literal stands in the rule that begins at `from`, with any blanks. */
function spanOf(text: string, written: string, from: number): [number, number] {
    const wanted = written.replaceAll(' ', '');
    const places = [...text].flatMap((character, at) => (at < from || character === ' ' ? [] : [at]));
    const start = places.findIndex((_, first) => [...wanted].every((character, i) => text[places[first + i] ?? -1] === character));
    return start < 0 ? [-1, -1] : [places[start] as number, (places[start + wanted.length - 1] as number) + 1];
}

function changed(text: string, deeds: readonly Deed[], given: readonly string[]): string {
    const edits = deeds.flatMap(deed => (deed.kind === 'text' ? [deed] : [])).sort((left, right) => right.start - left.start);
    return `${edits.reduce((all, { change }) => change(all), text)}\n${given.map(fact => `${fact}.`).join('\n')}`;
}

/** One of each list, in all ways. */
function combinations(lists: readonly (readonly string[])[]): string[][] {
    return lists.reduce<string[][]>((all, list) => all.flatMap(one => list.map(fact => [...one, ...fact.split(' ')])), [[]]);
}

function valuesOf(text: string): string[] {
    const facts = text.split('\n').filter(line => FACT.test(line));
    const constants = text.split('\n').flatMap(line => (line.includes('<-') ? (line.match(/"\w+"/gu) ?? []) : []));
    const all = [...VALUES, ...facts.flatMap(fact => termsOf(fact.slice(0, -1)).terms), ...constants];
    return [...new Set(all)].filter(value => value !== 'null');
}

/** Facts with values in place of what is open. */
function* fillings(facts: readonly string[], values: readonly string[]): Iterable<string[]> {
    let blanks = 0;
    const named = facts.map(fact => fact.replace(/(?<=[(,])_(?=[,)])/gu, () => `B${blanks++}`));
    const names = [...new Set(named.flatMap(fact => fact.match(/(?<=[(,])[A-Z]\w*(?=[,)])/gu) ?? []))];
    const total = values.length ** names.length;
    for (let number = 0; number < total; number++) {
        const given = new Map(names.map((name, at) => [name, values[Math.floor(number / values.length ** at) % values.length] as string]));
        yield named.map(fact => fact.replace(/(?<=[(,])[A-Z]\w*(?=[,)])/gu, name => given.get(name) as string));
    }
}
