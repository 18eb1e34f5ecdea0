/** A runtime that says nothing more, and one that has just come back. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { setTimeout as after } from 'node:timers/promises'
import { connectAgent } from 'rubicon-agents'
import { AGENT, served } from '../../../server/src/http/served.test-support.ts'
import { knockUntil } from './until.test-support.ts'

type Line = {
  readonly url: string
  /** From now on nothing that the other side says comes through. */
  fallSilent(): void
  /** Connections that whoever asks holds open. */
  count(): number
}

async function buildLine(t: TestContext, port: number): Promise<Line> {
  const open = new Set<Socket>()
  let isSilent = false
  const line = createServer((near) => {
    const far = connect(port, '127.0.0.1')
    open.add(near)
    near.on('close', () => {
      open.delete(near)
      far.destroy()
    })
    far.on('close', () => {
      if (!isSilent) near.destroy()
    })
    for (const socket of [near, far]) socket.on('error', () => {})
    near.on('data', (bytes) => void far.write(bytes))
    far.on('data', (bytes) => {
      if (!isSilent) near.write(bytes)
    })
  })
  line.listen(0, '127.0.0.1')
  await once(line, 'listening')
  t.after(() => {
    for (const socket of open) socket.destroy()
    line.close()
  })
  const address = line.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${address.port}`,
    fallSilent: () => {
      isSilent = true
    },
    count: () => open.size,
  }
}

test('an agent that is closed waits for no answer that never comes, and holds no connection', async (t) => {
  const it = await served(t)
  const line = await buildLine(t, Number(new URL(it.server.url).port))
  let isHeard = false
  const agent = await connectAgent({
    ...{ url: line.url, agent: AGENT, key: await it.key(AGENT) },
    onError: () => {},
  })
  // What it asks about the flow that it hears of is never answered.
  agent.followEntries(() => {
    line.fallSilent()
    isHeard = true
  })
  agent.handleFlows(() => {})
  await knockUntil(it, () => isHeard)
  const closed = agent.close().then(() => 'closed')
  assert.equal(await Promise.race([closed, after(20_000, 'waits', { ref: false })]), 'closed')
  for (let look = 0; look < 200 && line.count() > 0; look++) await after(50)
  assert.equal(line.count(), 0, 'the process could end')
})

test('whoever listens goes on where what it signed is older than the runtime, and not where its clock is wrong', async (t) => {
  const it = await served(t)
  for (const skew of [0, 3_600_000]) {
    let heard: string | null = null
    let refusals = 0
    const agent = await connectAgent({
      ...{ url: it.server.url, agent: AGENT, key: await it.key(AGENT) },
      fetch: async (input, init) => {
        const isListening = new URL(String(input)).pathname === '/v1/events'
        if (!isListening || refusals > 0) return fetch(input, init)
        refusals += 1
        return Response.json(createStale(Date.now() + skew), STALE)
      },
      onError: () => {
        heard = 'refused'
      },
    })
    t.after(() => agent.close())
    agent.followEntries(() => {
      heard = 'heard'
    })
    await knockUntil(it, () => heard !== null)
    assert.equal(heard, skew === 0 ? 'heard' : 'refused')
  }
})

const STALE = { status: 401, headers: { 'content-type': 'application/problem+json' } }

function createStale(now: number): object {
  return {
    type: 'urn:rubicon:reason:PROOF_STALE',
    title: 'the signature is too old',
    status: 401,
    code: 'PROOF_STALE',
    detail: 'it was signed before this process started',
    meta: { now: new Date(now).toISOString() },
  }
}
