import { withForm, withWritten } from '#language/problems/catalogue.ts';
import { say } from '#language/program/say.ts';
import { clauseProblem } from './clause-problem.ts';
import { diagnoseBracket, diagnoseExpression } from './diagnose-expression.ts';
import { diagnoseStray, unknownOperator } from './diagnose-token.ts';
import { meantByDirective } from './directive.ts';
import { meantByLookalike } from './lookalikes.ts';
import type { ClauseProblem } from './parsed-clause.ts';
import { endsOperand, type Token } from './token.ts';
import { TokenCursor } from './token-cursor.ts';

/**
 * The first mistake of a clause that the grammar refuses, in words that name what was meant. It walks over the clause as
 * the grammar does; `last` says that no other clause follows in the file.
 */
export function diagnoseClause(tokens: readonly Token[], last: boolean): ClauseProblem | undefined {
    const [first] = tokens;
    if (first === undefined) return undefined;
    if (first.kind === 'dot') return clauseProblem('RL0010', first);
    if (first.kind === 'directive') return directiveProblem(first);
    const foreign = foreignWord(tokens);
    if (foreign !== undefined) return foreign;
    const misread = tokens.find(({ kind }) => MISREAD.has(kind));
    if (misread !== undefined) return misreadProblem(misread);
    if (last && !looksLikeClause(tokens)) {
        const stray = diagnoseStray(new TokenCursor(tokens));
        return stray ?? clauseProblem('RL0007', { start: first.start, end: tokens.at(-1)?.end ?? first.end });
    }
    const cursor = new TokenCursor(tokens);
    const failure = diagnoseAnnotations(cursor) ?? diagnoseHeads(cursor, tokens) ?? diagnoseBody(cursor);
    if (failure) return failure;
    if (cursor.isKind('dot')) {
        cursor.next();
        return cursor.token === undefined ? undefined : cursor.unexpected(say`a line break`);
    }
    return undefined;
}

/** RL0050: the first word with a letter that names do not have. */
function foreignWord(tokens: readonly Token[]): ClauseProblem | undefined {
    const at = tokens.findIndex(({ kind, text }) => kind === 'stray' && /^\p{L}$/u.test(text));
    if (at < 0) return undefined;
    let [first, last] = [at, at];
    while (isWordPart(tokens[first - 1]) && tokens[first - 1]?.end === tokens[first]?.start) first--;
    while (isWordPart(tokens[last + 1]) && tokens[last + 1]?.start === tokens[last]?.end) last++;
    const word = tokens
        .slice(first, last + 1)
        .map(({ text }) => text)
        .join('');
    const span = { start: tokens[first]?.start ?? 0, end: tokens[last]?.end ?? 0 };
    const plain = plainWord(word);
    const isTerm = /^\p{Ll}/u.test(word) && tokens[last + 1]?.text !== '(';
    return withWritten(clauseProblem('RL0050', span, word), isTerm ? `"${word}"` : plain);
}

function isWordPart(token: Token | undefined): boolean {
    return (
        token !== undefined &&
        (/^(?:name|variable|number|null)$/u.test(token.kind) || (token.kind === 'stray' && /^\p{L}$/u.test(token.text)))
    );
}

/** The word in letters that names have, as people write it where theirs are missing. */
function plainWord(word: string): string | undefined {
    const plain = word
        .replace(/[äöüßæœøåÄÖÜÆŒØÅ]/gu, letter => PLAIN.get(letter) ?? letter)
        .normalize('NFD')
        .replace(/\p{M}/gu, '');
    return /^\w+$/u.test(plain) ? plain : undefined;
}

const PLAIN: ReadonlyMap<string, string> = new Map(
    'ä ae ö oe ü ue ß ss æ ae œ oe ø oe å aa Ä Ae Ö Oe Ü Ue Æ Ae Œ Oe Ø Oe Å Aa'
        .split(' ')
        .flatMap((letter, at, all) => (at % 2 === 0 ? [[letter, all[at + 1] ?? letter] as const] : [])),
);

/** Tokens that the rest of the clause cannot be understood with, wherever they stand. */
const MISREAD: ReadonlySet<Token['kind']> = new Set(['lookalike', 'member', 'range']);

function misreadProblem(token: Token): ClauseProblem {
    if (token.kind === 'lookalike') {
        const meant = meantByLookalike(token.text);
        const problem = clauseProblem('RL0005', token, [meant], token.text);
        return { ...problem, remedy: meant === '' ? say`remove it: the sign cannot be seen` : say`write '${meant}'` };
    }
    const problem = clauseProblem('RL0005', token, token.kind === 'range' ? say`one number` : say`a variable of its own`, token.text);
    if (token.kind === 'range') return { ...problem, remedy: say`write each value: a range of numbers is several facts` };
    return { ...problem, remedy: say`write a variable for each column, such as 'p(Name, Age)': columns are told apart by their place` };
}

/** RL0010 for `.decl` and its like. */
function directiveProblem(directive: Token): ClauseProblem {
    const meant = meantByDirective(directive.text);
    if (meant === undefined) return clauseProblem('RL0010', { start: directive.start, end: directive.start + 1 });
    return withForm(clauseProblem('RL0010', directive), meant.text, meant.instead);
}

/** Text at the end of a file that is not even the beginning of a clause. */
function looksLikeClause(tokens: readonly Token[]): boolean {
    return tokens.some(
        ({ kind, text }) => kind === 'dot' || kind === 'arrow' || kind === 'annotation' || text === '(' || text === '#F' || text === ';',
    );
}

function diagnoseAnnotations(cursor: TokenCursor): ClauseProblem | undefined {
    while (cursor.isKind('annotation')) {
        cursor.next();
        const failure = cursor.is('(') ? diagnoseBracket(cursor, ')', 'annotation') : undefined;
        if (failure) return failure;
        if (cursor.is(',') && cursor.token) return clauseProblem('RL0004', cursor.token);
        if (cursor.token === undefined) return clauseProblem('RL0001', cursor.afterPrevious());
    }
    return undefined;
}

function diagnoseHeads(cursor: TokenCursor, tokens: readonly Token[]): ClauseProblem | undefined {
    if (cursor.ended) return undefined;
    const isFact = !tokens.some(token => token.kind === 'arrow');
    let heads = 0;
    while (true) {
        const start = cursor.token;
        const failure = diagnoseHead(cursor);
        if (failure && heads > 0 && isFact && start && start.kind !== 'dot' && start.text !== ',') return factWithCondition(start, tokens);
        if (failure) return failure;
        heads++;
        if (cursor.is(',') && endsHeads(cursor.following) && cursor.token) return clauseProblem('RL0008', cursor.token);
        if (!cursor.take(',')) return afterHead(cursor, isFact);
    }
}

function endsHeads(token: Token | undefined): boolean {
    return token === undefined || token.kind === 'dot' || token.kind === 'arrow';
}

function factWithCondition(start: Token, tokens: readonly Token[]): ClauseProblem {
    const dot = tokens.findIndex(token => token.kind === 'dot');
    const end = tokens[dot < 0 ? tokens.length - 1 : dot - 1];
    return clauseProblem('RL0049', { start: start.start, end: end?.end ?? start.end });
}

function diagnoseHead(cursor: TokenCursor): ClauseProblem | undefined {
    const { token, following } = cursor;
    if (token === undefined) return cursor.unexpected(say`a head`);
    const stray = diagnoseStray(cursor);
    if (stray) return stray;
    switch (token.kind) {
        case 'name':
            if (token.text === 'dom') return clauseProblem('RL0047', token, token.text);
            cursor.next();
            return cursor.is('(') ? diagnoseBracket(cursor, ')', 'head') : cursor.unexpected(['(']);
        case 'variable':
            if (following?.text === '(' && !/^(?:MATCH|WITH|CALL)$/u.test(token.text)) return clauseProblem('RL0045', token);
            cursor.next();
            return cursor.take('=') ? diagnoseExpression(cursor, 'head', say`a variable or constant`) : cursor.unexpected(['=']);
        case 'hash':
            cursor.next();
            return token.text === '#F' ? undefined : clauseProblem('RL0030', token, token.text);
        case 'null':
        case 'word-operator':
            return following?.text === '(' ? clauseProblem('RL0047', token, token.text) : cursor.unexpected(say`a clause`);
        default:
            return cursor.unexpected(say`a clause`);
    }
}

function afterHead(cursor: TokenCursor, isFact: boolean): ClauseProblem | undefined {
    const { token, previous } = cursor;
    if (token === undefined) return clauseProblem('RL0001', cursor.afterPrevious());
    if (token.kind === 'dot' || token.kind === 'arrow') return undefined;
    const stray = diagnoseStray(cursor);
    if (stray) return stray;
    const temporal = diagnoseTemporal(cursor);
    if (temporal) return temporal;
    const unknown = unknownOperator(cursor);
    if (unknown) return token.text === '=>' ? withWritten(unknown, '<-', say` between head and body`) : unknown;
    if (token.kind === 'name' && isFact && previous && cursor.tokens.some(({ kind, end }) => kind === 'variable' && end < previous.end))
        return cursor.unexpected(['<-']);
    const nextClause = token.kind === 'annotation' || token.kind === 'name' || token.kind === 'variable' || token.text === '#F';
    if (nextClause && isFact && previous) return clauseProblem('RL0001', cursor.afterPrevious());
    return cursor.unexpected(isFact ? ['.', '<-'] : ['<-']);
}

/** `p(1)@[1,2)`: the interval facts of a temporal extension (8.13). */
function diagnoseTemporal(cursor: TokenCursor): ClauseProblem | undefined {
    const { token, following } = cursor;
    if (token?.text !== '@' || (following?.text !== '[' && following?.text !== '(')) return undefined;
    return clauseProblem('RL6002', token, following.text);
}

function diagnoseBody(cursor: TokenCursor): ClauseProblem | undefined {
    const arrow = cursor.token;
    if (arrow?.kind !== 'arrow') return undefined;
    cursor.next();
    if (cursor.ended) return clauseProblem('RL0003', arrow);
    if (cursor.isKind('query')) {
        cursor.next();
        return cursor.ended ? undefined : cursor.unexpected(['.']);
    }
    while (true) {
        const comma = cursor.previous;
        if (comma?.text === ',' && cursor.ended) return clauseProblem('RL0008', comma);
        const failure = diagnoseExpression(cursor, 'body', say`a body item`);
        if (failure) return failure;
        if (cursor.isKind('dot')) return undefined;
        if (!cursor.take(',')) return afterItem(cursor);
    }
}

function afterItem(cursor: TokenCursor): ClauseProblem {
    const { token, previous } = cursor;
    if (token === undefined) return clauseProblem('RL0001', cursor.afterPrevious());
    const stray = diagnoseStray(cursor);
    if (stray) return stray;
    const temporal = diagnoseTemporal(cursor);
    if (temporal) return temporal;
    if (token.text === '(' && previous?.text === ')') return clauseProblem('RL7102', token);
    if (token.kind === 'annotation') return clauseProblem('RL0001', cursor.afterPrevious());
    if (canStartItem(token)) return clauseProblem('RL0002', cursor.afterPrevious());
    return cursor.unexpected([',', '.']);
}

function canStartItem(token: Token): boolean {
    if (token.kind === 'word-operator' || token.text === '~' || token.text === '!') return true;
    return endsOperand(token) && token.kind !== 'mark';
}
