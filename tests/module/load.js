// load.js SECONDS - redis-benchmark on a primary with two replicas
'use strict';
const { execFile } = require('child_process');
const { assert, SERVER, start, replica_of, in_sync, until, run, field } =
    require('./lib.js');

const seconds = Number(process.env.SECONDS || 4);

// As many commands as fit in some seconds, by rounds.
async function load(port, ...args) {
    for (const end = Date.now() + seconds * 1000; Date.now() < end;)
        await new Promise((resolve, reject) => execFile(
            SERVER.replace('-server', '-benchmark'),
            ['-p', String(port), '-P', '16', '-n', '20000', '-r', '1000000',
                '-q', ...args],
            error => error ? reject(error) : resolve()));
}

const tests = {
    async replicas_are_equal_after_a_long_load() {
        const p = await start();
        const replicas = [await replica_of(p), await replica_of(p)];
        await p.call('FR.RESERVE', 'plain', 'MEMORY', '16M');
        await p.call('FR.RESERVE', 'time', 'MEMORY', '4M', 'WITHIN', 500);
        await p.call('FR.RESERVE', 'random', 'MEMORY', '1M', 'ALGORITHM',
            'rsbf');
        await Promise.all([
            load(p.port, 'FR.ADD', 'plain', '__rand_int__'),
            load(p.port, 'FR.MADD', 'time', ...Array(5).fill('__rand_int__')),
            load(p.port, 'FR.MADD', 'random',
                ...Array(20).fill('__rand_int__')),
            load(p.port, 'FR.EXISTS', 'plain', '__rand_int__'),
        ]);
        for (const r of replicas) {
            await until('the replica has caught up', () => in_sync(p, r));
            assert.strictEqual(String(await r.call('DEBUG', 'DIGEST')),
                String(await p.call('DEBUG', 'DIGEST')));
            assert.strictEqual(await field(r, 'replication',
                'master_link_status'), 'up');
        }
        const offered = Number(await field(p, 'freshet_filters',
            'freshet_offered'));
        console.log(`${offered} items offered`);
        assert.ok(offered > 10000);
    },
};

run(tests);
