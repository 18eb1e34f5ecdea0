/**
 * I30: lists find what the ledger says and the store holds, wherever the index began and however often it stopped: flows by
 * outcome and by reason, their states and tags, steps and requests; and nothing of what an erased flow said.
 */
import type { StoredEntry } from '../../../runtime/src/ports/store.ts'
import type { Report } from './report.ts'

/** What the index answers, in the words of its lists. */
export type FoundByIndex = {
  readonly problem: string | null
  /** Flows by `outcome REASON`, each in order. */
  readonly verdicts: ReadonlyMap<string, readonly string[]>
  /** As it counts them. */
  readonly counts: ReadonlyMap<string, number>
  /** State and tags, by flow. */
  readonly flows: ReadonlyMap<string, string>
  /** Status, by flow and step. */
  readonly steps: ReadonlyMap<string, string>
  /** State, by id. */
  readonly requests: ReadonlyMap<string, string>
  /** All that a flow is found by. */
  readonly words: ReadonlyMap<string, string>
}

/** What the store holds in the end. */
export type HeldByStore = {
  readonly entries: readonly StoredEntry[]
  readonly flows: ReadonlyMap<
    string,
    { readonly agent_id: string; readonly state: string; readonly tags: readonly string[] }
  >
  readonly executions: readonly {
    readonly dfid: string
    readonly step_id: string
    readonly status: string
  }[]
  readonly escalations: readonly { readonly group: string; readonly key: string }[]
}

export function auditFound(found: FoundByIndex, held: HeldByStore, report: Report): void {
  if (found.problem !== null) report('I30', `the index stops: ${found.problem}`)
  const verdicts = collectVerdicts(held.entries)
  compareMaps(found.verdicts, verdicts, 'flows with', report)
  const counts = new Map([...verdicts].map(([name, dfids]) => [name, dfids.length]))
  compareMaps(found.counts, counts, 'the number of', report)
  const flows = [...held.flows].map(
    ([dfid, row]) => [dfid, `${row.state} ${row.tags.join(',')}`] as const,
  )
  compareMaps(found.flows, new Map(flows), 'flow', report)
  const steps = held.executions.map(
    ({ dfid, step_id, status }) => [`${dfid}:${step_id}`, status] as const,
  )
  compareMaps(found.steps, new Map(steps), 'step', report)
  const requests = held.escalations.map(({ group, key }) => [key, group] as const)
  compareMaps(found.requests, new Map(requests), 'request', report)
  for (const dfid of listErased(held.entries)) {
    const agent = held.flows.get(dfid)?.agent_id
    if (found.words.get(dfid) !== `${dfid}\n${agent}`)
      report('I30', `${dfid} was erased and is found by its words`)
  }
}

function compareMaps(
  found: ReadonlyMap<string, unknown>,
  held: ReadonlyMap<string, unknown>,
  what: string,
  report: Report,
): void {
  for (const name of new Set([...found.keys(), ...held.keys()])) {
    const [one, other] = [JSON.stringify(found.get(name)), JSON.stringify(held.get(name))]
    if (one !== other) report('I30', `${what} ${name}: the index says ${one}, the store ${other}`)
  }
}

type Said = {
  readonly received?: string
  readonly trace?: readonly unknown[]
  readonly reason_code?: string
  readonly request?: { readonly reason_code: string }
  readonly intent?: { readonly compensation?: unknown }
}

function collectVerdicts(entries: readonly StoredEntry[]): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, Set<string>>()
  const erased = new Set(listErased(entries))
  for (const { envelope, payload } of entries) {
    const { dfid, kind } = envelope
    if (dfid === undefined || payload === null || erased.has(dfid)) continue
    const name = nameVerdict(kind, JSON.parse(payload) as Said)
    if (name !== null) found.set(name, (found.get(name) ?? new Set()).add(dfid))
  }
  return new Map([...found].map(([name, dfids]) => [name, [...dfids].sort()]))
}

function nameVerdict(kind: string, said: Said): string | null {
  const isProposed = (said.received ?? '') !== ''
  if (kind === 'accepted' || kind === 'dispatch') {
    const isDecided = isProposed && (said.trace ?? []).length > 0
    return isDecided && said.intent?.compensation === undefined ? 'accepted ' : null
  }
  if (kind === 'pending_approval')
    return said.request === undefined
      ? null
      : `escalated ${said.reason_code ?? said.request.reason_code}`
  if (said.reason_code === undefined) return null
  if (kind === 'rejection') return `${isProposed ? 'rejected' : 'ended'} ${said.reason_code}`
  return kind === 'settle' ? `ended ${said.reason_code}` : null
}

function listErased(entries: readonly StoredEntry[]): readonly string[] {
  return entries.flatMap(({ envelope }) =>
    envelope.kind === 'erasure' && envelope.dfid !== undefined ? [envelope.dfid] : [],
  )
}
