/**
 * Generators of input files. Each gives the text of its files by name: CSV without a header and without quotes, the same
 * on every machine for the same arguments.
 */

/** Different edges `from,to` between different nodes. */
export function randomDigraph(nodes, edges, seed, name = String) {
    const next = random(seed);
    const lines = new Set();
    while (lines.size < edges) {
        const from = below(next, nodes);
        const to = below(next, nodes);
        if (from !== to) lines.add(`${name(from)},${name(to)}\n`);
    }
    return { 'edge.csv': [...lines].join('') };
}

export function chain(nodes) {
    return { 'edge.csv': Array.from({ length: nodes - 1 }, (_, i) => `${i},${i + 1}\n`).join('') };
}

/** Edges to the right and down. */
export function grid(side) {
    const lines = [];
    for (let node = 0; node < side * side; node++) {
        if (node % side < side - 1) lines.push(`${node},${node + 1}\n`);
        if (node < side * (side - 1)) lines.push(`${node},${node + side}\n`);
    }
    return { 'edge.csv': lines.join('') };
}

/** Edges forward within blocks of 50 nodes, by one or two per node, whose numbers are scattered over half a million. */
export function blocks(nodes, seed) {
    const next = random(seed);
    const lines = new Set();
    const scattered = node => ((node * 7919) % 500_009) + 1_000_000;
    for (let node = 0; node < nodes; node++) {
        const left = 49 - (node % 50);
        if (left === 0) continue;
        const edges = next() < 0.35 ? 2 : 1;
        for (let i = 0; i < edges; i++) lines.add(`${scattered(node)},${scattered(node + 1 + below(next, Math.min(left, 4)))}\n`);
    }
    return { 'edge.csv': [...lines].join('') };
}

/** A complete binary tree as `child,parent`. */
export function tree(nodes) {
    return { 'par.csv': Array.from({ length: nodes - 1 }, (_, i) => `${i + 1},${i >> 1}\n`).join('') };
}

/** Layers of equal width as `child,parent`; a node has one or two parents in the layer before. */
export function layers(count, width, seed) {
    const next = random(seed);
    const lines = new Set();
    for (let child = width; child < count * width; child++) {
        const parents = next() < 0.5 ? 2 : 1;
        const before = (Math.floor(child / width) - 1) * width;
        for (let i = 0; i < parents; i++) lines.add(`${child},${before + below(next, width)}\n`);
    }
    return { 'par.csv': [...lines].join('') };
}

/** The statements of a program for points-to analysis, most of them between variables of one function. */
export function pointers(variables, seed) {
    const next = random(seed);
    const local = variable => Math.min(variables - 1, Math.floor(variable / 40) * 40 + below(next, 40));
    const near = variable => (next() < 0.9 ? local(variable) : below(next, variables));
    const files = { 'alloc.csv': new Set(), 'move.csv': new Set(), 'load.csv': new Set(), 'store.csv': new Set() };
    for (let variable = 0; variable < variables; variable++) {
        if (next() < 0.25) files['alloc.csv'].add(`${variable},${local(variable)}\n`);
        if (next() < 0.62) files['move.csv'].add(`${variable},${near(variable)}\n`);
        if (next() < 0.1) files['load.csv'].add(`${variable},${near(variable)}\n`);
        if (next() < 0.1) files['store.csv'].add(`${variable},${near(variable)}\n`);
    }
    return joined(files);
}

/** As `pointers`, where what is loaded and stored are fields, and each allocation is an object of its own. */
export function fields(variables, names, seed) {
    const next = random(seed);
    const local = variable => Math.min(variables - 1, Math.floor(variable / 40) * 40 + below(next, 40));
    const near = variable => (next() < 0.85 ? local(variable) : below(next, variables));
    const files = { 'alloc.csv': new Set(), 'move.csv': new Set(), 'load.csv': new Set(), 'store.csv': new Set() };
    for (let variable = 0; variable < variables; variable++) {
        if (next() < 0.4) files['alloc.csv'].add(`${variable},${variables + variable}\n`);
        if (next() < 0.85) files['move.csv'].add(`${variable},${near(variable)}\n`);
        if (next() < 0.22) files['load.csv'].add(`${variable},${near(variable)},${below(next, names)}\n`);
        if (next() < 0.22) files['store.csv'].add(`${variable},${below(next, names)},${near(variable)}\n`);
    }
    return joined(files);
}

/** Orders `number,customer,product,quantity` with some products more popular than others; customers and products. */
export function orders(count, customers, products, seed) {
    const next = random(seed);
    const lines = (length, line) => Array.from({ length }, (_, i) => line(i)).join('');
    return {
        'cust.csv': lines(customers, i => `c${i},region_${below(next, 50)}\n`),
        'prod.csv': lines(products, i => `p${i},category_${below(next, 40)}\n`),
        'ord.csv': lines(count, i => {
            const popular = next();
            return `${i},c${below(next, customers)},p${Math.floor(popular * popular * products)},${1 + below(next, 99)}\n`;
        }),
    };
}

/** Rows of a number, a name, a number and a city. */
export function mixedRows(count, seed) {
    const next = random(seed);
    const line = (_, i) => `${i},customer_${below(next, 100_000).toString(36)}_name,${below(next, 1_000_000)},city-${below(next, 5000)}\n`;
    return { 'rows.csv': Array.from({ length: count }, line).join('') };
}

/**
 * Holdings `owner,company,percent`. Companies come in groups of 64; each has up to four owners, most of them from its
 * own group, whose shares sum to at most 100.
 */
export function ownership(companies, seed) {
    const next = random(seed);
    const lines = [];
    for (let company = 0; company < companies; company++) {
        const owners = 1 + below(next, 4);
        const group = Math.floor(company / 64) * 64;
        const used = new Set([company]);
        let left = 100;
        for (let place = 0; place < owners && left > 1; place++) {
            const owner = next() < 0.85 ? Math.min(companies - 1, group + below(next, 64)) : below(next, companies);
            if (used.has(owner)) continue;
            used.add(owner);
            const percent = place === owners - 1 ? left : 1 + below(next, left - 1);
            left -= percent;
            lines.push(`${owner},${company},${percent}\n`);
        }
    }
    return { 'own.csv': lines.join('') };
}

/** Edges `smaller,larger`; nodes with small numbers have the most. */
export function skewedGraph(nodes, edges, seed) {
    const next = random(seed);
    const skewed = () => Math.floor(nodes * next() ** 2);
    const lines = new Set();
    while (lines.size < edges) {
        const [one, other] = [skewed(), skewed()];
        if (one !== other) lines.add(`${Math.min(one, other)},${Math.max(one, other)}\n`);
    }
    return { 'edge.csv': [...lines].join('') };
}

/** A random graph, the nodes at which ways start, and nodes through which none may lead. */
export function blockedGraph(nodes, edges, starts, seed) {
    const blocked = Array.from({ length: nodes }, (_, i) => i).filter(node => node >= starts && node % 10 === 7);
    return {
        ...randomDigraph(nodes, edges, seed),
        'node.csv': Array.from({ length: nodes }, (_, i) => `${i}\n`).join(''),
        'start.csv': Array.from({ length: starts }, (_, i) => `${i}\n`).join(''),
        'blocked.csv': blocked.map(node => `${node}\n`).join(''),
    };
}

/** A random graph and ten nodes to start from. */
export function reachable(nodes, edges, seed) {
    return { ...randomDigraph(nodes, edges, seed), 'start.csv': Array.from({ length: 10 }, (_, i) => `${i}\n`).join('') };
}

/** Employees and the departments they are in; a department is part of an earlier one. */
export function staff(employees, departments, seed) {
    const next = random(seed);
    return {
        'part.csv': Array.from({ length: departments - 1 }, (_, i) => `${i + 1},${below(next, i + 1)}\n`).join(''),
        'works.csv': Array.from({ length: employees }, (_, i) => `${i},${below(next, departments)}\n`).join(''),
    };
}

/** Universities with departments, groups, professors, students and courses; numbers tell the kinds apart. */
export function universities(count, seed) {
    const next = random(seed);
    const files = {
        'part.csv': [],
        'head.csv': [],
        'works.csv': [],
        'studies.csv': [],
        'teaches.csv': [],
        'takes.csv': [],
        'advisor.csv': [],
    };
    const put = (file, ...cells) => files[`${file}.csv`].push(`${cells.join(',')}\n`);
    let last = count;
    for (let university = 0; university < count; university++) {
        for (let d = 0; d < 15; d++) {
            const department = last++;
            put('part', department, university);
            for (let g = 0; g < 10; g++) put('part', last++, department);
            const professors = Array.from({ length: 20 }, () => last++);
            const courses = professors.flatMap(professor => [last++, last++].map(course => ({ professor, course })));
            put('head', professors[0], department);
            for (const professor of professors) put('works', professor, department);
            for (const { professor, course } of courses) put('teaches', professor, course);
            for (let s = 0; s < 200; s++) {
                const student = last++;
                put('studies', student, department);
                const first = below(next, courses.length);
                for (let c = 0; c < 3; c++) put('takes', student, courses[(first + 7 * c) % courses.length].course);
                put('advisor', student, professors[below(next, professors.length)]);
            }
        }
    }
    return joined(files);
}

function joined(files) {
    return Object.fromEntries(Object.entries(files).map(([name, lines]) => [name, [...lines].join('')]));
}

function below(next, limit) {
    return Math.floor(next() * limit);
}

/** Mulberry32: numbers in [0, 1) from 32 bits of state. */
function random(seed) {
    let state = seed >>> 0;
    return () => {
        state = (state + 0x6d2b79f5) >>> 0;
        let mixed = state;
        mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
        mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
        return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
    };
}
