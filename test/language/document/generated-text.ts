/** A program of rules that need each other, with facts, annotations and comments between them. */
export function generatedText(clauses: number, below: (limit: number) => number): string {
    const name = (): string => `p${below(Math.max(2, clauses >> 1))}`;
    const lines = Array.from({ length: clauses }, (_, i) => {
        switch (below(12)) {
            case 0:
                return `${name()}("a${i}", ${below(9)}).`;
            case 1:
                return `@output("${name()}"). % shown`;
            case 2:
                return `%% about rule ${i}\n${name()}(X, Y) <- ${name()}(X, Z), not ${name()}(Z, Y), Y > ${i}.`;
            case 3:
                return `${name()}(X, S) <- ${name()}(X, Y), ${name()}(Y), S = msum(Y).`;
            case 4:
                return `${name()}(X, Y) <-\n    ${name()}(X, Z),\n    ${name()}(Z, Y).`;
            case 5:
                return `${name()}(X), ${name()}(X, X) <- ${name()}(X, _, _).`;
            case 6:
                return `${name()}(X) <- ${name()}(Y), X = Y + 1, X < ?limit.`;
            case 7:
                return `#F <- ${name()}(X, Y), X == Y. ${name()}(1).`;
            case 8:
                return `${name()}(X, N) <- ${name()}(X, Y), ${name()}(Y).`;
            case 9:
                return `${name()}(V, X) <- ${name()}(X, Y), V = #f(Y). X = Y <- ${name()}(X, Y), ${name()}(Y, X).`;
            case 10:
                return `${name()}(N, M) <- ${name()}(N, X), ${name()}(X, M), ${name()}(M, _).`;
            default:
                return `${name()}(X, Y) <- ${name()}(X, Y), starts_with(X, "${name()}.").`;
        }
    });
    return `${lines.join('\n')}\n`;
}
