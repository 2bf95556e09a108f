/** Now, as it is kept: ISO 8601 in UTC with milliseconds. Later than another moment even where the clock says otherwise. */
export function moment(after?: string): string {
    const least = after === undefined ? 0 : Date.parse(after) + 1;
    return new Date(Math.max(Date.now(), least)).toISOString();
}
