import type { OpenDocument } from '#language/document/open-document.ts';
import type { AnalysedProgram, Bind, Predicate } from '#language/program/analysed-program.ts';
import { counted } from '#language/program/count-text.ts';
import { say } from '#language/program/say.ts';
import { joinedPath } from '#language/symbols/annotation-mentions.ts';
import { conceptText, documentationOf } from './documentation.ts';
import { codeBlock, inlineCode } from './markdown.ts';
import { stratumOf } from './predicates-named.ts';
import { predicateSignature } from './signatures.ts';

/** All that the program says about a predicate, as Markdown. */
export function predicateCard(document: OpenDocument, predicate: Predicate): string {
    const { analysed } = document;
    const documentation = documentationOf(analysed, predicate);
    const concept = conceptText(document, predicate.name);
    const paragraphs = [
        codeBlock(predicateSignature(predicate).label),
        ...(concept === undefined ? [] : [concept]),
        ...(documentation === undefined ? [] : [documentation.markdown]),
        predicateFacets(analysed, predicate).join(' · '),
        ...predicate.inputBinds.map(bind => say`Read from ${sourceText(bind)}`),
        ...predicate.outputBinds.map(bind => say`Written to ${sourceText(bind)}`),
    ];
    return paragraphs.filter(paragraph => paragraph !== '').join('\n\n');
}

/** Counts and classes of a predicate, each a few words. */
export function predicateFacets(analysed: AnalysedProgram, predicate: Predicate): string[] {
    const { facts, rules, input, output, key } = predicate;
    const number = stratumOf(analysed, key);
    const stratum = number === undefined ? undefined : analysed.strata[number];
    return [
        ...(facts.length > 0 ? [counted(facts.length, 'fact')] : []),
        ...(rules.length > 0 ? [counted(rules.length, 'rule')] : []),
        ...(stratum?.recursive ? [say`recursive`] : []),
        ...(number !== undefined && rules.length > 0 ? [say`stratum ${number + 1} of ${analysed.strata.length}`] : []),
        ...(input ? [say`input`] : []),
        ...(output ? [say`output`] : []),
        ...(predicate.aggregatedColumns.length > 0 ? [say`aggregated`] : []),
    ];
}

function sourceText(bind: Bind): string {
    const place = bind.kind === 'qbind' ? bind.outer : joinedPath(bind.outer, bind.inner);
    return `${inlineCode(bind.type === '' ? '?' : bind.type)} ${place === '' ? '' : inlineCode(place)}`.trim();
}
