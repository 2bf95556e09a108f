import type { BinaryOperator, Expression } from '#language/program/program.ts';
import { say } from '#language/program/say.ts';
import type { Span } from '#language/program/span.ts';
import { ARRAY, LAMBDA_FUNCTIONS } from './functions.ts';
import type { Lambda, LambdaProblem, ReadLambda } from './lambda.ts';
import { type Token, tokensOf } from './tokens.ts';

/** Operators with their spellings in the rule language; the levels bind ever tighter. */
const LEVELS: readonly ReadonlyMap<string, BinaryOperator>[] = [
    new Map([
        ['or', '||'],
        ['||', '||'],
    ]),
    new Map([
        ['and', '&&'],
        ['&&', '&&'],
    ]),
    new Map([
        ['=', '=='],
        ['==', '=='],
        ['!=', '!='],
        ['<>', '!='],
        ['<', '<'],
        ['<=', '<='],
        ['>', '>'],
        ['>=', '>='],
    ]),
    new Map([
        ['+', '+'],
        ['-', '-'],
    ]),
];
const COMPARISON = 2;

/** Reserved words, which cannot be names. */
const WORDS: ReadonlySet<string> = new Set(['true', 'false', 'null', 'and', 'or', 'not', 'case', 'when', 'then', 'else', 'end']);

const DEEPEST = 64;

/** Reads `x -> …` or `(x, i) -> …`. The expressions get the span of the text in the program. */
export function readLambda(text: string, span: Span): ReadLambda {
    try {
        return { ok: true, lambda: new LambdaReader(text, span).lambda() };
    } catch (thrown) {
        if (!(thrown instanceof Unreadable)) throw thrown;
        return { ok: false, problem: thrown.problem };
    }
}

/** Ends the reading of a lambda at its first fault. */
class Unreadable extends Error {
    readonly problem: LambdaProblem;

    constructor(problem: LambdaProblem) {
        super(problem.words);
        this.problem = problem;
    }
}

class LambdaReader {
    readonly #tokens: readonly Token[];
    readonly #span: Span;
    #at = 0;
    #depth = 0;
    #parameters: readonly string[] = [];

    constructor(text: string, span: Span) {
        this.#tokens = tokensOf(text);
        this.#span = span;
    }

    lambda(): Lambda {
        this.#parameters = this.#readParameters();
        this.#expect('->');
        const body = this.#expression();
        if (this.#next.kind !== 'end') this.#fail(say`'${this.#next.text}' is not expected here`);
        return { parameters: this.#parameters, body };
    }

    #readParameters(): string[] {
        if (!this.#take('(')) return [this.#parameter()];
        const names = [this.#parameter()];
        if (this.#take(',')) names.push(this.#parameter());
        this.#expect(')');
        if (names[0] === names[1]) this.#fail(say`'${names[0]}' names both parameters`);
        return names;
    }

    #parameter(): string {
        const token = this.#next;
        if (token.kind !== 'name' || WORDS.has(token.text)) this.#fail(say`a parameter name is expected`);
        this.#at++;
        return token.text;
    }

    #expression(): Expression {
        if (this.#depth === DEEPEST) this.#fail(say`it is nested too deeply`);
        this.#depth++;
        const expression = this.#level(0);
        this.#depth--;
        return expression;
    }

    /** One level of operators, from the left; a comparison is not compared again. */
    #level(level: number): Expression {
        const operators = LEVELS[level];
        if (operators === undefined) return this.#product();
        let left = level === COMPARISON ? this.#negation(level) : this.#level(level + 1);
        for (;;) {
            const operator = this.#operator(operators);
            if (operator === undefined) return left;
            const right = this.#level(level + 1);
            left = this.#binary(left, operator, right);
            if (level === COMPARISON) return left;
        }
    }

    /** `not` binds looser than a comparison, `!` tighter than anything. */
    #negation(level: number): Expression {
        if (!this.#take('not')) return this.#level(level + 1);
        return this.#nested(() => ({ kind: 'unary', operator: '!', operand: this.#level(level), span: this.#span }));
    }

    #product(): Expression {
        let left = this.#unary();
        for (;;) {
            if (this.#take('*')) left = this.#binary(left, '*', this.#unary());
            else if (this.#take('/')) left = this.#binary(left, '/', this.#unary());
            else if (this.#take('%')) left = this.#call('math:mod', [left, this.#unary()]);
            else return left;
        }
    }

    #unary(): Expression {
        const operator = this.#take('-') ? '-' : this.#take('!') ? '!' : undefined;
        if (operator === undefined) return this.#postfix();
        return this.#nested(() => ({ kind: 'unary', operator, operand: this.#unary(), span: this.#span }));
    }

    /** Fields, and positions that count from 0. */
    #postfix(): Expression {
        let value = this.#primary();
        for (;;) {
            if (this.#take('.')) {
                const { kind, text } = this.#next;
                if (kind !== 'name') this.#fail(say`a field name is expected`);
                this.#at++;
                value = this.#call('struct:get', [this.#text(text), value]);
            } else if (this.#take('[')) {
                const position = this.#expression();
                this.#expect(']');
                const isBefore = this.#binary(position, '<', this.#integer(0));
                const fromOne = this.#call('if', [isBefore, this.#integer(0), this.#binary(position, '+', this.#integer(1))]);
                value = this.#call('collections:get', [value, fromOne]);
            } else return value;
        }
    }

    #primary(): Expression {
        const token = this.#next;
        this.#at++;
        switch (token.kind) {
            case 'number':
                return this.#number(token.text);
            case 'text':
                return this.#text(token.text.slice(1, -1).replaceAll("''", "'"));
            case 'name':
                return this.#named(token);
            case 'sign':
                if (token.text !== '(') break;
                return this.#inParentheses();
            case 'end':
            case 'unknown':
                break;
        }
        this.#at--;
        return this.#fail(token.kind === 'end' ? say`an expression is expected` : say`'${token.text}' is not expected here`);
    }

    #inParentheses(): Expression {
        const inner = this.#expression();
        this.#expect(')');
        return inner;
    }

    #named(token: Token): Expression {
        switch (token.text) {
            case 'true':
            case 'false':
                return { kind: 'boolean', value: token.text === 'true', span: this.#span };
            case 'null':
                return this.#unknown();
            case 'case':
                return this.#cases();
            default:
                break;
        }
        if (WORDS.has(token.text)) {
            this.#at--;
            return this.#fail(say`'${token.text}' is not expected here`);
        }
        if (this.#take('(')) return this.#application(token);
        if (!this.#parameters.includes(token.text)) return this.#unknownName(token);
        return { kind: 'variable', name: token.text, span: this.#span };
    }

    #application(token: Token): Expression {
        const args: Expression[] = [];
        if (!this.#take(')')) {
            do args.push(this.#expression());
            while (this.#take(','));
            this.#expect(')');
        }
        if (token.text === ARRAY) return { kind: 'list', items: args, span: this.#span };
        const called = LAMBDA_FUNCTIONS.get(token.text);
        if (called === undefined) return this.#unknownName(token);
        const { name, least, most } = called;
        if (args.length < least || args.length > most) this.#fail(say`'${token.text}' does not take ${args.length} arguments`, token);
        return this.#call(name, args);
    }

    /** `case when … then … else … end`; without `else` the value is unknown where no condition holds. */
    #cases(): Expression {
        const branches: (readonly [condition: Expression, value: Expression])[] = [];
        while (this.#take('when')) {
            const condition = this.#expression();
            this.#expect('then');
            branches.push([condition, this.#expression()]);
        }
        if (branches.length === 0) this.#fail(say`'when' is expected`);
        const otherwise = this.#take('else') ? this.#expression() : this.#unknown();
        this.#expect('end');
        return branches.reduceRight((rest, [condition, value]) => this.#call('if', [condition, value, rest]), otherwise);
    }

    /** One unknown value for all, the element of an empty list, so that equal lists give equal results. */
    #unknown(): Expression {
        return this.#call('collections:get', [{ kind: 'list', items: [], span: this.#span }, this.#integer(1)]);
    }

    #number(text: string): Expression {
        if (!/^\d+$/u.test(text)) return { kind: 'double', value: Number(text), span: this.#span };
        const value = Number(text);
        return this.#integer(Number.isSafeInteger(value) ? value : BigInt(text));
    }

    #integer(value: number | bigint): Expression {
        if (typeof value === 'bigint' && value >= 2n ** 63n) this.#fail(say`the number does not fit 64 bits`);
        return { kind: 'integer', value, span: this.#span };
    }

    #text(value: string): Expression {
        return { kind: 'string', value, span: this.#span };
    }

    #binary(left: Expression, operator: BinaryOperator, right: Expression): Expression {
        return { kind: 'binary', operator, left, right, operatorSpan: this.#span, span: this.#span };
    }

    #call(name: string, args: readonly Expression[]): Expression {
        return { kind: 'call', name, arguments: args, nameSpan: this.#span, span: this.#span };
    }

    #nested(read: () => Expression): Expression {
        if (this.#depth === DEEPEST) this.#fail(say`it is nested too deeply`);
        this.#depth++;
        const expression = read();
        this.#depth--;
        return expression;
    }

    get #next(): Token {
        return this.#tokens[this.#at] ?? { kind: 'end', text: '', offset: 0 };
    }

    #operator(operators: ReadonlyMap<string, BinaryOperator>): BinaryOperator | undefined {
        const { kind, text } = this.#next;
        const operator = kind === 'sign' || kind === 'name' ? operators.get(text) : undefined;
        if (operator !== undefined) this.#at++;
        return operator;
    }

    #take(text: string): boolean {
        const { kind, text: written } = this.#next;
        if (written !== text || (kind !== 'sign' && kind !== 'name')) return false;
        this.#at++;
        return true;
    }

    #expect(text: string): void {
        if (!this.#take(text)) this.#fail(say`'${text}' is expected`);
    }

    #fail(words: string, { text, offset }: Token = this.#next): never {
        throw new Unreadable({ kind: 'syntax', words, offset, length: text.length });
    }

    #unknownName({ text, offset }: Token): never {
        throw new Unreadable({ kind: 'unknown name', words: text, offset, length: text.length });
    }
}
