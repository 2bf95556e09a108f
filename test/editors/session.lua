-- One session of Neovim with the language server, run by neovim.slow.ts. What is seen is written as JSON.
-- Arguments: the command line, a program with problems, a program without, the file for the answer.
local cli, broken, sound, answer = unpack(vim.v.argv, #vim.v.argv - 3)

local seen = {}

local function wait(what, condition)
    if not vim.wait(300000, condition, 50) then
        seen.failure = 'waited in vain for ' .. what
        error(seen.failure)
    end
end

local function open(path)
    vim.cmd('edit ' .. vim.fn.fnameescape(path))
    vim.bo.filetype = 'rulelang'
    local client = vim.lsp.start_client({
        name = 'rulelang',
        cmd = { cli, 'lsp', '--stdio' },
        root_dir = vim.fn.fnamemodify(path, ':h'),
        init_options = { trusted = true },
    })
    vim.lsp.buf_attach_client(0, client)
    wait('the server', function() return vim.lsp.buf_get_clients(0)[client] ~= nil and vim.lsp.get_client_by_id(client).initialized end)
    return vim.lsp.get_client_by_id(client)
end

local function ask(method, params)
    local answers = vim.lsp.buf_request_sync(0, method, params, 300000) or {}
    local _, first = next(answers)
    if first == nil or first.error ~= nil then
        seen.failure = method .. ': ' .. vim.inspect(first)
        error(seen.failure)
    end
    return first.result
end

local function at(pattern, offset)
    for number, line in ipairs(vim.api.nvim_buf_get_lines(0, 0, -1, false)) do
        local column = line:find(pattern)
        if column ~= nil then
            vim.api.nvim_win_set_cursor(0, { number, column - 1 + (offset or 0) })
            return vim.lsp.util.make_position_params(0, 'utf-16')
        end
    end
    error('no line has ' .. pattern)
end

local function session()
    local client = open(broken)
    wait('problems', function() return #vim.diagnostic.get(0) > 0 end)
    seen.problems = vim.tbl_map(function(problem) return { line = problem.lnum + 1, code = problem.code, message = problem.message } end, vim.diagnostic.get(0))
    table.sort(seen.problems, function(a, b) return a.line < b.line end)
    vim.lsp.stop_client(client.id)

    client = open(sound)
    seen.capabilities = vim.tbl_keys(client.server_capabilities)

    local list = ask('textDocument/completion', at('controls%(X, _%), not', 4))
    seen.completions = vim.tbl_map(function(item) return item.label end, list.items or list)

    local card = ask('textDocument/hover', at('controls%(X, Y%) <%-'))
    seen.hover = card.contents.value

    local rename = at('holding%(X, Y, Q%) <%-')
    rename.newName = 'stake'
    local edit = ask('textDocument/rename', rename)
    vim.lsp.util.apply_workspace_edit(edit, 'utf-16')
    local text = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\n')
    local _, renamed = text:gsub('stake', '')
    local _, left = text:gsub('%f[%w_]holding%f[^%w_]', '')
    seen.rename = { renamed = renamed, left = left }

    vim.api.nvim_buf_set_lines(0, -1, -1, false, { 'ugly(X)<-stake( X,_ ,Q ),Q>3.' })
    vim.lsp.buf.formatting_sync(nil, 300000)
    seen.formatted = vim.api.nvim_buf_get_lines(0, -2, -1, false)[1]

    vim.api.nvim_win_set_cursor(0, { 1, 0 })
    vim.lsp.codelens.refresh()
    wait('a lens', function() return #vim.lsp.codelens.get(0) > 0 end)
    seen.lenses = vim.tbl_map(function(lens) return lens.command.title end, vim.lsp.codelens.get(0))
    vim.lsp.codelens.run()
    local opened = vim.env.HOME .. '/opened'
    wait('the page', function() return vim.fn.getfsize(opened) > 0 end)
    seen.opened = vim.fn.readfile(opened)[1]
    vim.lsp.stop_client(client.id)
    wait('the end', function() return #vim.lsp.get_active_clients() == 0 end)
    seen.ended = true
end

local ok, reason = pcall(session)
if not ok then seen.failure = seen.failure or tostring(reason) end
local file = assert(io.open(answer, 'w'))
file:write(vim.fn.json_encode(seen))
file:close()
vim.cmd('qall!')
