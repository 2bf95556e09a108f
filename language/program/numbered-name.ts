/** The name as wished, or with the first number that makes it free. */
export function numberedName(wished: string, isTaken: (name: string) => boolean): string {
    let name = wished;
    for (let number = 2; isTaken(name); number++) name = `${wished}_${number}`;
    return name;
}
