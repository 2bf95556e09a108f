/** The remedy that names what was probably meant. */
export function didYouMean(name: string | undefined): string | undefined {
    return name === undefined ? undefined : `did you mean '${name}'?`;
}
