// remote_lib.js - runs of freshet --remote
'use strict';
const { spawn } = require('child_process');
const net = require('net');
const { assert, field, sleep } = require('./lib.js');
const { FRESHET } = process.env;

// A run of the program: its standard input stays open until end() is called.
class Run {
    constructor(args, env = {}) {
        this.child = spawn(FRESHET, args, { env: { ...process.env, ...env } });
        this.out = '';
        this.err = '';
        this.child.stdout.on('data', data => { this.out += data; });
        this.child.stderr.on('data', data => { this.err += data; });
        this.child.stdin.on('error', () => {});
        this.done = new Promise(resolve => this.child.once('close',
            code => { this.code = code; resolve(code); }));
    }

    write(lines) {
        return new Promise(resolve => this.child.stdin.write(
            lines.map(line => line + '\n').join(''), resolve));
    }

    async end() {
        this.child.stdin.end();
        await this.done;
        return this;
    }

    lines() { return this.out.split('\n').slice(0, -1); }
}

async function freshet(args, lines, env) {
    const r = new Run(args, env);
    await r.write(lines);
    return r.end();
}

function succeeded(r) {
    assert.strictEqual(r.err, '');
    assert.strictEqual(r.code, 0);
    return r.lines();
}

const url = (server, name = 'seen') => `redis://127.0.0.1:${server.port}/${name}`;

// Write lines bit by bit, so that something can happen in between.
async function trickle(r, lines, pieces, pause) {
    const size = Math.ceil(lines.length / pieces);
    for (let at = 0; at < lines.length; at += size) {
        await r.write(lines.slice(at, at + size));
        await sleep(pause);
    }
}

// How often a server has answered with such an error.
async function errors(server, word) {
    const n = await field(server, 'errorstats', `errorstat_${word}`);
    return n ? Number(n.replace('count=', '')) : 0;
}

// What man freshet says that a user needs, but for a cluster.
const rights = ['~seen*', '+fr.info', '+fr.reserve', '+fr.maddhash'];

// A relay in front of a server.  Answers can be held back, and the connection
// cut: then requests have been done whose answers are lost.  Or it is cut
// when state.left more bytes have gone to the server, and cut_short() is called.
async function relay(port) {
    const open = new Set();
    const state = { swallow: false, swallowed: 0, cuts: 0, left: Infinity };
    const listener = net.createServer(near => {
        const far = net.connect(port, '127.0.0.1');
        const pair = { near, far };
        open.add(pair);
        const close = () => {
            near.destroy();
            far.destroy();
            open.delete(pair);
        };
        near.on('data', data => {
            far.write(data.subarray(0, state.left));
            state.left -= data.length;
            if (state.left > 0) return;
            state.left = Infinity;
            far.end(); // what went through is still done
            far.once('close', state.cut_short);
        });
        far.on('data', data => {
            if (!state.swallow) return near.write(data);
            state.swallowed += data.length;
        });
        for (const s of [near, far]) {
            s.on('error', close);
            s.on('close', close);
        }
    });
    await new Promise(resolve => listener.listen(0, '127.0.0.1', resolve));
    state.port = listener.address().port;
    state.cut = () => {
        state.cuts++;
        for (const { near, far } of [...open]) {
            near.destroy();
            far.destroy();
        }
    };
    state.close = () => {
        state.cut();
        listener.close();
    };
    return state;
}

module.exports = { Run, relay, freshet, succeeded, url, trickle, errors, rights };
