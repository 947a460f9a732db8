#!/usr/bin/env node
// latency.js MODULE [SERVER] - how long commands about a filter of 1.5 GB keep
// the others waiting
//
// Starts SERVER (redis-server) with the module.  A second client sends PING all
// the time.  For each step the table has the median and the longest time of its
// commands, PINGs left out, by the server's own clock (SLOWLOG), and the longest
// PING, which also counts the machine's other work.  Exit status 1 if a command takes more than 20 ms and is not documented
// as a long one (doc/redis.md, "Long commands").
'use strict';
process.env.MODULE = require('path').resolve(process.argv[2]);
process.env.SERVER = process.argv[3] || 'redis-server';
const { start } = require('../tests/module/lib.js');

const MEMORY = '1536M', BATCH = 4096, LIMIT = 20;

// Packed hashes: random bytes, so that every line is as likely.
const hashes = n => require('crypto').randomBytes(16 * n);

class Pinger {
    constructor(client) {
        this.client = client;
        this.longest = 0;
        this.done = this.loop();
    }
    async loop() {
        while (!this.stopped) {
            const begun = process.hrtime.bigint();
            await this.client.call('PING');
            const took = Number(process.hrtime.bigint() - begun) / 1e6;
            this.longest = Math.max(this.longest, took);
        }
    }
    async stop() {
        this.stopped = true;
        await this.done;
        return this.longest;
    }
}

let missed = 0;

async function step(s, name, work, documented = false) {
    await s.call('SLOWLOG', 'RESET');
    const pinger = new Pinger(s.connect());
    await work();
    const ping = await pinger.stop();
    pinger.client.close();
    const slow = await s.call('SLOWLOG', 'GET', -1);
    const took = slow.filter(row => String(row[3][0]) !== 'PING').map(row => row[2] / 1000).sort((a, b) => a - b);
    const most = took[took.length - 1], usual = took[took.length >> 1];
    const good = most <= LIMIT || documented;
    missed += !good;
    console.log(name.padEnd(52), usual.toFixed(1).padStart(8),
        most.toFixed(1).padStart(8), ping.toFixed(1).padStart(8),
        documented ? ' documented' : good ? ' met' : ' MISSED');
}

async function main() {
    const s = await start({ 'slowlog-log-slower-than': 0,
        'slowlog-max-len': 100000, 'disable-thp': 'no' });
    console.log(`filter of ${MEMORY}, ms`.padEnd(52), '  median', '    most', '    PING');
    const add = async (key, batches) => {
        for (let i = 0; i < batches; i++)
            await s.call('FR.MADDHASH', key, hashes(BATCH));
    };
    await step(s, 'FR.RESERVE', () =>
        s.call('FR.RESERVE', 'k', 'MEMORY', MEMORY, 'SEED', 5));
    await step(s, `FR.MADDHASH of ${BATCH}, the first 50 batches`,
        () => add('k', 50));
    await step(s, `FR.MADDHASH of ${BATCH}, 950 batches more`,
        () => add('k', 950));
    await step(s, 'FR.INFO', () => s.call('FR.INFO', 'k'));
    await step(s, 'FR.INFO COUNT', () => s.call('FR.INFO', 'k', 'COUNT'), true);
    await step(s, 'INFO everything', () => s.call('INFO', 'everything'));
    await step(s, 'FR.RESET', () => s.call('FR.RESET', 'k'));
    await step(s, `FR.MADDHASH of ${BATCH}, 50 batches after FR.RESET`,
        () => add('k', 50));
    await step(s, 'UNLINK', () => s.call('UNLINK', 'k'));
}

main().then(() => process.exit(missed ? 1 : 0));
