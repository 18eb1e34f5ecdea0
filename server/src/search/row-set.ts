import type { DatabaseSync } from 'node:sqlite'

/** Flows of an index, which are numbered without gaps, and entries without a flow, whose numbers are negative and few. */
export class RowSet {
  readonly #flows: Uint8Array
  readonly #others = new Map<number, number>()
  #count = 0

  /** `most`: the largest number of a flow. */
  constructor(most: number) {
    this.#flows = new Uint8Array(most + 1)
  }

  get count(): number {
    return this.#count
  }

  has(id: number): boolean {
    return this.#getMarks(id) !== 0
  }

  add(id: number): void {
    this.mark(id, 1)
  }

  /** `marks`: bits, which are added to those that it has. */
  mark(id: number, marks: number): void {
    const before = this.#getMarks(id)
    if (before === 0 && marks !== 0) this.#count += 1
    if (id >= 0) this.#flows[id] = before | marks
    else if (marks !== 0) this.#others.set(id, before | marks)
  }

  list(): readonly number[] {
    const flows: number[] = []
    for (let id = this.#flows.indexOf(1); id >= 0; id = this.#flows.indexOf(1, id + 1))
      flows.push(id)
    return [...flows, ...this.#others.keys()]
  }

  /** Those that have all of the marks. */
  pick(marks: number): RowSet {
    const picked = new RowSet(this.#flows.length - 1)
    for (const [id, found] of this.#flows.entries()) if (found === marks) picked.add(id)
    for (const [id, found] of this.#others) if (found === marks) picked.add(id)
    return picked
  }

  /** Those that have any of the marks. */
  pickAny(marks: number): RowSet {
    const picked = new RowSet(this.#flows.length - 1)
    for (const [id, found] of this.#flows.entries()) if ((found & marks) !== 0) picked.add(id)
    for (const [id, found] of this.#others) if ((found & marks) !== 0) picked.add(id)
    return picked
  }

  /** How many have any of the marks. */
  countMarked(marks: number): number {
    let count = 0
    for (const found of this.#flows) if ((found & marks) !== 0) count += 1
    for (const found of this.#others.values()) if ((found & marks) !== 0) count += 1
    return count
  }

  #getMarks(id: number): number {
    return (id >= 0 ? this.#flows[id] : this.#others.get(id)) ?? 0
  }
}

/** The largest number of a flow, in its row or with its words. */
export function countFlowRows(database: DatabaseSync): number {
  const sql = `SELECT max((SELECT coalesce(max(id), 0) FROM flow), (SELECT coalesce(max(flow), 0) FROM said)) AS n`
  return Number(database.prepare(sql).get()?.n)
}
