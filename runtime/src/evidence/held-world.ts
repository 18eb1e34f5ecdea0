/**
 * The World that a store holds in rows, beside the one that the entries add up to: decisions are made on
 * the rows, and only the entries are proven.
 */
import {
  encodeHex,
  hashResourceKey,
  type Sha256,
  toCanonicalText,
  type World,
  type WorldFact,
} from 'rubicon-kernel'
import type { Store } from '../ports/store.ts'

const PAGE = 1_000

export type HeldWorld = {
  /** How many were looked at. */
  readonly resources: number
  /** What differs, in words. */
  readonly problems: readonly string[]
}

export type Folded = {
  readonly world: World
  /** What a commit changed that was erased is in no entry any more. */
  readonly isErased: boolean
}

export async function holdWorld(
  store: Pick<Store, 'listWorld'>,
  trajectory: string,
  { world, isErased }: Folded,
  sha256: Sha256,
): Promise<HeldWorld> {
  const missing = new Set([...world.resources()].map(formatResourceName))
  const problems: string[] = []
  let resources = 0
  for await (const row of readWorldRows(store, trajectory, sha256)) {
    resources += 1
    missing.delete(formatResourceName(row))
    const folded = world.get(row.kind, row.id)
    if (folded === undefined && isErased) continue
    if (folded === undefined || serialiseFact(folded) !== serialiseFact(row))
      problems.push(`the store has another ${formatResourceName(row)} than the entries`)
  }
  for (const name of missing) problems.push(`the store has no ${name}, which the entries have`)
  return { resources, problems }
}

async function* readWorldRows(
  store: Pick<Store, 'listWorld'>,
  trajectory: string,
  sha256: Sha256,
): AsyncIterable<WorldFact> {
  for (let after: string | null = null; ; ) {
    const page: readonly WorldFact[] = await store.listWorld(trajectory, after, PAGE)
    yield* page
    const last = page.at(-1)
    if (last === undefined || page.length < PAGE) return
    after = encodeHex(hashResourceKey(last.kind, last.id, sha256))
  }
}

function serialiseFact({ version, value, retracted }: Omit<WorldFact, 'kind' | 'id'>): string {
  return toCanonicalText({ version, value, retracted })
}

function formatResourceName({ kind, id }: Pick<WorldFact, 'kind' | 'id'>): string {
  return `${kind} \`${id}\``
}
