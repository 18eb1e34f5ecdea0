import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { after, test } from 'node:test'
import { PEERS, type PeerFigure, type PeersOptions, runPeersBench } from './peers.ts'

const folder = mkdtempSync(join(tmpdir(), 'rubicon-peers-'))
mkdirSync(join(folder, 'node_modules'))
after(() => rmSync(folder, { recursive: true }))

async function figureOf(text: string, options: Partial<PeersOptions> = {}): Promise<PeerFigure> {
  const script = join(folder, 'peer.ts')
  writeFileSync(script, text)
  const { peer } = await runPeersBench({
    postgres: null,
    peers: [{ name: 'peer', script }],
    ...options,
  })
  assert.ok(peer !== undefined)
  return peer
}

test('without the install every peer has no figure and says why', async () => {
  const nowhere = join(folder, 'nowhere')
  const peers = PEERS.map((peer) => ({ ...peer, script: join(nowhere, basename(peer.script)) }))
  const figures = await runPeersBench({ postgres: 'postgresql://127.0.0.1/none', peers })
  assert.deepEqual(Object.keys(figures), [
    'dbos',
    'dbos_one_step',
    'restate',
    'restate_one_step',
    'langgraph',
    'langgraph_interrupt',
    'langgraph_sqlite',
    'agent_governance',
  ])
  for (const figure of Object.values(figures)) {
    assert.deepEqual(figure, {
      per_s: null,
      concurrency: 64,
      reason: 'not installed: npm ci in bench/peers',
    })
  }
})

test('a peer that needs Postgres is not started without it', async () => {
  const script = join(folder, 'never.ts')
  const peers = [{ name: 'peer', script, needs: 'postgres' as const }]
  const { peer } = await runPeersBench({ postgres: null, peers })
  assert.deepEqual(peer, { per_s: null, concurrency: 64, reason: 'no Postgres server' })
})

test('a peer that leaves with an error gives its last words as the reason', async () => {
  const figure = await figureOf(`console.log('{"per_s": 9, "concurrency": 1}')
throw Object.assign(new Error('the server left'), { code: 'GONE' })`)
  assert.deepEqual(figure, { per_s: null, concurrency: 64, reason: 'Error: the server left' })
})

test('a peer that leaves with a code and no words gives the code', async () => {
  const figure = await figureOf('process.exit(3)')
  assert.deepEqual(figure, { per_s: null, concurrency: 64, reason: 'left with 3' })
})

test('a peer that takes too long is stopped', async () => {
  const figure = await figureOf('setInterval(() => {}, 1000)', { timeoutMs: 1 })
  assert.deepEqual(figure, { per_s: null, concurrency: 64, reason: 'no figure after 1 ms' })
})

test('a peer that prints no figure has none', async () => {
  for (const printed of ['', 'done', 'null', '{"per_s": "9", "concurrency": 1}']) {
    const figure = await figureOf(`console.log(${JSON.stringify(printed)})`)
    assert.deepEqual(figure, { per_s: null, concurrency: 64, reason: 'printed no figure' })
  }
})

test('a figure is read from the last line and rounded to three digits', async () => {
  const line = JSON.stringify({
    name: 'peer',
    per_s: 1234.5,
    concurrency: 64,
    sequential_per_s: 98.76,
    latency_ms: 1.23456,
    note: 'in memory',
  })
  const figure = await figureOf(`console.log('starting')
console.log(${JSON.stringify(line)})`)
  assert.deepEqual(figure, {
    per_s: 1230,
    concurrency: 64,
    sequential_per_s: 98.8,
    latency_ms: 1.23,
    note: 'in memory',
  })
})

test('a peer is told the server, the seconds, the lanes and its variant', async () => {
  const script = join(folder, 'telling.ts')
  writeFileSync(
    script,
    `const note = process.argv.slice(2).join(' ')
console.log(JSON.stringify({ per_s: 1, concurrency: 1, note }))`,
  )
  const { peer } = await runPeersBench({
    postgres: 'postgresql://127.0.0.1/here',
    seconds: 5,
    peers: [{ name: 'peer', script, variant: 'one_step', needs: 'postgres' }],
  })
  assert.equal(
    peer?.note,
    '--lanes 64 --seconds 5 --postgres postgresql://127.0.0.1/here --variant one_step',
  )
})
