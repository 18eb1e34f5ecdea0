/** The laws of S4, checked on orders of histories that many writers could have made. */
import { deepEqual, equal } from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { AUTHORITY, MAIN } from 'rubicon-kernel'
import { sortTreeEntries, type Unplaced } from './tree-order.ts'

type Cited = Unplaced & { readonly cites: number | null }

const TRAJECTORIES = [MAIN, 'a', 'b'] as const

/** A step of history: somebody appends, or the sequencer reads what it sees. */
const aStep = fc.oneof(
  { weight: 2, arbitrary: fc.constant({ kind: 'law' } as const) },
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('batch' as const),
      names: fc.array(fc.constantFrom(...TRAJECTORIES), { minLength: 1, maxLength: 3 }),
      cites: fc.boolean(),
      /** It takes its time: others begin and end meanwhile, on other trajectories. */
      slow: fc.boolean(),
    }),
  },
  { weight: 3, arbitrary: fc.constant({ kind: 'integrate' } as const) },
)
type Step = typeof aStep extends fc.Arbitrary<infer T> ? T : never

type Running = { readonly entries: readonly Cited[]; readonly names: readonly string[] }

/**
 * Writers with their locks: a batch holds its trajectories and the authority, shared, until its end;
 * the law is changed when nobody holds it. Rows are drawn when they are written, not at the end.
 */
class History {
  readonly tree: Cited[] = []
  #committed: Cited[] = []
  #running: Running[] = []
  #seqs: Map<string, number> = new Map()
  #row = 0

  run(step: Step): void {
    if (step.kind === 'integrate') this.integrate()
    else if (step.kind === 'law') this.#law()
    else this.#batch(step)
  }

  integrate(): void {
    this.tree.push(...sortTreeEntries(this.#committed))
    this.#committed = []
  }

  end(): void {
    this.#endAll()
    this.integrate()
  }

  #batch({ names, cites, slow }: Extract<Step, { kind: 'batch' }>): void {
    this.#endHolders(names)
    const entries = names.map((name) => this.#entry(name, cites))
    if (slow) this.#running.push({ entries, names })
    else this.#committed.push(...entries)
  }

  #law(): void {
    this.#endAll()
    this.#committed.push(this.#entry(AUTHORITY, false))
  }

  #endAll(): void {
    for (const { entries } of this.#running.splice(0)) this.#committed.push(...entries)
  }

  #endHolders(names: readonly string[]): void {
    const held = this.#running.filter((batch) => batch.names.some((name) => names.includes(name)))
    this.#running = this.#running.filter((batch) => !held.includes(batch))
    for (const { entries } of held) this.#committed.push(...entries)
  }

  #entry(trajectory: string, cites: boolean): Cited {
    const seq = (this.#seqs.get(trajectory) ?? -1) + 1
    this.#seqs.set(trajectory, seq)
    this.#row += 1
    const authorityHead = this.#seqs.get(AUTHORITY) ?? -1
    return { row: this.#row, trajectory, seq, authorityHead, cites: cites ? authorityHead : null }
  }
}

/** What is wrong with a tree, in words of the port: S4 and nothing else. */
function broken(tree: readonly Cited[]): readonly string[] {
  const wrong: string[] = []
  const heads = new Map<string, number>()
  for (const { trajectory, seq, cites } of tree) {
    if (seq !== (heads.get(trajectory) ?? -1) + 1) wrong.push(`${trajectory} ${seq} out of order`)
    heads.set(trajectory, seq)
    const law = heads.get(AUTHORITY) ?? -1
    if (cites !== null && cites !== law) wrong.push(`${trajectory} ${seq} cites ${cites} at ${law}`)
  }
  return wrong
}

describe('the order of the tree', () => {
  it('keeps both laws for every history, integrated at any moments', () => {
    fc.assert(
      fc.property(fc.array(aStep, { maxLength: 60 }), (steps) => {
        const history = new History()
        for (const step of steps) history.run(step)
        history.end()
        deepEqual(broken(history.tree), [])
      }),
      { numRuns: 500 },
    )
  })

  it('is the same whatever order the entries are read in', () => {
    const entries: Unplaced[] = [
      { row: 1, trajectory: AUTHORITY, seq: 0, authorityHead: 0 },
      { row: 2, trajectory: MAIN, seq: 0, authorityHead: 0 },
      { row: 5, trajectory: MAIN, seq: 1, authorityHead: 0 },
      { row: 3, trajectory: 'a', seq: 0, authorityHead: 0 },
      { row: 6, trajectory: AUTHORITY, seq: 1, authorityHead: 1 },
      { row: 4, trajectory: 'b', seq: 0, authorityHead: 1 },
    ]
    const expected = [1, 2, 3, 5, 6, 4]
    for (const read of [entries, entries.toReversed()]) {
      deepEqual(
        sortTreeEntries(read).map(({ row }) => row),
        expected,
      )
    }
  })

  it('is judged by a checker that finds both mistakes', () => {
    const main = { trajectory: MAIN, cites: 0, row: 1, authorityHead: 0 }
    const law = { trajectory: AUTHORITY, cites: null, row: 1, authorityHead: 0 }
    equal(broken([{ ...main, seq: 0 }]).length, 1)
    equal(
      broken([
        { ...law, seq: 0 },
        { ...law, seq: 1 },
        { ...main, seq: 0 },
      ]).length,
      1,
    )
    equal(
      broken([
        { ...law, seq: 0 },
        { ...main, seq: 1 },
      ]).length,
      1,
    )
    equal(
      broken([
        { ...law, seq: 0 },
        { ...main, seq: 0 },
      ]).length,
      0,
    )
  })
})
