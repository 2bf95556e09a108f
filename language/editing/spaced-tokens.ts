import { endsOperand, type Token } from '#language/syntax/token.ts';

/**
 * The tokens of a head, an item or an annotation on one line, in the house spacing: blanks around binary operators and
 * after commas, none inside brackets and after prefix operators. `:-` becomes `<-`, `~` becomes `not`, and the `<-` of a
 * comparison becomes `< -`.
 */
export function spacedTokens(tokens: readonly Token[]): string {
    let text = '';
    let previous: Placed | undefined;
    let contributors = false;
    for (const token of tokens) {
        const operandFollows = previous === undefined || !(endsOperand(previous.token) || previous.role === 'close');
        const role = roleOf(token, operandFollows, contributors);
        if (role === 'open' && token.text === '<') contributors = true;
        if (role === 'close' && token.text === '>') contributors = false;
        const placed: Placed = { token, role };
        text += separator(previous, placed) + written(placed);
        previous = placed;
    }
    return text;
}

type Role = 'open' | 'close' | 'comma' | 'prefix' | 'binary' | 'plain';

interface Placed {
    readonly token: Token;
    readonly role: Role;
}

/** The role of a token; the angle brackets of a contributor list are brackets. */
function roleOf(token: Token, operandFollows: boolean, contributors: boolean): Role {
    const { kind, text } = token;
    if (kind === 'mark') return text === ',' ? 'comma' : '([{'.includes(text) ? 'open' : 'close';
    if (kind === 'arrow') return 'binary';
    if (kind !== 'operator' && kind !== 'word-operator') return 'plain';
    if (operandFollows) return text === '<' ? 'open' : text === '<>' || text === '*' ? 'plain' : 'prefix';
    return contributors && text === '>' ? 'close' : 'binary';
}

function separator(previous: Placed | undefined, { token, role }: Placed): string {
    if (previous === undefined || role === 'comma' || role === 'close') return '';
    switch (previous.role) {
        case 'open':
            return '';
        case 'prefix':
            // Without a blank it is the function 'not'.
            if (previous.token.text === 'not' && token.text === '(' && previous.token.end === token.start) return '';
            return isWordPrefix(previous.token) || (previous.token.text === '-' && token.text === '-') ? ' ' : '';
        case 'binary':
            return previous.token.kind === 'arrow' ? '' : ' ';
        case 'comma':
            return ' ';
        case 'close':
        case 'plain':
            return role === 'open' && token.text === '(' && isCallee(previous.token) ? '' : ' ';
    }
}

function isCallee(token: Token): boolean {
    return token.kind === 'name' || token.kind === 'hash' || token.kind === 'annotation';
}

function isWordPrefix(token: Token): boolean {
    return token.text === 'not' || token.text === '~';
}

function written({ token, role }: Placed): string {
    if (role === 'binary' && token.kind === 'arrow') return '< -';
    return token.text === '~' && token.kind === 'operator' ? 'not' : token.text;
}
