// The embedded query of a rule, `p(X) <- select …`: from its first word to before the dot that ends it. It follows
// `queryBodyAt` of language/syntax/query-body.ts.
#include "tree_sitter/parser.h"

#include <stdbool.h>
#include <string.h>

// In the order of `externals` in the grammar. The second is valid only while the parser recovers from an error.
enum Token { QUERY, IN_RECOVERY };

static const char *const STARTERS[] = {"select", "with", "match", "optional", "call", "unwind", "ask", "create", "merge", "delete", "set", "remove"};
#define LONGEST_STARTER 8

static bool is_blank(int32_t c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f' || c == 0xA0 || c == 0xFEFF; }
static bool is_digit(int32_t c) { return c >= '0' && c <= '9'; }
static bool is_lower(int32_t c) { return c >= 'a' && c <= 'z'; }
static bool is_letter(int32_t c) { return is_lower(c) || (c >= 'A' && c <= 'Z'); }

// A word that begins queries. `call(X)` in small letters is an atom.
static bool read_starter(TSLexer *lexer) {
    char word[LONGEST_STARTER + 1];
    unsigned length = 0;
    bool lower = true;
    while (is_letter(lexer->lookahead) && length < LONGEST_STARTER) {
        lower = lower && is_lower(lexer->lookahead);
        word[length++] = (char)(lexer->lookahead | 0x20);
        lexer->advance(lexer, false);
    }
    word[length] = '\0';
    int32_t next = lexer->lookahead;
    if (is_letter(next) || is_digit(next) || next == '_' || next == ':' || (lower && next == '(')) return false;
    for (unsigned i = 0; i < sizeof STARTERS / sizeof *STARTERS; i++)
        if (strcmp(word, STARTERS[i]) == 0) return true;
    return false;
}

static void read_quoted(TSLexer *lexer, int32_t quote) {
    while (!lexer->eof(lexer)) {
        bool closes = lexer->lookahead == quote;
        lexer->advance(lexer, false);
        if (closes && lexer->lookahead != quote) return;
        if (closes) lexer->advance(lexer, false);
    }
}

static void read_block_comment(TSLexer *lexer) {
    int32_t before = 0;
    while (!lexer->eof(lexer)) {
        int32_t c = lexer->lookahead;
        lexer->advance(lexer, false);
        if (before == '*' && c == '/') return;
        before = c;
    }
}

static bool read_query(TSLexer *lexer) {
    if (!read_starter(lexer)) return false;
    lexer->mark_end(lexer);
    unsigned depth = 0;
    int32_t before = 0;
    while (!lexer->eof(lexer)) {
        int32_t c = lexer->lookahead;
        lexer->advance(lexer, false);
        int32_t after = lexer->lookahead;
        if (c == '.' && depth == 0 && before != '.' && after != '.' && !(is_digit(before) && is_digit(after)) &&
            (lexer->eof(lexer) || is_blank(after) || after == '%' || after == '@'))
            return true;
        if (c == '"' || c == '\'' || c == '`') read_quoted(lexer, c);
        else if (c == '-' && after == '-') while (!lexer->eof(lexer) && lexer->lookahead != '\n' && lexer->lookahead != '\r') lexer->advance(lexer, false);
        else if (c == '/' && after == '*') {
            lexer->advance(lexer, false);
            read_block_comment(lexer);
        }
        else if (c == '(' || c == '[' || c == '{') depth++;
        else if ((c == ')' || c == ']' || c == '}') && depth > 0) depth--;
        if (!is_blank(c)) lexer->mark_end(lexer);
        before = c;
    }
    return false;
}

void *tree_sitter_rulelang_external_scanner_create(void) { return NULL; }
void tree_sitter_rulelang_external_scanner_destroy(void *payload) { (void)payload; }
unsigned tree_sitter_rulelang_external_scanner_serialize(void *payload, char *buffer) { (void)payload; (void)buffer; return 0; }
void tree_sitter_rulelang_external_scanner_deserialize(void *payload, const char *buffer, unsigned length) { (void)payload; (void)buffer; (void)length; }

bool tree_sitter_rulelang_external_scanner_scan(void *payload, TSLexer *lexer, const bool *valid_symbols) {
    (void)payload;
    if (valid_symbols[IN_RECOVERY] || !valid_symbols[QUERY]) return false;
    while (is_blank(lexer->lookahead)) lexer->advance(lexer, true);
    lexer->result_symbol = QUERY;
    return read_query(lexer);
}
