import { countText } from '#language/program/count-text.ts';
import { say } from '#language/program/say.ts';
import {
    type Among,
    type Cause,
    endOf,
    firstCause,
    type Given,
    isEdit,
    type NearFact,
    nearestReason,
    originOf,
    type Reason,
    type WhyNot,
} from './cause.ts';
import type { Origin } from './explanation.ts';
import { type ExplanationJson, explanationTrees } from './explanation-text.ts';
import { explanationTree } from './explanation-tree.ts';

/** How an answer is written. */
export interface WhyNotTextOptions {
    /** `control.rulelang:4` for a place. */
    readonly place: (origin: Origin) => string;
    /** Reasons told for each fact. */
    readonly reasons: number;
}

/** How much of the proof of a fact is drawn that a negation does not want. */
const FOLDED = { limit: 12, depth: 4 };

/** Why a fact is missing, as lines with indent guides for a terminal; the first line after the fact says where to look first. */
export function whyNotTree(answer: WhyNot, options: WhyNotTextOptions): string[] {
    const lines = [say`${answer.fact} is not derived`];
    const first = firstCause(answer);
    const limits = searchLimits(answer).map(limit => `… ${limit}`);
    if (first === undefined) return [...lines, ...(answer.late ? limits : [say`  No rule and no data give facts of this predicate.`])];
    lines.push(say`Look first at ${lookAt(first, options)}: ${reasonText(first)}`, '');
    const told = new Set<WhyNot>();
    drawReasons(answer.reasons.slice(0, options.reasons), '', options, lines, told);
    if (answer.edits.length > 0) {
        lines.push(...(answer.reasons.length > 0 ? [''] : []), say`If a rule is wrong:`);
        // The rule alone says what would change.
        drawReasons(answer.edits.slice(0, options.reasons).map(endOf), '', options, lines, told);
    }
    return [...lines, ...limits];
}

/** What was not looked at, in words. */
export function searchLimits({
    untried,
    untriable,
    cutShort,
    late,
}: Pick<WhyNot, 'untried' | 'untriable' | 'cutShort' | 'late'>): string[] {
    if (late)
        return [say`the time was up before everything was looked at; there may be nearer reasons, and small changes were not tried out`];
    return [
        ...(untried === undefined
            ? []
            : [
                  untried === 1
                      ? say`1 small change was not tried out: evaluating the program again for it takes too long`
                      : say`${countText(untried)} small changes were not tried out: evaluating the program again for each takes too long`,
              ]),
        ...(untriable === undefined
            ? []
            : [
                  untriable === 'equality'
                      ? say`Rule changes were not tested, because this program uses equality heads.`
                      : say`Rule changes were not tested, because this program uses queries, chance, scripts or functions of the host.`,
              ]),
        ...(cutShort ? [say`the search ended before everything was looked at; there may be nearer reasons`] : []),
    ];
}

function lookAt({ place, cause }: Reason, options: WhyNotTextOptions): string {
    const origin = place ?? (cause.kind === 'unknown' ? undefined : originOf(cause));
    if (origin !== undefined) return options.place(origin);
    return cause.kind === 'unknown' ? say`the question` : cause.kind === 'missing' ? say`the data` : say`the rules`;
}

function drawReasons(reasons: readonly Reason[], below: string, options: WhyNotTextOptions, lines: string[], told: Set<WhyNot>): void {
    for (const { rule, place, premises, cause, because, changes, untried, proof } of reasons) {
        lines.push(`${below}│ ${rule === undefined ? outsideRules(cause, options) : ruleLine(rule, options)}`);
        for (const premise of premises) lines.push(`${below}├─ ✓ ${premise}`);
        const again = because !== undefined && told.has(because);
        const isProved = proof !== undefined && because === undefined;
        const causes = cause.kind === 'several' ? cause.causes : [cause];
        const [nearest, ...others] = causes;
        const drawCause = (one: Cause): void => {
            const isLast = one === causes.at(-1);
            const shown = isProved && one.kind === 'negation' ? { ...one, because: [] } : one;
            const [head = '', ...more] = [...causeLines(shown, untried, options), ...(changes === undefined ? [] : [changesText(changes)])];
            const at = isEdit(one) && one.kind !== 'argument' && place !== undefined ? `  ${options.place(place)}` : '';
            lines.push(
                `${below}${isLast ? '└' : '├'}─ ${isEdit(one) ? '' : '✗ '}${head}${at}${again ? say`  (told above)` : ''}`,
                ...more.map(line => `${below}${isLast ? ' ' : '│'}    ${line}`),
            );
        };
        const inside = `${below}${others.length === 0 ? ' ' : '│'}     `;
        if (nearest !== undefined) drawCause(nearest);
        if (isProved)
            lines.push(
                ...explanationTree(proof, { ...FOLDED, ...options })
                    .slice(1)
                    .map(line => `${inside}${line}`),
            );
        // What a missing premise lacks is told by its nearest reason alone.
        if (because !== undefined && !again) {
            told.add(because);
            const first = nearestReason(because);
            if (first !== undefined) drawReasons([first], inside, options, lines, told);
        }
        for (const other of others) drawCause(other);
    }
}

function ruleLine({ text, place, span }: NonNullable<Reason['rule']>, options: WhyNotTextOptions): string {
    return `${text}  ${options.place({ kind: 'clause', place, span })}`;
}

/** What stands above a cause that lies in no rule: the fact that it is about, or the data. */
function outsideRules(cause: Cause, options: WhyNotTextOptions): string {
    switch (cause.kind) {
        case 'unknown':
            return say`the question`;
        case 'slip':
            return `${cause.near.fact}${originText(cause.near.origin, options)}`;
        case 'odd':
        case 'turned':
            return `${cause.fact}${originText(cause.origin, options)}`;
        default:
            return say`the data`;
    }
}

function causeLines(cause: Cause, untried: true | undefined, options: WhyNotTextOptions): string[] {
    switch (cause.kind) {
        case 'missing':
            return [
                reasonText({ cause, untried }),
                ...cause.near.map(near => say`near: ${nearText(near)}${originText(near.origin, options)}`),
            ];
        case 'negation':
            return [`${reasonText({ cause, untried })}${originText(cause.origin, options)}`];
        case 'unknown':
        case 'argument':
            return [`${reasonText({ cause, untried })}${originText(cause.near.origin, options)}`];
        default:
            return [reasonText({ cause, untried })];
    }
}

/** A cause in words, with the remark that nobody has tried it. */
export function reasonText({ cause, untried }: { readonly cause: Cause; readonly untried?: true | undefined }): string {
    if (!untried) return causeText(cause);
    return cause.kind === 'exchanged' ? say`untried: ${cause.to} in place of ${cause.literal}` : say`${causeText(cause)} (untried)`;
}

function originText(origin: Origin | undefined, { place }: WhyNotTextOptions): string {
    return origin === undefined ? '' : `  ${place(origin)}`;
}

/** One cause in words, without places. */
export function causeText(cause: Cause): string {
    switch (cause.kind) {
        case 'missing':
            if (cause.among !== undefined) return amongText(cause.fact, cause.derivable, cause.among);
            if (cause.further) return say`no other ${cause.fact} exists`;
            if (cause.query !== undefined) return say`${cause.fact} is in no answer of ${cause.query}`;
            return cause.derivable ? say`${cause.fact} is not derived` : say`${cause.fact} is not given`;
        case 'condition': {
            const why = [givenText(cause.values), cause.off ?? ''].filter(part => part !== '').join('; ');
            return say`${cause.condition} does not hold${why === '' ? '' : `: ${why}`}`;
        }
        case 'negation':
            return cause.because === undefined || cause.because.length === 0
                ? say`not ${cause.literal} does not hold: ${cause.fact} is there`
                : say`not ${cause.literal} does not hold: ${cause.fact} is there, because of ${cause.because.join(', ')}`;
        case 'present':
            return say`${cause.fact} is there`;
        case 'unequal':
            return say`${cause.left} and ${cause.right} are not made equal`;
        case 'apart':
            return say`no ${cause.variables.join(', ')} has both ${cause.atoms[0]} and ${cause.atoms[1]}`;
        case 'valueless':
            return cause.contributions === 1
                ? say`${cause.aggregate} has no value: ${cause.argument} is unknown in the only match`
                : say`${cause.aggregate} has no value: ${cause.argument} is unknown in all ${countText(cause.contributions)} matches`;
        case 'turned':
            return say`${cause.fact} would have to be ${cause.meant}`;
        case 'nothing':
            return say`no match of the body gives this fact`;
        case 'argument': {
            const { fact, difference } = cause.near;
            const term = cause.argument === cause.wanted ? say`column ${cause.column + 1}` : cause.argument;
            const how = difference === 'other' ? '' : say`, which ${likeness(difference)} its value`;
            return say`${fact} exists, but ${term} would have to be ${cause.wanted}${how}`;
        }
        case 'holds': {
            const values = givenText(cause.values);
            return say`${cause.condition} holds for ${cause.fact}${values === '' ? '' : `: ${values}`}`;
        }
        case 'unknown':
            return say`no fact has ${cause.value}; ${nearText(cause.near)}`;
        case 'slip':
            return say`${cause.value} in ${cause.near.fact} ${likeness(cause.near.difference)} ${cause.meant}${cause.other === undefined ? '' : say` in ${cause.other.fact}`}`;
        case 'odd':
            return say`${cause.fact} has a value of another type in column ${cause.column + 1} than the other facts`;
        case 'unbound':
            return say`nothing gives ${cause.variable} its value; column ${cause.column + 1} of ${cause.literal} would give ${cause.wanted}`;
        case 'exchanged':
            return say`with ${cause.to} in place of ${cause.literal} the fact would be derived${bindingText(cause.values)}`;
        case 'repair':
            return cause.to === undefined
                ? say`without ${cause.from} the fact would be derived${bindingText(cause.values)}`
                : say`with ${cause.to} in place of ${cause.from} the fact would be derived${bindingText(cause.values)}`;
        case 'head':
            return say`the head ${cause.head} gives ${cause.given} in column ${cause.column + 1}, not ${cause.wanted}`;
        case 'invented':
            return say`the head ${cause.head} makes an unknown value in column ${cause.column + 1}, not ${cause.wanted}`;
        case 'aggregate':
            return say`${cause.aggregate} is ${cause.given}${matchesText(cause.contributions)}, not ${cause.wanted}`;
        case 'function':
            return say`${cause.call ?? say`the body`} gives no such row`;
        case 'query':
            if (cause.isEmpty) return say`the query gives no rows`;
            if (cause.column === undefined) return say`the query gives no such row`;
            return say`beside ${givenText(cause.beside ?? [])} the query gives ${givenText([cause.column])}, not ${cause.column.wanted}`;
        case 'table':
            return cause.conditions.length === 0
                ? say`${cause.table} has no row`
                : say`no row of ${cause.table} fits: ${cause.conditions.join(say` and `)}${bindingText(cause.values)}`;
        case 'domain':
            return say`dom(*) shuts out facts with unknown values`;
        case 'several':
            return cause.causes.map(causeText).join(say`, and `);
    }
}

/** `e(Y,3) is given for no Y of these: 1, 2 and 7 more` */
function amongText(fact: string, derivable: boolean, { variables, values, count }: Among): string {
    const names = variables.join(', ');
    const more = count > values.length ? say` and ${countText(count - values.length)} more` : '';
    const listed = `${values.join(', ')}${more}`;
    return derivable
        ? say`${fact} is derived for no ${names} of these: ${listed}`
        : say`${fact} is given for no ${names} of these: ${listed}`;
}

function givenText(values: readonly Given[]): string {
    return values.map(({ name, value }) => say`${name} is ${value}`).join(', ');
}

function bindingText(values: readonly Given[]): string {
    return values.length === 0 ? '' : `: ${givenText(values)}`;
}

function matchesText(contributions: number | undefined): string {
    if (contributions === undefined) return '';
    return contributions === 1 ? say` from 1 match` : say` from ${countText(contributions)} matches`;
}

/** What else a change of a rule would do. */
export function changesText(changes: number): string {
    return changes === 0
        ? say`No other fact would change.`
        : changes === 1
          ? say`This would also add or remove 1 other fact.`
          : say`This would also add or remove ${countText(changes)} other facts.`;
}

function likeness(difference: NearFact['difference']): string {
    switch (difference) {
        case 'case':
            return say`differs in upper and lower case from`;
        case 'blanks':
            return say`differs in blanks from`;
        case 'type':
            return say`is of another type than`;
        default:
            return say`is spelt almost like`;
    }
}

/** A fact that is nearly the one meant, in words. */
export function nearText({ fact, column, difference }: NearFact): string {
    switch (difference) {
        case 'case':
            return say`${fact} differs in upper and lower case`;
        case 'blanks':
            return say`${fact} differs in blanks`;
        case 'spelling':
            return say`${fact} differs in spelling`;
        case 'type':
            return say`${fact} has a value of another type in column ${column + 1}`;
        case 'exchanged':
            return say`${fact} has two columns exchanged`;
        case 'other':
            return fact;
    }
}

/** The JSON form, of which the first reason is the nearest; consumers ignore keys they do not know. */
export interface WhyNotJson {
    readonly fact: string;
    /** Facts of this form are there: further ones are asked for, or a negation does not want the one that is. */
    readonly derived: boolean;
    /** Present when facts fit but none of them does. */
    readonly further?: true;
    readonly reasons: readonly ReasonJson[];
    /** Changes of rules that would give the fact. */
    readonly edits?: readonly ReasonJson[];
    /** Present when the search ended before everything was looked at. */
    readonly cutShort?: true;
    readonly late?: true;
    /** Small changes that were not tried out. */
    readonly untried?: number;
    /** Present when no change could be tried out: what in the program stands in the way. */
    readonly untriable?: 'chance' | 'equality';
}

/** One reason; `cause` is the kind of its cause, `words` what is said of it. */
export interface ReasonJson {
    readonly words: string;
    readonly cause: Cause['kind'];
    /** Where to look, `file:line`. */
    readonly place?: string;
    readonly rule?: string;
    readonly premises: readonly string[];
    /** Other facts of the predicate and of outputs that a change of a rule would bring or take away. */
    readonly changes?: number;
    readonly near?: readonly string[];
    /** Present where nobody has tried whether the fact is derived without the cause. */
    readonly untried?: true;
    /** Why a fact is there that a negation does not want. */
    readonly proof?: ExplanationJson;
    readonly because?: WhyNotJson;
}

export function whyNotJson(
    { fact, further, present, reasons, edits, cutShort, late, untried, untriable }: WhyNot,
    place: (origin: Origin) => string,
): WhyNotJson {
    return {
        fact,
        derived: further || present === true,
        ...(further ? { further } : {}),
        reasons: reasons.map(reason => reasonJson(reason, place)),
        ...(edits.length === 0 ? {} : { edits: edits.map(reason => reasonJson(reason, place)) }),
        ...(cutShort ? { cutShort } : {}),
        ...(late === undefined ? {} : { late }),
        ...(untried === undefined ? {} : { untried }),
        ...(untriable === undefined ? {} : { untriable }),
    };
}

function reasonJson(reason: Reason, place: (origin: Origin) => string): ReasonJson {
    const { cause, place: at, rule, premises, because, changes, untried, proof } = reason;
    const [proved] = proof === undefined ? [] : explanationTrees(proof);
    return {
        words: reasonText(reason),
        cause: cause.kind,
        ...(at === undefined ? {} : { place: place(at) }),
        ...(rule === undefined ? {} : { rule: rule.text }),
        premises,
        ...(changes === undefined ? {} : { changes }),
        ...(cause.kind === 'missing' && cause.near.length > 0 ? { near: cause.near.map(nearText) } : {}),
        ...(untried ? { untried } : {}),
        ...(proved === undefined ? {} : { proof: proved }),
        ...(because === undefined ? {} : { because: whyNotJson(because, place) }),
    };
}
