import { deepEqual, equal, rejects } from 'node:assert/strict'
import { type BranchPayload, type DeltaOp, formatInstant, MAIN } from 'rubicon-kernel'
import type { Store } from '../store.ts'
import {
  begin,
  buildBranch,
  buildNote,
  buildWorldCommit,
  commit,
  type RegisterCheck,
  START,
} from './fixture.ts'
import { assertChained } from './ledger.ts'
import { readWorldRoot } from './world.ts'

const kind = 'account'
const add = (id: string, by: string): DeltaOp => ({ op: 'increment', kind, id, by })

export function registerBranchTests(check: RegisterCheck): void {
  check('a branch starts from an entry, with its id as parent', async ({ store, clock }) => {
    await writeHistory(store)
    clock.set(START - 1000)
    const outcome = await commit(store, [buildBranch('what-if', MAIN, 2)])
    equal(outcome.ok && outcome.at, formatInstant(START))
    const [first] = await store.listEntries('what-if', 0, 10)
    const [fork] = await store.listEntries(MAIN, 2, 1)
    equal(first?.envelope.kind, 'branch')
    equal(first?.envelope.seq, 0)
    equal(first?.envelope.parent, fork?.id)
    const payload = JSON.parse(first?.payload ?? 'null') as BranchPayload
    deepEqual(payload, {
      protocol: 'rubicon/2',
      source: { trajectory: MAIN, seq: 2, id: fork?.id },
      world_after: await readWorldRoot(store, 'what-if'),
      note: 'what if',
    })
    await store.integrate()
    assertChained(await store.listLeaves(0, 100))
  })

  check('the World of a branch is that of its fork entry, at every entry', async ({ store }) => {
    await writeHistory(store)
    const roots = await readRoots(store)
    // Sequence: root, +a, note, a+1, b, note.
    const values: readonly (readonly unknown[])[] = [
      [],
      ['1'],
      ['1'],
      ['2'],
      ['2', '5'],
      ['2', '5'],
    ]
    for (const [seq, expected] of values.entries()) {
      const name = `at-${seq}`
      equal((await commit(store, [buildBranch(name, MAIN, seq)])).ok, true)
      const facts = await store.listWorld(name, null, 10)
      deepEqual(facts.map(({ value }) => value).sort(), expected)
      equal(await readWorldRoot(store, name), roots[seq])
      const head = (await store.listHeads()).find(({ trajectory }) => trajectory === name)
      equal(head?.world_root, roots[seq])
    }
  })

  check('a branch and its origin share no later change', async ({ store }) => {
    await writeHistory(store)
    await commit(store, [buildBranch('x', MAIN, 4)])
    await commit(store, [
      buildWorldCommit([add('a', '10')], 'x'),
      buildWorldCommit([add('a', '100')]),
    ])
    equal((await store.readResources('x', [{ kind, id: 'a' }]))[0]?.value, '12')
    equal((await store.readResources(MAIN, [{ kind, id: 'a' }]))[0]?.value, '102')
    for (const { trajectory, world_root } of await store.listHeads()) {
      equal(await readWorldRoot(store, trajectory), world_root)
    }
  })

  check('a branch of a branch, from an entry that both have left behind', async ({ store }) => {
    await writeHistory(store)
    await commit(store, [buildBranch('x', MAIN, 3)])
    await commit(store, [buildWorldCommit([add('a', '10')], 'x')])
    await commit(store, [buildWorldCommit([add('a', '10')], 'x')])
    await commit(store, [buildBranch('y', 'x', 1), buildBranch('z', 'x', 0)])
    equal((await store.readResources('y', [{ kind, id: 'a' }]))[0]?.value, '12')
    equal((await store.readResources('z', [{ kind, id: 'a' }]))[0]?.value, '2')
    deepEqual(await store.readResources('y', [{ kind, id: 'b' }]), [])
  })

  check('a unit may branch from what it has just written', async ({ store }) => {
    await writeHistory(store)
    const outcome = await commit(store, [
      buildWorldCommit([add('a', '5')]),
      buildBranch('x', MAIN, 6),
      buildWorldCommit([add('a', '5')]),
      buildBranch('y', MAIN, 6),
    ])
    equal(outcome.ok, true)
    for (const name of ['x', 'y']) {
      equal((await store.readResources(name, [{ kind, id: 'a' }]))[0]?.value, '7')
    }
  })

  check('no branch from nowhere, and none onto what exists', async ({ store }) => {
    await writeHistory(store)
    const before = await store.listHeads()
    await rejects(commit(store, [buildBranch('x', MAIN, 99)]), /invariant broken/)
    await rejects(commit(store, [buildBranch('x', 'nowhere', 0)]), /invariant broken/)
    await rejects(commit(store, [buildBranch(MAIN, MAIN, 1)]), /invariant broken/)
    deepEqual(await store.listHeads(), before)
  })
}

/** main: root, create a, note, a + 1, create b, note. */
async function writeHistory(store: Store): Promise<void> {
  await begin(store)
  await commit(store, [buildWorldCommit([{ op: 'create', kind, id: 'a', value: '1' }])])
  await commit(store, [buildNote(MAIN, 1)])
  await commit(store, [buildWorldCommit([add('a', '1')])])
  await commit(store, [buildWorldCommit([{ op: 'create', kind, id: 'b', value: '5' }])])
  await commit(store, [buildNote(MAIN, 2)])
}

/** The World's root after each entry of main, from what the commits recorded. */
async function readRoots(store: Store): Promise<string[]> {
  let root = '0'.repeat(64)
  return (await store.listEntries(MAIN, 0, 100)).map(({ payload }) => {
    const { world_after } = JSON.parse(payload ?? 'null') as { readonly world_after?: string }
    root = world_after ?? root
    return root
  })
}
