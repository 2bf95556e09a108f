/** Whether a column is called like one whose sum says nothing: `id`, `customer_id`, `orderId`. */
export function isIdentifier(name: string): boolean {
    return /(?:^|[_\s-])(?:id|key|nr|no)$/iu.test(name) || /[a-z0-9](?:Id|ID|Key|Nr|No)$/u.test(name);
}
