import { nearestName } from '#language/library/nearest-name.ts';
import { argumentsOf } from '#language/problems/catalogue.ts';
import { capitalised } from '#language/program/capitalised.ts';
import { say } from '#language/program/say.ts';
import { uncapitalised } from '#language/program/uncapitalised.ts';
import { clauseText, symbolsOf } from '#language/symbols/document-symbols.ts';
import { workspaceOf } from '#language/symbols/workspace.ts';
import { placesOfWord, textWords } from '#language/syntax/bare-word.ts';
import { tokenize } from '#language/syntax/tokenize.ts';
import type { TextEdit } from '../format-edits.ts';
import { nodeAt } from '../node-at.ts';
import { predicateNameObjection, renameEdits } from '../rename-edits.ts';
import { firstHead, itemAround, removalOf } from './clause-parts.ts';
import {
    annotationAddition,
    clauseRemoval,
    type Fix,
    type FixRequest,
    freshName,
    meantName,
    otherFix,
    preferredFix,
    replaceMarked,
    replacement,
    writtenText,
} from './fix.ts';

/** Every code whose remedy says what was probably meant: that name for what is marked. */
export function* writeMeantName(request: FixRequest): Iterable<Fix> {
    const meant = meantName(request);
    if (meant !== undefined) yield* replaceMarked(request, meant);
}

/** The text that the remedy says to write, for what is marked. */
export function* writeMarked(request: FixRequest): Iterable<Fix> {
    const written = writtenText(request);
    if (written !== undefined) yield* replaceMarked(request, written);
}

/** RL5001: the function that was meant, or the atom. */
export function* writeMeantFunction(request: FixRequest): Iterable<Fix> {
    const { span } = request.problem;
    const written = writtenText(request);
    if (written === undefined) yield* writeMeantName(request);
    else yield preferredFix(request, say`Write '${written}'`, replacement(itemAround(request.tokens, span.start), written));
}

/** RL1101: the nearest name, or a declaration. */
export function* defineName(request: FixRequest): Iterable<Fix> {
    const { document, marked, problem, tokens } = request;
    const rewritten = writtenText(request);
    const item = itemAround(tokens, problem.span.start);
    if (rewritten !== undefined && rewritten !== '') {
        yield preferredFix(request, say`Write '${rewritten}'`, replacement(item, rewritten));
        const ofText = rewritten.replace('collections:size', 'string_length');
        if (ofText !== rewritten) yield otherFix(request, say`Write '${ofText}'`, replacement(item, ofText));
    }
    if (rewritten === '') {
        const removal = removalOf(tokens, item);
        if (removal !== undefined) yield preferredFix(request, say`Remove it`, removal);
    }
    const meant = meantName(request);
    const negated = tokens.findLast(({ end }) => end <= problem.span.start)?.text === 'not';
    if (meant !== undefined && !(negated && !symbolsOf(document).introduces(meant))) yield* replaceMarked(request, meant);
    const edits = [annotationAddition(document, 'input', `@input("${marked}").`)];
    yield { title: say`Add '@input("${marked}")'`, edits, preferred: false };
}

/** RL6006, RL6010: the nearest predicate inside the quotes. */
export function* writeNearestPredicate(request: FixRequest): Iterable<Fix> {
    const { document, problem, clause, marked } = request;
    const name = marked.replace(/^"|"$/g, '');
    const { analysed } = document;
    const candidates = Array.from(analysed.predicateNames(), named => named.name).filter(candidate => {
        const [first] = analysed.predicatesNamed(candidate);
        return (first?.rules.length ?? 0) + (first?.facts.length ?? 0) > 0;
    });
    const meant = meantName(request) ?? nearestName(name, candidates);
    const node = nodeAt(document, clause.place.offset + problem.span.start + (marked.startsWith('"') ? 1 : 0));
    if (meant === undefined || node === undefined) return;
    yield { title: say`Replace with '${meant}'`, edits: [{ ...node.range, text: meant }], preferred: true };
}

/** RL0045: the name with a small letter, wherever the document has it. */
export function* lowerPredicate(request: FixRequest): Iterable<Fix> {
    const { document, marked } = request;
    const name = meantName(request) ?? uncapitalised(marked);
    if (predicateNameObjection(name) !== undefined) return;
    const edits: TextEdit[] = [];
    for (const clause of document.analysed.program.clauses) {
        const text = clause.kind === 'broken' ? clauseText(document, clause) : '';
        const tokens = text.includes(marked) ? tokenize(text) : [];
        for (const [index, token] of tokens.entries()) {
            const next = tokens[index + 1];
            if (token.kind !== 'variable' || token.text !== marked || next?.text !== '(' || next.start !== token.end) continue;
            edits.push({ start: clause.place.offset + token.start, end: clause.place.offset + token.end, text: name });
        }
    }
    for (const { clause, mention } of symbolsOf(document).named(marked)) {
        if (mention.kind !== 'predicate') continue;
        edits.push({ start: clause.place.offset + mention.span.start, end: clause.place.offset + mention.span.end, text: name });
    }
    yield { title: say`Rename to '${name}'`, edits, preferred: true };
}

/** RL0046: a variable or a text, everywhere in the clause. */
export function* readWord(request: FixRequest): Iterable<Fix> {
    const { tokens, marked } = request;
    const places = placesOfWord(tokens, marked);
    const isRule = tokens.some(({ kind }) => kind === 'arrow');
    const isText = textWords(tokens)(marked);
    if (request.document.analysed.parameters.get(marked)?.value !== undefined) {
        yield preferredFix(request, say`Write the parameter '\${${marked}}'`, ...places.map(place => replacement(place, `\${${marked}}`)));
        return;
    }
    const name = capitalised(marked);
    const quote = otherFix(request, say`Write "${marked}"`, ...places.map(place => replacement(place, `"${marked}"`)));
    if (isText) yield { ...quote, preferred: true };
    if (isRule && /^[A-Z]\w*$/.test(name)) {
        const rename = otherFix(request, say`Rename to '${name}'`, ...places.map(place => replacement(place, name)));
        yield { ...rename, preferred: !isText };
    }
    if (!isText) yield quote;
}

/** RL1110: name it as an output, or remove what defines it. */
export function* useOrRemove(request: FixRequest): Iterable<Fix> {
    const { document, marked } = request;
    const edits = [annotationAddition(document, 'output', `@output("${marked}").`)];
    yield { title: say`Add '@output("${marked}")'`, edits, preferred: true };
    const clauses = new Set(
        symbolsOf(document)
            .named(marked)
            .flatMap(({ clause, mention }) =>
                mention.kind === 'predicate' && (mention.role === 'head' || mention.role === 'fact') ? [clause] : [],
            ),
    );
    const alone = [...clauses].every(clause => clause.kind !== 'rule' || (clause.head.kind === 'atoms' && clause.head.atoms.length === 1));
    if (!alone) return;
    const removals = [...clauses].map(clause => clauseRemoval(document, clause));
    yield { title: say`Remove all clauses of '${marked}'`, edits: removals, preferred: false };
}

/** RL1116: the rule goes. */
export function* removeRule({ document, clause }: FixRequest): Iterable<Fix> {
    yield { title: say`Remove the rule`, edits: [clauseRemoval(document, clause)], preferred: true };
}

/** RL1114 */
export function* removeClause({ document, clause }: FixRequest): Iterable<Fix> {
    yield { title: say`Remove the fact`, edits: [clauseRemoval(document, clause)], preferred: true };
}

/** RL1210: another name for the predicate. */
export function* renamePredicate(request: FixRequest): Iterable<Fix> {
    const { document, problem, clause, marked } = request;
    const name = `${marked}_fact`;
    const renaming = renameEdits(workspaceOf(document), document, clause.place.offset + problem.span.start, name);
    if (renaming.kind !== 'edits') return;
    yield { title: say`Rename the predicate to '${name}'`, edits: renaming.edits.get(document.file) ?? [], preferred: false };
}

/** RL1117: the name that is nearly the same. */
export function* writeSimilarName({ document, problem, marked }: FixRequest): Iterable<Fix> {
    const [, other] = argumentsOf(problem, 'RL1117');
    const edits = symbolsOf(document)
        .named(marked)
        .flatMap(({ clause, mention }): TextEdit[] => {
            if (mention.kind !== 'predicate') return [];
            return [{ start: clause.place.offset + mention.span.start, end: clause.place.offset + mention.span.end, text: other }];
        });
    yield { title: say`Rename to '${other}' everywhere`, edits, preferred: false };
}

/** RL1106: the predicate with one of the numbers of columns gets another name. */
export function* renameOneArity(request: FixRequest): Iterable<Fix> {
    const { document, marked } = request;
    const name = marked.replace(/^"|"$/gu, '');
    const arities = document.analysed.predicatesNamed(name).map(({ arity }) => arity);
    for (const arity of arities) {
        const renamed = freshName(request, `${name}_${arity}`);
        const edits = symbolsOf(document)
            .named(name)
            .flatMap(({ clause, mention }) => {
                if (mention.kind !== 'predicate' || mention.terms !== arity) return [];
                return [{ start: clause.place.offset + mention.span.start, end: clause.place.offset + mention.span.end, text: renamed }];
            });
        if (edits.length > 0) yield { title: say`Rename the one with ${arity} columns to '${renamed}'`, edits, preferred: false };
    }
}

/** RL1111: the predicate is an output, or the rule goes. */
export function* showPredicate({ document, clause }: FixRequest): Iterable<Fix> {
    const head = firstHead(clause);
    if (head === undefined) return;
    const edits = [annotationAddition(document, 'output', `@output("${head.name}").`)];
    yield { title: say`Add '@output("${head.name}")'`, edits, preferred: false };
}
