/** An answer that is not a success. Test `code`, not the message. */
export class PlatformError extends Error {
    readonly status: number;
    readonly code: string;
    readonly details: unknown;

    constructor(status: number, code: string, message: string, details: unknown) {
        super(message);
        this.status = status;
        this.code = code;
        this.details = details;
    }
}
