import type { OpenDocument } from '#language/document/open-document.ts';
import type { Predicate } from '#language/program/analysed-program.ts';
import { clauseText } from '#language/symbols/document-symbols.ts';
import { documentationOf } from './documentation.ts';
import { predicateSignature } from './signatures.ts';

/** Predicates that are described at most, and facts of each. */
const MOST_PREDICATES = 300;
const FACTS = 3;

/**
 * Describes a program for a model that shall write rules. Each predicate has a line with its name, columns and types, its origin and its
 * comments. Parameters follow; `withRows` adds a few facts of each predicate. Rules are left out, for they may hold values.
 */
export function programForModels(document: OpenDocument, withRows: boolean): string {
    const { analysed } = document;
    const predicates = [...analysed.predicates.values()].slice(0, MOST_PREDICATES);
    const parameters = [...analysed.parameters.keys()].map(name => `?${name} is a parameter`);
    return [...predicates.flatMap(predicate => described(document, predicate, withRows)), ...parameters].join('\n');
}

function described(document: OpenDocument, predicate: Predicate, withRows: boolean): string[] {
    const { facts, rules, inputBinds, input, output } = predicate;
    const origins = [
        ...inputBinds.map(({ type }) => `read from ${type}`),
        ...(input ? ['input'] : []),
        ...(facts.length > 0 ? ['facts'] : []),
        ...(rules.length > 0 ? ['rules'] : []),
        ...(output ? ['output'] : []),
    ];
    const comment = documentationOf(document.analysed, predicate)?.markdown.replaceAll(/\s+/gu, ' ');
    const line = `${predicateSignature(predicate).label} (${origins.join(', ')})${comment === undefined ? '' : `: ${comment}`}`;
    // Facts of included files are at places of those, not of this text.
    const own = withRows ? facts.filter(({ place }) => place.file === document.file).slice(0, FACTS) : [];
    return [line, ...own.map(fact => `    ${clauseText(document, fact).trim()}`)];
}
