// safety.js - loading twice, limits of memory, ACLs, descriptions of commands
'use strict';
const fs = require('fs');
const path = require('path');
const { assert, MODULE, work, start, replica_of, fails, pairs, items, field,
    until, in_sync, run } = require('./lib.js');

const resident = server => Number(fs.readFileSync(
    `/proc/${server.child.pid}/status`, 'latin1').match(/VmRSS:\s*(\d+)/)[1]) <<
    10;

// Servers after Redis 7.0 have categories of modules.
const has_categories = async s =>
    (await s.call('ACL', 'CAT')).map(String).includes('freshet');

async function user(s, name, ...rules) {
    await s.call('ACL', 'SETUSER', name, 'reset', 'on', 'nopass', ...rules);
    const client = s.connect();
    await client.call('AUTH', name, 'x');
    return client;
}

const tests = {
    // Registering a type twice took the first one's values, and the server.
    async a_second_load_is_refused_and_changes_nothing() {
        const copy = path.join(work, 'copy.so');
        fs.copyFileSync(MODULE, copy);
        const s = await start({ 'enable-module-command': 'yes',
            'freshet.bf-compat': 'yes', 'freshet.default-memory': '3mb' });
        await s.call('FR.RESERVE', 'k', 'MEMORY', '1M');
        await s.call('FR.ADD', 'k', 'a');
        await s.call('BF.ADD', 'b', 'a');
        const before = await s.digest('k');
        for (const file of [MODULE, copy])
            await fails(s.call('MODULE', 'LOAD', file), /^ERR/);
        assert.match(s.log(), /freshet is loaded already/);
        assert.strictEqual(await s.call('FR.ADD', 'k', 'a'), 0);
        assert.strictEqual(await s.call('BF.ADD', 'b', 'a'), 0);
        assert.ok(await s.call('MEMORY', 'USAGE', 'k') > 1 << 20);
        await s.call('FR.RESET', 'k');
        await s.call('FR.ADD', 'k', 'a');
        assert.strictEqual(String((await s.call('CONFIG', 'GET',
            'freshet.default-memory'))[1]), String(3 << 20));
        await s.call('DEBUG', 'RELOAD');
        assert.strictEqual(await s.digest('k'), before);
        await s.call('FR.ADD', 'new', 'a');
        assert.strictEqual(pairs(await s.call('FR.INFO', 'new')).memory,
            3 << 20);
        await s.call('FLUSHALL');
        assert.strictEqual(await s.call('PING'), 'PONG');
    },

    async filters_together_have_a_limit() {
        const s = await start();
        const limit = Number((await s.call('CONFIG', 'GET',
            'freshet.max-memory'))[1]);
        const memory = Number(fs.readFileSync('/proc/meminfo', 'latin1')
            .match(/MemTotal:\s*(\d+)/)[1]) * 1024;
        assert.ok(Math.abs(limit - 0.75 * memory) < 0.01 * memory,
            `${limit} of ${memory}`);
        await fails(s.call('FR.RESERVE', 'a', 'MEMORY', '1T'),
            /^OOM .*freshet\.max-memory leaves .*; reserve less, or raise/);
        await s.call('CONFIG', 'SET', 'freshet.max-memory', '10mb');
        await s.call('FR.RESERVE', 'a', 'MEMORY', '6M');
        await fails(s.call('FR.RESERVE', 'b', 'MEMORY', '6M'), /max-memory/);
        await fails(s.call('FR.ADD', 'b', 'x'), /max-memory/);
        await fails(s.call('FR.LOAD', 'b', 0, 6 << 20, 'x'), /max-memory/);
        const saved = await s.call('DUMP', 'a');
        await fails(s.call('RESTORE', 'b', 0, saved), /Bad data/);
        await fails(s.call('COPY', 'a', 'b'), /./).catch(() => {});
        assert.strictEqual(await s.call('EXISTS', 'b'), 0);
        const none = () => until('a thread has freed them', async () =>
            await field(s, 'freshet_filters', 'freshet_bytes') === '0');
        assert.strictEqual(await s.call('DEL', 'a'), 1);
        await none();
        assert.strictEqual(await s.call('RESTORE', 'b', 0, saved), 'OK');
        await s.call('FLUSHALL');
        await none();
        await s.call('CONFIG', 'SET', 'freshet.max-memory', '0');
        await s.call('FR.RESERVE', 'c', 'MEMORY', '20M');
    },

    async a_limit_never_refuses_what_is_loaded_or_replicated() {
        const p = await start({ appendonly: 'yes', save: '3600 1' });
        await p.call('FR.RESERVE', 'a', 'MEMORY', '6M');
        await p.call('FR.ADD', 'a', 'x');
        const r = await replica_of(p, { 'freshet.max-memory': '1mb' });
        await p.call('FR.RESERVE', 'b', 'MEMORY', '6M');
        await p.call('FR.ADD', 'b', 'x');
        await p.call('COPY', 'a', 'c');
        await p.call('RESTORE', 'd', 0, await p.call('DUMP', 'a'));
        await until('the replica has all', () => in_sync(p, r));
        for (const key of ['a', 'b', 'c', 'd'])
            assert.strictEqual(await r.digest(key), await p.digest(key));
        p.options['freshet.max-memory'] = '1mb';
        await p.restart();
        assert.strictEqual(await p.call('DBSIZE'), 4);
        await p.call('DEBUG', 'RELOAD');
        assert.strictEqual(await p.call('FR.EXISTS', 'b', 'x'), 1);
    },

    async first_items_do_not_take_a_huge_page_each() {
        const s = await start({ 'disable-thp': 'no' });
        await s.call('FR.RESERVE', 'k', 'MEMORY', '1G');
        const before = resident(s);
        await s.call('FR.MADD', 'k', ...items(2000));
        const more = resident(s) - before;
        assert.ok(more < 64 << 20, `${more >> 20} MiB for 2000 items`);
    },

    // Where the kernel gives huge pages to all memory ("always"), a block has to
    // refuse them: the flag "nh" of its mapping.
    async a_young_filter_refuses_huge_pages() {
        const s = await start({ 'disable-thp': 'no' });
        const refusing = () => fs.readFileSync(`/proc/${s.child.pid}/smaps`,
            'latin1').split(/^(?=[0-9a-f]+-[0-9a-f]+ )/m).filter(part =>
            Number(part.match(/^Size: *(\d+) kB/m)[1]) > 1000 << 10 &&
            / nh\b/.test(part.match(/^VmFlags:.*/m)[0])).length;
        const others = refusing(); // the address sanitizer has some
        await s.call('FR.RESERVE', 'k', 'MEMORY', '1G');
        assert.strictEqual(refusing(), others + 1);
    },

    async no_client_sets_a_clock() {
        const s = await start({ appendonly: 'yes' });
        const r = await replica_of(s);
        await s.call('FR.RESERVE', 'k', 'MEMORY', '1M', 'WITHIN', '300');
        await s.call('FR.ADD', 'k', 'a');
        await fails(s.call('FR.TICK', 'k', '4102444800000'),
            /goes by the server's clock/);
        await fails(s.call('EVAL', "return redis.call('FR.TICK', KEYS[1], " +
            "'4102444800000')", 1, 'k'), /goes by the server's clock/);
        await fails(s.call('FR.ANSWER', 'k', 'c', '1', '1', '0'),
            /append-only/);
        await until('it is forgotten', async () =>
            await s.call('FR.ADD', 'k', 'a') === 1);
        await until('the replica has all', () => in_sync(s, r));
        assert.strictEqual(await r.digest('k'), await s.digest('k'));
        const before = await s.digest('k');
        await s.restart();
        assert.strictEqual(await s.digest('k'), before);
    },

    async categories_are_those_of_the_servers_own_commands() {
        const s = await start({ 'freshet.bf-compat': 'yes' });
        if (!await has_categories(s))
            return console.log('skipped: this server has no categories');
        const reader = await user(s, 'reader', '~*', '+@all', '-@write');
        await s.call('FR.ADD', 'k', 'a');
        await s.call('BF.ADD', 'b', 'a');
        for (const args of [['FR.ADD', 'k', 'a'], ['BF.ADD', 'b', 'a'],
            ['FR.MADDHASH', 'k', ''], ['FR.RESET', 'k'],
            ['BF.LOADCHUNK', 'b', 1, 'x']])
            await fails(reader.call(...args), /^NOPERM/);
        const both = await user(s, 'both', '~*', '+@read', '+@write');
        for (const client of [reader, both]) {
            assert.strictEqual(await client.call('FR.EXISTS', 'k', 'a'), 1);
            assert.strictEqual(await client.call('BF.EXISTS', 'b', 'a'), 1);
        }
        assert.strictEqual(await both.call('FR.ADD', 'k', 'a'), 0);
        const has = async (category, ...names) => {
            const all = (await s.call('COMMAND', 'LIST', 'FILTERBY',
                'ACLCAT', category)).map(
                one => String(one).toLowerCase());
            for (const name of names)
                assert.ok(all.includes(name), `${name} in ${category}`);
            return all;
        };
        await has('fast', 'fr.add', 'fr.exists', 'bf.exists');
        await has('slow', 'fr.madd', 'fr.info');
        const bloom = await has('bloom', 'bf.add', 'bf.info', 'bf.scandump');
        assert.ok(bloom.every(name => name.startsWith('bf.')));
        const all = await has('freshet', 'fr.add');
        assert.ok(all.length >= 18);
    },

    async who_may_only_read_can_read() {
        const s = await start({ 'freshet.bf-compat': 'yes' });
        await s.call('FR.RESERVE', 'k', 'MEMORY', '1M');
        await s.call('FR.ADD', 'k', 'a');
        await s.call('BF.ADD', 'b', 'a');
        const reader = await user(s, 'reader', '%R~*', '+@all');
        assert.strictEqual(await reader.call('FR.EXISTS', 'k', 'a'), 1);
        assert.deepStrictEqual(await reader.call('FR.MEXISTS', 'k', 'a'), [1]);
        assert.strictEqual(pairs(await reader.call('FR.INFO', 'k')).new, 1);
        assert.strictEqual((await reader.call('FR.DUMP', 'k', 0)).length, 3);
        assert.strictEqual(await reader.call('BF.EXISTS', 'b', 'a'), 1);
        assert.strictEqual((await reader.call('BF.INFO', 'b')).length, 10);
        assert.strictEqual(await reader.call('BF.CARD', 'b'), 1);
        for (const args of [['FR.ADD', 'k', 'a'], ['FR.QUERY', 'k', 'a'],
            ['FR.MERGE', 'k', 'k'], ['BF.MADD', 'b', 'a']])
            await fails(reader.call(...args), /^NOPERM/);
        const merger = await user(s, 'merger', '~k', '%R~source', '+@all');
        await s.call('COPY', 'k', 'source');
        assert.strictEqual(await merger.call('FR.MERGE', 'k', 'source'), 'OK');
        await fails(merger.call('FR.MERGE', 'source', 'k'), /^NOPERM/);
        const writer = await user(s, 'writer', '%W~*', '+@all');
        assert.strictEqual(await writer.call('FR.REMEMBER', 'k', 'b'), 'OK');
        await fails(writer.call('FR.EXISTS', 'k', 'a'), /^NOPERM/);
    },

    async every_command_is_described() {
        const s = await start({ 'freshet.bf-compat': 'yes' });
        const names = (await s.call('COMMAND', 'LIST', 'FILTERBY', 'MODULE',
            'freshet')).map(one => String(one).toLowerCase());
        assert.ok(names.length > 25);
        for (const name of names) {
            const [, flat] = await s.call('COMMAND', 'DOCS', name);
            const about = {};
            for (let i = 0; i < flat.length; i += 2)
                about[String(flat[i])] = flat[i + 1];
            for (const word of ['summary', 'complexity', 'since'])
                assert.ok(String(about[word] || ''), `${word} of ${name}`);
            if (name !== 'fr.list')
                assert.ok(about.arguments.length, `arguments of ${name}`);
            const [info] = await s.call('COMMAND', 'INFO', name);
            assert.strictEqual(info[3], name === 'fr.list' ? 0 : 1, name);
            assert.strictEqual(info[4], name === 'fr.list' ? 0 :
                name === 'fr.merge' ? -1 : 1, name);
        }
        const [, reserve] = await s.call('COMMAND', 'DOCS', 'FR.RESERVE');
        const args = pairs(reserve).arguments.map(pairs);
        assert.deepStrictEqual(args.map(a => a.token || a.name), ['key',
            'MEMORY', 'ERROR', 'EXPECT', 'LAST', 'WITHIN', 'REFRESH',
            'ALGORITHM', 'param', 'SEED', 'HASH', 'SEEDHIGH', 'NX']);
        assert.deepStrictEqual(args.map(a => a.type), ['key', 'string',
            'double', 'integer', 'integer', 'integer', 'pure-token', 'string',
            'block', 'integer', 'string', 'integer', 'pure-token']);
        assert.deepStrictEqual(args[8].flags.map(String),
            ['optional', 'multiple']);
        const [, tick] = await s.call('COMMAND', 'DOCS', 'FR.TICK');
        assert.match(String(pairs(tick).history[0][1]), /refused unless/);
    },

    // A filter that exists has all its memory.
    async a_filter_that_exists_is_written_to_above_maxmemory() {
        const s = await start();
        await s.call('FR.RESERVE', 'k', 'MEMORY', '1M');
        await s.call('CONFIG', 'SET', 'maxmemory', '100kb');
        await fails(s.call('SET', 'x', 'y'), /^OOM/);
        const hash = Buffer.alloc(16, 7);
        assert.strictEqual(String(await s.call('FR.MADDHASH', 'k', hash)), '1');
        assert.strictEqual(await s.call('FR.ADD', 'k', 'a'), 1);
        assert.deepStrictEqual(await s.call('FR.MADD', 'k', 'a', 'b'), [0, 1]);
        assert.strictEqual(await s.call('FR.REMEMBER', 'k', 'c'), 'OK');
        for (const policy of ['noeviction', 'volatile-lru']) {
            await s.call('CONFIG', 'SET', 'maxmemory-policy', policy);
            await fails(s.call('FR.ADD', 'other', 'a'), /^OOM/);
            await fails(s.call('FR.RESERVE', 'other', 'MEMORY', '1M'), /^OOM/);
        }
    },
};

run(tests);
