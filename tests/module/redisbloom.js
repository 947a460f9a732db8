// redisbloom.js - what RedisBloom does and dumps, made without the module
//
// Written from the facts of its format alone, so that equal bytes mean that
// both have them right.
'use strict';

const MASK = (1n << 64n) - 1n;
const FACTOR = 0xc6a4a7935bd1e995n;

// MurmurHash64A of a Buffer.
function murmur(data, seed) {
    const whole = data.length - data.length % 8;
    let h = seed ^ BigInt(data.length) * FACTOR & MASK;
    for (let i = 0; i < whole; i += 8) {
        let k = data.readBigUInt64LE(i) * FACTOR & MASK;
        k ^= k >> 47n;
        h = (h ^ k * FACTOR & MASK) * FACTOR & MASK;
    }
    if (whole < data.length) {
        for (let i = whole; i < data.length; i++)
            h ^= BigInt(data[i]) << BigInt(8 * (i - whole));
        h = h * FACTOR & MASK;
    }
    h = (h ^ h >> 47n) * FACTOR & MASK;
    return h ^ h >> 47n;
}

// Where an item's bits are in a link.
function positions(item, link) {
    const data = Buffer.isBuffer(item) ? item : Buffer.from(item);
    const a = murmur(data, FACTOR), b = murmur(data, a), all = [];
    for (let i = 0; i < link.hashes; i++)
        all.push(Number((a + BigInt(i) * b & MASK) % BigInt(link.bits)));
    return all;
}

// The fields of a link, in the order of the header: name, bytes.
const fields = [['bytes', 8], ['bits', 8], ['size', 8], ['error', 'f64'],
    ['bpe', 'f64'], ['hashes', 4], ['entries', 8], ['n2', 1]];

// The fields of an empty link.  Old versions rounded bits up to a power of
// two, and entries with them.
function plan(entries, error, rounded = false) {
    const bpe = -Math.log(error) / 0.480453013918201;
    const n2 = rounded ? Math.floor(Math.log2(entries * bpe)) + 1 : 0;
    const bits = rounded ? 2 ** n2 :
        Math.ceil(Math.floor(entries * bpe) / 64) * 64;
    if (rounded) entries += Math.floor((bits - entries * bpe) / bpe);
    return { bytes: bits / 8, bits, size: 0, error, bpe,
        hashes: Math.ceil(0.693147180559945 * bpe), entries, n2 };
}

class Chain {
    constructor(error, capacity,
        { growth = 2, scaling = true, rounded = false } = {}) {
        Object.assign(this, { size: 0, growth, scaling, rounded, links: [] });
        this.options = 4 + (rounded ? 0 : 1) + (scaling ? 0 : 8);
        this.append(capacity, scaling ? error / 2 : error);
    }

    append(entries, error) {
        const link = plan(entries, error, this.rounded);
        this.links.push({ ...link, array: Buffer.alloc(link.bytes) });
    }

    has(item) {
        return this.links.some(link => positions(item, link).every(
            bit => link.array[bit >> 3] & 1 << bit % 8));
    }

    // 1 new, 0 seen, null: it is full.
    add(item) {
        let link = this.links.at(-1);
        if (this.has(item)) return 0;
        if (link.size >= link.entries) {
            if (!this.scaling) return null;
            this.append(link.entries * this.growth, link.error / 2);
            link = this.links.at(-1);
        }
        for (const bit of positions(item, link))
            link.array[bit >> 3] |= 1 << bit % 8;
        link.size++;
        this.size++;
        return 1;
    }

    header() {
        const out = Buffer.alloc(20 + 53 * this.links.length);
        let at = 20;
        out.writeBigUInt64LE(BigInt(this.size), 0);
        out.writeUInt32LE(this.links.length, 8);
        out.writeUInt32LE(this.options, 12);
        out.writeUInt32LE(this.growth, 16);
        for (const link of this.links)
            for (const [name, type] of fields) {
                const value = link[name];
                if (type === 'f64') out.writeDoubleLE(value, at);
                if (type === 8) out.writeBigUInt64LE(BigInt(value), at);
                if (type === 4) out.writeUInt32LE(value, at);
                if (type === 1) out.writeUInt8(value, at);
                at += type === 'f64' ? 8 : type;
            }
        return out;
    }

    // What BF.SCANDUMP answers, one after the other, but for the last, [0, ''].
    dump(most = 16 << 20) {
        const all = [[1, this.header()]];
        let next = 1;
        for (const { array } of this.links)
            for (let i = 0; i < array.length; i += most) {
                const chunk = array.subarray(i, i + most);
                next += chunk.length;
                all.push([next, chunk]);
            }
        return all;
    }
}

// Where the fields of the first link stand in a header, and those before it.
const offsets = { items: 0, links: 8, options: 12, growth: 16 };
fields.reduce((at, [name, type]) => {
    offsets[name] = at;
    return at + (type === 'f64' ? 8 : type);
}, 20);

// All answers of BF.SCANDUMP but for the last.
async function scandump(server, key) {
    const all = [];
    for (let at = 0;;) {
        const [next, chunk] = await server.call('BF.SCANDUMP', key, at);
        if (next === 0) return all;
        all.push([next, chunk]);
        at = next;
    }
}

async function loadchunks(server, key, dump) {
    for (const [iterator, chunk] of dump)
        await server.call('BF.LOADCHUNK', key, iterator, chunk);
}

module.exports = { murmur, plan, Chain, offsets, scandump, loadchunks };
