import type { DatabaseSync } from 'node:sqlite'

/** Flows of an index, which are numbered without gaps, and entries without a flow, whose numbers are negative and few. */
export class RowSet {
  /** Each has marks of its own, of which there are 16. */
  readonly #flows: Uint16Array
  readonly #others = new Map<number, number>()
  #count = 0

  /** `most`: the largest number of a flow. */
  constructor(most: number) {
    this.#flows = new Uint16Array(most + 1)
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
    const listed: number[] = []
    this.#visitAll((id) => listed.push(id))
    return listed
  }

  /** Without entries that are of no flow. */
  pickFlows(): RowSet {
    return this.#pick((_, id) => id >= 0)
  }

  /** Those that have all of the marks. */
  pick(marks: number): RowSet {
    return this.#pick((found) => found === marks)
  }

  /** Those that have any of the marks. */
  pickAny(marks: number): RowSet {
    return this.#pick((found) => (found & marks) !== 0)
  }

  /** How many have any of the marks. */
  countMarked(marks: number): number {
    let count = 0
    this.#visitAll((_, found) => {
      if ((found & marks) !== 0) count += 1
    })
    return count
  }

  #pick(isWanted: (found: number, id: number) => boolean): RowSet {
    const picked = new RowSet(this.#flows.length - 1)
    this.#visitAll((id, found) => {
      if (isWanted(found, id)) picked.add(id)
    })
    return picked
  }

  /** By index: an iterator of so many takes five times as long. */
  #visitAll(visit: (id: number, found: number) => void): void {
    for (let id = 0; id < this.#flows.length; id += 1) {
      const found = this.#flows[id] ?? 0
      if (found !== 0) visit(id, found)
    }
    for (const [id, found] of this.#others) visit(id, found)
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
