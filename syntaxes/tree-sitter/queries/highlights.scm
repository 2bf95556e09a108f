; Of patterns that match the same node the last one counts.
(comment) @comment

(atom name: (name) @function)
(call name: (name) @function)
(call name: (name) @constant !arguments)
(annotation) @attribute
(hash) @function.macro

(variable) @variable
(parameter) @variable.parameter
(string) @string
(number) @number
(time) @number
(boolean) @boolean
(null) @constant.builtin
(domain) @function.builtin
(query) @embedded

["(" ")" "[" "]" "{" "}"] @punctuation.bracket
["," "."] @punctuation.delimiter
["<-" ":-" "=" "==" "!=" "<>" "<" "<=" ">" ">=" "*" "/" "+" "-" "&" "|" "&&" "||" "!" "!in" "~"] @operator
["not" "in"] @keyword.operator
