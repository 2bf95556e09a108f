/** Texts of other languages, which bundles and tests have as they are. */
declare module '*.py?raw' {
    const text: string;
    export default text;
}
