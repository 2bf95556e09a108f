import type { AnnotationText, AtomText, ClauseText, HeadText } from '#language/generated/ast.ts';
import { isConstantTerm } from '#language/program/constants.ts';
import type { Annotation, AnnotationArgument, Atom, Expression, Head } from '#language/program/program.ts';
import { say } from '#language/program/say.ts';
import { type Span, spanning } from '#language/program/span.ts';
import { clauseProblem } from '#language/syntax/clause-problem.ts';
import type { Report } from '#language/syntax/literals.ts';
import type { ClauseContent, ClauseProblem, ParsedClause } from '#language/syntax/parsed-clause.ts';
import { lowerBody } from './lower-body.ts';
import { lowerExpression } from './lower-expression.ts';
import { type ExpressionText, flatten, spanOf } from './operators.ts';

/** Lowers a clause that the grammar understood; `text` is the clause's own, so that every span is relative to it. */
export function lowerClause(clause: ClauseText, text: string): ParsedClause {
    const problems: ClauseProblem[] = [];
    const report: Report = problem => problems.push(problem);
    const content = clauseContent(clause, text, report);
    return { content, problems };
}

function clauseContent(clause: ClauseText, text: string, report: Report): ClauseContent {
    const span = { start: 0, end: text.length };
    const [first, ...others] = clause.heads;
    const annotations = clause.annotations.map((annotation, i) => {
        const next = clause.annotations[i + 1] ?? first;
        return lowerAnnotation(annotation, next === undefined ? '' : text.slice(spanOf(annotation).end, spanOf(next).start), report);
    });
    if (first === undefined && annotations.length === 0) {
        report(clauseProblem('RL0010', span));
        return { kind: 'broken', span, annotations, mentions: [] };
    }
    if (first === undefined) {
        for (const { span: before } of annotations.slice(0, -1)) report(clauseProblem('RL0001', lastCharacter(before)));
        return { kind: 'annotation', span, annotations };
    }
    if (clause.arrow !== undefined) {
        const head = lowerHead(first, others, report);
        return { kind: 'rule', span, annotations, head, body: lowerBody(clause, text, report) };
    }
    const [second] = others;
    const last = clause.heads.at(-1);
    if (second !== undefined && last !== undefined) report(clauseProblem('RL0049', spanning(spanOf(second), spanOf(last))));
    if (first.$type === 'AtomText') return { kind: 'fact', span, annotations, atom: lowerFactAtom(first, text, report) };
    report(clauseProblem('RL0005', { start: text.length - 1, end: text.length }, ['<-'], '.'));
    return { kind: 'broken', span, annotations, mentions: [] };
}

/** `gap` is the text up to what follows in the clause. */
function lowerAnnotation(annotation: AnnotationText, gap: string, report: Report): Annotation {
    const span = spanOf(annotation);
    const name = annotation.name.slice(1);
    const texts: readonly ExpressionText[] = annotation.arguments;
    return {
        name,
        arguments: texts.map(text => lowerAnnotationArgument(text, report)),
        nameSpan: { start: span.start + 1, end: span.start + 1 + name.length },
        span,
        sameLine: !/[\r\n]/u.test(gap),
    };
}

function lowerAnnotationArgument(text: ExpressionText, report: Report): AnnotationArgument {
    if (text.$type === 'CallText' && !text.parenthesised) return { kind: 'name', name: text.name, span: spanOf(text) };
    return lowerExpression(text, report);
}

function lowerHead(first: HeadText, others: readonly HeadText[], report: Report): Head {
    const misfit = first.$type === 'AtomText' ? others.find(head => head.$type !== 'AtomText') : others[0];
    if (misfit !== undefined) report(clauseProblem('RL0005', spanOf(misfit), ['<-'], misfit.$cstNode?.text ?? ''));
    const span = spanOf(first);
    switch (first.$type) {
        case 'AtomText': {
            const atoms = [first, ...others].filter(head => head.$type === 'AtomText').map(atom => lowerHeadAtom(atom, report));
            return { kind: 'atoms', atoms, span: spanning(span, atoms.at(-1)?.span ?? span) };
        }
        case 'EqualityText': {
            const { name } = first.left;
            const left = { kind: 'variable', name, span: spanOf(first.left) } as const;
            if (name.startsWith('_')) report(clauseProblem('RL0005', left.span, say`a variable`, name));
            const right = lowerExpression(first.right, report);
            if (right.kind !== 'variable' && !isConstantTerm(right, isConstantOrVariable)) {
                report(clauseProblem('RL0005', right.span, say`a variable or constant`, first.right.$cstNode?.text ?? ''));
            }
            return { kind: 'equality', left, right, span };
        }
        case 'FalsityText':
            return { kind: 'falsity', span };
    }
}

function lowerHeadAtom(atom: AtomText, report: Report): Atom {
    const span = spanOf(atom);
    const { name } = atom;
    const nameSpan = { start: span.start, end: span.start + name.length };
    if (name === 'dom') report(clauseProblem('RL0047', nameSpan, name));
    else if (!/^[a-z]\w*$/.test(name)) report(clauseProblem('RL0005', nameSpan, say`a predicate name`, name));
    const texts: readonly ExpressionText[] = atom.arguments;
    for (const text of texts) reportArrow(text, report);
    return { predicate: name, arguments: texts.map(text => lowerExpression(text, report)), nameSpan, span };
}

/** In a head `<-` is always the arrow (1.4). */
function reportArrow(text: ExpressionText, report: Report): void {
    if (text.$type !== 'BinaryText') return;
    const arrow = flatten(text).operators.find(operator => operator.text === '<-');
    if (arrow !== undefined) report(clauseProblem('RL0005', arrow.span, [')'], '<-'));
}

function lowerFactAtom(atom: AtomText, text: string, report: Report): Atom {
    const lowered = lowerHeadAtom(atom, report);
    for (const value of lowered.arguments) {
        const { span } = value;
        if (!isConstantOrVariable(value)) report(clauseProblem('RL0005', span, say`a constant`, text.slice(span.start, span.end)));
    }
    return lowered;
}

/** Variables in facts are reported by analysis (RL2003), which knows the better words. */
function isConstantOrVariable(value: Expression): boolean {
    return value.kind === 'variable' || value.kind === 'anonymous' || isConstantTerm(value, isConstantOrVariable);
}

function lastCharacter(span: Span): Span {
    return { start: span.end - 1, end: span.end };
}
