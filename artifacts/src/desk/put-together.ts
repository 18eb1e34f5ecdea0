/**
 * Changes of one base, put together in an order that does not depend on who was first: those that deltas describe as a batch (0118), then
 * those that are splices alone, by key. So the text is the same whichever of them was applied before the others.
 */
import { err, ok, type Result, type StrategyTree } from 'rubicon-kernel'
import type { BatchEntry } from '../compose/batch.ts'
import { composeDeltas } from '../compose/compose-deltas.ts'
import { TextHistory } from '../text/history.ts'
import type { Splice } from '../text/splice.ts'
import { describeProblem } from './describe-problem.ts'
import type { DeskProblem } from './desk-answer.ts'
import { computeSha256, type OpenText } from './desk-project.ts'
import type { SinceChange } from './desk-request.ts'
import { readDeltas } from './read-deltas.ts'
import { rebaseSplices } from './rebase-splices.ts'

/** Splices are of the base. */
export type TogetherEntry = Pick<SinceChange, 'key' | 'deltas' | 'claims' | 'splices'>

export type Together = {
  readonly text: string
  /** Splices of the text that take the entry of that key out again; null: others stand on it. */
  readonly takeOut: (key: string) => readonly Splice[] | null
}

export function putTogether(
  base: OpenText,
  entries: readonly TogetherEntry[],
  strategy: StrategyTree,
): Result<Together, DeskProblem> {
  const history = new TextHistory(base.parsed.text)
  const ids = new Map<string, string>()
  const apply = (key: string, splices: readonly Splice[] | null): boolean => {
    const id = `${ids.size}`
    ids.set(ids.has(key) ? `${key} ${id}` : key, id)
    return splices !== null && history.apply(id, splices)
  }
  const refuse = (key: string): Result<never, DeskProblem> =>
    err({
      code: 'CLAIMS_CONFLICT',
      artifact: base.artifact,
      detail: `\`${key}\` writes where another change has written: plan it on what there is now`,
    })
  const batch = composeBatch(base, entries, strategy)
  if (!batch.ok) return batch
  for (const { key, splices } of batch.value) if (!apply(key, splices)) return refuse(key)
  for (const { key, splices } of sortSpliced(entries))
    if (!apply(key, rebaseSplices(splices, history.listSplices()))) return refuse(key)
  const takeOut = (key: string): readonly Splice[] | null => history.planUndo(ids.get(key) ?? '')
  return ok({ text: history.getText(), takeOut })
}

type Composed = { readonly key: string; readonly splices: readonly Splice[] }

function composeBatch(
  { artifact, parsed, format, judge }: OpenText,
  entries: readonly TogetherEntry[],
  strategy: StrategyTree,
): Result<readonly Composed[], DeskProblem> {
  const batch: BatchEntry[] = []
  for (const { key, deltas, claims } of entries) {
    if (deltas === null) continue
    const read = readDeltas(deltas, artifact)
    if (!read.ok) return read
    const order = claims.order === undefined ? {} : { order: claims.order }
    batch.push({ key, deltas: read.value, ...order })
  }
  if (batch.length === 0) return ok([])
  const composed = composeDeltas(parsed, batch, strategy, format, {
    artifact,
    sha256: computeSha256,
    ...(judge === undefined ? {} : { judge }),
  })
  if (!composed.ok) return err(describeProblem(composed.error, artifact, parsed.text))
  return ok(composed.value.entries)
}

function sortSpliced(entries: readonly TogetherEntry[]): readonly TogetherEntry[] {
  return entries
    .filter(({ deltas }) => deltas === null)
    .map((entry) => ({ entry, rank: `${entry.key}\n${JSON.stringify(entry.splices)}` }))
    .sort((a, b) => (a.rank < b.rank ? -1 : 1))
    .map(({ entry }) => entry)
}
