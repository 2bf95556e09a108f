// Reads programs from standard input, each as the number of its bytes (a `uint32_t`) and its text in UTF-16, and prints for each its
// named nodes in order, `type start end` with offsets in units of UTF-16, and an empty line. Errors are the nodes `ERROR` and `MISSING`.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <tree_sitter/api.h>

const TSLanguage *tree_sitter_rulelang(void);

static void print_nodes(TSTreeCursor *cursor) {
    TSNode node = ts_tree_cursor_current_node(cursor);
    if (ts_node_is_missing(node) || ts_node_is_named(node))
        printf("%s %u %u\n", ts_node_is_missing(node) ? "MISSING" : ts_node_type(node), ts_node_start_byte(node) / 2, ts_node_end_byte(node) / 2);
    if (!ts_tree_cursor_goto_first_child(cursor)) return;
    do print_nodes(cursor);
    while (ts_tree_cursor_goto_next_sibling(cursor));
    ts_tree_cursor_goto_parent(cursor);
}

int main(void) {
    TSParser *parser = ts_parser_new();
    if (!ts_parser_set_language(parser, tree_sitter_rulelang())) return 1;
    uint32_t length;
    while (fread(&length, sizeof length, 1, stdin) == 1) {
        char *text = malloc(length + 1);
        if (fread(text, 1, length, stdin) != length) return 2;
        TSTree *tree = ts_parser_parse_string_encoding(parser, NULL, text, length, TSInputEncodingUTF16);
        TSTreeCursor cursor = ts_tree_cursor_new(ts_tree_root_node(tree));
        print_nodes(&cursor);
        puts("");
        ts_tree_cursor_delete(&cursor);
        ts_tree_delete(tree);
        free(text);
    }
    return 0;
}
