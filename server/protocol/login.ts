/** A password, and where it may be used: whatever is absent may be anything, and without a host it is for this machine. */
export interface Login {
    /** Of binds, aliases resolved. */
    readonly type: string;
    readonly host?: string;
    readonly port?: number;
    readonly database?: string;
    readonly username?: string;
    readonly password: string;
}
