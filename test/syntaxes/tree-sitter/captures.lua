-- Neovim highlights a program with our grammar: what it captures in each line is written as JSON.
-- Arguments: the parser as a shared library, the query, a program, the file for the answer.
local library, highlights, program, answer = unpack(vim.v.argv, #vim.v.argv - 3)

vim.treesitter.require_language('rulelang', library)
local query = vim.treesitter.parse_query('rulelang', table.concat(vim.fn.readfile(highlights), '\n'))
local text = table.concat(vim.fn.readfile(program), '\n')
local root = vim.treesitter.get_string_parser(text, 'rulelang'):parse()[1]:root()
local captured = {}
for id, node in query:iter_captures(root, text, 0, -1) do
    table.insert(captured, { query.captures[id], vim.treesitter.query.get_node_text(node, text) })
end
vim.fn.writefile({ vim.fn.json_encode(captured) }, answer)
vim.cmd('qall!')
