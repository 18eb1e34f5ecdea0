/** The auditor's own fold of deltas, and the root of the World by its definition. */
import type { DeltaOp } from 'rubicon-kernel'
import { computeSha256, toCanonicalJson } from './bytes.ts'

type Thing = { version: number; value: unknown; retracted: boolean; key: string; leaf: Buffer }

const NOTHING = Buffer.alloc(32)

export class AuditedWorld {
  readonly #things = new Map<string, Thing>()

  /** What does not fit, in words; null when the delta applied. */
  apply(delta: readonly DeltaOp[]): string | null {
    for (const op of delta) {
      const name = `${op.kind}\0${op.id}`
      const before = this.#things.get(name)
      const value = applyOp(op, before)
      if (value instanceof Misfit) return `${op.op} ${op.kind} ${op.id}: ${value.detail}`
      const version = (before?.version ?? 0) + 1
      const retracted = op.op === 'retract'
      const key = before?.key ?? computeSha256(name).toString('hex')
      this.#things.set(name, {
        version,
        value,
        retracted,
        key,
        leaf: hashLeaf(key, retracted, value, version),
      })
    }
    return null
  }

  computeRoot(): string {
    return setRoot([...this.#things.values()], 0).toString('hex')
  }

  get(kind: string, id: string): { readonly version: number; readonly value: unknown } | undefined {
    return this.#things.get(`${kind}\0${id}`)
  }

  get size(): number {
    return this.#things.size
  }
}

class Misfit {
  readonly detail: string

  constructor(detail: string) {
    this.detail = detail
  }
}

function applyOp(op: DeltaOp, before: Thing | undefined): unknown {
  const exists = before !== undefined && !before.retracted
  if (op.op === 'create') {
    if (exists) return new Misfit('it exists')
    const expected = op.expected_version ?? before?.version ?? 0
    return expected === (before?.version ?? 0) ? op.value : new Misfit('another version')
  }
  if (!exists) return new Misfit('it does not exist')
  switch (op.op) {
    case 'increment':
      return String(BigInt(String(before.value)) + BigInt(op.by))
    case 'replace':
      return op.expected_version === before.version ? op.value : new Misfit('another version')
    case 'retract':
      return op.expected_version === before.version ? null : new Misfit('another version')
    case 'patch':
      return new Misfit('the storm patches nothing')
  }
}

function hashLeaf(key: string, retracted: boolean, value: unknown, version: number): Buffer {
  const content = computeSha256(toCanonicalJson({ retracted, value, version }))
  return computeSha256(Buffer.concat([Buffer.of(0), Buffer.from(key, 'hex'), content]))
}

function setRoot(things: readonly Thing[], depth: number): Buffer {
  const [first, second] = things
  if (first === undefined) return NOTHING
  if (second === undefined) return first.leaf
  const sets = Array.from({ length: 16 }, (): Thing[] => [])
  for (const thing of things) sets[Number.parseInt(thing.key[depth] ?? '0', 16)]?.push(thing)
  return computeSha256(Buffer.concat([Buffer.of(1), ...sets.map((set) => setRoot(set, depth + 1))]))
}
