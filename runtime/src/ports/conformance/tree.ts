import { deepEqual, equal, rejects } from 'node:assert/strict'
import {
  AUTHORITY,
  computeTreeRoot,
  encodeHex,
  err,
  type HeadedTree,
  hashLeaf,
  MAIN,
  ok,
  sealBody,
  type TreeSize,
  toCanonicalText,
  toLeafInput,
} from 'rubicon-kernel'
import { type Store, StoreError } from '../store.ts'
import type { HeadKeeper, OpenedSeal } from '../tree.ts'
import { begin, buildNote, commit, computeSha256, type RegisterCheck } from './fixture.ts'

/** Signs so that a test can read it; believes heads that it would have signed, and seals of its like. */
export function createReadableKeeper(
  log = 'a',
  keyId = 'key',
): HeadKeeper & { readonly kept: string[] } {
  const kept: string[] = []
  let batches = 0
  const formatTree = ({ size, root, authority }: HeadedTree) =>
    `${log} ${size} ${encodeHex(root)} ${authority}`
  return {
    kept,
    sign: formatTree,
    keep: (head) => void kept.push(head),
    findHeadProblem: (head, tree) => (head === formatTree(tree) ? undefined : `not ${head}`),
    seal: (batch) => {
      const opened: OpenedSeal = { keyId, body: sealBody(log, batches, batch, computeSha256) }
      batches += 1
      return { ...opened, text: toCanonicalText(opened) }
    },
    openSeal: (text) => {
      const opened = JSON.parse(text) as OpenedSeal
      return opened.body.origin === log ? ok(opened) : err('it is of another log')
    },
    learn: async () => {},
  }
}

async function readTrueTree(store: Store): Promise<TreeSize> {
  const leaves = (await store.listLeaves(0, 10_000)).map(({ id }) =>
    hashLeaf(toLeafInput(id), computeSha256),
  )
  return { size: leaves.length, root: computeTreeRoot(leaves, computeSha256) }
}

async function assertHeld(store: Store, signer: HeadKeeper): Promise<void> {
  const { head, ...tree } = await store.readTree()
  deepEqual(toHexTree(tree), toHexTree(await readTrueTree(store)))
  const authority = (await store.listHeads()).find(({ trajectory }) => trajectory === AUTHORITY)
  equal(tree.authority, authority?.seq ?? -1)
  equal(signer.findHeadProblem(head, tree), undefined)
}

function toHexTree({ size, root }: TreeSize) {
  return { size, root: encodeHex(root) }
}

const readOnly = (error: unknown): boolean => {
  return error instanceof StoreError && error.code === 'STORE_READ_ONLY'
}

export function registerTreeTests(check: RegisterCheck): void {
  check(
    'the tree is that of the leaves, and whole runs of them are tiles (S6)',
    async (fixture) => {
      const { store } = fixture
      equal((await store.readTree()).size, 0)
      await begin(store)
      await store.integrate()
      deepEqual(toHexTree(await store.readTree()), toHexTree(await readTrueTree(store)))
      await Promise.all(Array.from({ length: 600 }, (_, i) => commit(store, [buildNote(MAIN, i)])))
      await store.integrate()
      const leaves = await store.listLeaves(0, 1000)
      deepEqual(
        await store.listLeafIds(3, 400),
        leaves.slice(3, 403).map(({ id }) => id),
      )
      deepEqual(
        await store.listLeafEnvelopes(3, 400),
        leaves.slice(3, 403).map(({ id, envelope, leaf }) => ({ id, envelope, leaf })),
      )
      const hashes = leaves.map(({ id }) => hashLeaf(toLeafInput(id), computeSha256))
      const tiles = [0, 256].map((from) =>
        encodeHex(computeTreeRoot(hashes.slice(from, from + 256), computeSha256)),
      )
      deepEqual((await store.listTiles(0, 9)).map(encodeHex), tiles)
      deepEqual((await store.listTiles(1, 9)).map(encodeHex), tiles.slice(1))
      deepEqual(await store.listTiles(2, 9), [])
      deepEqual(toHexTree(await store.readTree()), toHexTree(await readTrueTree(store)))
      equal((await store.readTree()).head, null)
      const again = await fixture.reopen()
      deepEqual(toHexTree(await again.readTree()), toHexTree(await readTrueTree(again)))
    },
  )

  check('from `signHeads` on the head is that of the tree (S6)', async ({ store }) => {
    const first = createReadableKeeper()
    await store.signHeads(first, 'kept')
    equal((await store.readTree()).head, null)
    await begin(store)
    await store.integrate()
    await assertHeld(store, first)
    await Promise.all(Array.from({ length: 300 }, (_, i) => commit(store, [buildNote(MAIN, i)])))
    await store.integrate()
    await assertHeld(store, first)
    const before = (await store.readTree()).head
    equal(first.kept.at(-1), before)
    const failed = { kind: 'trajectory_absent', trajectory: MAIN } as const
    equal((await store.commit({ guards: [failed], writes: [buildNote(MAIN, 1)] })).ok, false)
    await store.integrate()
    equal((await store.readTree()).head, before)
  })

  check('what is there gets a head at once, read again leaf by leaf if asked (S6)', async (f) => {
    const { store } = f
    await begin(store)
    for (let i = 0; i < 300; i += 1) await commit(store, [buildNote(MAIN, i)])
    await store.integrate()
    const first = createReadableKeeper()
    await store.signHeads(first, 'leaves')
    await assertHeld(store, first)
    const second = createReadableKeeper('b')
    await store.signHeads(second, 'leaves')
    await assertHeld(store, second)
    await commit(store, [buildNote(MAIN, 300)])
    await store.integrate()
    await assertHeld(store, second)
  })

  check('a store that has a head is not extended where nobody signs (S6)', async (fixture) => {
    const first = createReadableKeeper()
    await fixture.store.signHeads(first, 'kept')
    await begin(fixture.store)
    await fixture.store.integrate()
    const again = await fixture.reopen()
    const before = await again.readTree()
    await rejects(async () => {
      await commit(again, [buildNote(MAIN, 1)])
      await again.integrate()
    }, readOnly)
    deepEqual(await again.readTree(), before)
    await again.signHeads(first, 'kept')
    await commit(again, [buildNote(MAIN, 2)])
    await again.integrate()
    await assertHeld(again, first)
  })
}
