import { deepEqual, throws } from 'node:assert/strict'
import { it } from 'node:test'
import { type Address, AUTHORITY, type Envelope, MAIN, sealBody } from 'rubicon-kernel'
import { computeSha256, toAddress } from '../../ports/conformance/fixture.ts'
import type { OpenedSeal } from '../../ports/tree.ts'
import { sortTreeEntries } from './tree-order.ts'
import { selectWholeBatches, type Waiting } from './whole-batches.ts'

/** Entries in the order of the tree: each by the batch it was written in. */
function waiting(batches: string, trajectory: string = MAIN): readonly Waiting[] {
  return [...batches].map((seal, row) => {
    const id = toAddress(`${seal}${row}`)
    return { id, seal, row, trajectory, seq: row, authorityHead: 0, envelope: {} as Envelope }
  })
}

function sealsOf(entries: readonly Waiting[]): ReadonlyMap<string, OpenedSeal> {
  const ids = new Map<string, Address[]>()
  for (const { seal, id } of entries) ids.set(seal ?? '', [...(ids.get(seal ?? '') ?? []), id])
  return new Map(
    [...ids].map(([name, list], i) => {
      const body = sealBody('log', i, { size: 0, authority: 0, ids: list }, computeSha256)
      return [name, { keyId: 'key', body }]
    }),
  )
}

function admitted(entries: readonly Waiting[], read: number): string {
  const sealed = selectWholeBatches(entries.slice(0, read), false, sealsOf(entries), computeSha256)
  return sealed.entries.map(({ seal }) => seal).join('')
}

it('what was read ends where no batch is cut, however batches lie in one another', () => {
  const all = waiting('aabbcacdde')
  deepEqual(
    [10, 9, 8, 7, 6, 5, 4, 3, 2, 1].map((read) => admitted(all, read)),
    ['aabbcacdde', 'aabbcacdd', 'aabbcac', 'aabbcac', '', '', '', '', '', ''],
  )
  deepEqual(
    [6, 5, 4, 3].map((read) => admitted(waiting('abbacc'), read)),
    ['abbacc', 'abba', 'abba', ''],
  )
})

it('where nothing else waits, a batch that is not whole was changed', () => {
  const all = waiting('aab')
  const seals = sealsOf(all)
  const [first, second, third] = all as [Waiting, Waiting, Waiting]
  const changed: readonly (readonly Waiting[])[] = [
    [first, third],
    [second, third],
    [second, first, third],
    [first, second, second, third],
    [first, second, { ...third, seal: 'a' }],
    [first, { ...second, id: third.id }, third],
  ]
  for (const entries of changed)
    throws(
      () => selectWholeBatches(entries, true, seals, computeSha256),
      /not the one that was sealed/,
    )
  for (const seal of [null, 'c'])
    throws(
      () => selectWholeBatches([first, second, { ...third, seal }], true, seals, computeSha256),
      /no batch that was sealed/,
    )
})

it('an entry stands under the law that its batch was written under, or that its batch made', () => {
  const [main, law, later] = waiting('aaa') as [Waiting, Waiting, Waiting]
  const entries = sortTreeEntries([
    main,
    { ...law, trajectory: AUTHORITY, seq: 7, authorityHead: 7 },
    { ...later, authorityHead: 7 },
  ])
  const body = sealBody(
    'log',
    0,
    { size: 0, authority: 6, ids: entries.map(({ id }) => id) },
    computeSha256,
  )
  const sealed = selectWholeBatches(
    entries,
    true,
    new Map([['a', { keyId: 'key', body }]]),
    computeSha256,
  )
  deepEqual(
    sealed.entries.map(({ authority }) => authority),
    [6, 7, 7],
  )
})
