import { DIRECTIVE_FORMS } from '#language/analysis/post-text.ts';
import { nearestName } from '#language/library/nearest-name.ts';
import { argumentsOf } from '#language/problems/catalogue.ts';
import type { Annotation, Clause } from '#language/program/program.ts';
import { say } from '#language/program/say.ts';
import { symbolsOf } from '#language/symbols/document-symbols.ts';
import {
    annotationAddition,
    annotationRemoval,
    type Fix,
    type FixRequest,
    freshName,
    insertion,
    meantName,
    preferredFix,
    replaceMarked,
    replacement,
    writtenText,
} from './fix.ts';
import { writeNearestPredicate } from './names.ts';

/** The annotation that the problem stands in. */
export function annotationHere({ clause, problem }: FixRequest): Annotation | undefined {
    return clause.annotations.find(({ span }) => span.start <= problem.span.start && problem.span.end <= span.end);
}

/** Every code of an annotation that may simply go. */
export function* removeAnnotation(request: FixRequest): Iterable<Fix> {
    const annotation = annotationHere(request);
    if (annotation === undefined) return;
    const edits = [annotationRemoval(request.document, request.clause, annotation)];
    yield { title: say`Remove '@${annotation.name}'`, edits, preferred: true };
}

/** RL6003 */
export function* endAnnotation(request: FixRequest): Iterable<Fix> {
    const annotation = annotationHere(request);
    if (annotation !== undefined) yield preferredFix(request, say`Insert '.'`, insertion(annotation.span.end, '.'));
}

/** RL6006: the nearest predicate, or no annotation. */
export function* correctOrRemove(request: FixRequest): Iterable<Fix> {
    yield* writeNearestPredicate(request);
    for (const fix of removeAnnotation(request)) yield { ...fix, preferred: false };
}

/** RL6080: the predicate goes. */
export function* removeFirstArgument(request: FixRequest): Iterable<Fix> {
    const [first, second] = annotationHere(request)?.arguments ?? [];
    if (first === undefined || second === undefined) return;
    yield preferredFix(request, say`Remove the first argument`, replacement({ start: first.span.start, end: second.span.start }, ''));
}

/** RL6013: the predicate of the last rule answers. */
export function* addLastOutput(request: FixRequest): Iterable<Fix> {
    const { document, problem } = request;
    if (writtenText(request) !== undefined) {
        yield preferredFix(request, say`Write '@output'`, replacement(problem.span, '@output'));
        return;
    }
    const head = document.analysed.rules.findLast(({ rule }) => rule.head.kind === 'atoms' && rule.place.file === document.file)?.rule.head;
    const name = head?.kind === 'atoms' ? head.atoms[0]?.predicate : undefined;
    if (name !== undefined) yield addition({ document }, 'output', name);
}

/** RL6061, RL6070: the predicate that the annotation names becomes an output. */
export function* addOutput(request: FixRequest): Iterable<Fix> {
    const name = request.marked.replace(/^"|"$/g, '');
    yield addition(request, 'output', name);
}

/** RL6050: a bind to a file of the predicate's name. */
export function* addBind({ document, marked }: FixRequest): Iterable<Fix> {
    const name = marked.replace(/^"|"$/g, '');
    const text = `@bind("${name}", "csv useHeaders=true", "", "${name}.csv")`;
    yield { title: say`Add '${text}'`, edits: [annotationAddition(document, 'bind', `${text}.`)], preferred: true };
}

function addition({ document }: Pick<FixRequest, 'document'>, annotation: string, name: string): Fix {
    const text = `@${annotation}("${name}")`;
    return { title: say`Add '${text}'`, edits: [annotationAddition(document, annotation, `${text}.`)], preferred: true };
}

/** RL6014: either annotation may go, the input only where something else gives the predicate rows. */
export function* removeInputOrOutput({ document, marked }: FixRequest): Iterable<Fix> {
    const name = marked.replace(/^"|"$/g, '');
    const defined = document.analysed.predicatesNamed(name).some(({ rules, facts }) => rules.length + facts.length > 0);
    for (const annotation of defined ? ['input', 'output'] : ['output']) {
        const edits = annotationsAbout(document, annotation, name).map(([clause, found]) => annotationRemoval(document, clause, found));
        if (edits.length > 0) yield { title: say`Remove '@${annotation}'`, edits, preferred: false };
    }
}

/** The annotations of a name about a predicate, with their clauses. */
export function annotationsAbout(document: FixRequest['document'], annotation: string, name: string): [Clause, Annotation][] {
    const found: [Clause, Annotation][] = [];
    for (const { clause, mention } of symbolsOf(document).named(name)) {
        if (mention.kind !== 'predicate' || mention.annotation !== annotation) continue;
        const here = clause.annotations.find(({ span }) => span.start <= mention.span.start && mention.span.end <= span.end);
        if (here !== undefined) found.push([clause, here]);
    }
    return found;
}

/** RL6071, RL6122: the directive with the nearest name, or in its form. */
export function* writeDirective(request: FixRequest): Iterable<Fix> {
    const { marked, problem, text } = request;
    const written = writtenText(request);
    const argument = annotationHere(request)?.arguments[1];
    if (written !== undefined && argument !== undefined) {
        yield preferredFix(request, say`Write '${written}'`, replacement(argument.span, `"${written}"`));
        return;
    }
    const meant = meantName(request) ?? nearestName(marked, DIRECTIVE_FORMS.keys());
    if (meant !== undefined && takesPositions(meant) === text.startsWith('(', problem.span.end)) yield* replaceMarked(request, meant);
}

function takesPositions(directive: string): boolean {
    return DIRECTIVE_FORMS.get(directive)?.includes('(') === true;
}

/** RL6073: by the first column, until someone says better. */
export function* addOrder(request: FixRequest): Iterable<Fix> {
    const annotation = annotationHere(request);
    const argument = annotation?.arguments[0];
    if (argument?.kind !== 'string') return;
    const [predicate] = request.document.analysed.predicatesNamed(argument.value);
    if (predicate?.output !== true) return;
    const positions = predicate.columns.map((_, index) => index + 1).join(', ') || '1';
    const text = `@post("${argument.value}", "orderby(${positions})")`;
    yield { title: say`Add '${text}'`, edits: [annotationAddition(request.document, 'post', `${text}.`)], preferred: true };
}

/** RL6074: the number and a comma beside it. */
export function* removeGroupColumn(request: FixRequest): Iterable<Fix> {
    const { text, problem } = request;
    const before = /,\s*$/.exec(text.slice(0, problem.span.start))?.[0].length ?? 0;
    const after = before > 0 ? 0 : (/^\s*,\s*/.exec(text.slice(problem.span.end))?.[0].length ?? 0);
    const edit = { start: problem.span.start - before, end: problem.span.end + after, text: '' };
    yield preferredFix(request, say`Remove it from the group columns`, edit);
}

/** RL8001: the nearest parameter, or a declaration. */
export function* declareParameter(request: FixRequest): Iterable<Fix> {
    const { document, problem, marked } = request;
    const [name] = argumentsOf(problem, 'RL8001');
    const declared = [...document.analysed.parameters.values()].flatMap(parameter =>
        parameter.value === undefined ? [] : [parameter.name],
    );
    const meant = nearestName(name, declared);
    const inside = marked.indexOf(name);
    if (meant !== undefined && inside >= 0) {
        const start = problem.span.start + inside;
        yield preferredFix(request, say`Replace with '${meant}'`, { start, end: start + name.length, text: meant });
    }
    const variable = writtenText(request);
    if (variable !== undefined) {
        const places = request.tokens.filter(token => token.kind === 'parameter' && token.text === marked);
        yield preferredFix(request, say`Rename to '${variable}'`, ...places.map(place => replacement(place, variable)));
    }
    const text = `@param("${name}", 0)`;
    const preferred = meant === undefined && variable === undefined;
    yield { title: say`Add '${text}'`, edits: [annotationAddition(document, 'param', `${text}.`)], preferred };
}

/** RL9030: the newer word that the message names, where it stands for the older one. */
export function* writeNewerName(request: FixRequest): Iterable<Fix> {
    const [, newer] = argumentsOf(request.problem, 'RL9030');
    if (newer !== 'SELECT' && /^[\w:]+$/.test(request.marked)) yield* replaceMarked(request, newer);
}

/** RL2102 */
export function* keepCertainRows({ document, marked }: FixRequest): Iterable<Fix> {
    const edits = [annotationAddition(document, 'post', `@post(${marked}, "certain").`)];
    yield { title: say`Leave out rows with unknown values`, edits, preferred: false };
}

/** RL6011: a rule that copies the facts is the output. */
export function* addCopyRule(request: FixRequest): Iterable<Fix> {
    const { document, marked, problem, clause } = request;
    const name = marked.replace(/^"|"$/gu, '');
    const arity = document.analysed.predicatesNamed(name)[0]?.arity;
    if (arity === undefined || arity === 0) return;
    const copy = freshName(request, `${name}_out`);
    const terms = Array.from({ length: arity }, (_, i) => (arity <= 3 ? 'XYZ'.charAt(i) : `X${i + 1}`)).join(', ');
    const start = clause.place.offset + problem.span.start;
    const end = clause.place.offset + problem.span.end;
    const rule = {
        start: clause.place.offset + clause.span.end,
        end: clause.place.offset + clause.span.end,
        text: `\n${copy}(${terms}) <- ${name}(${terms}).`,
    };
    yield { title: say`Make a copy '${copy}' the output`, edits: [{ start, end, text: `"${copy}"` }, rule], preferred: false };
}
