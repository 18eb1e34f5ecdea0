/** Flows that open faster than an agent can ask about them, and a network that fails meanwhile: each is handed on. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { connectAgent } from 'rubicon-agents'
import { LIMITS } from 'rubicon-kernel'
import { AGENT, served } from '../../../server/src/http/served.test-support.ts'
import { knockUntil, until } from './until.test-support.ts'

const FLOWS = 40

/** What is done with a request about a flow that opened, in place of sending it; null: it is sent. */
type Between = (path: string, tries: number) => Response | null

type Handed = {
  readonly flows: readonly string[]
  readonly opened: readonly string[]
  readonly errors: readonly unknown[]
  /** So many requests about flows that opened were under way at once. */
  readonly most: number
}

async function openMany(t: TestContext, between: Between): Promise<Handed> {
  const it = await served(t)
  const flows: string[] = []
  const errors: unknown[] = []
  const tries = new Map<string, number>()
  let asked = 0
  let most = 0
  let isBegun = false
  const line: typeof fetch = async (input, init) => {
    const path = new URL(String(input)).pathname
    const isAboutFlow = path.endsWith('/claim') || path.endsWith('/refresh')
    if (!isBegun || !isAboutFlow) return fetch(input, init)
    const count = (tries.get(path) ?? 0) + 1
    tries.set(path, count)
    asked += 1
    most = Math.max(most, asked)
    try {
      return between(path, count) ?? (await fetch(input, init))
    } finally {
      asked -= 1
    }
  }
  const agent = await connectAgent({
    ...{ url: it.server.url, agent: AGENT, key: await it.key(AGENT), fetch: line },
    wait: () => new Promise((resolve) => setTimeout(resolve, 10)),
    onError: (error) => errors.push(error),
  })
  t.after(() => agent.close())
  const opened = new Set<string>()
  let isHeard = false
  agent.handleFlows(({ dfid, context }) => {
    if (context.trigger !== 'work') isHeard = true
    else flows.push(dfid)
  })
  await knockUntil(it, () => isHeard)
  isBegun = true
  await Promise.all(
    Array.from({ length: FLOWS }, async () => {
      opened.add((await it.runtime.open({ agent: AGENT, trigger: 'work' })).dfid)
    }),
  )
  await until(() => flows.length >= FLOWS)
  return { flows, opened: [...opened], errors, most }
}

function assertAllHanded({ flows, opened, errors }: Handed): void {
  assert.deepEqual(errors, [])
  assert.deepEqual(flows.toSorted(), opened.toSorted())
}

test('of flows that open at once, a few are asked about at a time', async (t) => {
  const handed = await openMany(t, () => null)
  assertAllHanded(handed)
  assert.ok(handed.most <= LIMITS.requestsUnderWay / 4, `${handed.most} at once`)
})

test('a flow is handed on where the runtime says that too much is asked at once', async (t) => {
  const busy = {
    type: 'urn:rubicon:reason:TOO_MANY_UNDER_WAY',
    title: 'too many requests of one caller are in progress',
    status: 429,
    code: 'TOO_MANY_UNDER_WAY',
    detail: 'long answers take time, and others wait for theirs',
  }
  const headers = { 'content-type': 'application/problem+json' }
  const refuse: Between = (_path, tries) =>
    tries <= 2 ? Response.json(busy, { status: 429, headers }) : null
  assertAllHanded(await openMany(t, refuse))
})

test('a flow is handed on where the runtime is away when it opens', async (t) => {
  const fail: Between = (_path, tries) => {
    if (tries <= 2) throw new TypeError('fetch failed')
    return null
  }
  assertAllHanded(await openMany(t, fail))
})

test('a flow is handed on where a proxy answers in the place of the runtime', async (t) => {
  const headers = { 'content-type': 'text/html' }
  const answer: Between = (_path, tries) =>
    tries <= 2 ? new Response('<h1>Bad Gateway</h1>', { status: 502, headers }) : null
  assertAllHanded(await openMany(t, answer))
})
