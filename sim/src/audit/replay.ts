/** I9: from the first line again, with nothing but the lines. */
import type { Entry } from 'rubicon-kernel'
import { BranchedCommits } from './branched-commits.ts'
import type { Report } from './report.ts'
import { AuditedWorld } from './world.ts'

/** What is stored of what the lines say. */
export type Replayed = {
  readonly entries: readonly (Entry & { readonly leaf: number })[]
  readonly heads: Iterable<{
    readonly trajectory: string
    readonly seq: number
    readonly id: string
    readonly world_root: string
  }>
  readonly resources: Iterable<{
    readonly kind: string
    readonly id: string
    readonly version: number
  }>
}

/** `seen`: what the auditor read of an entry before it was erased. */
export function auditReplay(
  report: Report,
  { entries, heads, resources }: Replayed,
  seen: (place: string) => unknown,
): void {
  const commits = new BranchedCommits()
  for (const { envelope, payload } of entries) {
    const { trajectory, seq, kind } = envelope
    if (kind !== 'commit' && kind !== 'branch') continue
    const read = payload === null ? seen(`${trajectory}/${seq}`) : JSON.parse(payload)
    commits.add({ trajectory, seq, kind, payload: read })
  }
  const worlds = new Map<string, AuditedWorld>()
  for (const { trajectory, seq, world_root } of heads) {
    const world = new AuditedWorld()
    for (const { delta } of commits.listUpTo(trajectory, seq)) world.apply(delta)
    worlds.set(trajectory, world)
    if (world.computeRoot() !== world_root)
      report('I9', `replay of ${trajectory} gives another world`)
  }
  const main = worlds.get('main')
  let stored = 0
  for (const { kind, id, version } of resources) {
    stored += 1
    if (main?.get(kind, id)?.version !== version) report('I9', `${kind} ${id} is another`)
  }
  if (stored !== (main?.size ?? 0)) report('I9', `${stored} resources, not ${main?.size}`)
}
