/** A scope as the routes have it, of what services or an address of the page say. */
export function scopeOf(scope: string): 'user' | 'organization' {
    return scope === 'organization' ? 'organization' : 'user';
}
