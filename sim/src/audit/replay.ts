/** I9: from the first line again, with nothing but the lines. */
import type { CommitPayload, Entry } from 'rubicon-kernel'
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
  const worlds = new Map<string, AuditedWorld>()
  for (const { envelope, payload } of entries) {
    if (envelope.kind !== 'commit') continue
    const place = `${envelope.trajectory}/${envelope.seq}`
    const commit = payload === null ? seen(place) : JSON.parse(payload)
    const world = worlds.get(envelope.trajectory) ?? new AuditedWorld()
    worlds.set(envelope.trajectory, world)
    world.apply((commit as CommitPayload).delta)
  }
  for (const { trajectory, world_root } of heads) {
    const root = (worlds.get(trajectory) ?? new AuditedWorld()).computeRoot()
    if (root !== world_root) report('I9', `replay of ${trajectory} gives another world`)
  }
  const main = worlds.get('main')
  let stored = 0
  for (const { kind, id, version } of resources) {
    stored += 1
    if (main?.get(kind, id)?.version !== version) report('I9', `${kind} ${id} is another`)
  }
  if (stored !== (main?.size ?? 0)) report('I9', `${stored} resources, not ${main?.size}`)
}
