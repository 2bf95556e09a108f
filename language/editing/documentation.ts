import { documentedNames } from '#language/analysis/documented-names.ts';
import type { OpenDocument } from '#language/document/open-document.ts';
import type { AnalysedProgram, Predicate } from '#language/program/analysed-program.ts';
import { allClauses } from '#language/program/inclusion.ts';
import { escapedText, inlineCode } from './markdown.ts';

/** Documentation of a predicate from comments. */
export interface PredicateDocumentation {
    /** Text of users in it is escaped. */
    readonly markdown: string;
    readonly deprecated: boolean;
}

/**
 * The `%%` lines above the first rule or fact that has some, else above an annotation that names the predicate, else the
 * description of its model.
 */
export function documentationOf(analysed: AnalysedProgram, predicate: Predicate): PredicateDocumentation | undefined {
    const written = writtenAbove(analysed, predicate);
    if (written !== undefined) return readDocumentation(written);
    const description = predicate.model?.description;
    return description === undefined ? undefined : { markdown: escapedText(description), deprecated: false };
}

function writtenAbove(analysed: AnalysedProgram, { name, rules, facts }: Predicate): string | undefined {
    for (const index of rules) {
        const documentation = analysed.rules[index]?.rule.documentation;
        if (documentation !== undefined) return documentation;
    }
    return facts[0]?.documentation ?? aboveAnnotations(analysed).get(name);
}

const ABOVE_ANNOTATIONS = new WeakMap<AnalysedProgram, ReadonlyMap<string, string>>();

/** The documentation of annotations by the predicate that they name; the first one counts. Made once for each analysis. */
function aboveAnnotations(analysed: AnalysedProgram): ReadonlyMap<string, string> {
    let table = ABOVE_ANNOTATIONS.get(analysed);
    if (table === undefined) {
        const made = new Map<string, string>();
        for (const clause of allClauses(analysed.program)) {
            if (clause.kind !== 'annotation' || clause.documentation === undefined) continue;
            for (const name of documentedNames(clause)) if (!made.has(name)) made.set(name, clause.documentation);
        }
        table = made;
        ABOVE_ANNOTATIONS.set(analysed, table);
    }
    return table;
}

const TAG = /^\s*@(term|concept|deprecated)\b[ \t]*(.*)/u;
const TERM = /^(?:\{([^}]*)\}[ \t]*)?(\S*)[ \t]*(.*)/u;

/** Documentation with its tags (1.8): terms as a list, a deprecation first; what is said of the whole file is left out. */
function readDocumentation(text: string): PredicateDocumentation {
    const lines: string[] = [];
    const terms: string[] = [];
    let deprecation: string | undefined;
    for (const line of text.split('\n')) {
        const [, tag, rest = ''] = TAG.exec(line) ?? [];
        if (tag === 'term') terms.push(termText(rest));
        else if (tag === 'deprecated') deprecation ??= rest.trim();
        else if (tag === undefined) lines.push(line);
    }
    const paragraphs = [
        ...(deprecation === undefined ? [] : [`**Deprecated.** ${escapedText(deprecation)}`.trim()]),
        escapedText(lines.join('\n')).trim(),
        terms.join('\n'),
    ];
    return { markdown: paragraphs.filter(paragraph => paragraph !== '').join('\n\n'), deprecated: deprecation !== undefined };
}

function termText(rest: string): string {
    const [, type, name = '', text = ''] = TERM.exec(rest.trim()) ?? [];
    return `- ${[...(name === '' ? [] : [inlineCode(name)]), ...(type === undefined ? [] : [inlineCode(type)]), escapedText(text)].join(' ')}`.trimEnd();
}

/** Returns the text of `%% @concept name text` before the first clause, for the concept of that name. */
export function conceptText({ text, analysed }: OpenDocument, name: string): string | undefined {
    const start = analysed.program.clauses[0]?.place.offset ?? text.length;
    for (const line of text.slice(0, start).split(/\r\n|\r|\n/u)) {
        const [, concept, about = ''] = CONCEPT.exec(line) ?? [];
        if (concept === name && about.trim() !== '') return escapedText(about.trim());
    }
    return undefined;
}

const CONCEPT = /^[ \t]*%%[ \t]*@concept[ \t]+(\S+)[ \t]*(.*)/u;
