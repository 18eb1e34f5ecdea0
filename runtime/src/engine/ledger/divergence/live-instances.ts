/**
 * Instances that agents spawned, held against the ledger at the start: a record alone says what ends them. Without
 * it nobody does, and an instance acts on for as long as its contract has time, after the flow that it was made for.
 */
import { type Authority, toCanonicalText } from 'rubicon-kernel'
import type { RecordBodies } from '../../../ports/record.ts'
import { StoreDiverged } from '../../../ports/store-diverged.ts'
import type { Context } from '../../engine-context.ts'
import { iterateLiveInstances } from '../../rows/live-instances.ts'

type Needed = Pick<Context, 'store' | 'authorities'>

/** Throws a `StoreDiverged` at the first of which there is no record, or another one. */
export async function checkInstances({ store, authorities }: Needed): Promise<void> {
  if (!store.exposed) return
  const spawned = listLiveInstances(await authorities.loadLatest())
  if (spawned.size === 0) return
  const recorded = new Map<string, string>()
  for await (const { key, body } of iterateLiveInstances({ store }))
    recorded.set(key, toRecordText(body))
  for (const [agent, said] of spawned) {
    const text = recorded.get(agent)
    if (text === said) continue
    const row = `record \`instance ${agent}\``
    if (text !== undefined) throw new StoreDiverged(row, 'what it was spawned for differs')
    // Another process may have ended it meanwhile: it is retired first, and then forgotten.
    const { statuses } = await authorities.loadLatest()
    if (statuses.get(agent) !== 'RETIRED')
      throw new StoreDiverged(row, 'it is missing, and the instance has not ended')
  }
}

/** The record that each must have that has not ended, by its agent, as text. */
function listLiveInstances({ contracts, statuses }: Authority): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  for (const [agent, versions] of contracts) {
    if (statuses.get(agent) === 'RETIRED') continue
    for (const { contract, occasion } of versions)
      if (occasion !== undefined)
        found.set(agent, toRecordText({ class: contract.instance_of ?? '', ...occasion }))
  }
  return found
}

function toRecordText(body: RecordBodies['instance']): string {
  return toCanonicalText(body)
}
