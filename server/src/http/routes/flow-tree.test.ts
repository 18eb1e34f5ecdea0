/** A flow among its relatives: what is above it, and what was opened in it, a page at a time. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { it as check, type TestContext, test } from 'node:test'
import {
  createEmptyDatabase,
  describeWithServer,
} from '../../../../runtime/src/adapters/postgres/testing.ts'
import { temporaryFolder } from '../../../../runtime/src/temporary-folder.test-support.ts'
import { get, type OpenFlow, problemOf, type Served, served } from '../served.test-support.ts'

type Branch = { readonly dfid: string; readonly has_children: boolean }

const dfids = (branches: readonly Branch[]) => branches.map(({ dfid }) => dfid)

async function openBelow(it: Served, parent: OpenFlow, count: number): Promise<OpenFlow[]> {
  const bot = await it.agent()
  const flows: OpenFlow[] = []
  for (let n = 0; n < count; n += 1) flows.push(await it.open(bot, { parent: parent.dfid }))
  return flows
}

async function assertTree(t: TestContext, store: string): Promise<void> {
  const it = await served(t, { store, background: false })
  const jane = it.person('jane', 'auditor')
  const root = await it.open(await it.agent())
  const [middle, beside] = await openBelow(it, root, 2)
  assert.ok(middle !== undefined && beside !== undefined)
  const leaves = await openBelow(it, middle, 5)
  const read = async ({ dfid }: OpenFlow, query = '') => {
    const { status, body } = await get(jane, `/v1/flows/${dfid}/tree${query}`)
    assert.equal(status, 200, JSON.stringify(body))
    return body
  }
  const tree = await read(middle)
  assert.deepEqual(dfids(tree.parents), [root.dfid])
  assert.deepEqual([tree.flow.dfid, tree.flow.has_children], [middle.dfid, true])
  assert.deepEqual(dfids(tree.children), dfids(toBranches(leaves)).toReversed())
  assert.deepEqual([tree.next, tree.has_more_parents], [null, false])
  const first = await read(middle, '?limit=2')
  const second = await read(middle, `?limit=3&cursor=${first.next}`)
  assert.deepEqual(
    [...dfids(first.children), ...dfids(second.children)],
    dfids(tree.children),
    'page by page it is the same',
  )
  assert.equal(second.next, null)
  const above = await read(root)
  assert.deepEqual(
    above.children.map(({ dfid, has_children }: Branch) => [dfid, has_children]),
    [
      [beside.dfid, false],
      [middle.dfid, true],
    ],
    'those beside it are the children of its parent',
  )
  const leaf = await read(leaves[0] ?? middle)
  assert.deepEqual(dfids(leaf.parents), [root.dfid, middle.dfid])
}

test('a flow is shown between its parents and its children, in memory', (t) =>
  assertTree(t, 'memory'))

test('a flow is shown between its parents and its children, in SQLite', (t) =>
  assertTree(t, `sqlite:${join(temporaryFolder(), 'rubicon.db')}`))

describeWithServer('the tree of a flow on Postgres', () => {
  check('shows it between its parents and its children', async (t) =>
    assertTree(t, await createEmptyDatabase()),
  )
})

function toBranches(flows: readonly OpenFlow[]): readonly Branch[] {
  return flows.map(({ dfid }) => ({ dfid, has_children: false }))
}

test('a circle of parents in a store that was tampered with ends', async (t) => {
  const it = await served(t)
  const jane = it.person('jane', 'auditor')
  const root = await it.open(await it.agent())
  const [child] = await openBelow(it, root, 1)
  assert.ok(child !== undefined)
  const { store } = it.runtime
  const readFlow = store.readFlow.bind(store)
  t.mock.method(store, 'readFlow', async (dfid: string) => {
    const flow = await readFlow(dfid)
    return flow === null || dfid !== root.dfid ? flow : { ...flow, parent_dfid: child.dfid }
  })
  const { status, body } = await get(jane, `/v1/flows/${child.dfid}/tree`)
  assert.equal(status, 200, JSON.stringify(body))
  assert.deepEqual(dfids(body.parents), [root.dfid])
  assert.equal(body.has_more_parents, true)
})

test('who may not read flows of others sees no tree, and a flow that is not there has none', async (t) => {
  const it = await served(t)
  const bot = await it.agent()
  const flow = await it.open(bot)
  assert.equal((await get(bot, `/v1/flows/${flow.dfid}/tree`)).status, 403, 'no agent')
  const jane = it.person('jane', 'auditor')
  const nowhere = '/v1/flows/019c1200-0000-7000-8000-000000000000/tree'
  assert.deepEqual(problemOf(await get(jane, nowhere)), [404, 'FLOW_UNKNOWN'])
  const path = `/v1/flows/${flow.dfid}/tree`
  for (const query of ['?cursor=x', '?limit=0', '?depth=3'])
    assert.deepEqual(problemOf(await get(jane, `${path}${query}`)), [422, 'SCHEMA_INVALID'], query)
})
