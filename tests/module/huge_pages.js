// huge_pages.js - a busy filter gets huge pages, where the kernel has them
'use strict';
const fs = require('fs');
const os = require('os');

// Why not here, or nothing.  HUGE_PAGES names another file than the kernel's.
function reason() {
    const file = process.env.HUGE_PAGES ||
        '/sys/kernel/mm/transparent_hugepage/enabled';
    const [major, minor] = os.release().split('.').map(Number);
    if (!fs.existsSync(file))
        return `this kernel has none, or no ${file}`;
    if (!/\[(madvise|always)\]/.test(fs.readFileSync(file, 'latin1')))
        return `they are turned off in ${file}`;
    if (major < 6 || (major === 6 && minor < 1))
        return 'a block can ask for them since Linux 6.1';
    return '';
}

const why = reason();
if (why) {
    console.log(`huge pages: ${why}`);
    process.exit(77);
}
const { assert, start, items, run, until } = require('./lib.js');

const tests = {
    // A thread makes them when there are enough items: no further write is
    // needed.
    async a_busy_filter_gets_huge_pages() {
        const digests = new Set();
        for (const word of ['no', 'yes']) {
            const s = await start({ 'disable-thp': 'no' });
            const huge = () => Number(fs.readFileSync(
                `/proc/${s.child.pid}/smaps_rollup`, 'latin1')
                .match(/AnonHugePages: *(\d+)/)[1]) << 10;
            await s.call('CONFIG', 'SET', 'freshet.huge-pages', word);
            await s.call('FR.RESERVE', 'k', 'MEMORY', '32M', 'SEED', 5);
            await s.call('FR.MADD', 'k', ...items(100));
            const few = huge();
            await s.call('FR.MADD', 'k', ...items(5000, 'more'));
            if (word === 'yes')
                await until('they are huge', async () =>
                    huge() >= few + (20 << 20));
            else
                assert.strictEqual(huge(), few);
            digests.add(await s.digest('k'));
            await s.call('DEL', 'k');
        }
        assert.strictEqual(digests.size, 1);
    },

    async keys_that_are_only_remembered_count() {
        const s = await start({ 'disable-thp': 'no' });
        const huge = () => Number(fs.readFileSync(
            `/proc/${s.child.pid}/smaps_rollup`, 'latin1')
            .match(/AnonHugePages: *(\d+)/)[1]) << 10;
        await s.call('FR.RESERVE', 'k', 'MEMORY', '32M', 'SEED', 5);
        const few = huge();
        await s.call('FR.REMEMBER', 'k', ...items(5000));
        await until('they are huge', async () => huge() >= few + (20 << 20));
    },

    async a_filter_may_go_while_its_pages_are_made_huge() {
        const s = await start({ 'disable-thp': 'no' });
        const reserve = key => s.call('FR.RESERVE', key, 'MEMORY', '300M',
            'SEED', 5);
        await reserve('new');
        const empty = await s.digest('new');
        for (const command of ['DEL', 'UNLINK', 'FR.RESET', 'FR.RESET',
            'FLUSHALL']) {
            await reserve('k').catch(() => {}); // it was reset
            await s.call('FR.MADD', 'k', ...items(25000));
            await s.call(command, ...command === 'FLUSHALL' ? [] : ['k']);
            if (command === 'FR.RESET')
                assert.strictEqual(await s.digest('k'), empty);
        }
        assert.strictEqual(await s.call('FR.ADD', 'k', 'a'), 1);
    },
};

run(tests);
