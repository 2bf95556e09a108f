import type { CustomPatternMatcherFunc, TokenPattern, TokenType } from 'chevrotain';
import {
    createDefaultCoreModule,
    createDefaultSharedCoreModule,
    createLangiumParser,
    DefaultTokenBuilder,
    EmptyFileSystem,
    type GrammarAST,
    inject,
    type LangiumCoreServices,
    type LangiumParser,
} from 'langium';
import { RuleLangGeneratedModule, RuleLangGeneratedSharedModule } from '#language/generated/module.ts';
import { queryBodyAt } from '#language/syntax/query-body.ts';

/** Langium's services with our lexer. Building them takes some 20 ms; a parser that threw once is not used again. */
export function createRuleLangServices(): LangiumCoreServices {
    const shared = inject(createDefaultSharedCoreModule(EmptyFileSystem), RuleLangGeneratedSharedModule);
    const services = inject(createDefaultCoreModule({ shared }), RuleLangGeneratedModule, {
        parser: {
            TokenBuilder: () => new RuleLangTokenBuilder(),
            ParserConfig: () => ({ recoveryEnabled: false, skipValidations: true }),
            LangiumParser: own => withoutHiddenNodes(createLangiumParser(own)),
        },
    });
    shared.ServiceRegistry.register(services);
    return services;
}

/**
 * Drops blanks and comments from the tree. No code reads them there, and for each token of a list Langium searched the whole list for their
 * place.
 */
function withoutHiddenNodes(parser: LangiumParser): LangiumParser {
    const builder: { addHiddenNodes: () => void } = Reflect.get(parser, 'nodeBuilder');
    builder.addHiddenNodes = () => undefined;
    return parser;
}

class RuleLangTokenBuilder extends DefaultTokenBuilder {
    /** `START_CHARS_HINT` keeps the first-character optimisation of the whole lexer alive. */
    protected override buildTerminalToken(terminal: GrammarAST.TerminalRule): TokenType {
        const token = super.buildTerminalToken(terminal);
        if (terminal.name !== 'QUERY') return token;
        return { ...token, PATTERN: matchQueryBody, LINE_BREAKS: true, START_CHARS_HINT: [...'SWMOCUADRswmocuadr'] };
    }

    /** `!in` must not eat the start of `!inside(X)`. */
    protected override buildKeywordPattern(keyword: GrammarAST.Keyword, caseInsensitive: boolean): TokenPattern {
        return keyword.value === '!in' ? /!in(?![A-Za-z0-9_:])/ : super.buildKeywordPattern(keyword, caseInsensitive);
    }
}

/** A query body stands only after the first arrow of its clause. */
const matchQueryBody: CustomPatternMatcherFunc = (text, offset, tokens) => {
    const previous = tokens.at(-1);
    if (previous === undefined || !isArrow(previous.image)) return null;
    if (tokens.findIndex(token => isArrow(token.image)) !== tokens.length - 1) return null;
    const body = queryBodyAt(text, offset);
    if (body === undefined) return null;
    const match: RegExpExecArray = Object.assign([text.slice(offset, body.end)] as [string], { index: offset, input: text });
    return match;
};

function isArrow(image: string): boolean {
    return image === '<-' || image === ':-';
}
