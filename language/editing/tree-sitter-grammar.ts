import { GrammarAST } from 'langium';
import { RuleLangGrammar } from '#language/generated/grammar.ts';

/** A rule of a grammar of tree-sitter, as its `grammar.json` writes it. */
type Rule =
    | { readonly type: 'BLANK' }
    | { readonly type: 'STRING' | 'PATTERN'; readonly value: string }
    | { readonly type: 'SYMBOL'; readonly name: string }
    | { readonly type: 'SEQ' | 'CHOICE'; readonly members: readonly Rule[] }
    | { readonly type: 'REPEAT' | 'REPEAT1'; readonly content: Rule }
    | { readonly type: 'FIELD'; readonly name: string; readonly content: Rule }
    | { readonly type: 'PREC_LEFT' | 'PREC_RIGHT'; readonly value: number; readonly content: Rule };

const { isAction, isAlternatives, isAssignment, isGroup, isInfixRule, isKeyword, isParserRule, isRuleCall, isTerminalRule } = GrammarAST;

/** Rules with a custom matcher in our lexer; `scanner.c` reads them there. */
const EXTERNAL = new Set(['QUERY']);

/**
 * The grammar for tree-sitter, `src/grammar.json` of syntaxes/tree-sitter, from our own: one node for each type of its trees, named
 * without `Text` (`atom`, `binary`), and one field for each property. A program is a list of clauses, which we split before parsing.
 */
export function treeSitterGrammar(): string {
    const { rules } = RuleLangGrammar();
    const nodes = rules.filter(rule => isParserRule(rule) || isInfixRule(rule));
    const written = new Map<string, Rule>();
    const entry = nodes.find(rule => isParserRule(rule) && rule.entry);
    written.set('program', { type: 'REPEAT', content: symbol(nodeName(entry?.name ?? '')) });
    for (const rule of nodes) {
        if (isInfixRule(rule)) addInfix(rule, written);
        else addNodes(rule, written);
    }
    const terminals = rules.filter(isTerminalRule).filter(({ name }) => !EXTERNAL.has(name));
    const extras = terminals.filter(({ hidden }) => hidden);
    const hidden = new Set(written.keys());
    const tokens = new Map(terminals.map(terminal => [terminal.name, tokenName(terminal.name, hidden)]));
    for (const name of EXTERNAL) tokens.set(name, tokenName(name, hidden));
    for (const terminal of terminals) {
        if (terminal.name === 'BLANK') continue;
        written.set(tokens.get(terminal.name) ?? '', { type: 'PATTERN', value: pattern(terminal.definition) });
    }
    const grammar = {
        name: 'rulelang',
        word: tokens.get('NAME'),
        rules: Object.fromEntries([...written].map(([name, rule]) => [name, withTokens(rule, tokens)])),
        extras: extras.map(({ name, definition }) =>
            name === 'BLANK' ? { type: 'PATTERN', value: pattern(definition) } : symbol(tokens.get(name) ?? ''),
        ),
        conflicts: [],
        precedences: [],
        externals: [...EXTERNAL, 'IN_RECOVERY'].map(name => symbol(tokens.get(name) ?? `_${name.toLowerCase()}`)),
        inline: [],
        supertypes: [],
    };
    return `${JSON.stringify(grammar, null, 2)}\n`;
}

/** The nodes that a rule makes: its own, or those of its alternatives that infer a type, which it is then hidden behind. */
function addNodes(rule: GrammarAST.ParserRule, into: Map<string, Rule>): void {
    const alternatives = isAlternatives(rule.definition) ? rule.definition.elements : [rule.definition];
    const types = alternatives.map(inferredType);
    if (types.every(type => type === undefined)) {
        into.set(nodeName(rule.name), ruleOf(rule.definition));
        return;
    }
    const members = alternatives.map((alternative, index) => {
        const type = nodeName(types[index] ?? '');
        into.set(type, ruleOf(alternative));
        return symbol(type);
    });
    into.set(`_${nodeName(rule.name)}`, { type: 'CHOICE', members });
}

/** The first operators bind tightest. An operand without an operation is hidden, so that it gets no node. */
function addInfix(rule: GrammarAST.InfixRule, into: Map<string, Rule>): void {
    const operand = symbol(`_${nodeName(rule.name)}_or_${nodeName(rule.call.rule.$refText)}`);
    const levels = rule.operators.precedences.map(({ operators, associativity }, index): Rule => {
        const members = operators.map(({ value }): Rule => ({ type: 'STRING', value }));
        const operator: Rule = members.length === 1 && members[0] ? members[0] : { type: 'CHOICE', members };
        const content: Rule = {
            type: 'SEQ',
            members: [field('left', operand), field('operator', operator), field('right', operand)],
        };
        const type = associativity === 'right' ? 'PREC_RIGHT' : 'PREC_LEFT';
        return { type, value: rule.operators.precedences.length - index, content };
    });
    into.set(nodeName(rule.name), { type: 'CHOICE', members: levels });
    into.set(operand.name, { type: 'CHOICE', members: [symbol(nodeName(rule.name)), called(rule.call)] });
}

function ruleOf(element: GrammarAST.AbstractElement): Rule {
    const once = ruleOnce(element);
    switch (element.cardinality) {
        case '?':
            return { type: 'CHOICE', members: [once, { type: 'BLANK' }] };
        case '*':
            return { type: 'REPEAT', content: once };
        case '+':
            return { type: 'REPEAT1', content: once };
        default:
            return once;
    }
}

function ruleOnce(element: GrammarAST.AbstractElement): Rule {
    if (isKeyword(element)) return { type: 'STRING', value: element.value };
    if (isRuleCall(element)) return called(element);
    if (isAssignment(element))
        return element.operator === '?=' ? ruleOf(element.terminal) : field(element.feature, ruleOf(element.terminal));
    if (isAlternatives(element)) return { type: 'CHOICE', members: element.elements.map(ruleOf) };
    if (isGroup(element)) {
        const members = element.elements.filter(member => !isAction(member)).map(ruleOf);
        return members.length === 1 && members[0] ? members[0] : { type: 'SEQ', members };
    }
    throw new Error(`The grammar for tree-sitter cannot say ${element.$type} yet.`);
}

function called({ rule }: GrammarAST.RuleCall): Rule {
    const target = rule.ref;
    if (isTerminalRule(target)) return symbol(target.name);
    if (isInfixRule(target)) return symbol(`_${nodeName(target.name)}_or_${nodeName(target.call.rule.$refText)}`);
    const hidden = isParserRule(target) && isAlternatives(target.definition) && target.definition.elements.some(inferredType);
    return symbol(`${hidden ? '_' : ''}${nodeName(rule.$refText)}`);
}

function inferredType(element: GrammarAST.AbstractElement): string | undefined {
    return isGroup(element) ? element.elements.find(isAction)?.inferredType?.name : undefined;
}

function field(name: string, content: Rule): Rule {
    return { type: 'FIELD', name, content };
}

function symbol(name: string): { readonly type: 'SYMBOL'; readonly name: string } {
    return { type: 'SYMBOL', name };
}

/** `atom` for `AtomText`. */
function nodeName(type: string): string {
    return type.replace(/Text$/u, '').toLowerCase();
}

/** A terminal whose name is that of a node is all of it, or hidden in it. */
function tokenName(terminal: string, nodes: ReadonlySet<string>): string {
    const name = terminal.toLowerCase();
    return nodes.has(name) ? `_${name}` : name;
}

function withTokens(rule: Rule, tokens: ReadonlyMap<string, string>): Rule {
    switch (rule.type) {
        case 'SYMBOL':
            return symbol(tokens.get(rule.name) ?? rule.name);
        case 'SEQ':
        case 'CHOICE':
            return { ...rule, members: rule.members.map(member => withTokens(member, tokens)) };
        case 'BLANK':
        case 'STRING':
        case 'PATTERN':
            return rule;
        default:
            return { ...rule, content: withTokens(rule.content, tokens) };
    }
}

/** Lexers of tree-sitter do not look ahead: the longest token wins, and of tokens of one length the first. */
function pattern(definition: GrammarAST.TerminalElement): string {
    if (!GrammarAST.isRegexToken(definition)) throw new Error(`The grammar for tree-sitter cannot say ${definition.$type} yet.`);
    return definition.regex
        .slice(1, -1)
        .replaceAll(/\(\?[!=](?:\\.|\[[^\]]*\]|[^)\\[])*\)/gu, '')
        .replaceAll('[^]', '(.|\\n)')
        .replaceAll(/\\u([0-9A-F]{4})/gu, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));
}
